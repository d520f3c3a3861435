// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment of Comet on its server: the requests of their client comet_ml.

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/percent_encoding.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/json_server.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

constexpr double kReportEvery = 30;  ///< seconds between two reports that the experiment is alive

/// COMET_API_KEY, else `api_key` in ~/.comet.config; empty: none. No message contains it.
std::string comet_key() {
    if (const std::string key = environment_text("COMET_API_KEY"); !key.empty())
        return key;
    std::ifstream file(fs::path(environment_text("HOME")) / ".comet.config");
    for (std::string line; std::getline(file, line);)
        if (const std::size_t sign = line.find('=');
            sign != std::string::npos && text::trimmed(std::string_view(line).substr(0, sign)) == "api_key")
            return std::string(text::trimmed(std::string_view(line).substr(sign + 1)));
    return {};
}

/// The address of the client's interface, without a slash at its end.
std::string comet_address() {
    std::string address = environment_text("COMET_URL_OVERRIDE");
    while (address.ends_with('/'))
        address.pop_back();
    return address.empty() ? "https://www.comet.com/clientlib" : without_credentials(address);
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
    return {{"project", context.project},
            {"workspace", chosen("workspace", "COMET_WORKSPACE")},
            {"mode", mode},
            {"exists", !key.empty() && mode != "create"},
            {"key", key.empty() ? random_hex(32) : key}};
}

