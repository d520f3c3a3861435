// SPDX-License-Identifier: GPL-3.0-or-later
// A run of SwanLab on the disk, as their client writes it when it is offline: run-ID.swanlab has records (protocol
// buffers, swanlab.record.v1).

#include "observe/track/swanlab.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <sstream>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/protobuf.h"
#include "base/text.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/chunk_log.h"
#include "observe/track/pictures.h"
#include "observe/track/remote_tracker.h"
#include "observe/track/run_folder.h"
#include "observe/track/spelling.h"

namespace trainyard::track {

namespace {

namespace pb = protobuf;

constexpr std::string_view kSwanlabHead(":SWL\xd6\xe1\x02", 7);  // the last byte is a version
constexpr std::string_view kSwanlabRun = "run-";

/// Fields of swanlab.record.v1.Record.
enum SwanlabField {
    kStartRecord = 10,
    kFinishRecord = 11,
    kColumnRecord = 12,
    kScalarRecord = 13,
    kMediaRecord = 14,
    kSaveRecord = 20
};
/// Numbers of records that are not points.
enum SwanlabNumber { kStartNumber = -1, kFinishNumber = -2, kConfigNumber = -3 };
/// swanlab.save.v1.SaveType
enum SaveType { kOwnFile = 0, kConfigFile = 1 };
/// swanlab.metric.column.v1.ColumnType
enum SwanlabType { kScalarColumn = 1, kImageColumn = 2, kTextColumn = 4 };

std::string timestamp(double wall) {
    std::string message;
    const double seconds = std::floor(wall);
    pb::append_integer(message, 1, static_cast<std::int64_t>(seconds));
    pb::append_integer(message, 2, static_cast<std::int64_t>((wall - seconds) * 1e9));
    return message;
}

class SwanLab final : public Tracker {
  public:
    explicit SwanLab(const TrackerContext& context) : context_(context) {
        check_arguments("swanlab", context.arguments, tracker_arguments("swanlab"));
        const std::string mode = text_in(context.arguments, "mode", environment_text("SWANLAB_MODE"));
        sends_ = mode.empty() || mode == "cloud" || mode == "online";
        if (!sends_ && mode != "offline" && mode != "local")
            throw UserError("unknown mode '{}' of the tracker 'swanlab': give offline, local or disabled", mode);
    }

    std::string name() const override { return "swanlab"; }
    bool keeps_every_record() const override { return true; }
    bool keeps_pictures() const override { return true; }

    void start() override {
        const std::string named = text_in(context_.arguments, "log_dir",
                                          text_in(context_.arguments, "logdir", environment_text("SWANLAB_LOG_DIR")));
        const fs::path base = context_.logging_dir.empty() ? fs::path(".") : context_.logging_dir;
        const fs::path root = fs::absolute(named.empty() ? base / "swanlog" : fs::path(named)).lexically_normal();
        folder_ = context_.continues ? newest_run_folder(root, kSwanlabRun) : fs::path();
        std::string id = folder_.empty() ? chosen("id", "SWANLAB_RUN_ID") : run_id_in(folder_, kSwanlabRun);
        if (id.empty())
            id = random_hex(21);
        const double now = wall_seconds();
        if (folder_.empty())
            folder_ = root / run_folder_name(kSwanlabRun, now, id);
        make_private_folder(folder_ / "files");
        log_.emplace(folder_ / fmt::format("run-{}.swanlab", id), kSwanlabHead, kFinishRecord);
        number_ = log_->count();  // points have increasing numbers
        if (log_->count() == 0)
            add_start(id, now);
        if (const Value* config = context_.arguments.find("config"))
            configuration_ = config->entries();
        if (!context_.continues || !configuration_.empty())
            save_configuration();
        log_->flush();
        if (sends_)
            note_ = Message(
                "there is no API key for {}: set SWANLAB_API_KEY, or log in with `swanlab login`; the run is written "
                "to {}, which `swanlab sync` sends",
                swanlab_address(), folder_.string());
    }

    void store_init_configuration(const Values& configuration) override {
        for (const auto& [key, value] : configuration)
            set_value(configuration_, key, value);
        save_configuration();
        log_->flush();
    }

    void log(const Record& record, const Value& arguments) override {
        check_arguments("swanlab", arguments, {});
        const std::int64_t step = step_of(record.step);
        for (const auto& [key, value] : flattened(record.values)) {
            if (value.is_null())
                continue;
            if (!value.is_number()) {
                const std::string text = value.is_scalar() ? value.display() : json_text(value);
                add_media(key, kTextColumn, step, record.wall_time, {add_media_file("text", step, text, ".txt")});
                continue;
            }
            add_column(key, kScalarColumn);
            std::string number, message;
            pb::append_double(number, 1, value.as_double());
            append_point(message, key, step, kScalarColumn, record.wall_time);
            pb::append_bytes(message, 5, number);
            add_record(++number_, kScalarRecord, message, record.wall_time);
        }
    }

