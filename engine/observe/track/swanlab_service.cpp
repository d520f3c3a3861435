// SPDX-License-Identifier: GPL-3.0-or-later
// A run of SwanLab on a server: the requests of their client swanlab.

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <sstream>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/hex.h"
#include "base/json_writer.h"
#include "base/percent_encoding.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/json_server.h"
#include "observe/track/run_folder.h"
#include "observe/track/spelling.h"
#include "observe/track/swanlab.h"

namespace trainyard::track {

namespace {

constexpr std::size_t kMostPoints = 5000;  ///< of a request

std::string md5_of_file(const fs::path& path) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> digest(::EVP_MD_CTX_new(), ::EVP_MD_CTX_free);
    ::EVP_DigestInit_ex(digest.get(), ::EVP_md5(), nullptr);
    std::ifstream file(path, std::ios::binary);
    for (std::array<char, 1 << 16> bytes; file.read(bytes.data(), bytes.size()) || file.gcount() > 0;)
        ::EVP_DigestUpdate(digest.get(), bytes.data(), static_cast<std::size_t>(file.gcount()));
    std::array<unsigned char, EVP_MAX_MD_SIZE> result{};
    unsigned size = 0;
    ::EVP_DigestFinal_ex(digest.get(), result.data(), &size);
    return to_hex({reinterpret_cast<const char*>(result.data()), size});
}

Values swanlab_settings(const TrackerContext& context) {
    const Value& given = context.arguments;
    check_arguments("swanlab", given, tracker_arguments("swanlab"));
    const auto chosen = [&](const char* argument, const char* variable) {
        return text_in(given, argument, environment_text(variable));
    };
    Value::List tags;
    if (const Value* listed = given.find("tags"); listed != nullptr && listed->is_list()) {
        tags = listed->items();
    } else {
        std::istringstream set(chosen("tags", "SWANLAB_TAGS"));
        for (std::string tag; std::getline(set, tag, ',');)
            tags.emplace_back(std::string(text::trimmed(tag)));
    }
    std::string id = chosen("id", "SWANLAB_RUN_ID");
    if (id.empty())
        id = random_hex(21);
    const std::string name = text_in(given, "name", chosen("experiment_name", "SWANLAB_EXP_NAME"));
    const Value* config = given.find("config");
    const Value* shown = given.find("public");
    return {{"project", context.project},
            {"workspace", chosen("workspace", "SWANLAB_WORKSPACE")},
            {"name", name.empty() ? "run-" + id.substr(0, 6) : name},
            {"description", chosen("description", "SWANLAB_DESCRIPTION")},
            {"tags", tags},
            {"group", chosen("group", "SWANLAB_GROUP")},
            {"job_type", chosen("job_type", "SWANLAB_JOB_TYPE")},
            {"color", text_in(given, "color", "#528d59")},
            {"public", shown != nullptr && shown->boolean() != nullptr && *shown->boolean()},
            {"id", id},
            {"config", config == nullptr ? Value(Values()) : *config}};
}

class SwanlabService final : public Service {
  public:
    SwanlabService(const Value& open, std::stop_token stop)
        : open_(open),
          key_(swanlab_key()),
          server_({.tool = "SwanLab",
                   .address = swanlab_address(),
                   .setting = "SWANLAB_API_HOST",
                   .credentials = "SWANLAB_API_KEY, or log in with `swanlab login`"},
                  std::move(stop)) {}

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        const bool is_new = server_.headers.empty();
        try {
            return deliver_to_session(entries, memory);
        } catch (const ServiceUnavailable& problem) {
            if (!problem.denied() || is_new)
                throw;
        }
        server_.headers.clear();  // the session may have ended
        return deliver_to_session(entries, memory);
    }

  private:
    std::string setting(const char* key) const {
        const Value* settings = open_.find("settings");
        return settings == nullptr ? "" : text_in(*settings, key);
    }

    std::size_t deliver_to_session(std::span<const Value> entries, Values& memory) {
        if (server_.headers.empty())
            log_in();
        if (entry_of(memory, "experiment") == nullptr)
            wait_if_refused([&] { start(memory); });
        const Value known(memory);
        project_ = text_in(known, "project");
        experiment_ = text_in(known, "experiment");
        run_ = "/project/" + text_in(known, "path");
        const Value& first = entries.front();
        if (first.find("values") != nullptr)
            return log_values(entries, memory);
        if (const Value* configuration = first.find("configuration")) {
            save_configuration(configuration->entries(), memory);
        } else if (const Value* pictures = first.find("pictures")) {
            std::vector<Media> media;
            for (const Value& file : first.find("files")->items())
                media.push_back({read_file(file.display()), ".png"});
            add_media(pictures->display(), "IMAGE", first, media, memory);
        } else if (const Value* table = first.find("table")) {
            add_media(table->display(), "TEXT", first,
                      {{markdown_table(*first.find("columns"), *first.find("rows")), ".txt"}}, memory);
        } else if (const Value* artifact = first.find("artifact")) {
            add_artifact(text_in(first, "name"), artifact->display());
        } else if (first.find("finish") != nullptr) {
            server_.send("PUT", run_ + "/state",
                         {{"state", "FINISHED"}, {"finishedAt", iso_time(number_in(first, "time"))}, {"from", "sdk"}});
        }
        return 1;
    }

