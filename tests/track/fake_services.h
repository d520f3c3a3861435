// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A server with the parts of W&B's, Comet's, ClearML's and SwanLab's interfaces that a training needs. It keeps what
// arrives.

#include <map>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/json.h"
#include "support/fake_service.h"
#include "track/recorded_calls.h"

namespace trainyard::test {

class FakeServices {
  public:
    using Json = nlohmann::json;
    /// Name -> step -> value.
    using Points = std::map<std::string, std::map<std::int64_t, Json>>;

    FakeService& service() { return service_; }
    Points points() const { return copy(points_); }
    /// Files by their names.
    std::map<std::string, std::string> files() const { return copy(files_); }
    /// Texts that are not points: other values of Comet, lines of the console of ClearML.
    std::map<std::string, std::string> texts() const { return copy(texts_); }
    /// Events of ClearML.
    std::vector<Json> events() const { return copy(events_); }
    /// Fields of the run or task.
    Json run() const { return copy(run_); }
    bool has_ended() const { return copy(has_ended_); }
    /// ClearML does not accept events of this metric, and accepts the others of a request.
    std::string refused_metric;
    /// Values of the header of the credentials.
    std::map<std::string, int> logins() const { return copy(logins_); }
    /// The next requests with a token are answered with 401, as after its end.
    void expire_token() {
        const std::lock_guard lock(mutex_);
        ++token_;
    }

    /// Sets the variables that lead a tracker to this server.
    void set_variables(Variables& variables) const {
        variables.set("WANDB_MODE", "online");
        variables.set("WANDB_BASE_URL", service_.address());
        variables.set("WANDB_API_KEY", std::string(40, 'w') + "secret-key");
        variables.set("COMET_URL_OVERRIDE", service_.address() + "/clientlib/");
        variables.set("COMET_API_KEY", "comet-secret-key");
        variables.set("SWANLAB_API_HOST", service_.address() + "/api");
        variables.set("SWANLAB_API_KEY", "swanlab-secret-key");
        variables.set("SWANLAB_MODE", "cloud");
        variables.set("CLEARML_API_HOST", service_.address());
        variables.set("CLEARML_FILES_HOST", service_.address() + "/upload");
        variables.set("CLEARML_API_ACCESS_KEY", "access");
        variables.set("CLEARML_API_SECRET_KEY", "clearml-secret-key");
    }

  private:
    template <typename Kind>
    Kind copy(const Kind& value) const {
        const std::lock_guard lock(mutex_);
        return value;
    }

    FakeService::Answer answer(const FakeService::Request& request) {
        const std::lock_guard lock(mutex_);
        if (request.path.starts_with("/api/") && !request.path.starts_with("/api/rest/"))
            return swanlab(request);
        const auto login = request.headers.find("authorization");
        if (login != request.headers.end())
            ++logins_[login->second];
        const std::string path = request.path.substr(0, request.path.find('?'));
        if (request.method == "PUT") {  // W&B
            files_[path.substr(std::string("/put/").size())] = request.body;
            return {};
        }
        if (login == request.headers.end())
            return {401};
        if (request.body.starts_with("--trainyard-"))
            return store_form(request);
        if (path == "/graphql")
            return {200, Json{{"data", graphql(read_json(request.body))}}.dump()};
        if (path.ends_with("/file_stream"))
            return stream(read_json(request.body));
        if (path.starts_with("/clientlib/") || path.starts_with("/api/rest/v2/"))
            return comet(path, read_json(request.body));
        return clearml(path.substr(path.rfind('/') + 1), request);
    }

    FakeService::Answer swanlab(const FakeService::Request& request) {
        const std::string path = request.path.substr(std::string("/api").size());
        if (path == "/login/api_key") {
            ++logins_[request.headers.at("authorization")];
            return {200,
                    Json{{"sid", fmt::format("session{}", token_)}, {"userInfo", {{"username", "someone"}}}}.dump()};
        }
        const auto cookie = request.headers.find("cookie");
        if (cookie == request.headers.end() || cookie->second != fmt::format("sid=session{}", token_))
            return {401, R"({"code": "Unauthorized"})"};
        const Json body = read_json(request.body);
        if (request.method == "GET")
            return run_.contains("visibility") ? FakeService::Answer{200, R"({"cuid": "project0"})"}
                                               : FakeService::Answer{404, R"({"code": "Disabled_Resource"})"};
        if (path.ends_with("/experiment")) {
            run_.update(body);
            return {201, Json{{"cuid", body.at("cuid")}, {"slug", body.at("cuid")}}.dump()};
        }
        if (path.ends_with("/presigned/put") || path.ends_with("/files/prepare")) {
            Json addresses = Json::array();
            for (const Json& path_or_file : body.contains("paths") ? body["paths"] : body.at("files"))
                addresses.push_back(
                    service_.address() + "/put/" +
                    (path_or_file.is_string() ? path_or_file : path_or_file.at("path")).get<std::string>());
            return {200, Json{{"urls", addresses}}.dump()};
        }
        if (path == "/house/metrics") {
            for (const Json& point : body.at("metrics")) {
                points_[point.at("key")][point.at("index")] = point.at("data");
                if (const std::string file = point["data"].is_array() ? point["data"].at(0) : "";
                    file.ends_with(".txt"))
                    texts_[files_[file]] = point.at("key");
            }
        } else if (path.ends_with("/state")) {
            has_ended_ = body.at("state") == "FINISHED";
        } else if (request.method == "PUT" || path.starts_with("/projects/")) {
            run_.update(body);
        }
        return {200, ""};
    }

