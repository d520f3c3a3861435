// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "base/number.h"
#include "base/percent_encoding.h"
#include "base/printable.h"
#include "base/text.h"
#include "observe/track/mlflow.h"
#include "observe/track/remote_tracker.h"

namespace trainyard::track {

namespace {

using Json = nlohmann::ordered_json;

struct Credentials {
    std::string user, password, token;
};

/// The variables of MLflow, else its file of credentials.
Credentials mlflow_credentials() {
    Credentials found{environment_text("MLFLOW_TRACKING_USERNAME"), environment_text("MLFLOW_TRACKING_PASSWORD"),
                      environment_text("MLFLOW_TRACKING_TOKEN")};
    std::ifstream file(fs::path(environment_text("HOME")) / ".mlflow" / "credentials");
    for (std::string line; (found.user.empty() || found.password.empty()) && std::getline(file, line);) {
        const std::size_t sign = line.find('=');
        if (sign == std::string::npos)
            continue;
        const std::string_view key = text::trimmed(std::string_view(line).substr(0, sign));
        const std::string_view value = text::trimmed(std::string_view(line).substr(sign + 1));
        if (key == "mlflow_tracking_username" && found.user.empty())
            found.user = value;
        else if (key == "mlflow_tracking_password" && found.password.empty())
            found.password = value;
    }
    return found;
}

hub::HttpCertificates mlflow_certificates() {
    hub::HttpCertificates certificates = certificates_of(environment_text("MLFLOW_TRACKING_SERVER_CERT_PATH"));
    const std::string insecure = environment_text("MLFLOW_TRACKING_INSECURE_TLS");
    certificates.are_checked = insecure != "true" && insecure != "True" && insecure != "1";
    certificates.own = environment_text("MLFLOW_TRACKING_CLIENT_CERT_PATH");
    return certificates;
}

Json tag_list(const MlflowTags& tags) {
    Json list = Json::array();
    for (const auto& [key, value] : tags)
        list.push_back({{"key", key}, {"value", value}});
    return list;
}

class MlflowServer final : public MlflowStore {
  public:
    MlflowServer(std::string address, std::stop_token stop)
        : address_(std::move(address)),
          login_(mlflow_credentials()),
          client_(make_client(std::move(stop), mlflow_certificates())) {
        // A user and a password may be in the address, which is stored without them.
        const std::string set = environment_text("MLFLOW_TRACKING_URI");
        const std::size_t at = set.find('@'), host = set.find("://");
        if (at != std::string::npos && host != std::string::npos && without_credentials(set).starts_with(address_)) {
            const std::string both = set.substr(host + 3, set.rfind('@', set.find('/', host + 3)) - host - 3);
            const std::size_t colon = both.find(':');
            if (login_.user.empty() && colon != std::string::npos) {
                login_.user = both.substr(0, colon);
                login_.password = both.substr(colon + 1);
            }
        }
        limit_s_ = parse_number<double>(environment_text("MLFLOW_HTTP_REQUEST_TIMEOUT"), 0.001, 3600).value_or(30);
    }

    std::string experiment(const std::string& name, const MlflowTags& tags) override {
        Json found;
        if (name.find('\'') == std::string::npos) {
            const Json answer = post(
                "experiments/search",
                {{"max_results", 1000}, {"filter", fmt::format("name = '{}'", name)}, {"view_type", "ACTIVE_ONLY"}});
            if (answer.contains("experiments") && answer["experiments"].is_array() && !answer["experiments"].empty())
                found = answer["experiments"][0];
        } else {  // the language of filters has no way to write a quote
            const hub::HttpAnswer answer =
                send("GET", "experiments/get-by-name?experiment_name=" + percent_encoded(name), {});
            if (answer.ok())
                found = read_answer(answer)["experiment"];
        }
        if (!found.is_object()) {
            Json wanted{{"name", name}};
            if (!tags.empty())
                wanted["tags"] = tag_list(tags);
            found = post("experiments/create", wanted);
        }
        std::string id = text_of(found, "experiment_id");
        if (id.empty())
            throw ServiceUnavailable(Message("{} did not answer as an MLflow server: it named no experiment", address_),
                                     true);
        return id;
    }

    std::pair<std::string, std::string> create_run(const std::string& experiment, const std::string& name,
                                                   std::int64_t start_time, const MlflowTags& tags) override {
        Json wanted{{"experiment_id", experiment}, {"start_time", start_time}, {"tags", tag_list(tags)}};
        if (!name.empty())
            wanted["run_name"] = name;
        return ids_of(post("runs/create", wanted));
    }

    std::pair<std::string, std::string> find_run(const std::string& run) override {
        return ids_of(checked(send("GET", "runs/get?run_id=" + percent_encoded(run), {}), "runs/get"));
    }

    void log_batch(const std::string& run, const std::vector<MlflowMetric>& metrics,
                   const MlflowTags& parameters) override {
        JsonWriter json;
        json.begin_object();
        json.key("run_id");
        json.text(run);
        if (!metrics.empty()) {
            json.key("metrics");
            json.begin_array();
            for (const MlflowMetric& metric : metrics) {
                json.begin_object();
                json.key("key");
                json.text(metric.key);
                json.key("value");
                if (std::isfinite(metric.value))
                    json.number(metric.value);
                else
                    json.text(std::isnan(metric.value) ? "NaN" : metric.value < 0 ? "-Infinity" : "Infinity");
                json.key("timestamp");
                json.number(metric.timestamp);
                json.key("step");
                json.number(metric.step);
                json.end_object();
            }
            json.end_array();
        }
        if (!parameters.empty()) {
            json.key("params");
            json.value(tag_list(parameters));
        }
        json.end_object();
        checked(send("POST", "runs/log-batch", json.take()), "runs/log-batch");
    }