    void log_in() {
        if (key_.empty())
            throw ServiceUnavailable(
                Message("there is no API key for {}: set SWANLAB_API_KEY, or log in with `swanlab login`",
                        server_.address()),
                true);
        server_.headers = {"Authorization: " + key_};
        Json answer;
        try {
            answer = wait_if_refused([&] { return server_.post("/login/api_key", Json::object()); });
        } catch (const UserError&) {
            server_.headers.clear();
            throw;
        }
        server_.headers.clear();
        user_ = text_member(member(answer, "userInfo"), "username");
        const std::string session = text_member(answer, "sid");
        if (session.empty() || user_.empty())
            throw server_.is_another_server("it gave no token");
        server_.headers = {"Cookie: sid=" + session};
    }

    void start(Values& memory) {
        const std::string owner = setting("workspace").empty() ? user_ : setting("workspace");
        const std::string path = percent_encoded(owner) + "/" + percent_encoded(setting("project"));
        std::optional<Json> project = server_.find("/project/" + path);
        if (!project) {
            server_.post(
                "/projects/" + percent_encoded(owner),
                {{"name", setting("project")}, {"visibility", setting("public") == "True" ? "PUBLIC" : "PRIVATE"}});
            project = server_.find("/project/" + path);
        }
        const std::string id = project ? text_member(*project, "cuid") : std::string();
        if (id.empty())
            throw server_.is_another_server("it named no project");
        Json body{{"name", setting("name")},
                  {"createdAt", iso_time(wall_seconds())},
                  {"colors", Json::array({setting("color"), setting("color")})},
                  {"cuid", setting("id")}};
        for (const auto& [field, key] :
             {std::pair{"description", "description"}, {"job", "job_type"}, {"cluster", "group"}})
            if (const std::string text = setting(key); !text.empty())
                body[field] = text;
        const Value* settings = open_.find("settings");
        if (const Value* tags = settings == nullptr ? nullptr : settings->find("tags"))
            for (const Value& tag : tags->items())
                body["labels"].push_back({{"name", tag.display()}});
        const Json experiment = server_.post("/project/" + path + "/experiment", body);
        std::string run = text_member(experiment, "slug"), cuid = text_member(experiment, "cuid");
        if (cuid.empty())
            throw server_.is_another_server("it named no run");
        if (run.empty())
            run = cuid;
        set_value(memory, "project", id);
        set_value(memory, "owner", path);
        set_value(memory, "experiment", cuid);
        set_value(memory, "path", path + "/runs/" + percent_encoded(run));
        run_ = "/project/" + path + "/runs/" + percent_encoded(run);
        if (const Value* config = settings == nullptr ? nullptr : settings->find("config");
            config != nullptr && !config->entries().empty())
            save_configuration(config->entries(), memory);
    }

    void save_configuration(const Values& configuration, Values& memory) {
        Values all;
        if (const Entry* known = entry_of(memory, "configuration"))
            all = known->value.entries();
        for (const auto& [key, value] : configuration)
            set_value(all, key, value);
        server_.send("PUT", run_ + "/profile", {{"config", json_of(Value(swanlab_configuration(all)))}});
        set_value(memory, "configuration", all);
    }

    struct Media {
        std::string content, ending;
    };

    /// Describes curves before their first point.
    void add_columns(const std::vector<std::pair<std::string, std::string>>& wanted, Values& memory) {
        Values columns;
        if (const Entry* known = entry_of(memory, "columns"))
            columns = known->value.entries();
        Json series = Json::array();
        for (const auto& [key, type] : wanted) {
            if (entry_of(columns, key) != nullptr)
                continue;
            columns.push_back({key, type});
            Json column{{"key", key}, {"type", type}};
            if (const std::size_t slash = key.find('/'); slash != std::string::npos && slash > 0)
                column["sectionName"] = key.substr(0, slash);
            series.push_back(std::move(column));
        }
        if (series.empty())
            return;
        const Value known(memory);
        server_.post("/projects/" + text_in(known, "owner") + "/series", {{"series", series}});
        set_value(memory, "columns", columns);
    }

    Json metrics_body(const char* type) const {
        return {{"type", type}, {"projectId", project_}, {"experimentId", experiment_}, {"metrics", Json::array()}};
    }

    /// The step of an entry; without one the highest + 1.
    static std::int64_t step_of(const Value& entry, std::int64_t& next) {
        const std::int64_t step = integer_in(entry, "step", next);
        next = std::max(next, step + 1);
        return step;
    }

