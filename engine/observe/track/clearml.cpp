// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/clearml.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "base/error.h"
#include "base/json_writer.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

constexpr std::size_t kMostEvents = 5000;  ///< of a request

/// Whether ClearML's client reads the key without quotes: letters of Latin 1, digits, `_` and `-`.
bool is_hocon_word(const std::string& key) {
    for (std::size_t at = 0; at < key.size(); ++at) {
        const auto byte = static_cast<unsigned char>(key[at]);
        if (byte == 0xC3 && at + 1 < key.size()) {  // UTF-8 of U+00C0 to U+00FF
            const auto letter = static_cast<unsigned char>(key[++at]);
            if (letter == 0x97 || letter == 0xB7)  // the signs of multiplication and division
                return false;
        } else if (std::isalnum(byte) == 0 && byte != '_' && byte != '-') {
            return false;
        }
    }
    return !key.empty();
}

/// HOCON, as ClearML shows it.
void append_hocon(std::string& out, const Values& values, const std::string& indent) {
    for (const auto& [key, value] : values) {
        out += indent;
        if (is_hocon_word(key))
            out += key;
        else
            append_json_text(out, key);
        if (value.is_map() && !value.entries().empty()) {
            out += " {\n";
            append_hocon(out, value.entries(), indent + "  ");
            out += indent + "}\n";
            continue;
        }
        const double* number = value.number();
        if (value.is_map())
            out += " {}\n";
        else if (number != nullptr && !std::isfinite(*number))
            out += std::isnan(*number) ? " = \"NaN\"\n" : *number < 0 ? " = \"-Infinity\"\n" : " = \"Infinity\"\n";
        else
            out += " = " + json_text(value) + "\n";
    }
}

/// Accelerate's names: the words train, eval and test before a name are a curve of the diagram of that name.
std::pair<std::string, std::string> title_and_series(const std::string& name) {
    for (const std::string series : {"eval", "test", "train"})
        if (name.size() > series.size() && name.starts_with(series) &&
            (name[series.size()] == '_' || name[series.size()] == '/'))
            return {name.substr(series.size() + 1), series};
    return {name, "train"};
}