    void log_images(const PictureRecord& record, const Value& arguments) override {
        check_arguments("swanlab", arguments, {});
        const std::int64_t step = step_of(record.step);
        for (const Pictures& pictures : record.pictures) {
            std::vector<std::string> items;
            for (std::int64_t i = 0; i < pictures.count; ++i)
                items.push_back(add_media_file("image", step, png_of(pictures, i), ".png"));
            add_media(pictures.name, kImageColumn, step, record.wall_time, items);
        }
    }

    bool keeps_tables() const override { return true; }
    /// SwanLab has no tables of its own: a text in Markdown.
    void log_table(const TableRecord& record, const Value& arguments) override {
        check_arguments("swanlab", arguments, {});
        const std::string text = markdown_table(Value::List(record.columns.begin(), record.columns.end()),
                                                Value::List(record.rows.begin(), record.rows.end()));
        const std::int64_t step = step_of(record.step);
        add_media(record.name, kTextColumn, step, record.wall_time, {add_media_file("text", step, text, ".txt")});
    }

    bool keeps_artifacts() const override { return true; }
    void log_artifact(const ArtifactRecord& record, const Value& arguments) override {
        check_arguments("swanlab", arguments, {});
        for (const auto& [file, name] : artifact_files(record)) {
            const fs::path saved = (folder_ / "files" / name).lexically_normal();
            fs::create_directories(saved.parent_path());
            fs::remove(saved);
            link_or_copy(file, saved);
            add_save(name, saved, kOwnFile, record.wall_time);
        }
    }

    void flush() override { log_->flush(); }

    void finish() override {
        constexpr std::int64_t kRunFinished = 1;  // RunState
        std::string message;
        pb::append_integer(message, 1, kRunFinished);
        pb::append_bytes(message, 3, timestamp(wall_seconds()));
        add_record(kFinishNumber, kFinishRecord, message, wall_seconds());
        log_->flush();
    }

    std::vector<Message> take_notes() override {
        const std::lock_guard lock(mutex_);
        return note_.empty() ? std::vector<Message>() : std::vector<Message>{std::exchange(note_, {})};
    }

  private:
    std::string chosen(const char* argument, const char* variable) const {
        return text_in(context_.arguments, argument, environment_text(variable));
    }

    std::int64_t step_of(std::optional<std::int64_t> step) {
        const std::int64_t chosen = step.value_or(next_step_);
        next_step_ = std::max(next_step_, chosen + 1);
        return chosen;
    }

    void add_record(std::int64_t number, SwanlabField kind, std::string_view message, double wall) {
        std::string record;
        pb::append_integer(record, 1, number);
        pb::append_bytes(record, 2, timestamp(wall));
        pb::append_bytes(record, kind, message);
        log_->add(record);
    }

    void add_start(const std::string& id, double now) {
        std::string message;
        const auto put = [&](int field, const std::string& text) {
            if (!text.empty())
                pb::append_bytes(message, field, text);
        };
        put(1, context_.project);
        put(2, chosen("workspace", "SWANLAB_WORKSPACE"));
        if (const Value* shown = context_.arguments.find("public");
            shown != nullptr && shown->boolean() != nullptr && *shown->boolean())
            pb::append_integer(message, 3, 1);
        const std::string name = text_in(context_.arguments, "name", chosen("experiment_name", "SWANLAB_EXP_NAME"));
        put(4, name.empty() ? "run-" + id.substr(0, 6) : name);
        put(5, chosen("description", "SWANLAB_DESCRIPTION"));
        if (const Value* tags = context_.arguments.find("tags"); tags != nullptr && tags->is_list()) {
            for (const Value& tag : tags->items())
                put(6, tag.display());
        } else {
            std::istringstream set(chosen("tags", "SWANLAB_TAGS"));
            for (std::string tag; std::getline(set, tag, ',');)
                put(6, std::string(text::trimmed(tag)));
        }
        put(7, chosen("group", "SWANLAB_GROUP"));
        put(8, chosen("job_type", "SWANLAB_JOB_TYPE"));
        put(9, text_in(context_.arguments, "color"));
        put(10, id);
        if (const std::string resume = text_in(context_.arguments, "resume"); resume == "allow" || resume == "must")
            pb::append_integer(message, 11, resume == "allow" ? 1 : 2);
        pb::append_bytes(message, 12, timestamp(now));
        add_record(kStartNumber, kStartRecord, message, now);
    }

    /// A file that a record names.
    void add_save(const std::string& name, const fs::path& file, SaveType type, double wall) {
        std::string message;
        pb::append_bytes(message, 1, name);
        pb::append_bytes(message, 2, file.string());
        if (type == kOwnFile)
            pb::append_bytes(message, 3, file.string());
        pb::append_integer(message, 5, type);
        const std::int64_t number = type == kConfigFile ? std::int64_t{kConfigNumber} : ++number_;
        add_record(number, kSaveRecord, message, wall);
    }

