// SPDX-License-Identifier: GPL-3.0-or-later
// A run of Weights & Biases on a server: GraphQL for the run and its files, lines of JSON for its history.

#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "config/values/value_formats.h"
#include "observe/track/json_server.h"
#include "observe/track/wandb.h"

namespace trainyard::track {

namespace {

constexpr const char* kUpsert =
    "mutation UpsertBucket($name: String, $project: String, $entity: String, $groupName: String, $displayName: String, "
    "$notes: String, $config: JSONString, $jobType: String, $tags: [String!]) { upsertBucket(input: {name: $name, "
    "modelName: $project, entityName: $entity, groupName: $groupName, displayName: $displayName, notes: $notes, "
    "config: $config, jobType: $jobType, tags: $tags}) { bucket { id name displayName project { name entity { name } } "
    "historyLineCount } inserted } }";
constexpr const char* kCreateFiles =
    "mutation CreateRunFiles($entity: String!, $project: String!, $run: String!, $files: [String!]!) { "
    "createRunFiles(input: {entityName: $entity, projectName: $project, runName: $run, files: $files}) { runID "
    "uploadHeaders files { name uploadUrl } } }";

class WandbService final : public Service {
  public:
    WandbService(const Value& open, std::stop_token stop)
        : open_(open),
          server_({.tool = "W&B",
                   .address = wandb_address(),
                   .setting = "WANDB_BASE_URL",
                   .credentials = "WANDB_API_KEY, or log in with `wandb login`",
                   .certificates = {.are_checked = !is_insecure()}},
                  std::move(stop)) {
        server_.user_and_password = "api:" + wandb_key();
    }

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        const Value& first = entries.front();
        if (entry_of(memory, "entity") == nullptr)
            wait_if_refused([&] { upsert({}, memory, number_in(first, "time")); });
        if (const Value* configuration = first.find("configuration")) {
            upsert(configuration->entries(), memory);
            return 1;
        }
        if (const Value* pictures = first.find("pictures"))
            return deliver_media(pictures->display(), first, memory);
        if (const Value* table = first.find("table"))
            return deliver_media(table->display(), first, memory);
        if (const Value* artifact = first.find("artifact")) {
            upload({{text_in(first, "name"), artifact->display()}}, Value(memory));
            return 1;
        }
        // Changes are stored only after the server has them, so that a second try sends the same.
        const Value known(memory);
        const Value* state = known.find("rows");
        WandbRows rows = state == nullptr ? WandbRows() : WandbRows(*state);
        std::vector<WandbRow> complete;
        std::size_t count = 0;
        bool ends = false;
        for (; count < entries.size() && !ends; ++count) {
            const Value& entry = entries[count];
            if (const Value* values = entry.find("values")) {
                const Value* step = entry.find("step");
                std::vector<WandbRow> more =
                    rows.add(values->entries(), step == nullptr ? std::nullopt : std::optional(*step->integer()),
                             number_in(entry, "time"));
                complete.insert(complete.end(), more.begin(), more.end());
            } else if (const Value* restart = entry.find("restart")) {
                if (std::optional<WandbRow> row = rows.restart(*restart->integer()))
                    complete.push_back(std::move(*row));
            } else if (entry.find("finish") != nullptr) {
                if (std::optional<WandbRow> row = rows.take_open())
                    complete.push_back(std::move(*row));
                ends = true;
            } else if (count > 0) {
                break;
            }
        }
        stream(complete, ends, memory);
        set_value(memory, "rows", rows.state());
        return count;
    }

  private:
    static bool is_insecure() {
        const std::string set = environment_text("WANDB_INSECURE_DISABLE_SSL");
        return set == "true" || set == "True" || set == "1";
    }

    std::string setting(const char* key) const {
        const Value* settings = open_.find("settings");
        return settings == nullptr ? "" : text_in(*settings, key);
    }

    /// Creates the run, or changes its configuration.
    void upsert(const Values& configuration, Values& memory, double time = 0) {
        Values config;
        if (const Entry* known = entry_of(memory, "config"))
            config = known->value.entries();
        else if (const Value* settings = open_.find("settings"))
            if (const Value* given = settings->find("config"))
                config = given->entries();
        for (const auto& [key, value] : configuration)
            set_value(config, key, value);
        Values written;
        for (const auto& [key, value] : config)
            written.push_back({key, Values{{"value", value}}});
        Json variables{{"name", setting("id")}, {"project", setting("project")}};
        const Entry* known_entity = entry_of(memory, "entity");
        const std::string entity = known_entity != nullptr ? known_entity->value.display() : setting("entity");
        for (const auto& [variable, text] : {std::pair{"entity", entity},
                                             {"groupName", setting("group")},
                                             {"displayName", setting("name")},
                                             {"notes", setting("notes")},
                                             {"jobType", setting("job_type")}})
            if (!text.empty())
                variables[variable] = text;
        if (const Value* settings = open_.find("settings"))
            if (const Value* tags = settings->find("tags"))
                for (const Value& tag : tags->items())
                    variables["tags"].push_back(tag.display());
        variables["config"] = json_of_values(written);
        const Json answer = query("UpsertBucket", kUpsert, variables);
        const Json& bucket = member(member(answer, "upsertBucket"), "bucket");
        const Json& project = member(bucket, "project");
        const std::string named = text_member(member(project, "entity"), "name");
        if (named.empty())
            throw server_.is_another_server("it named no entity");
        set_value(memory, "entity", named);
        set_value(memory, "project", text_member(project, "name"));
        set_value(memory, "run", text_member(bucket, "name"));
        set_value(memory, "config", config);
        if (entry_of(memory, "lines") == nullptr) {
            const Json& lines = member(bucket, "historyLineCount");
            set_value(memory, "lines", lines.is_number_integer() ? lines.get<std::int64_t>() : std::int64_t{0});
            set_value(memory, "start", time);
        }
    }

