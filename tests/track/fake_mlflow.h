// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The parts of MLflow's REST API 2.0 that a training needs, with the checks of the real server.

#include <map>
#include <mutex>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/fake_service.h"

namespace trainyard::test {

class FakeMlflow {
  public:
    using Json = nlohmann::json;
    struct Run {
        std::string id, experiment, name, status = "RUNNING";
        std::map<std::string, std::string> tags, parameters;
        /// By name: step and value, where NaN and infinities are texts.
        std::map<std::string, std::vector<std::pair<std::int64_t, Json>>> metrics;
        std::map<std::string, std::string> artifacts;
    };

    /// Requests must have this Authorization, if it is not empty.
    std::string authorization;
    /// Metrics that a request may have.
    std::size_t most_metrics = 1000;

    std::string address() const { return service_.address(); }
    FakeService& service() { return service_; }
    std::vector<Run> runs() const {
        const std::lock_guard lock(mutex_);
        return runs_;
    }
    /// Name -> tags.
    std::map<std::string, std::map<std::string, std::string>> experiments() const {
        const std::lock_guard lock(mutex_);
        return experiments_;
    }
    /// Requests that the server refused, by its message.
    std::vector<std::string> refused() const {
        const std::lock_guard lock(mutex_);
        return refused_;
    }
    /// Most metrics of one request so far.
    std::size_t largest_batch() const {
        const std::lock_guard lock(mutex_);
        return largest_batch_;
    }
    void add_run(const std::string& id) {
        const std::lock_guard lock(mutex_);
        Run run;
        run.id = id;
        run.experiment = "0";
        run.status = "FINISHED";
        runs_.push_back(run);
    }

  private:
    FakeService::Answer refuse(int status, const std::string& code, const std::string& message) {
        refused_.push_back(message);
        return {status, Json{{"error_code", code}, {"message", message}}.dump()};
    }
    FakeService::Answer unknown_run(const std::string& id) {
        return refuse(404, "RESOURCE_DOES_NOT_EXIST", "Run with id=" + id + " not found");
    }

    FakeService::Answer answer(const FakeService::Request& request) {
        const std::lock_guard lock(mutex_);
        const auto given = request.headers.find("authorization");
        if (!authorization.empty() && (given == request.headers.end() || given->second != authorization))
            return {401, Json{{"error_code", "UNAUTHENTICATED"}, {"message", "who is it"}}.dump()};
        const std::string artifacts = "/api/2.0/mlflow-artifacts/artifacts/";
        if (request.method == "PUT" && request.path.starts_with(artifacts)) {
            const std::string path = request.path.substr(artifacts.size());  // experiment/run/artifacts/name
            const std::size_t run = path.find('/'), rest = path.find("/artifacts/");
            Run* found = run_of(path.substr(run + 1, rest - run - 1));
            if (found == nullptr)
                return unknown_run(path);
            found->artifacts[path.substr(rest + 11)] = request.body;
            return {};
        }
        const std::string root = "/api/2.0/mlflow/";
        if (!request.path.starts_with(root))
            return {404, "<html>not here</html>"};
        return call(request.path.substr(root.size()),
                    request.body.empty() ? Json::object() : Json::parse(request.body));
    }

