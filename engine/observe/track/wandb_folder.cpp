// SPDX-License-Identifier: GPL-3.0-or-later
// A run of Weights & Biases on the disk, as their client writes it when it is offline: run-ID.wandb has records
// (protocol buffers, wandb_internal.proto).

#include <cmath>
#include <mutex>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/json_writer.h"
#include "base/protobuf.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/chunk_log.h"
#include "observe/track/pictures.h"
#include "observe/track/run_folder.h"
#include "observe/track/wandb.h"

namespace trainyard::track {

namespace {

namespace pb = protobuf;

constexpr std::string_view kPrefix = "offline-run-";
constexpr std::string_view kWandbHead(":W&B\xe1\xbe\0", 7);

/// Fields of wandb_internal.Record.
enum RecordField { kNumber = 1, kHistory = 2, kSummary = 3, kConfig = 5, kFiles = 6, kRun = 17, kExit = 18 };

/// FilesItem.FileType
enum FileType { kOther = 0, kMedia = 2 };

/// NaN, which W&B has not in configurations, is null.
std::string value_json(const Value& value, bool is_configuration) {
    const double* number = value.number();
    if (is_configuration && number != nullptr && std::isnan(*number))
        return "null";
    JsonWriter json;
    write_json_tree(json, value, JsonTree::exact);
    return json.take();
}

/// Items of history, summary and configuration have the same fields: `field` of the message, repeated. Dictionaries
/// are paths of names in the first two.
void append_items(std::string& message, const Values& values, bool is_configuration,
                  const std::vector<std::string>& path = {}) {
    for (const auto& [name, value] : values) {
        std::vector<std::string> names = path;
        names.push_back(name);
        if (!is_configuration && value.is_map() && !value.entries().empty()) {
            append_items(message, value.entries(), is_configuration, names);
            continue;
        }
        std::string item;
        if (names.size() == 1)
            pb::append_bytes(item, 1, name);
        else
            for (const std::string& part : names)
                pb::append_bytes(item, 2, part);
        pb::append_bytes(item, 16, value_json(value, is_configuration));
        pb::append_bytes(message, 1, item);
    }
}

class WandbFolder final : public Tracker {
  public:
    WandbFolder(const TrackerContext& context, Message note)
        : settings_(wandb_settings(context)), continues_(context.continues), note_(std::move(note)) {}

    std::string name() const override { return "wandb"; }
    bool keeps_every_record() const override { return true; }
    bool keeps_pictures() const override { return true; }
    bool keeps_tables() const override { return true; }

    void start() override {
        const fs::path root = fs::path(text_in(settings_, "folder")) / "wandb";
        folder_ = continues_ ? newest_run_folder(root, kPrefix) : fs::path();
        start_time_ = wall_seconds();
        const std::string id = folder_.empty() ? text_in(settings_, "id") : run_id_in(folder_, kPrefix);
        if (folder_.empty())
            folder_ = root / run_folder_name(kPrefix, start_time_, id);
        make_private_folder(folder_ / "files");
        log_.emplace(folder_ / fmt::format("run-{}.wandb", id), kWandbHead, kExit);
        std::error_code ignored;  // a help for people and `wandb sync`
        fs::remove(root / "latest-run", ignored);
        fs::create_directory_symlink(folder_.filename(), root / "latest-run", ignored);
        if (log_->count() == 0)
            add_run(id);
        log_->flush();
        if (!note_.empty())
            note_ = Message("{}; the run is written to {}, which `wandb sync` sends", note_, folder_.string());
    }

    void store_init_configuration(const Values& configuration) override {
        std::string message;
        append_items(message, configuration, true);
        add_record(kConfig, message);
        log_->flush();
    }

    void log(const Record& record, const Value& arguments) override {
        check_arguments("wandb", arguments, {});
        add_values(record.values, record.step, record.wall_time);
    }

    void log_images(const PictureRecord& record, const Value& arguments) override {
        check_arguments("wandb", arguments, {});
        for (const Pictures& pictures : record.pictures) {
            std::vector<std::string> pngs;
            for (std::int64_t i = 0; i < pictures.count; ++i)
                pngs.push_back(png_of(pictures, i));
            add_media(pictures.name,
                      add_wandb_pictures(folder_ / "files", pictures.name, rows_.step(), pngs, pictures.width,
                                         pictures.height),
                      record.step, record.wall_time);
        }
    }