    /// JSON without NaN and infinities, which the server does not read in configurations.
    static std::string json_of_values(const Values& values) { return trainyard::json_text(json_of(Value(values))); }

    static std::string history_json(const Values& values) {
        JsonWriter json;
        write_json_tree(json, Value(values), JsonTree::exact);
        return json.take();
    }

    /// Adds lines to the history, at the number that the server has, and merges them into the summary.
    void stream(const std::vector<WandbRow>& rows, bool ends, Values& memory) {
        if (rows.empty() && !ends)
            return;
        const Value known(memory);
        Values summary;
        if (const Value* found = known.find("summary"))
            summary = found->entries();
        const std::int64_t lines = integer_in(known, "lines");
        Json content = Json::array();
        for (const WandbRow& row : rows) {
            content.push_back(history_json(wandb_history(row, number_in(known, "start"))));
            for (const auto& [key, value] : wandb_summary(row))
                set_value(summary, key, value);
        }
        Json body{{"files", Json::object()}};
        if (!rows.empty()) {
            body["files"]["wandb-history.jsonl"] = {{"offset", lines}, {"content", content}};
            body["files"]["wandb-summary.json"] = {{"offset", 0}, {"content", Json::array({history_json(summary)})}};
        }
        if (ends) {
            body["complete"] = true;
            body["exitcode"] = 0;
        }
        server_.post(fmt::format("/files/{}/{}/{}/file_stream", text_in(known, "entity"), text_in(known, "project"),
                                 text_in(known, "run")),
                     body);
        set_value(memory, "lines", lines + static_cast<std::int64_t>(rows.size()));
        set_value(memory, "summary", summary);
    }

    std::size_t deliver_media(const std::string& name, const Value& entry, Values& memory) {
        const TemporaryFolder temporary;
        const fs::path& folder = temporary.path();
        const Value known(memory);
        const Value* state = known.find("rows");
        WandbRows rows = state == nullptr ? WandbRows() : WandbRows(*state);
        WandbMedia media;
        if (const Value* files = entry.find("files")) {
            std::vector<std::string> pngs;
            for (const Value& file : files->items())
                pngs.push_back(read_file(file.display()));
            media = add_wandb_pictures(folder, name, rows.step(), pngs, integer_in(entry, "width"),
                                       integer_in(entry, "height"));
        } else {
            media = add_wandb_table(folder, name, rows.step(), *entry.find("columns"), *entry.find("rows"));
        }
        std::map<std::string, fs::path> files;
        for (const std::string& path : media.paths)
            files[path] = folder / path;
        upload(files, known);
        const Value* step = entry.find("step");
        stream(rows.add({{name, media.value}}, step == nullptr ? std::nullopt : std::optional(*step->integer()),
                        number_in(entry, "time")),
               false, memory);
        set_value(memory, "rows", rows.state());
        return 1;
    }

    /// Stores files of the run by their paths.
    void upload(const std::map<std::string, fs::path>& files, const Value& known) {
        Json paths = Json::array();
        for (const auto& [path, file] : files)
            paths.push_back(path);
        const Json answer = query("CreateRunFiles", kCreateFiles,
                                  {{"entity", text_in(known, "entity")},
                                   {"project", text_in(known, "project")},
                                   {"run", text_in(known, "run")},
                                   {"files", paths}});
        const Json& created = member(answer, "createRunFiles");
        std::size_t stored = 0;
        for (const Json& file : member(created, "files")) {
            const auto wanted = files.find(text_member(file, "name"));
            if (wanted == files.end())
                continue;
            std::vector<std::string> headers;
            for (const Json& header : member(created, "uploadHeaders"))
                if (header.is_string())
                    headers.push_back(header.get<std::string>());
            server_.put(text_member(file, "uploadUrl"), wanted->second, wanted->first, headers);
            ++stored;
        }
        if (stored < files.size())
            throw server_.is_another_server("it named no address for a file");
    }

    Json query(const char* operation, const char* text, const Json& variables) {
        const Json answer =
            server_.post("/graphql", {{"query", text}, {"operationName", operation}, {"variables", variables}});
        if (const Json& errors = member(answer, "errors"); errors.is_array() && !errors.empty()) {
            const std::string said = text_member(errors[0], "message");
            throw ServiceUnavailable(Message("{}: {}", server_.address(), Message::verbatim(text::printable(said))),
                                     true);
        }
        return member(answer, "data");
    }

    const Value open_;
    JsonServer server_;
};

}  // namespace

ServiceKind wandb_service() {
    return {.name = "wandb",
            .settings = wandb_settings,
            .make = [](const Value& open, std::stop_token stop) -> std::unique_ptr<Service> {
                return std::make_unique<WandbService>(open, std::move(stop));
            },
            .keeps_pictures = true,
            .keeps_tables = true,
            .keeps_artifacts = true};
}

}  // namespace trainyard::track