class Clearml final : public Service {
  public:
    Clearml(const Value& open, std::stop_token stop) : open_(open) {
        const std::string folder = setting("folder");
        store_ = folder.empty() ? make_clearml_server(std::move(stop)) : make_clearml_folder(folder);
    }

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        if (entry_of(memory, "task") == nullptr)
            wait_if_refused([&] { create(memory); });
        const Value known(memory);
        task_ = text_in(known, "task");
        const Value& first = entries.front();
        const std::string state = text_in(known, "state");
        if (first.find("open") == nullptr && state != "running") {
            store_->begin(task_);
            set_value(memory, "state", "running");
        }
        if (first.find("values") != nullptr)
            return log_values(entries);
        deliver_one(first, memory);
        return 1;
    }

  private:
    std::string setting(const char* key) const {
        const Value* settings = open_.find("settings");
        return settings == nullptr ? "" : text_in(*settings, key);
    }

    void create(Values& memory) {
        if (const std::string known = setting("task_id"); !known.empty())
            return set_value(memory, "task", known);
        Json fields{{"name", setting("task")}, {"type", setting("type")}};
        if (const Value* settings = open_.find("settings"))
            if (const Value* tags = settings->find("tags"))
                for (const Value& tag : tags->items())
                    fields["tags"].push_back(tag.display());
        set_value(memory, "task", store_->create(setting("project"), fields));
    }

    Json event_of(const char* type, const Value& entry) const {
        return {{"timestamp", std::llround(number_in(entry, "time") * 1000)}, {"type", type}, {"task", task_}};
    }

    /// An event of a diagram.
    Json point_of(const char* type, const Value& entry, const std::string& name) const {
        Json event = event_of(type, entry);
        const auto [title, series] = title_and_series(name);
        event["iter"] = integer_in(entry, "step");
        event["metric"] = title;
        event["variant"] = series;
        return event;
    }

    /// Sends the values of as many entries as a request takes. The server stores a number that is sent again once, and
    /// a line of the console twice: lines are sent after the numbers of their entries were accepted.
    std::size_t log_values(std::span<const Value> entries) {
        for (std::size_t most = entries.size();; most = std::max<std::size_t>(1, most / 2)) {
            std::vector<Json> events, lines;
            std::size_t count = 0;
            for (; count < most && events.size() + lines.size() < kMostEvents; ++count) {
                const Value* values = entries[count].find("values");
                if (values == nullptr)
                    break;
                for (const auto& [name, value] : flattened(values->entries()))
                    if (!value.is_null())
                        (value.is_number() ? events : lines).push_back(value_event(entries[count], name, value));
            }
            try {
                for (const std::vector<Json>* batch : {&events, &lines})
                    if (!batch->empty())
                        store_->add_events(task_, *batch);
                return count;
            } catch (const ServiceUnavailable&) {
                throw;
            } catch (const UserError&) {  // one event that is refused refuses all
                if (count == 1)
                    throw;
                most = count;
            }
        }
    }

    Json value_event(const Value& entry, const std::string& name, const Value& value) const {
        constexpr std::int64_t kNoStep = std::numeric_limits<std::int32_t>::min();
        if (!value.is_number()) {
            Json line = event_of("log", entry);
            line["level"] = "INFO";
            line["worker"] = "trainyard";
            line["msg"] = name + ": " + (value.is_scalar() ? value.display() : json_text(value));
            return line;
        }
        const double number = value.as_double();
        Json event = point_of("training_stats_scalar", entry, name);
        if (entry.find("step") == nullptr) {  // a single value of the task
            event["iter"] = kNoStep;
            event["metric"] = "Summary";
            event["variant"] = name;
        }
        event["value"] = std::isfinite(number) ? number : 0;  // as their client; the server has no others
        return event;
    }

    void deliver_one(const Value& entry, Values& memory) {
        if (const Value* configuration = entry.find("configuration")) {
            Values all;
            if (const Entry* known = entry_of(memory, "configuration"))
                all = known->value.entries();
            for (const auto& [key, value] : configuration->entries())
                set_value(all, key, value);
            std::string hocon;
            append_hocon(hocon, all, "");
            while (hocon.ends_with('\n'))
                hocon.pop_back();
            store_->edit(task_, {{"configuration",
                                  {{"General", {{"name", "General"}, {"value", hocon}, {"type", "dictionary"}}}}}});
            set_value(memory, "configuration", all);
        } else if (const Value* pictures = entry.find("pictures")) {
            log_pictures(pictures->display(), entry);
        } else if (const Value* table = entry.find("table")) {
            log_table(table->display(), entry);
        } else if (entry.find("artifact") != nullptr) {
            log_artifact(entry);
        } else if (entry.find("finish") != nullptr) {
            store_->complete(task_);
            set_value(memory, "state", "completed");
        }
    }

    /// A path of the task, without characters that paths and addresses do not have.
    std::string path_of(const std::string& folder, const std::string& name) const {
        std::string path = setting("project") + "/" + setting("task") + "." + task_ + "/" + folder + "/" + name;
        for (char& c : path)
            if (std::string_view("\\#\"';?:@&=+$,%!\r\n").find(c) != std::string_view::npos)
                c = '_';
        return path;
    }

    void log_pictures(const std::string& name, const Value& entry) {
        const auto [title, series] = title_and_series(name);
        std::vector<Json> events;
        std::size_t number = 0;
        const Value::List& files = entry.find("files")->items();
        for (const Value& file : files) {
            const std::string variant = files.size() == 1 ? series : fmt::format("{} {}", series, number);
            const std::string path =
                path_of("metrics", fmt::format("{}/{}/{:08}.png", title, variant, integer_in(entry, "step")));
            Json event = point_of("training_debug_image", entry, name);
            event["variant"] = variant;
            event["key"] = path;
            event["url"] = store_->add_file(task_, path, file.display());
            events.push_back(std::move(event));
            ++number;
        }
        store_->add_events(task_, events);
    }

    /// A table of Plotly.
    void log_table(const std::string& name, const Value& entry) {
        const Value &columns = *entry.find("columns"), &rows = *entry.find("rows");
        Value::List cells;
        for (std::size_t column = 0; column < columns.items().size(); ++column) {
            Value::List cell;
            for (const Value& row : rows.items())
                cell.push_back(row.items().at(column));
            cells.emplace_back(std::move(cell));
        }
        const Value plot = Values{{"data", Value::List{Values{{"type", "table"},
                                                              {"header", Values{{"values", columns}}},
                                                              {"cells", Values{{"values", cells}}}}}},
                                  {"layout", Values{{"title", name}}}};
        Json event = point_of("plot", entry, name);
        event["plot_str"] = json_text(plot);
        store_->add_events(task_, {event});
    }

    void log_artifact(const Value& entry) {
        const std::string name = text_in(entry, "name");
        const fs::path file = text_in(entry, "artifact");
        const std::string address = store_->add_file(task_, path_of("artifacts", name), file);
        store_->add_artifact(task_, {{"key", name},
                                     {"type", "custom"},
                                     {"mode", "output"},
                                     {"uri", address},
                                     {"content_size", fs::file_size(file)},
                                     {"timestamp", std::llround(number_in(entry, "time"))},
                                     {"type_data", {{"preview", name}, {"content_type", "application/octet-stream"}}}});
    }

    const Value open_;
    std::string task_;
    std::unique_ptr<ClearmlStore> store_;
};