class Comet final : public Service {
  public:
    Comet(const Value& open, std::stop_token stop)
        : open_(open),
          key_(comet_key()),
          server_({.tool = "Comet",
                   .address = comet_address(),
                   .setting = "COMET_URL_OVERRIDE",
                   .credentials = "COMET_API_KEY or ~/.comet.config"},
                  std::move(stop)) {
        server_.headers = {"Authorization: " + key_};
    }

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        if (key_.empty())
            throw ServiceUnavailable(Message("there is no API key for {}: set COMET_API_KEY, or write it to "
                                             "~/.comet.config",
                                             server_.address()),
                                     true);
        if (entry_of(memory, "run") == nullptr)
            start(memory);
        const Value known(memory);
        report(known, true);
        const Value& first = entries.front();
        if (const Value* configuration = first.find("configuration")) {
            Json parameters = Json::array();
            add_parameters("", configuration->entries(), number_in(first, "time"), parameters);
            send_batch("parameter", parameters);
            return 1;
        }
        if (const Value* pictures = first.find("pictures"))
            send_pictures(pictures->display(), first);
        if (const Value* table = first.find("table"))
            send_table(table->display(), first);
        if (const Value* artifact = first.find("artifact"))
            send_file("asset", text_in(first, "name"), first, artifact->display());
        if (first.find("finish") != nullptr)
            report(known, false);
        if (first.find("values") == nullptr)
            return 1;
        std::int64_t step = integer_in(known, "step");
        Json metrics = Json::array();
        std::vector<std::pair<std::string, std::string>> others;
        std::size_t count = 0;
        for (; count < entries.size(); ++count) {
            const Value* values = entries[count].find("values");
            if (values == nullptr)
                break;
            step = integer_in(entries[count], "step", step);
            for (const auto& [name, value] : flattened(values->entries())) {
                if (value.is_number())
                    metrics.push_back(
                        {{"metricName", name},
                         {"metricValue", json_value(value.boolean() != nullptr ? Value(value.as_double()) : value)},
                         {"step", step},
                         {"epoch", nullptr},
                         {"context", nullptr},
                         {"timestamp", milliseconds(number_in(entries[count], "time"))}});
                else if (!value.is_null())
                    others.emplace_back(name, value.is_scalar() ? value.display() : json_text(value));
            }
        }
        send_batch("metric", metrics);
        for (const auto& [name, text] : others)
            server_.post(write_address("log-other"), {{"experimentKey", experiment()}, {"key", name}, {"value", text}});
        set_value(memory, "step", step);
        return count;
    }

  private:
    static std::int64_t milliseconds(double seconds) { return std::llround(seconds * 1000); }

    std::string experiment() const { return setting("key"); }
    std::string setting(const char* key) const {
        const Value* settings = open_.find("settings");
        return settings == nullptr ? "" : text_in(*settings, key);
    }

    /// NaN and infinities are texts.
    static Json json_value(const Value& value) {
        if (const double* number = value.number(); number != nullptr && !std::isfinite(*number))
            return std::isnan(*number) ? "NaN" : *number < 0 ? "-Infinity" : "Infinity";
        return json_of(value);
    }

    /// Nested names are joined by `|`.
    static void add_parameters(const std::string& prefix, const Values& values, double time, Json& into) {
        for (const auto& [key, value] : values) {
            if (value.is_map() && !value.entries().empty()) {
                add_parameters(prefix + key + "|", value.entries(), time, into);
                continue;
            }
            into.push_back({{"parameterName", prefix + key},
                            {"parameterValue", value.is_map() ? Json("{}") : json_value(value)},
                            {"step", nullptr},
                            {"source", "manual"},
                            {"context", nullptr},
                            {"timestamp", milliseconds(time)}});
        }
    }

    void start(Values& memory) {
        const bool get = setting("mode") == "get";
        const std::string workspace = setting("workspace");
        Json body{{"apiKey", key_},
                  {"local_timestamp", milliseconds(wall_seconds())},
                  {"experimentKey", experiment()},
                  {"offline", false},
                  {"projectName", setting("project")},
                  {"teamName", workspace.empty() ? Json(nullptr) : Json(workspace)},
                  {"libVersion", "3.58.8"},  // of the client whose requests these are
                  {"getOrCreateEnabled", setting("exists") == "True"}};
        const Json answer = server_.post(get ? "/logger/get/run" : "/logger/add/run", body);
        const std::string run = text_member(answer, "runId");
        if (run.empty())
            throw server_.is_another_server("it named no run");
        set_value(memory, "run", run);
        set_value(memory, "project_id", text_member(answer, "project_id"));
    }

    void report(const Value& known, bool is_alive) {
        const double now = monotonic_seconds();
        if (is_alive && now < next_report_)
            return;
        server_.post("/status-report/update", {{"apiKey", key_},
                                               {"runId", text_in(known, "run")},
                                               {"experimentKey", experiment()},
                                               {"projectId", text_in(known, "project_id")},
                                               {"is_alive", is_alive},
                                               {"local_timestamp", milliseconds(wall_seconds())},
                                               {"offline", false}});
        next_report_ = now + kReportEvery;
    }

    void send_batch(const std::string& kind, const Json& values) {
        if (!values.empty())
            server_.post("/batch/logger/experiment/" + kind, {{"experimentKey", experiment()}, {"values", values}});
    }

    /// A call of the REST API of the host.
    std::string write_address(const std::string& call) const {
        const std::string& address = server_.address();
        return address.substr(0, address.find('/', address.find("://") + 3)) + "/api/rest/v2/write/experiment/" + call;
    }

    void send_pictures(const std::string& name, const Value& entry) {
        const Value::List& files = entry.find("files")->items();
        for (std::size_t i = 0; i < files.size(); ++i)
            send_file("image", files.size() == 1 ? name : fmt::format("{}_{}", name, i), entry, files[i].display());
    }

    void send_table(const std::string& name, const Value& entry) {
        const TemporaryFolder temporary;
        JsonWriter json;
        write_json_tree(json, Values{{"columns", *entry.find("columns")}, {"data", *entry.find("rows")}},
                        JsonTree::standard);
        write_file_atomically(temporary.path() / "table.json", json.take(), false);
        send_file("asset", name + ".json", entry, temporary.path() / "table.json");
    }

    void send_file(const std::string& type, const std::string& name, const Value& entry, const fs::path& file) {
        std::string address = write_address("upload-asset") + "?experimentKey=" + experiment() + "&type=" + type +
                              "&fileName=" + percent_encoded(name);
        if (const Value* step = entry.find("step"))
            address += "&step=" + step->display();
        server_.post_file(address, "file", fs::path(name).filename().string(), file);
    }

    const Value open_;
    const std::string key_;
    JsonServer server_;
    double next_report_ = 0;
};

}  // namespace

/// Comet: COMET_URL_OVERRIDE (www.comet.com); COMET_API_KEY or ~/.comet.config. Numbers are metrics, texts and lists
/// "other"
/// values. Arguments: workspace, experiment_key, mode (get, create, get_or_create). What cannot be sent waits on the
/// disk, so
/// that offline mode does not exist.
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