    void log_table(const TableRecord& record, const Value& arguments) override {
        check_arguments("wandb", arguments, {});
        add_media(record.name,
                  add_wandb_table(folder_ / "files", record.name, rows_.step(),
                                  Value::List(record.columns.begin(), record.columns.end()),
                                  Value::List(record.rows.begin(), record.rows.end())),
                  record.step, record.wall_time);
    }

    bool keeps_artifacts() const override { return true; }
    void log_artifact(const ArtifactRecord& record, const Value& arguments) override {
        check_arguments("wandb", arguments, {});
        for (const auto& [file, name] : artifact_files(record)) {
            const fs::path saved = (folder_ / "files" / name).lexically_normal();
            fs::create_directories(saved.parent_path());
            fs::remove(saved);
            link_or_copy(file, saved);
            add_file(name, kOther);
        }
    }

    void restart(std::int64_t step, double) override {
        if (const std::optional<WandbRow> row = rows_.restart(step))
            add_row(*row);
    }

    void flush() override { log_->flush(); }

    std::vector<Message> take_notes() override {
        const std::lock_guard lock(mutex_);
        return note_.empty() ? std::vector<Message>() : std::vector<Message>{std::exchange(note_, {})};
    }

    void finish() override {
        if (const std::optional<WandbRow> row = rows_.take_open())
            add_row(*row);
        std::string message;
        pb::append_integer(message, 2, static_cast<std::int64_t>(wall_seconds() - start_time_));  // runtime
        add_record(kExit, message);
        log_->flush();
    }

  private:
    void add_record(RecordField kind, std::string_view message) {
        std::string record;
        pb::append_integer(record, kNumber, log_->count() + 1);
        pb::append_bytes(record, kind, message);
        log_->add(record);
    }

    void add_run(const std::string& id) {
        std::string config, run, time;
        pb::append_integer(time, 1, static_cast<std::int64_t>(start_time_));
        pb::append_integer(time, 2, static_cast<std::int64_t>(std::fmod(start_time_, 1.0) * 1e9));
        append_items(config, {{"_wandb", Values()}}, true);
        const Value settings(settings_);
        if (const Value* given = settings.find("config"))
            append_items(config, given->entries(), true);
        pb::append_bytes(run, 1, id);
        const auto put = [&](int field, const char* key) {
            if (const std::string text = text_in(settings, key); !text.empty())
                pb::append_bytes(run, field, text);
        };
        put(2, "entity");
        put(3, "project");
        pb::append_bytes(run, 4, config);
        put(6, "group");
        put(7, "job_type");
        put(8, "name");
        put(9, "notes");
        for (const Value& tag : settings.find("tags")->items())
            pb::append_bytes(run, 10, tag.display());
        pb::append_bytes(run, 17, time);
        if (const Value* resume = settings.find("resume"); *resume->boolean())
            pb::append_integer(run, 24, 1);
        add_record(kRun, run);
    }

    void add_values(const Values& values, std::optional<std::int64_t> step, double time) {
        for (const WandbRow& row : rows_.add(values, step, time))
            add_row(row);
    }

    void add_file(const std::string& path, FileType type) {
        std::string item, message;
        pb::append_bytes(item, 1, path);
        pb::append_integer(item, 3, type);
        pb::append_bytes(message, 1, item);
        add_record(kFiles, message);
    }

    void add_media(const std::string& name, const WandbMedia& media, std::optional<std::int64_t> step, double time) {
        for (const std::string& path : media.paths)
            add_file(path, kMedia);
        add_values({{name, media.value}}, step, time);
    }

    void add_row(const WandbRow& row) {
        std::string summary, history, step;
        append_items(summary, wandb_summary(row), false);
        add_record(kSummary, summary);
        append_items(history, wandb_history(row, start_time_), false);
        pb::append_integer(step, 1, row.step);
        pb::append_bytes(history, 2, step);
        add_record(kHistory, history);
    }

    const Values settings_;
    const bool continues_;
    std::mutex mutex_;
    Message note_;
    fs::path folder_;
    double start_time_ = 0;
    std::optional<ChunkLog> log_;
    WandbRows rows_;
};

}  // namespace

std::unique_ptr<Tracker> make_wandb_folder(const TrackerContext& context, Message note) {
    return std::make_unique<WandbFolder>(context, std::move(note));
}

}  // namespace trainyard::track