    void set_tag(const std::string& run, const std::string& key, const std::string& value) override {
        post("runs/set-tag", {{"run_id", run}, {"key", key}, {"value", value}});
    }

    void set_status(const std::string& run, MlflowStatus status, std::int64_t time) override {
        Json wanted{{"run_id", run}, {"status", status == MlflowStatus::running ? "RUNNING" : "FINISHED"}};
        if (status == MlflowStatus::finished)
            wanted["end_time"] = time;
        post("runs/update", wanted);
    }

    void add_artifact(const std::string& artifacts, const std::string& path, const fs::path& file) override {
        constexpr std::string_view kServed = "mlflow-artifacts:";
        if (!artifacts.starts_with(kServed)) {
            const std::string folder = artifacts.starts_with("file://") ? artifacts.substr(7) : artifacts;
            if (!folder.starts_with('/'))
                throw UserError(
                    "{} stores artifacts in {}, which it does not serve: start it with "
                    "--serve-artifacts",
                    address_, Message::verbatim(text::printable(artifacts)));
            return copy_artifact(folder, path, file);
        }
        std::string root = artifacts.substr(kServed.size());
        if (root.starts_with("//"))  // of a host, which is this server
            root.erase(0, std::min(root.find('/', 2), root.size()));
        hub::HttpRequest request = request_of("PUT", "");
        request.address = address_ + "/api/2.0/mlflow-artifacts/artifacts" + percent_encoded(root, "/") + "/" +
                          percent_encoded(path, "/");
        request.headers.emplace_back("Content-Type: application/octet-stream");
        request.file = file;
        checked(answer_to(request), "mlflow-artifacts");
    }

  private:
    hub::HttpRequest request_of(std::string method, const std::string& path) const {
        hub::HttpRequest request;
        request.method = std::move(method);
        request.address = address_ + "/api/2.0/mlflow/" + path;
        request.limit_s = limit_s_;
        if (!login_.user.empty() && !login_.password.empty())
            request.user_and_password = login_.user + ":" + login_.password;
        else if (!login_.token.empty())
            request.headers.push_back("Authorization: Bearer " + login_.token);
        else
            request.use_netrc = true;
        return request;
    }

    hub::HttpAnswer answer_to(const hub::HttpRequest& request) {
        return answer_of(*client_, request, address_,
                         "MLFLOW_TRACKING_USERNAME and MLFLOW_TRACKING_PASSWORD, or MLFLOW_TRACKING_TOKEN");
    }

    hub::HttpAnswer send(const std::string& method, const std::string& path, std::string body) {
        hub::HttpRequest request = request_of(method, path);
        if (method != "GET")
            request.headers.emplace_back("Content-Type: application/json");
        request.body = std::move(body);
        return answer_to(request);
    }

    Json post(const std::string& path, const Json& body) {
        return checked(send("POST", path, trainyard::json_text(body)), path);
    }

    /// The content of an answer. A refusal of MLflow is a UserError, except that of what a whole run needs.
    Json checked(const hub::HttpAnswer& answer, const std::string& path) const {
        const Json content = read_answer(answer);
        if (answer.ok())
            return content;
        const std::string code = text_of(content, "error_code");
        if (code.empty())
            throw ServiceUnavailable(Message("{} did not answer as an MLflow server ({} to {}): check its address and "
                                             "its version",
                                             address_, answer.status, path),
                                     true);
        const Message refusal("{}: {}", address_,
                              Message::verbatim(text::printable(code + ": " + text_of(content, "message"))));
        if (code == "RESOURCE_DOES_NOT_EXIST" || code == "PERMISSION_DENIED" || path.starts_with("experiments") ||
            path == "runs/create" || path == "runs/get")
            throw ServiceUnavailable(refusal, true);
        throw UserError(refusal);
    }

    static Json read_answer(const hub::HttpAnswer& answer) {
        Json content = read_ordered_json(answer.body);
        return content.is_object() ? content : Json::object();
    }

    static std::string text_of(const Json& object, const char* key) {
        const auto found = object.find(key);
        return found == object.end() || !found->is_string() ? std::string() : found->get<std::string>();
    }

    std::pair<std::string, std::string> ids_of(const Json& answer) const {
        const Json info = answer.contains("run") && answer["run"].contains("info") ? answer["run"]["info"] : Json();
        const std::string run = info.is_object() ? text_of(info, "run_id") : "";
        if (run.empty())
            throw ServiceUnavailable(Message("{} did not answer as an MLflow server: it named no run", address_), true);
        return {run, text_of(info, "artifact_uri")};
    }

    std::string address_;
    Credentials login_;
    std::unique_ptr<hub::HttpClient> client_;
    double limit_s_ = 30;
};

}  // namespace

std::unique_ptr<MlflowStore> make_mlflow_server(const std::string& address, std::stop_token stop) {
    return std::make_unique<MlflowServer>(address, std::move(stop));
}

}  // namespace trainyard::track
