// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>
#include <mutex>
#include <optional>
#include <set>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/json_writer.h"
#include "base/regex.h"
#include "base/utf8.h"
#include "config/values/value_formats.h"
#include "observe/track/builtin.h"
#include "observe/track/remote_tracker.h"
#include "observe/track/sqlite_file.h"

namespace trainyard::track {

namespace {

/// NaN and infinities are texts in Trackio's JSON.
Value trackio_value(const Value& value) {
    if (const double* number = value.number(); number != nullptr && !std::isfinite(*number) && value.source.empty())
        return std::isnan(*number) ? "NaN" : *number < 0 ? "-Infinity" : "Infinity";
    if (value.is_list()) {
        Value::List list;
        for (const Value& item : value.items())
            list.push_back(trackio_value(item));
        return list;
    }
    if (value.is_map()) {
        Values map;
        for (const auto& [key, item] : value.entries())
            map.push_back({key, trackio_value(item)});
        return map;
    }
    return value;
}

SqliteFile::Cell trackio_json(const Values& values) {
    JsonWriter json;
    write_json_tree(json, trackio_value(values), JsonTree::exact);
    return SqliteFile::Bytes{json.take()};
}

/// As Python's isoformat() of a time in UTC.
std::string trackio_time(double wall) {
    std::string time = iso_time(wall);
    time.pop_back();  // Z
    return time + "+00:00";
}

/// Letters and numbers of any script, `-` and `_` of the project's name.
std::string trackio_file_name(const std::string& project) {
    static const Regex kept("[\\p{L}\\p{N}_-]+");
    std::string name;
    const std::string valid = text::to_utf8(project);
    kept.for_each_match(valid, [&](std::size_t begin, std::size_t end) { name.append(valid, begin, end - begin); });
    return (name.empty() ? "default" : name) + ".db";
}

fs::path trackio_folder(const TrackerContext& context) {
    const std::string named = text_in(context.arguments, "dir", environment_text("TRACKIO_DIR"));
    return fs::absolute(named.empty() ? files::hugging_face_folder() / "trackio" : fs::path(named));
}

class Trackio final : public Tracker {
  public:
    explicit Trackio(const TrackerContext& context)
        : context_(context), file_(trackio_folder(context) / trackio_file_name(context.project)) {
        check_arguments("trackio", context.arguments, tracker_arguments("trackio"));
        name_ = text_in(context.arguments, "name");
        resume_ = text_in(context.arguments, "resume", "never");
        if (resume_ != "never" && resume_ != "allow" && resume_ != "must")
            throw UserError("the argument resume of the tracker 'trackio' must be never, allow or must, not {}",
                            resume_);
    }

    std::string name() const override { return "trackio"; }
    bool keeps_every_record() const override { return true; }

    void start() override {
        if (const std::string space = environment_text("TRACKIO_SPACE_ID") + environment_text("TRACKIO_SERVER_URL");
            !space.empty())
            note_ =
                Message("the run is written to {} alone, not to {}: `trackio sync` sends it", file_.string(), space);
        fs::create_directories(file_.parent_path());
        database_.emplace(file_);
        database_->run(
            "CREATE TABLE IF NOT EXISTS metrics (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, timestamp "
            "TEXT NOT NULL, run_name TEXT NOT NULL, step INTEGER NOT NULL, metrics TEXT NOT NULL)");
        database_->run(
            "CREATE TABLE IF NOT EXISTS configs (id INTEGER PRIMARY KEY AUTOINCREMENT, run_id TEXT NOT NULL, run_name "
            "TEXT NOT NULL, config TEXT NOT NULL, created_at TEXT NOT NULL, UNIQUE(run_id))");
        check_table("metrics", {"id", "run_id", "timestamp", "run_name", "step", "metrics"});
        check_table("configs", {"id", "run_id", "run_name", "config", "created_at"});
        const bool found = find_run();
        if (!found && resume_ == "must")
            throw UserError("there is no run '{}' in {}, and resume is must", name_, file_.string());
        if (!found) {
            id_ = random_hex(32);
            if (name_.empty())
                name_ = "run-" + id_.substr(0, 6);
        }
        const auto last = database_->run("SELECT MAX(step) FROM metrics WHERE run_id = ?", {id_});
        if (const auto* step = std::get_if<std::int64_t>(&last.at(0).at(0)))
            next_step_ = *step + 1;
        if (!context_.logging_dir.empty())
            write_file_atomically(memory_file(), id_ + "\n" + name_ + "\n", false);
        if (!found || !context_.continues)
            store_configuration({});
    }

    void store_init_configuration(const Values& configuration) override { store_configuration(configuration); }

