// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/comet_ml.h"

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/truth.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

/// Whether the client would be online: the argument, else COMET_START_ONLINE, else yes.
bool is_online(const TrackerContext& context) {
    if (const Value* given = context.arguments.find("online")) {
        if (given->boolean() == nullptr)
            throw UserError("the argument online of the tracker 'comet_ml' must be true or false, not {}",
                            given->description());
        return *given->boolean();
    }
    return truth_of(environment_text("COMET_START_ONLINE")) != Truth::no;
}

Values comet_settings(const TrackerContext& context) {
    check_arguments("comet_ml", context.arguments, tracker_arguments("comet_ml"));
    const auto chosen = [&](const char* argument, const char* variable) {
        return text_in(context.arguments, argument, environment_text(variable));
    };
    std::string key = chosen("experiment_key", "COMET_EXPERIMENT_KEY");
    const std::string mode = text_in(context.arguments, "mode", "get_or_create");
    const bool is_word = std::ranges::all_of(key, [](unsigned char c) { return c < 0x80 && std::isalnum(c) != 0; });
    if (!key.empty() && (!is_word || key.size() < 32 || key.size() > 50))
        throw UserError("the key '{}' of an experiment of Comet must have 32 to 50 letters and digits", key);
    if (mode != "get" && mode != "create" && mode != "get_or_create")
        throw UserError("unknown mode '{}' of the tracker 'comet_ml': give get, create or get_or_create", mode);
    if (mode == "get" && key.empty())
        throw UserError("the mode get of the tracker 'comet_ml' needs an experiment_key");
    fs::path folder;
    if (!is_online(context)) {
        folder = environment_text("COMET_OFFLINE_DIRECTORY");
        if (folder.empty())
            folder = (context.logging_dir.empty() ? fs::path(".") : context.logging_dir) / "comet";
        folder = fs::absolute(folder).lexically_normal();
    }
    return {{"project", context.project},
            {"workspace", chosen("workspace", "COMET_WORKSPACE")},
            {"mode", mode},
            {"exists", !key.empty() && mode != "create"},
            {"key", key.empty() ? random_hex(32) : key},
            {"folder", folder.string()}};
}

