// SPDX-License-Identifier: GPL-3.0-or-later
// An experiment of Comet as an archive, as their client writes it when it is offline: experiment.json, messages.json
// with a message in each line, and files that messages name. While the experiment runs these are in a folder.

#include <cstddef>
#include <span>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/files/file_writer.h"
#include "base/files/mapped_file.h"
#include "base/files/zip_writer.h"
#include "base/json_writer.h"
#include "observe/track/comet_ml.h"
#include "observe/track/mlflow.h"

namespace trainyard::track {

namespace {

constexpr const char* kMessages = "messages.json";

class CometArchive final : public CometStore {
  public:
    CometArchive(CometExperiment experiment, const fs::path& root)
        : experiment_(std::move(experiment)), root_(root), folder_(root / experiment_.key) {}

    void begin(Values& memory) override {
        lines_.clear();
        if (entry_of(memory, "archive") == nullptr) {
            set_value(memory, "archive", fmt::format("{}-{}.zip", experiment_.key, random_hex(6)));
            set_value(memory, "started", comet_milliseconds(wall_seconds()));
        }
        const Value known(memory);
        bytes_ = integer_in(known, "bytes");
        files_ = integer_in(known, "files");
        make_private_folder(folder_);
        // A delivery whose end was not noted is repeated.
        std::error_code missing;
        const fs::path messages = folder_ / kMessages;
        if (const std::uintmax_t size = fs::file_size(messages, missing);
            !missing && size > static_cast<std::uintmax_t>(bytes_))
            fs::resize_file(messages, static_cast<std::uintmax_t>(bytes_));
        if (bytes_ == 0)
            add("log_other", {{"key", "offline_experiment"}, {"value", true}});
    }

    void add_metrics(const std::vector<CometValue>& values) override {
        for (const CometValue& value : values)
            add("metric_msg", {{"local_timestamp", value.milliseconds},
                               {"metric",
                                {{"metricName", value.name},
                                 {"metricValue", value.value},
                                 {"step", value.step},
                                 {"epoch", nullptr}}}});
    }

    void add_parameters(const std::vector<CometValue>& values) override {
        for (const CometValue& value : values)
            add("parameter_msg", {{"local_timestamp", value.milliseconds},
                                  {value.value.is_array() ? "params" : "param",
                                   {{"paramName", value.name},
                                    {"paramValue", value.value},
                                    {"step", value.step},
                                    {"source", "manual"}}}});
    }

    void add_other(const std::string& key, const std::string& value) override {
        add("log_other", {{"key", key}, {"value", value}});
    }

    void add_file(bool is_image, const std::string& name, const Json& step, const fs::path& file) override {
        const std::string stored = fmt::format("file-{}", files_++);
        copy_artifact(folder_, stored, file);
        add("file_upload",
            {{"additional_params",
              {{is_image ? "figName" : "fileName", name}, {"step", step}, {"context", nullptr}, {"overwrite", false}}},
             {"file_path", stored},
             {"local_timestamp", comet_milliseconds(wall_seconds())},
             {"metadata", nullptr},
             {"upload_type", is_image ? "visualization" : "asset"}});
    }

    void settle(Values& memory) override {
        if (lines_.empty())
            return;
        append_line(folder_ / kMessages, std::string_view(lines_).substr(0, lines_.size() - 1));
        bytes_ += static_cast<std::int64_t>(lines_.size());
        lines_.clear();
        set_value(memory, "bytes", bytes_);
        set_value(memory, "files", files_);
    }

    void end(Values& memory) override {
        settle(memory);
        const Value known(memory);
        const fs::path archive = root_ / text_in(known, "archive");
        if (fs::exists(folder_ / kMessages) || !fs::exists(archive))
            write(archive, integer_in(known, "started"), integer_in(known, "archives"));
        std::error_code ignored;
        fs::remove_all(folder_, ignored);
        set_value(memory, "archives", integer_in(known, "archives") + 1);
        std::erase_if(memory, [](const Entry& entry) {
            return entry.key == "archive" || entry.key == "started" || entry.key == "bytes" || entry.key == "files";
        });
    }

  private:
    void add(const char* type, Json payload) {
        lines_ += trainyard::json_text(Json{{"payload", std::move(payload)}, {"type", type}}) + "\n";
    }

    /// `earlier`: number of archives of this experiment that were written before.
    void write(const fs::path& archive, std::int64_t started, std::int64_t earlier) const {
        const Json content{{"offline_id", experiment_.key},
                           {"project_name", experiment_.project},
                           {"workspace", experiment_.workspace.empty() ? Json(nullptr) : Json(experiment_.workspace)},
                           {"start_time", started},
                           {"stop_time", comet_milliseconds(wall_seconds())},
                           {"tags", Json::array()},
                           {"resume_strategy", earlier > 0 ? std::string("get_or_create") : experiment_.mode},
                           {"customer_error_reported", false},
                           {"customer_error_message", nullptr},
                           {"user_provided_experiment_key", experiment_.may_exist}};
        write_file_atomically(folder_ / "experiment.json", trainyard::json_text(content), false);
        std::vector<std::string> names;
        std::vector<std::uint64_t> sizes;
        for (const fs::directory_entry& file : fs::directory_iterator(folder_)) {
            names.push_back(file.path().filename().string());
            sizes.push_back(file.file_size());
        }
        files::FileWriter out(archive, files::ZipWriter::size_limit(sizes));
        files::ZipWriter zip(out, "");
        for (std::size_t i = 0; i < names.size(); ++i) {
            if (sizes[i] == 0) {
                zip.add(names[i], std::string_view());
                continue;
            }
            const files::MappedFile mapped(folder_ / names[i], files::MappedFile::Pages::shared);
            zip.add(names[i], mapped.bytes());
        }
        zip.finish();
        out.finish();
    }

    const CometExperiment experiment_;
    const fs::path root_, folder_;
    std::string lines_;  ///< of this delivery
    std::int64_t bytes_ = 0, files_ = 0;
};

}  // namespace

std::unique_ptr<CometStore> make_comet_archive(CometExperiment experiment, const fs::path& root) {
    return std::make_unique<CometArchive>(std::move(experiment), root);
}

}  // namespace trainyard::track