    /// Writes a file of a point and returns the item that names it.
    std::string add_media_file(const std::string& kind, std::int64_t step, const std::string& content,
                               const std::string& ending) {
        const std::string digest = sha256_hex(content);
        const std::string file = fmt::format("{:03}-{}{}", step, digest.substr(0, 8), ending);
        fs::create_directories(folder_ / "media" / kind);
        write_file_atomically(folder_ / "media" / kind / file, content, false, 0644);
        std::string item;
        pb::append_bytes(item, 1, file);
        pb::append_bytes(item, 2, digest);
        pb::append_integer(item, 3, static_cast<std::int64_t>(content.size()));
        return item;
    }

    void add_media(const std::string& key, SwanlabType type, std::int64_t step, double wall,
                   const std::vector<std::string>& items) {
        add_column(key, type);
        std::string list, message;
        for (const std::string& item : items)
            pb::append_bytes(list, 1, item);
        append_point(message, key, step, type, wall);
        pb::append_bytes(message, 5, list);
        add_record(++number_, kMediaRecord, message, wall);
    }

    void save_configuration() {
        const fs::path file = folder_ / "files" / "config.yaml";
        const Values written = swanlab_configuration(configuration_);
        write_file_atomically(file, written.empty() ? "{}\n" : write_yaml(written), false, 0644);
        add_save("config", file, kConfigFile, wall_seconds());
    }

    /// Describes a curve before its first point.
    void add_column(const std::string& key, SwanlabType type) {
        constexpr std::int64_t kCustom = 1, kPublic = 3;  // ColumnClass, SectionType
        if (!columns_.insert(key).second)
            return;
        std::string message;
        pb::append_integer(message, 1, kCustom);
        pb::append_integer(message, 2, type);
        pb::append_bytes(message, 3, key);
        if (const std::size_t slash = key.find('/'); slash != std::string::npos && slash > 0)
            pb::append_bytes(message, 5, key.substr(0, slash));
        pb::append_integer(message, 6, kPublic);
        add_record(++number_, kColumnRecord, message, wall_seconds());
    }

    static void append_point(std::string& message, const std::string& key, std::int64_t step, SwanlabType type,
                             double wall) {
        pb::append_bytes(message, 1, key);
        pb::append_integer(message, 2, step);
        pb::append_integer(message, 3, type);
        pb::append_bytes(message, 4, timestamp(wall));
    }

    const TrackerContext context_;
    bool sends_ = false;
    fs::path folder_;
    std::optional<ChunkLog> log_;
    Values configuration_;
    std::set<std::string> columns_;
    std::int64_t number_ = 0, next_step_ = 0;
    std::mutex mutex_;
    Message note_;
};

}  // namespace

std::string markdown_table(const Value& columns, const Value& rows) {
    const auto line = [](const Value::List& cells) {
        std::string text = "|";
        for (const Value& cell : cells)
            text += " " + python_text(cell) + " |";
        return text;
    };
    std::string text = line(columns.items()) + "\n|";
    for (std::size_t i = 0; i < columns.items().size(); ++i)
        text += " --- |";
    for (const Value& row : rows.items())
        text += "\n" + line(row.items());
    return text;
}

Values swanlab_configuration(const Values& configuration) {
    Values written;
    for (const auto& [key, value] : configuration) {
        Value shown = value.is_null() ? Value(Values()) : value;
        if (const double* number = value.number(); number != nullptr && !std::isfinite(*number))
            shown = std::isnan(*number) ? "NaN" : *number < 0 ? "-Inf" : "Inf";
        written.push_back(
            {key, Values{{"desc", ""}, {"sort", static_cast<std::int64_t>(written.size())}, {"value", shown}}});
    }
    return written;
}

/// SwanLab: the server of SWANLAB_API_HOST (api.swanlab.cn) with SWANLAB_API_KEY or the key of `swanlab login`. Without
/// a key, or offline, a run below the argument logdir, SWANLAB_LOG_DIR or `swanlog` in the logging directory, which
/// `swanlab sync` sends and `swanlab watch` shows. Tables are texts in Markdown. Modes (argument mode, SWANLAB_MODE):
/// disabled writes nothing. Arguments: workspace, experiment_name or name, description, tags, group, job_type, id,
/// resume, mode, logdir or log_dir, config, color, public.
TrackerKind swanlab_kind() {
    TrackerKind kind;
    kind.name = "swanlab";
    kind.make_service = swanlab_service().make;
    kind.make = [](const TrackerContext& context) -> std::unique_ptr<Tracker> {
        if (text_in(context.arguments, "mode", environment_text("SWANLAB_MODE")) == "disabled")
            return make_disabled_tracker("swanlab");
        const std::string mode = text_in(context.arguments, "mode", environment_text("SWANLAB_MODE"));
        const bool is_online = mode.empty() || mode == "cloud" || mode == "online";
        if (is_online && !swanlab_key().empty())
            return make_remote_tracker(swanlab_service(), context);
        return std::make_unique<SwanLab>(context);
    };
    return kind;
}

}  // namespace trainyard::track