class Comet final : public Service {
  public:
    Comet(const Value& open, std::stop_token stop) : open_(open), stop_(std::move(stop)) {}

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        if (store_ == nullptr)
            make_store(memory);
        store_->begin(memory);
        const std::size_t count = add(entries, memory);
        if (entries.front().find("finish") != nullptr)
            store_->end(memory);
        else
            store_->settle(memory);
        return count;
    }

  private:
    void make_store(Values& memory) {
        const Value* settings = open_.find("settings");
        const auto setting = [&](const char* key) { return settings == nullptr ? "" : text_in(*settings, key); };
        // A run that continues has the key of its beginning.
        const std::string key = text_in(Value(memory), "key", setting("key"));
        set_value(memory, "key", key);
        CometExperiment experiment{.key = key,
                                   .project = setting("project"),
                                   .workspace = setting("workspace"),
                                   .mode = setting("mode"),
                                   .may_exist = setting("exists") == "True"};
        const std::string folder = setting("folder");
        store_ = folder.empty() ? make_comet_server(std::move(experiment), stop_)
                                : make_comet_archive(std::move(experiment), folder);
    }

    /// Returns how many of the entries were added.
    std::size_t add(std::span<const Value> entries, Values& memory) {
        const Value& first = entries.front();
        if (const Value* configuration = first.find("configuration")) {
            std::vector<CometValue> parameters;
            list_parameters("", configuration->entries(), comet_milliseconds(number_in(first, "time")), parameters);
            store_->add_parameters(parameters);
        }
        if (const Value* pictures = first.find("pictures"))
            add_pictures(pictures->display(), first);
        if (const Value* table = first.find("table"))
            add_table(table->display(), first);
        if (const Value* artifact = first.find("artifact"))
            store_->add_file(false, text_in(first, "name"), step_of(first), artifact->display());
        return first.find("values") == nullptr ? 1 : add_values(entries, memory);
    }

    std::size_t add_values(std::span<const Value> entries, Values& memory) {
        std::int64_t step = integer_in(Value(memory), "step");
        std::vector<CometValue> metrics;
        std::vector<std::pair<std::string, std::string>> others;
        std::size_t count = 0;
        for (; count < entries.size(); ++count) {
            const Value* values = entries[count].find("values");
            if (values == nullptr)
                break;
            step = integer_in(entries[count], "step", step);
            for (const auto& [name, value] : flattened(values->entries())) {
                if (value.is_number())
                    metrics.push_back({name, json_value(value.boolean() != nullptr ? Value(value.as_double()) : value),
                                       step, comet_milliseconds(number_in(entries[count], "time"))});
                else if (!value.is_null())
                    others.emplace_back(name, value.is_scalar() ? value.display() : json_text(value));
            }
        }
        store_->add_metrics(metrics);
        for (const auto& [name, text] : others)
            store_->add_other(name, text);
        set_value(memory, "step", step);
        return count;
    }

    static Json step_of(const Value& entry) {
        const Value* step = entry.find("step");
        return step == nullptr ? Json(nullptr) : json_of(*step);
    }

    /// NaN and infinities are texts.
    static Json json_value(const Value& value) {
        if (const double* number = value.number(); number != nullptr && !std::isfinite(*number))
            return std::isnan(*number) ? "NaN" : *number < 0 ? "-Infinity" : "Infinity";
        return json_of(value);
    }

    /// Nested names are joined by `|`.
    static void list_parameters(const std::string& prefix, const Values& values, std::int64_t milliseconds,
                                std::vector<CometValue>& into) {
        for (const auto& [key, value] : values) {
            if (value.is_map() && !value.entries().empty())
                list_parameters(prefix + key + "|", value.entries(), milliseconds, into);
            else
                into.push_back(
                    {prefix + key, value.is_map() ? Json("{}") : json_value(value), Json(nullptr), milliseconds});
        }
    }

    void add_pictures(const std::string& name, const Value& entry) {
        const Value::List& files = entry.find("files")->items();
        for (std::size_t i = 0; i < files.size(); ++i)
            store_->add_file(true, files.size() == 1 ? name : fmt::format("{}_{}", name, i), step_of(entry),
                             files[i].display());
    }

    void add_table(const std::string& name, const Value& entry) {
        const TemporaryFolder temporary;
        JsonWriter json;
        write_json_tree(json, Values{{"columns", *entry.find("columns")}, {"data", *entry.find("rows")}},
                        JsonTree::standard);
        write_file_atomically(temporary.path() / "table.json", json.take(), false);
        store_->add_file(false, name + ".json", step_of(entry), temporary.path() / "table.json");
    }

    const Value open_;
    std::stop_token stop_;
    std::unique_ptr<CometStore> store_;
};

}  // namespace

std::int64_t comet_milliseconds(double seconds) {
    return std::llround(seconds * 1000);
}

/// Comet: COMET_URL_OVERRIDE (www.comet.com); COMET_API_KEY or ~/.comet.config. Numbers are metrics, texts and lists
/// "other" values. Arguments: workspace, experiment_key, mode (get, create, get_or_create), online. With online false
/// or COMET_START_ONLINE=0 an archive in COMET_OFFLINE_DIRECTORY or below the logging directory, which `comet upload`
/// of their client sends. What cannot be sent to a server waits on the disk.
TrackerKind comet_ml_kind() {
    return remote_kind({.name = "comet_ml",
                        .settings = comet_settings,
                        .make = [](const Value& open, std::stop_token stop) -> std::unique_ptr<Service> {
                            return std::make_unique<Comet>(open, std::move(stop));
                        },
                        .keeps_pictures = true,
                        .keeps_tables = true,
                        .keeps_artifacts = true});
}

}  // namespace trainyard::track