    std::size_t log_values(std::span<const Value> entries, Values& memory) {
        std::int64_t next = integer_in(Value(memory), "next_step");
        Json body = metrics_body("scalar");
        std::vector<std::pair<std::string, std::string>> columns;
        std::size_t count = 0;
        for (; count < entries.size() && body["metrics"].size() < kMostPoints; ++count) {
            const Value& entry = entries[count];
            const Value* values = entry.find("values");
            if (values == nullptr)
                break;
            const Values flat = flattened(values->entries());
            const bool has_texts = std::ranges::any_of(
                flat, [](const Entry& one) { return !one.value.is_number() && !one.value.is_null(); });
            if (has_texts && count > 0)
                break;  // texts are media, and of one entry at a time
            const std::int64_t step = step_of(entry, next);
            for (const auto& [name, value] : flat) {
                const std::string key = name.empty() ? "_" : name;  // which SwanLab drops
                if (value.is_number()) {
                    const double number = value.as_double();
                    columns.emplace_back(key, "FLOAT");
                    body["metrics"].push_back({{"key", key},
                                               {"index", step},
                                               {"data", std::isfinite(number) ? Json(number) : Json("nan")},
                                               {"create_time", iso_time(number_in(entry, "time"))}});
                } else if (!value.is_null()) {
                    Values stepped = entry.entries();
                    set_value(stepped, "step", step);
                    add_media(key, "TEXT", Value(stepped),
                              {{value.is_scalar() ? value.display() : json_text(value), ".txt"}}, memory);
                }
            }
        }
        if (!body["metrics"].empty()) {
            add_columns(columns, memory);
            server_.post("/house/metrics", body);
        }
        set_value(memory, "next_step", next);
        return count;
    }

    void add_media(const std::string& key, const std::string& type, const Value& entry, const std::vector<Media>& media,
                   Values& memory) {
        std::int64_t next = integer_in(Value(memory), "next_step");
        const std::int64_t step = step_of(entry, next);
        const TemporaryFolder temporary;
        Json paths = Json::array();
        for (const auto& [content, ending] : media)
            paths.push_back(fmt::format("media/{}/{:03}-{}{}", type == "IMAGE" ? "image" : "text", step,
                                        sha256_hex(content).substr(0, 8), ending));
        const Json answer = server_.post("/resources/presigned/put", {{"experimentId", experiment_}, {"paths", paths}});
        const Json& addresses = member(answer, "urls");
        if (!addresses.is_array() || addresses.size() != media.size())
            throw server_.is_another_server("it named no address for a file");
        for (std::size_t i = 0; i < media.size(); ++i) {
            write_file_atomically(temporary.path() / "file", media[i].content, false);
            server_.put(addresses[i].get<std::string>(), temporary.path() / "file", paths[i].get<std::string>(),
                        {type == "IMAGE" ? "Content-Type: image/png" : "Content-Type: text/plain"});
        }
        add_columns({{key, type}}, memory);
        Json body = metrics_body("media");
        body["metrics"].push_back({{"key", key},
                                   {"index", step},
                                   {"data", paths},
                                   {"more", Json::array()},
                                   {"create_time", iso_time(number_in(entry, "time"))}});
        server_.post("/house/metrics", body);
        set_value(memory, "next_step", next);
    }

    void add_artifact(const std::string& name, const fs::path& file) {
        const std::string files = "/experiment/" + percent_encoded(experiment_) + "/files/";
        const Json answer = server_.post(files + "prepare", {{"files", Json::array({{{"path", name},
                                                                                     {"size", fs::file_size(file)},
                                                                                     {"md5", md5_of_file(file)},
                                                                                     {"mimeType", kBinary}}})}});
        const Json& addresses = member(answer, "urls");
        if (!addresses.is_array() || addresses.size() != 1 || !addresses[0].is_string())
            throw server_.is_another_server("it named no address for a file");
        server_.put(addresses[0].get<std::string>(), file, name, {std::string("Content-Type: ") + kBinary});
        server_.post(files + "complete", {{"files", Json::array({{{"path", name}, {"state", "UPLOADED"}}})}});
    }

    static constexpr const char* kBinary = "application/octet-stream";

    const Value open_;
    const std::string key_;
    JsonServer server_;
    std::string user_, project_, experiment_, run_;
};

}  // namespace

std::string swanlab_address() {
    std::string address = without_credentials(environment_text("SWANLAB_API_HOST"));
    if (address.empty())
        address = "https://api.swanlab.cn";
    const std::size_t host = address.find("://");
    if (host == std::string::npos)
        address = "https://" + address;
    return address.substr(0, address.find('/', address.find("://") + 3)) + "/api";
}

std::string swanlab_key() {
    if (const std::string key = environment_text("SWANLAB_API_KEY"); !key.empty())
        return key;
    const std::string address = swanlab_address(), server = address.substr(0, address.rfind("/api"));
    return netrc_password(fs::path(environment_text("HOME")) / ".swanlab" / ".netrc",
                          {server, server.substr(server.find("://") + 3)});
}

ServiceKind swanlab_service() {
    return {.name = "swanlab",
            .settings = swanlab_settings,
            .make = [](const Value& open, std::stop_token stop) -> std::unique_ptr<Service> {
                return std::make_unique<SwanlabService>(open, std::move(stop));
            },
            .keeps_pictures = true,
            .keeps_tables = true,
            .keeps_artifacts = true};
}

}  // namespace trainyard::track
