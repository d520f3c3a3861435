// SPDX-License-Identifier: GPL-3.0-or-later
// The file store of MLflow: a folder for each experiment, in it one for each run, with a file for each metric ("time
// value step" in a line), parameter and tag.

#include <algorithm>
#include <ctime>
#include <map>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/number.h"
#include "config/values/value_formats.h"
#include "observe/track/line_file.h"
#include "observe/track/mlflow.h"
#include "observe/track/remote_tracker.h"

namespace trainyard::track {

namespace {

constexpr int kLocalSource = 4, kRunning = 1, kFinished = 3;  ///< SourceType.LOCAL, RunStatus

class MlflowFolder final : public MlflowStore {
  public:
    explicit MlflowFolder(fs::path folder) : root_(std::move(folder)) {}

    std::string experiment(const std::string& name, const MlflowTags& tags) override {
        make_private_folder(root_);
        if (!fs::exists(root_ / "0" / "meta.yaml"))
            add_experiment("0", "Default", {});
        for (const fs::directory_entry& entry : fs::directory_iterator(root_)) {
            const Value known = read_meta(entry.path() / "meta.yaml");
            if (text_in(known, "name") == name && text_in(known, "lifecycle_stage", "active") == "active")
                return text_in(known, "experiment_id");
        }
        std::string id;
        for (const char digit : random_hex(18))
            id += static_cast<char>('0' + (digit <= '9' ? digit - '0' : digit - 'a'));
        id.front() = std::max(id.front(), '1');
        add_experiment(id, name, tags);
        return id;
    }

    std::pair<std::string, std::string> create_run(const std::string& experiment, const std::string& name,
                                                   std::int64_t start_time, const MlflowTags& tags) override {
        const std::string run = random_hex(32);
        const fs::path folder = root_ / experiment / run;
        for (const char* part : {"artifacts", "metrics", "params", "tags"})
            fs::create_directories(folder / part);
        const std::string shown = name.empty() ? "run-" + run.substr(0, 8) : name;
        const std::string artifacts = "file://" + (folder / "artifacts").string();
        write_meta(folder, {{"artifact_uri", artifacts},
                            {"end_time", Value()},
                            {"entry_point_name", ""},
                            {"experiment_id", experiment},
                            {"lifecycle_stage", "active"},
                            {"run_id", run},
                            {"run_name", shown},
                            {"source_name", ""},
                            {"source_type", kLocalSource},
                            {"source_version", ""},
                            {"start_time", start_time},
                            {"status", kRunning},
                            {"tags", Value::List()},
                            {"user_id", ""}});
        write(folder / "tags" / "mlflow.runName", shown);
        for (const auto& [key, value] : tags)
            write(folder / "tags" / key, value);
        return {run, artifacts};
    }

    std::pair<std::string, std::string> find_run(const std::string& run) override {
        return {run, text_in(read_meta(folder_of(run) / "meta.yaml"), "artifact_uri")};
    }

    void log_batch(const std::string& run, const std::vector<MlflowMetric>& metrics,
                   const MlflowTags& parameters) override {
        const fs::path folder = folder_of(run);
        std::vector<std::pair<std::string, std::string>> lines;  // in the order of the names
        for (const MlflowMetric& metric : metrics)
            lines.emplace_back(metric.key,
                               fmt::format("{} {} {}", metric.timestamp, python_float(metric.value), metric.step));
        std::stable_sort(lines.begin(), lines.end(),
                         [](const auto& left, const auto& right) { return left.first < right.first; });
        for (auto line = lines.begin(); line != lines.end();) {
            const std::string key = line->first;
            const fs::path path = folder / "metrics" / key;
            fs::create_directories(path.parent_path());
            LineFile file(path);
            for (; line != lines.end() && line->first == key; ++line)
                file.add(line->second);
            file.flush();
        }
        for (const auto& [key, value] : parameters) {
            const fs::path path = folder / "params" / key;
            if (fs::exists(path) && read_file(path) != value)
                throw UserError("the parameter {} has another value in {}", key, path.string());
            write(path, value);
        }
    }

    void set_tag(const std::string& run, const std::string& key, const std::string& value) override {
        write(folder_of(run) / "tags" / key, value);
    }

    void set_status(const std::string& run, MlflowStatus status, std::int64_t time) override {
        const fs::path folder = folder_of(run);
        const Value known = read_meta(folder / "meta.yaml");
        Values meta = known.entries();
        set_value(meta, "status", status == MlflowStatus::running ? kRunning : kFinished);
        set_value(meta, "end_time", status == MlflowStatus::running ? Value() : Value(time));
        write_meta(folder, meta);
    }

    void add_artifact(const std::string& artifacts, const std::string& path, const fs::path& file) override {
        copy_artifact(artifacts.starts_with("file://") ? artifacts.substr(7) : artifacts, path, file);
    }

  private:
    void add_experiment(const std::string& id, const std::string& name, const MlflowTags& tags) {
        const fs::path folder = root_ / id;
        fs::create_directories(folder / "tags");
        const std::int64_t now = static_cast<std::int64_t>(::time(nullptr)) * 1000;
        write_meta(folder, {{"artifact_location", "file://" + folder.string()},
                            {"creation_time", now},
                            {"effective_trace_archival_retention", Value()},
                            {"experiment_id", id},
                            {"last_update_time", now},
                            {"lifecycle_stage", "active"},
                            {"name", name},
                            {"trace_location", Value()},
                            {"workspace", "default"}});
        for (const auto& [key, value] : tags)
            write(folder / "tags" / key, value);
    }

    static void write_meta(const fs::path& folder, const Values& meta) {
        write(folder / "meta.yaml", write_yaml(meta));
    }

    static void write(const fs::path& path, const std::string& content) {
        fs::create_directories(path.parent_path());
        write_file_atomically(path, content, false, 0644);
    }

    /// Null if the file is missing or damaged.
    static Value read_meta(const fs::path& file) {
        std::error_code missing;
        if (!fs::exists(file, missing))
            return {};
        std::vector<Problem> problems;
        return parse_yaml(read_file(file), file.string(), problems, python_rules(problems));
    }

    fs::path folder_of(const std::string& run) {
        if (const auto known = folders_.find(run); known != folders_.end())
            return known->second;
        if (fs::exists(root_))
            for (const fs::directory_entry& experiment : fs::directory_iterator(root_))
                if (fs::exists(experiment.path() / run / "meta.yaml"))
                    return folders_[run] = experiment.path() / run;
        throw ServiceUnavailable(Message("there is no run {} in {}", run, root_.string()), true);
    }

    fs::path root_;
    std::map<std::string, fs::path> folders_;
};

}  // namespace

std::unique_ptr<MlflowStore> make_mlflow_folder(const fs::path& folder) {
    return std::make_unique<MlflowFolder>(folder);
}

}  // namespace trainyard::track