    void log(const Record& record, const Value& arguments) override {
        check_arguments("trackio", arguments, {});
        const std::int64_t step = record.step.value_or(next_step_);
        next_step_ = std::max(next_step_, step + 1);
        waiting_.push_back({id_, trackio_time(record.wall_time), name_, step, trackio_json(record.values)});
    }

    /// Waiting records are written together, and stay for the next call if that fails.
    void flush() override {
        if (waiting_.empty())
            return;
        database_->run("BEGIN IMMEDIATE");
        try {
            for (const std::vector<SqliteFile::Cell>& row : waiting_)
                database_->run(
                    "INSERT INTO metrics (run_id, timestamp, run_name, step, metrics) VALUES (?, ?, ?, ?, ?)", row);
            database_->run("COMMIT");
        } catch (const UserError&) {
            try {
                database_->run("ROLLBACK");
            } catch (const UserError&) {  // SQLite has undone it
            }
            throw;
        }
        waiting_.clear();
    }

    void finish() override {
        flush();
        database_.reset();
    }

    std::vector<Message> take_notes() override {
        const std::lock_guard lock(mutex_);
        return note_.empty() ? std::vector<Message>() : std::vector<Message>{std::exchange(note_, {})};
    }

  private:
    /// Names the run of this logging directory, for a restart.
    fs::path memory_file() const { return context_.logging_dir / ".trackio-run"; }

    /// Throws UserError if rows do not fit in a table that another version of Trackio has made.
    void check_table(const std::string& table, std::set<std::string> columns) {
        std::string misfit;
        for (const auto& row :
             database_->run("PRAGMA table_info(" + table + ")")) {  // id, name, type, not null, default
            const std::string name = cell_text(row.at(1));
            const auto* must_be_set = std::get_if<std::int64_t>(&row.at(3));
            if (columns.erase(name) == 0 && must_be_set != nullptr && *must_be_set != 0 && cell_text(row.at(4)).empty())
                misfit = name;
        }
        if (!columns.empty())
            misfit = *columns.begin();
        if (!misfit.empty())
            throw UserError(
                "{} is of another version of Trackio (its table {} differs in the column {}): update it by `trackio "
                "show`, or set TRACKIO_DIR to another folder",
                file_.string(), table, misfit);
    }

    /// The run that continues; returns whether there is one.
    bool find_run() {
        if (context_.continues && !context_.logging_dir.empty() && fs::exists(memory_file())) {
            const std::string known = read_file(memory_file());
            const std::size_t end = known.find('\n');
            id_ = known.substr(0, end);
            name_ = end == std::string::npos ? name_ : known.substr(end + 1, known.find('\n', end + 1) - end - 1);
            return !id_.empty();
        }
        if (resume_ == "never" || name_.empty())
            return false;
        const auto rows =
            database_->run("SELECT run_id FROM configs WHERE run_name = ? ORDER BY id DESC LIMIT 1", {name_});
        if (rows.empty())
            return false;
        id_ = cell_text(rows[0][0]);
        return true;
    }

    void store_configuration(const Values& configuration) {
        const std::string now = trackio_time(wall_seconds());
        const std::string group = text_in(context_.arguments, "group");
        if (configuration_.empty()) {
            if (const Value* given = context_.arguments.find("config"))
                configuration_ = given->entries();
            set_value(configuration_, "_Username", Value());
            set_value(configuration_, "_Created", now);
            set_value(configuration_, "_Group", group.empty() ? Value() : Value(group));
        }
        for (const auto& [key, value] : configuration)
            set_value(configuration_, key, value);
        database_->run("INSERT OR REPLACE INTO configs (run_id, run_name, config, created_at) VALUES (?, ?, ?, ?)",
                       {id_, name_, trackio_json(configuration_), now});
    }

    const TrackerContext context_;
    const fs::path file_;
    std::string name_, resume_, id_;
    std::optional<SqliteFile> database_;
    Values configuration_;
    std::int64_t next_step_ = 0;
    std::vector<std::vector<SqliteFile::Cell>> waiting_;
    std::mutex mutex_;
    Message note_;
};

}  // namespace

/// Trackio: <project>.db in the argument dir, TRACKIO_DIR, $HF_HOME/trackio or ~/.cache/huggingface/trackio, which
/// `trackio show` reads. Arguments: name, group, config, resume (never, allow, must), dir.
TrackerKind trackio_kind() {
    TrackerKind kind;
    kind.name = "trackio";
    kind.make = [](const TrackerContext& context) { return std::make_unique<Trackio>(context); };
    return kind;
}

}  // namespace trainyard::track
