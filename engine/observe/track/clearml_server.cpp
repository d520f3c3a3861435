// SPDX-License-Identifier: GPL-3.0-or-later
// A task on a server of ClearML: their REST API, and their server of files.

#include <fstream>
#include <map>
#include <optional>
#include <sstream>

#include "base/error.h"
#include "base/json_writer.h"
#include "base/percent_encoding.h"
#include "base/printable.h"
#include "observe/track/clearml.h"

namespace trainyard::track {

namespace {

constexpr const char* kApi = "/v2.13/";  ///< the version that has all calls below
constexpr const char* kSystemTag = "development";

/// The values of a HOCON file by their path: "api.credentials.access_key". Lists and includes are left out.
std::map<std::string, std::string> hocon_values(const std::string& text) {
    std::map<std::string, std::string> values;
    std::vector<std::string> path;
    std::string key;
    bool wants_value = false;
    for (std::size_t at = 0; at < text.size();) {
        const char c = text[at];
        if (c == '#' || text.compare(at, 2, "//") == 0) {
            at = std::min(text.find('\n', at), text.size());
        } else if (c == '{') {
            path.push_back(key);
            wants_value = false;
            ++at;
        } else if (c == '}') {
            if (!path.empty())
                path.pop_back();
            ++at;
        } else if (c == '[') {
            at = std::min(text.find(']', at), text.size());
            wants_value = false;
        } else if (c == ':' || c == '=') {
            wants_value = true;
            ++at;
        } else if (std::string_view(" \t\r\n,]").find(c) != std::string_view::npos) {
            ++at;
        } else {
            std::size_t end = at + 1;
            std::string word;
            if (c == '"') {
                for (; end < text.size() && text[end] != '"'; ++end) {
                    if (text[end] == '\\')
                        ++end;
                    word += end < text.size() ? text[end] : '"';
                }
                end = std::min(end + 1, text.size());
            } else {
                end = std::min(text.find_first_of(wants_value ? "\n,}#" : " \t\r\n{:=,}", at), text.size());
                word = text.substr(at, end - at);
                if (word.starts_with("${")) {  // a variable, which is read to its brace
                    end = std::min(text.find('}', at), text.size() - 1) + 1;
                    word = text.substr(at + 2, end - at - 3);
                    word = environment_text(word.substr(word.starts_with('?') ? 1 : 0).c_str());
                }
                while (!word.empty() && std::isspace(static_cast<unsigned char>(word.back())) != 0)
                    word.pop_back();
            }
            at = end;
            if (wants_value) {
                std::string name;
                for (const std::string& part : path)
                    name += part + ".";
                if (!word.empty())
                    values[name + key] = word;
                wants_value = false;
            } else {
                key = word;
            }
        }
    }
    return values;
}

/// Addresses and credentials: variables, else clearml.conf. No message contains the credentials.
struct ClearmlAccess {
    std::string api, files, access_key, secret_key, verify_certificate;

    ClearmlAccess() {
        const std::string named = environment_text("CLEARML_CONFIG_FILE");
        std::ifstream file(named.empty() ? fs::path(environment_text("HOME")) / "clearml.conf" : fs::path(named));
        std::ostringstream text;
        text << file.rdbuf();
        const std::map<std::string, std::string> known = hocon_values(text.str());
        const auto chosen = [&](const char* variable, const char* path, const char* fallback) {
            const auto found = known.find(path);
            std::string value = environment_text(variable);
            if (value.empty())
                value = found != known.end() ? found->second : fallback;
            while (value.ends_with('/'))
                value.pop_back();
            return value;
        };
        api = without_credentials(chosen("CLEARML_API_HOST", "api.api_server", "https://api.clear.ml"));
        files = without_credentials(chosen("CLEARML_FILES_HOST", "api.files_server", "https://files.clear.ml"));
        access_key = chosen("CLEARML_API_ACCESS_KEY", "api.credentials.access_key", "");
        secret_key = chosen("CLEARML_API_SECRET_KEY", "api.credentials.secret_key", "");
        verify_certificate = chosen("CLEARML_API_HOST_VERIFY_CERT", "api.verify_certificate", "true");
    }
};

class ClearmlServer final : public ClearmlStore {
  public:
    explicit ClearmlServer(std::stop_token stop)
        : server_({.tool = "ClearML",
                   .address = access_.api,
                   .setting = "CLEARML_API_HOST",
                   .credentials = "CLEARML_API_ACCESS_KEY and CLEARML_API_SECRET_KEY, or clearml.conf",
                   .certificates = certificates_of(access_.verify_certificate)},
                  std::move(stop)) {}

