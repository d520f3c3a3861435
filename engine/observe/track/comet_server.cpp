// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment of Comet on its server: the requests of their client comet_ml.

#include <algorithm>
#include <fstream>

#include "base/clock.h"
#include "base/error.h"
#include "base/json_writer.h"
#include "base/percent_encoding.h"
#include "base/text.h"
#include "observe/track/comet_ml.h"

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

class CometServer final : public CometStore {
  public:
    CometServer(CometExperiment experiment, std::stop_token stop)
        : experiment_(std::move(experiment)),
          key_(comet_key()),
          server_({.tool = "Comet",
                   .address = comet_address(),
                   .setting = "COMET_URL_OVERRIDE",
                   .credentials = "COMET_API_KEY or ~/.comet.config"},
                  std::move(stop)) {
        server_.headers = {"Authorization: " + key_};
    }

    void begin(Values& memory) override {
        if (key_.empty())
            throw ServiceUnavailable(Message("there is no API key for {}: set COMET_API_KEY, or write it to "
                                             "~/.comet.config",
                                             server_.address()),
                                     true);
        if (entry_of(memory, "run") == nullptr)
            wait_if_refused([&] { start(memory); });
        report(Value(memory), true);
    }

    void add_metrics(const std::vector<CometValue>& values) override {
        Json metrics = Json::array();
        for (const CometValue& value : values)
            metrics.push_back({{"metricName", value.name},
                               {"metricValue", value.value},
                               {"step", value.step},
                               {"epoch", nullptr},
                               {"context", nullptr},
                               {"timestamp", value.milliseconds}});
        send_batch("metric", metrics);
    }

    void add_parameters(const std::vector<CometValue>& values) override {
        Json parameters = Json::array();
        for (const CometValue& value : values)
            parameters.push_back({{"parameterName", value.name},
                                  {"parameterValue", value.value},
                                  {"step", value.step},
                                  {"source", "manual"},
                                  {"context", nullptr},
                                  {"timestamp", value.milliseconds}});
        send_batch("parameter", parameters);
    }

    void add_other(const std::string& key, const std::string& value) override {
        server_.post(write_address("log-other"), {{"experimentKey", experiment_.key}, {"key", key}, {"value", value}});
    }

    void add_file(bool is_image, const std::string& name, const Json& step, const fs::path& file) override {
        std::string address = write_address("upload-asset") + "?experimentKey=" + experiment_.key +
                              "&type=" + (is_image ? "image" : "asset") + "&fileName=" + percent_encoded(name);
        if (!step.is_null())
            address += "&step=" + trainyard::json_text(step);
        server_.post_file(address, "file", fs::path(name).filename().string(), file);
    }

    void end(Values& memory) override { report(Value(memory), false); }

  private:
    void start(Values& memory) {
        Json body{{"apiKey", key_},
                  {"local_timestamp", comet_milliseconds(wall_seconds())},
                  {"experimentKey", experiment_.key},
                  {"offline", false},
                  {"projectName", experiment_.project},
                  {"teamName", experiment_.workspace.empty() ? Json(nullptr) : Json(experiment_.workspace)},
                  {"libVersion", "3.58.8"},  // of the client whose requests these are
                  {"getOrCreateEnabled", experiment_.may_exist}};
        const Json answer = server_.post(experiment_.mode == "get" ? "/logger/get/run" : "/logger/add/run", body);
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
                                               {"experimentKey", experiment_.key},
                                               {"projectId", text_in(known, "project_id")},
                                               {"is_alive", is_alive},
                                               {"local_timestamp", comet_milliseconds(wall_seconds())},
                                               {"offline", false}});
        next_report_ = now + kReportEvery;
    }

    void send_batch(const std::string& kind, const Json& values) {
        if (!values.empty())
            server_.post("/batch/logger/experiment/" + kind, {{"experimentKey", experiment_.key}, {"values", values}});
    }

    /// A call of the REST API of the host.
    std::string write_address(const std::string& call) const {
        const std::string& address = server_.address();
        return address.substr(0, address.find('/', address.find("://") + 3)) + "/api/rest/v2/write/experiment/" + call;
    }

    const CometExperiment experiment_;
    const std::string key_;
    JsonServer server_;
    double next_report_ = 0;
};

}  // namespace

std::unique_ptr<CometStore> make_comet_server(CometExperiment experiment, std::stop_token stop) {
    return std::make_unique<CometServer>(std::move(experiment), std::move(stop));
}

}  // namespace trainyard::track
