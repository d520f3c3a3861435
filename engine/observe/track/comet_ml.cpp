// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment of Comet on its server: the requests of their client comet_ml.

#include <algorithm>
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/remote_tracker.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

using Json = nlohmann::ordered_json;

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
        : open_(open), address_(comet_address()), key_(comet_key()), client_(make_client(std::move(stop))) {}

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        if (key_.empty())
            throw ServiceUnavailable(Message("there is no API key for {}: set COMET_API_KEY, or write it to "
                                             "~/.comet.config",
                                             address_),
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
            send("/api/rest/v2/write/experiment/log-other", true,
                 {{"experimentKey", experiment()}, {"key", name}, {"value", text}});
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
        const Json answer = send(get ? "/logger/get/run" : "/logger/add/run", false, body);
        const auto run = answer.find("runId"), project = answer.find("project_id");
        if (run == answer.end() || !run->is_string())
            throw ServiceUnavailable(Message("{} did not answer as a Comet server: it named no run", address_), true);
        set_value(memory, "run", run->get<std::string>());
        set_value(memory, "project_id",
                  project != answer.end() && project->is_string() ? project->get<std::string>() : std::string());
    }

    void report(const Value& known, bool is_alive) {
        const double now = monotonic_seconds();
        if (is_alive && now < next_report_)
            return;
        send("/status-report/update", false,
             {{"apiKey", key_},
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
            send("/batch/logger/experiment/" + kind, false, {{"experimentKey", experiment()}, {"values", values}});
    }

    /// `of_host`: the path is one of the host, not of the client's interface.
    Json send(const std::string& path, bool of_host, const Json& body) {
        hub::HttpRequest request;
        const std::size_t host = address_.find("://");
        request.address = (of_host ? address_.substr(0, address_.find('/', host + 3)) : address_) + path;
        request.headers = {"Content-Type: application/json;charset=utf-8", "Authorization: " + key_};
        request.body = trainyard::json_text(body);
        const hub::HttpAnswer answer = answer_of(*client_, request, address_, "COMET_API_KEY or ~/.comet.config");
        Json content = read_ordered_json(answer.body);
        if (answer.status == 400)
            throw UserError("{} refuses a request to {} ({})", address_, path, answer.status);
        if (!answer.ok() || !content.is_object())
            throw ServiceUnavailable(Message("{} did not answer as a Comet server ({} to {}): check "
                                             "COMET_URL_OVERRIDE and the project",
                                             address_, answer.status, path),
                                     true);
        return content;
    }

    const Value open_;
    const std::string address_, key_;
    std::unique_ptr<hub::HttpClient> client_;
    double next_report_ = 0;
};

}  // namespace

/// Comet: COMET_URL_OVERRIDE (www.comet.com); COMET_API_KEY or ~/.comet.config. Numbers are metrics, texts and lists
/// "other"
/// values. Arguments: workspace, experiment_key, mode (get, create, get_or_create). What cannot be sent waits on the
/// disk, so
/// that offline mode does not exist.
TrackerKind comet_ml_kind() {
    TrackerKind kind;
    kind.name = "comet_ml";
    kind.make = [](const TrackerContext& context) {
        return make_remote_tracker({.name = "comet_ml",
                                    .settings = comet_settings,
                                    .make = [](const Value& open, std::stop_token stop) -> std::unique_ptr<Service> {
                                        return std::make_unique<Comet>(open, std::move(stop));
                                    }},
                                   context);
    };
    return kind;
}

}  // namespace trainyard::track