    FakeService::Answer call(const std::string& name, const Json& body) {
        if (name == "experiments/search") {
            const std::string filter = body.at("filter");
            Json found = Json::array();
            const std::string wanted = filter.substr(8, filter.size() - 9);
            if (wanted.find('\'') != std::string::npos)
                return refuse(400, "INVALID_PARAMETER_VALUE", "Invalid clause(s) in filter string: " + filter);
            if (experiments_.contains(wanted))
                found.push_back({{"experiment_id", "e-" + wanted}, {"name", wanted}});
            return {200, found.empty() ? "{}" : Json{{"experiments", found}}.dump()};
        }
        if (name.starts_with("experiments/get-by-name"))
            return refuse(404, "RESOURCE_DOES_NOT_EXIST", "no such experiment");
        if (name == "experiments/create") {
            const std::string wanted = body.at("name");
            if (experiments_.contains(wanted))
                return refuse(400, "RESOURCE_ALREADY_EXISTS", "it exists");
            experiments_[wanted] = tags_in(body);
            return {200, Json{{"experiment_id", "e-" + wanted}}.dump()};
        }
        if (name == "runs/create") {
            Run run;
            run.id = fmt::format("{:032x}", runs_.size() + 1);
            run.experiment = body.at("experiment_id");
            run.name = body.value("run_name", "");
            run.tags = tags_in(body);
            runs_.push_back(run);
            return {200, described(run)};
        }
        if (name.starts_with("runs/get")) {
            Run* run = run_of(name.substr(name.find("run_id=") + 7));
            return run == nullptr ? unknown_run(name) : FakeService::Answer{200, described(*run)};
        }
        Run* run = run_of(body.value("run_id", ""));
        if (run == nullptr)
            return unknown_run(body.value("run_id", ""));
        if (name == "runs/log-batch")
            return log_batch(*run, body);
        if (name == "runs/set-tag")
            run->tags[body.at("key")] = body.at("value");
        else if (name == "runs/update")
            run->status = body.at("status");
        else
            return {404, "<html>not here</html>"};
        return {};
    }

    FakeService::Answer log_batch(Run& run, const Json& body) {
        const Json metrics = body.value("metrics", Json::array()), parameters = body.value("params", Json::array());
        largest_batch_ = std::max(largest_batch_, metrics.size());
        if (metrics.size() > most_metrics || parameters.size() > 100 || metrics.size() + parameters.size() > 1000)
            return refuse(400, "INVALID_PARAMETER_VALUE", "A batch logging request can contain at most 1000 metrics");
        for (const Json& list : {metrics, parameters})
            for (const Json& item : list)
                if (const std::string key = item.at("key"); !is_name(key))
                    return refuse(400, "INVALID_PARAMETER_VALUE", "Invalid value \"" + key + "\"");
        for (const Json& parameter : parameters) {
            const std::string key = parameter.at("key"), value = parameter.at("value");
            if (value.size() > 6000)
                return refuse(400, "INVALID_PARAMETER_VALUE", "Param value exceeds the maximum length");
            if (const auto known = run.parameters.find(key); known != run.parameters.end() && known->second != value)
                return refuse(400, "INVALID_PARAMETER_VALUE", "Changing param values is not allowed.");
        }
        for (const Json& metric : metrics)
            run.metrics[metric.at("key")].emplace_back(metric.at("step").get<std::int64_t>(), metric.at("value"));
        for (const Json& parameter : parameters)
            run.parameters[parameter.at("key")] = parameter.at("value");
        return {};
    }

    static bool is_name(const std::string& name) {
        if (name.empty() || name.size() > 250 || name.front() == '/' || name.find("//") != std::string::npos)
            return false;
        for (const char c : name)
            if (static_cast<unsigned char>(c) < 0x80 && std::isalnum(static_cast<unsigned char>(c)) == 0 &&
                std::string_view("_-. :/").find(c) == std::string_view::npos)
                return false;
        return true;
    }
    static std::map<std::string, std::string> tags_in(const Json& body) {
        std::map<std::string, std::string> tags;
        for (const Json& tag : body.value("tags", Json::array()))
            tags[tag.at("key")] = tag.at("value");
        return tags;
    }
    static std::string described(const Run& run) {
        return Json{{"run",
                     {{"info",
                       {{"run_id", run.id},
                        {"artifact_uri", "mlflow-artifacts:/" + run.experiment + "/" + run.id + "/artifacts"}}}}}}
            .dump();
    }
    Run* run_of(const std::string& id) {
        for (Run& run : runs_)
            if (run.id == id)
                return &run;
        return nullptr;
    }

    mutable std::mutex mutex_;
    std::map<std::string, std::map<std::string, std::string>> experiments_;
    std::vector<Run> runs_;
    std::vector<std::string> refused_;
    std::size_t largest_batch_ = 0;
    FakeService service_{[this](const FakeService::Request& request) { return answer(request); }};
};

}  // namespace trainyard::test
