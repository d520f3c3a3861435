// SPDX-License-Identifier: GPL-3.0-or-later
// A task of ClearML on the disk, as their client writes it when it is offline: task.json, and metrics.jsonl and
// log.jsonl with a list of events in each line.

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "base/json.h"
#include "base/json_writer.h"
#include "observe/track/clearml.h"
#include "observe/track/mlflow.h"

namespace trainyard::track {

namespace {

class ClearmlFolder final : public ClearmlStore {
  public:
    explicit ClearmlFolder(fs::path root) : root_(std::move(root)) {}

    std::string create(const std::string& project, const Json& fields) override {
        const std::string task = "offline-" + random_hex(32);
        make_private_folder(root_ / task);
        Json content{{"id", task},
                     {"project_name", project},
                     {"offline_folder", (root_ / task).string()},
                     {"execution", {{"artifacts", Json::array()}, {"parameters", Json::object()}}},
                     {"output", Json::object()},
                     {"script", Json::object()},
                     {"offline_output_models", Json::array()}};
        content.update(fields);
        write(task, content);
        return task;
    }

    void begin(const std::string&) override {}
    void complete(const std::string&) override {}

    void edit(const std::string& task, const Json& fields) override {
        Json content = read(task);
        content.update(fields);
        write(task, content);
    }

    void add_events(const std::string& task, const std::vector<Json>& events) override {
        Json metrics = Json::array(), lines = Json::array();
        for (const Json& event : events)
            (event.at("type") == "log" ? lines : metrics).push_back(event);
        if (!metrics.empty())
            append_line(root_ / task / "metrics.jsonl", json_text(metrics));
        if (!lines.empty())
            append_line(root_ / task / "log.jsonl", json_text(lines));
    }

    void add_artifact(const std::string& task, const Json& artifact) override {
        Json content = read(task);
        content["execution"]["artifacts"].push_back(artifact);
        write(task, content);
    }

    std::string add_file(const std::string& task, const std::string& path, const fs::path& file) override {
        copy_artifact(root_ / task / "data", path, file);
        return (root_ / task / "data" / path).string();
    }

  private:
    static std::string json_text(const Json& value) { return trainyard::json_text(value); }

    Json read(const std::string& task) const {
        const fs::path file = root_ / task / "task.json";
        Json content = read_ordered_json(read_file(file));
        if (!content.is_object() || !content.contains("execution"))
            throw ServiceUnavailable(Message("{} is not a task of ClearML", file.string()), true);
        return content;
    }
    void write(const std::string& task, const Json& content) const {
        write_file_atomically(root_ / task / "task.json", json_text(content), false);
    }

    const fs::path root_;
};

}  // namespace

std::unique_ptr<ClearmlStore> make_clearml_folder(const fs::path& root) {
    return std::make_unique<ClearmlFolder>(root);
}

}  // namespace trainyard::track