    /// name="..."; filename="..."
    FakeService::Answer store_form(const FakeService::Request& request) {
        const std::size_t head = request.body.find("\r\n\r\n");
        const std::string boundary = request.body.substr(0, request.body.find("\r\n"));
        const std::size_t end = request.body.find("\r\n" + boundary + "--\r\n", head);
        if (head == std::string::npos || end == std::string::npos)
            return {400, R"({"msg": "not a form"})"};
        const std::string content = request.body.substr(head + 4, end - head - 4);
        std::string name = request.path;
        if (const std::size_t at = name.find("fileName="); at != std::string::npos) {  // Comet
            name = name.substr(at + 9);
            name = name.substr(0, name.find('&'));
            for (std::size_t slash; (slash = name.find("%2F")) != std::string::npos;)
                name.replace(slash, 3, "/");
        } else {
            const std::size_t begin = request.body.find("name=\"") + 6;
            name = request.body.substr(begin, request.body.find('"', begin) - begin);
        }
        files_[name] = content;
        return {};
    }

    Json graphql(const Json& body) {
        const Json& variables = body.at("variables");
        if (body.at("operationName") == "UpsertBucket") {
            run_ = variables;
            return {{"upsertBucket",
                     {{"bucket",
                       {{"name", variables.at("name")},
                        {"historyLineCount", 0},
                        {"project", {{"name", variables.at("project")}, {"entity", {{"name", "someone"}}}}}}}}}};
        }
        Json files = Json::array();
        for (const Json& name : variables.at("files"))
            files.push_back({{"name", name}, {"uploadUrl", service_.address() + "/put/" + name.get<std::string>()}});
        return {{"createRunFiles", {{"files", files}, {"uploadHeaders", Json::array()}}}};
    }

    FakeService::Answer stream(const Json& body) {
        if (body.contains("files") && body["files"].contains("wandb-history.jsonl"))
            for (const Json& line : body["files"]["wandb-history.jsonl"].at("content")) {
                const Json row = read_python_json(line.get<std::string>());
                for (const auto& [name, value] : row.items())
                    points_[name][row.at("_step")] = value;
            }
        has_ended_ = has_ended_ || body.value("complete", false);
        return {};
    }

    FakeService::Answer comet(const std::string& path, const Json& body) {
        if (path.ends_with("/add/run"))
            run_ = body;
        else if (path.ends_with("/experiment/metric"))
            for (const Json& value : body.at("values"))
                points_[value.at("metricName")][value.at("step")] = value.at("metricValue");
        else if (path.ends_with("/log-other"))
            texts_[body.at("key")] = body.at("value");
        else if (path.ends_with("/status-report/update"))
            has_ended_ = !body.at("is_alive").get<bool>();
        return {200, R"({"runId": "run0", "project_id": "project0", "msg": "ok"})"};
    }

    FakeService::Answer clearml(const std::string& call, const FakeService::Request& request) {
        const std::string token = fmt::format("token{}", token_);
        if (call == "auth.login")
            return {200, Json{{"data", {{"token", token}}}}.dump()};
        if (request.headers.at("authorization") != "Bearer " + token)
            return {401, R"({"meta": {"result_code": 401, "result_msg": "token expired"}})"};
        Json data = Json::object();
        if (call == "events.add_batch") {
            int added = 0, refused = 0;
            for (std::size_t begin = 0, end; (end = request.body.find('\n', begin)) != std::string::npos;
                 begin = end + 1) {
                Json event = read_json(request.body.substr(begin, end - begin));
                if (!refused_metric.empty() && event.value("metric", "") == refused_metric) {
                    ++refused;
                    continue;
                }
                ++added;
                if (event.at("type") == "log")
                    texts_[event.at("msg")] = event.at("level");
                else if (event.at("type") == "training_stats_scalar")
                    points_[event.at("metric")][event.at("iter")] = event.at("value");
                events_.push_back(std::move(event));
            }
            const std::string reason = "Iteration number should not exceed 9223372036854775807";
            if (added == 0)
                return {400, Json{{"meta", {{"result_code", 400}, {"result_msg", "Events not added: " + reason}}},
                                  {"data", Json::object()}}
                                 .dump()};
            Json counts{{"added", added}, {"errors", refused}, {"errors_info", Json::object()}};
            if (refused > 0)
                counts["errors_info"][reason] = refused;
            return {200, Json{{"meta", {{"result_code", 200}}}, {"data", counts}}.dump()};
        }
        const Json body = read_json(request.body);
        if (call == "projects.get_all") {
            data = {{"projects", Json::array()}};
        } else if (call == "projects.create") {
            run_["project_name"] = body.at("name");
            data = {{"id", "project0"}};
        } else if (call == "tasks.create") {
            run_.update(body);
            data = {{"id", "task0"}};
        } else if (call == "tasks.edit") {
            run_.update(body);
        } else if (call == "tasks.add_or_update_artifacts") {
            for (const Json& artifact : body.at("artifacts"))
                run_["artifacts"].push_back(artifact);
        } else if (call == "tasks.completed") {
            has_ended_ = true;
        } else if (call == "tasks.started") {
            has_ended_ = false;
        } else {
            return {404, R"({"meta": {"result_code": 404, "result_msg": "Unable to find endpoint"}})"};
        }
        return {200, Json{{"meta", {{"result_code", 200}}}, {"data", data}}.dump()};
    }

    mutable std::mutex mutex_;
    Points points_;
    std::map<std::string, std::string> files_, texts_;
    std::vector<Json> events_;
    Json run_ = Json::object();
    std::map<std::string, int> logins_;
    bool has_ended_ = false;
    int token_ = 0;
    FakeService service_{[this](const FakeService::Request& request) { return answer(request); }};
};

}  // namespace trainyard::test
