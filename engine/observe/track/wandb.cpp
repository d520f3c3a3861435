// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/wandb.h"

#include <algorithm>
#include <sstream>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/json_server.h"
#include "observe/track/run_folder.h"

namespace trainyard::track {

namespace {

/// A path of a file of media for a name.
std::string media_path(const std::string& folder, const std::string& name, std::int64_t step, const std::string& digest,
                       const std::string& ending) {
    std::string safe = name;
    for (char& c : safe)
        if (c == '/' || c == '\\' || static_cast<unsigned char>(c) < 0x20)
            c = '_';
    return fmt::format("media/{}/{}_{}_{}{}", folder, safe, step, digest.substr(0, 20), ending);
}

}  // namespace

Values wandb_settings(const TrackerContext& context) {
    const Value& given = context.arguments;
    check_arguments("wandb", given, tracker_arguments("wandb"));
    const auto chosen = [&](const char* argument, const char* variable) {
        return text_in(given, argument, environment_text(variable));
    };
    Value::List tags;
    if (const Value* listed = given.find("tags")) {
        if (!listed->is_list() && listed->text() == nullptr)
            throw UserError("the argument tags of the tracker '{}' must be a list of texts, not {}", "wandb",
                            listed->description());
        tags = listed->is_list() ? listed->items() : Value::List{*listed};
    } else {
        std::istringstream set(environment_text("WANDB_TAGS"));
        for (std::string tag; std::getline(set, tag, ',');)
            tags.emplace_back(std::string(text::trimmed(tag)));
    }
    std::string project = context.project;
    std::ranges::replace_if(
        project, [](char c) { return std::string_view("/\\#?%:").find(c) != std::string_view::npos; }, '_');
    const fs::path folder = chosen("dir", "WANDB_DIR");
    std::string id = chosen("id", "WANDB_RUN_ID");
    if (id.find_first_of("/\\#?%:") != std::string::npos)
        throw UserError("the id '{}' of a run of W&B must not have one of / \\ # ? % :", id);
    const Value* config = given.find("config");
    const std::string resume = chosen("resume", "WANDB_RESUME");
    return {{"id", id.empty() ? random_hex(8) : id},
            {"project", project},
            {"entity", chosen("entity", "WANDB_ENTITY")},
            {"name", chosen("name", "WANDB_NAME")},
            {"notes", chosen("notes", "WANDB_NOTES")},
            {"tags", tags},
            {"group", chosen("group", "WANDB_RUN_GROUP")},
            {"job_type", chosen("job_type", "WANDB_JOB_TYPE")},
            {"config", config == nullptr ? Value(Values()) : *config},
            {"resume", !resume.empty() && resume != "False" && resume != "never"},
            {"folder", fs::absolute(!folder.empty()               ? folder
                                    : context.logging_dir.empty() ? fs::path(".")
                                                                  : context.logging_dir)
                           .lexically_normal()
                           .string()}};
}

std::string wandb_address() {
    std::string address = environment_text("WANDB_BASE_URL");
    while (address.ends_with('/'))
        address.pop_back();
    return address.empty() ? "https://api.wandb.ai" : without_credentials(address);
}

std::string wandb_key() {
    if (const std::string key = environment_text("WANDB_API_KEY"); !key.empty())
        return key;
    const std::string address = wandb_address();
    const std::size_t host = address.find("://");
    const std::string rest = host == std::string::npos ? address : address.substr(host + 3);
    const std::string named = environment_text("NETRC");
    return netrc_password(named.empty() ? fs::path(environment_text("HOME")) / ".netrc" : fs::path(named),
                          {rest.substr(0, rest.find_first_of(":/"))});
}

WandbRows::WandbRows(const Value& state) {
    open_.step = integer_in(state, "step");
    open_.time = number_in(state, "time");
    if (const Value* values = state.find("values")) {
        has_values_ = values->is_map();
        open_.values = values->entries();
    }
}

Value WandbRows::state() const {
    return Values{{"step", open_.step}, {"time", open_.time}, {"values", has_values_ ? Value(open_.values) : Value()}};
}

std::vector<WandbRow> WandbRows::add(const Values& values, std::optional<std::int64_t> step, double time) {
    std::vector<WandbRow> complete;
    if (step && *step < open_.step) {  // W&B's own client drops such values
        complete.push_back({*step, time, values});
        return complete;
    }
    if (step && *step > open_.step) {
        if (std::optional<WandbRow> row = take_open())
            complete.push_back(std::move(*row));
        open_.step = *step;
    }
    for (const auto& [name, value] : values)
        set_value(open_.values, name, value);
    open_.time = time;
    has_values_ = true;
    if (!step) {
        complete.push_back(*take_open());
        ++open_.step;
    }
    return complete;
}

std::optional<WandbRow> WandbRows::take_open() {
    if (!has_values_)
        return std::nullopt;
    has_values_ = false;
    WandbRow row = open_;
    open_.values.clear();
    return row;
}

std::optional<WandbRow> WandbRows::restart(std::int64_t step) {
    std::optional<WandbRow> row = take_open();
    open_.step = step;
    return row;
}

Values wandb_history(const WandbRow& row, double start_time) {
    Values values = row.values;
    set_value(values, "_step", row.step);
    set_value(values, "_timestamp", row.time);
    set_value(values, "_runtime", std::max(0.0, row.time - start_time));
    return values;
}

Values wandb_summary(const WandbRow& row) {
    Values values;
    for (const auto& [name, value] : row.values)
        if (!value.is_null())
            values.push_back({name, value});
    values.push_back({"_step", row.step});
    return values;
}

WandbMedia add_wandb_pictures(const fs::path& files, const std::string& name, std::int64_t step,
                              const std::vector<std::string>& pngs, std::int64_t width, std::int64_t height) {
    WandbMedia media;
    Value::List names;
    for (const std::string& png : pngs) {
        const std::string path = media_path("images", name, step, sha256_hex(png), ".png");
        fs::create_directories((files / path).parent_path());
        write_file_atomically(files / path, png, false, 0644);
        media.paths.push_back(path);
        names.emplace_back(path);
    }
    media.value = Values{{"_type", "images/separated"},
                         {"width", width},
                         {"height", height},
                         {"format", "png"},
                         {"count", static_cast<std::int64_t>(pngs.size())},
                         {"filenames", names}};
    return media;
}

WandbMedia add_wandb_table(const fs::path& files, const std::string& name, std::int64_t step, const Value& columns,
                           const Value& rows) {
    JsonWriter json;
    write_json_tree(json, Values{{"columns", columns}, {"data", rows}}, JsonTree::exact);
    const std::string content = json.take(), digest = sha256_hex(content);
    WandbMedia media;
    media.paths.push_back(media_path("table", name, step, digest, ".table.json"));
    fs::create_directories((files / media.paths[0]).parent_path());
    write_file_atomically(files / media.paths[0], content, false, 0644);
    media.value = Values{{"_type", "table-file"},
                         {"path", media.paths[0]},
                         {"sha256", digest},
                         {"size", static_cast<std::int64_t>(content.size())},
                         {"ncols", static_cast<std::int64_t>(columns.items().size())},
                         {"nrows", static_cast<std::int64_t>(rows.items().size())}};
    return media;
}

/// Weights & Biases. WANDB_MODE or the argument mode: online (WANDB_BASE_URL, WANDB_API_KEY or ~/.netrc; without a
/// key as
/// offline, with a message), offline (a folder that `wandb sync` sends) or disabled. Neither script, host name, user
/// nor
/// packages are sent. Arguments: entity, dir, id, name, notes, tags, config, group, job_type, mode, resume.
TrackerKind wandb_kind() {
    TrackerKind kind;
    kind.name = "wandb";
    kind.make_service = wandb_service().make;
    kind.make = [](const TrackerContext& context) -> std::unique_ptr<Tracker> {
        std::string mode = text_in(context.arguments, "mode", environment_text("WANDB_MODE"));
        if (mode.empty() || mode == "run")  // older releases' names: run and dryrun
            mode = "online";
        if (mode == "disabled")
            return make_disabled_tracker("wandb");
        if (mode == "offline" || mode == "dryrun")
            return make_wandb_folder(context, {});
        if (mode != "online" && mode != "shared")
            throw UserError("unknown mode '{}' of the tracker 'wandb': give online, offline or disabled", mode);
        if (wandb_key().empty())
            return make_wandb_folder(
                context, Message("there is no API key for {}: set WANDB_API_KEY, or log in with `wandb login`",
                                 wandb_address()));
        return make_remote_tracker(wandb_service(), context);
    };
    return kind;
}

}  // namespace trainyard::track