    std::string create(const std::string& project, const Json& fields) override {
        std::string pattern = "^";
        for (const char c : project) {
            if (std::string_view("\\^$.|?*+()[]{}").find(c) != std::string_view::npos)
                pattern += '\\';
            pattern += c;
        }
        const Json found =
            call("projects.get_all",
                 {{"name", pattern + "$"}, {"only_fields", Json::array({"id"})}, {"search_hidden", true}});
        const Json& projects = member(found, "projects");
        std::string id = projects.is_array() && !projects.empty() ? text_member(projects[0], "id") : std::string();
        if (id.empty())
            id = text_member(call("projects.create", {{"name", project}, {"description", ""}}), "id");
        Json wanted = fields;
        wanted["project"] = id;
        wanted["system_tags"] = Json::array({kSystemTag});
        const std::string task = text_member(call("tasks.create", wanted), "id");
        if (task.empty())
            throw server_.is_another_server("it named no task");
        return task;
    }

    void begin(const std::string& task) override { call("tasks.started", {{"task", task}, {"force", true}}); }
    void complete(const std::string& task) override {
        call("tasks.completed", {{"task", task}, {"force", true}, {"status_reason", "completed"}});
    }
    void edit(const std::string& task, const Json& fields) override {
        Json wanted{{"task", task}, {"force", true}};
        wanted.update(fields);
        call("tasks.edit", wanted);
    }
    void add_artifact(const std::string& task, const Json& artifact) override {
        call("tasks.add_or_update_artifacts",
             {{"task", task}, {"artifacts", Json::array({artifact})}, {"force", true}});
    }

    void add_events(const std::string&, const std::vector<Json>& events) override {
        std::string lines;
        for (const Json& event : events)
            lines += trainyard::json_text(event) + "\n";
        const Json answer = with_token(
            [&] { return server_.post_text(std::string(kApi) + "events.add_batch", lines, "application/json-lines"); });
        // Of some events it stores those that it accepts, counts the others by their reasons and answers with 200.
        const Json& data = member(answer, "data");
        const Json& refused = member(data, "errors");
        if (!refused.is_number_integer() || refused.get<std::int64_t>() <= 0)
            return;
        std::string reasons;
        for (const auto& [reason, count] : member(data, "errors_info").items())
            reasons += (reasons.empty() ? "" : ", ") + reason;
        throw UserError("{} refuses {} of {} events: {}", access_.api, refused.get<std::int64_t>(), events.size(),
                        Message::verbatim(text::printable(reasons)));
    }

    std::string add_file(const std::string&, const std::string& path, const fs::path& file) override {
        with_token([&] {
            server_.post_file(access_.files, "/" + path, "/" + path, file);
            return Json();
        });
        return access_.files + "/" + percent_encoded(path, "/");
    }

  private:
    /// Calls with the token of a login; a second time with a new one if the token has expired.
    template <typename Call>
    Json with_token(const Call& send) {
        const bool is_new = server_.headers.empty();
        if (is_new)
            log_in();
        try {
            return send();
        } catch (const ServiceUnavailable& problem) {
            if (!problem.denied() || is_new)
                throw;
        }
        log_in();
        return send();
    }

    /// The data of the answer.
    Json call(const std::string& name, const Json& body) {
        return member(with_token([&] { return server_.post(kApi + name, body); }), "data");
    }

    void log_in() {
        if (access_.access_key.empty() || access_.secret_key.empty())
            throw ServiceUnavailable(Message("there are no credentials for {}: set CLEARML_API_ACCESS_KEY and "
                                             "CLEARML_API_SECRET_KEY, or run `clearml-init`",
                                             access_.api),
                                     true);
        server_.headers.clear();
        server_.user_and_password = access_.access_key + ":" + access_.secret_key;
        const Json answer = wait_if_refused([&] { return server_.post("/auth.login", Json::object()); });
        const std::string token = text_member(member(answer, "data"), "token");
        if (token.empty())
            throw server_.is_another_server("it gave no token");
        server_.user_and_password.clear();
        server_.headers = {"Authorization: Bearer " + token};
    }

    const ClearmlAccess access_;
    JsonServer server_;
};

}  // namespace

std::unique_ptr<ClearmlStore> make_clearml_server(std::stop_token stop) {
    return std::make_unique<ClearmlServer>(std::move(stop));
}

}  // namespace trainyard::track