/// Variables win over the project's name, arguments over both, as in Accelerate.
Values clearml_settings(const TrackerContext& context) {
    const Value& given = context.arguments;
    check_arguments("clearml", given, tracker_arguments("clearml"));
    const auto chosen = [&](const char* argument, const char* variable) {
        const std::string set = environment_text(variable);
        return text_in(given, argument, set.empty() ? context.project : set);
    };
    Value::List tags;
    if (const Value* listed = given.find("tags")) {
        if (!listed->is_list())
            throw UserError("the argument tags of the tracker '{}' must be a list of texts, not {}", "clearml",
                            listed->description());
        tags = listed->items();
    }
    const std::string offline = environment_text("CLEARML_OFFLINE_MODE");
    fs::path folder;
    if (!offline.empty() && offline != "0" && offline != "false") {
        const std::string cache = environment_text("CLEARML_CACHE_DIR");
        folder = cache.empty() ? (context.logging_dir.empty() ? fs::path(".") : context.logging_dir) / "clearml"
                               : fs::path(cache) / "offline";
        folder = fs::absolute(folder).lexically_normal();
    }
    const Value* continued = given.find("continue_last_task");
    return {{"project", chosen("project_name", "CLEARML_PROJECT")},
            {"task", chosen("task_name", "CLEARML_TASK")},
            {"type", text_in(given, "task_type", "training")},
            {"tags", tags},
            {"task_id", continued != nullptr && continued->text() != nullptr ? *continued->text() : std::string()},
            {"folder", folder.string()}};
}

}  // namespace

/// ClearML: the server of CLEARML_API_HOST or clearml.conf (api.clear.ml), with CLEARML_API_ACCESS_KEY and
/// CLEARML_API_SECRET_KEY or the credentials of clearml.conf. With CLEARML_OFFLINE_MODE a folder below
/// CLEARML_CACHE_DIR or the logging directory, which Task.import_offline_session() of their client sends. Numbers are
/// scalars, other values lines of the console. Arguments: task_name, project_name, task_type, tags, continue_last_task
/// (the id of a task); auto_connect_... and auto_resource_monitoring have no meaning here, because nothing but what is
/// logged is sent.
TrackerKind clearml_kind() {
    return remote_kind({.name = "clearml",
                        .settings = clearml_settings,
                        .make = [](const Value& open, std::stop_token stop) -> std::unique_ptr<Service> {
                            return std::make_unique<Clearml>(open, std::move(stop));
                        },
                        .keeps_pictures = true,
                        .keeps_tables = true,
                        .keeps_artifacts = true});
}

}  // namespace trainyard::track
