// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A tracker: one place where a run's figures go. Those of the project write files (tensorboard, jsonl, csv, dvclive);
// programs register others by name (register_tracker), and recipes name those of plug-ins
// (models/plugins/trainyard/plugin.h). Accelerate's GeneralTracker, with the queue and the threads outside
// (trackers.h): a tracker is called from one thread at a time and may block.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <optional>
#include <stop_token>
#include <string>
#include <variant>
#include <vector>

#include "base/message.h"
#include "observe/track/tracked_values.h"

namespace trainyard::track {

struct Record {
    Values values;  ///< number: a scalar; text: a text; dictionary: several scalars under one name
    std::optional<std::int64_t> step;
    double wall_time = 0;  ///< seconds since 1970; 0: trackers.h fills it in
};

/// Pictures of one name and size.
struct Pictures {
    std::string name;
    std::int64_t count = 0, height = 0, width = 0, channels = 0;  ///< 1 channel: grey, 3: RGB
    std::vector<std::uint8_t> pixels;                             ///< [count, height, width, channels]
};

struct PictureRecord {
    std::vector<Pictures> pictures;
    std::optional<std::int64_t> step = std::nullopt;
    double wall_time = 0;  ///< as Record's
};

struct TableRecord {
    std::string name;
    std::vector<std::string> columns;
    std::vector<Value::List> rows;  ///< each with a value for every column
    std::optional<std::int64_t> step = std::nullopt;
    double wall_time = 0;  ///< as Record's
};

/// A file, or all files of a folder, that is stored with the run: a figure, a checkpoint.
struct ArtifactRecord {
    std::filesystem::path path;
    std::string folder = {};  ///< among the artifacts of the run; empty: their top
    double wall_time = 0;     ///< as Record's
};

class Tracker {
  public:
    virtual ~Tracker() = default;
    virtual std::string name() const = 0;
    /// False: runs on every process. Asked of a tracker of the caller's own; kinds say it themselves.
    virtual bool main_process_only() const { return true; }
    /// Every call below may throw UserError; the run continues, and the first failure is reported to the user.
    virtual void start() {}
    virtual void store_init_configuration(const Values& configuration) = 0;
    /// `arguments`: what the caller gave for this tracker alone.
    virtual void log(const Record& record, const Value& arguments) = 0;
    virtual bool keeps_pictures() const { return false; }
    /// Throws UserError where the tracker keeps no pictures.
    virtual void log_images(const PictureRecord& record, const Value& arguments);
    virtual bool keeps_tables() const { return false; }
    /// Throws UserError where the tracker keeps no tables.
    virtual void log_table(const TableRecord& record, const Value& arguments);
    virtual bool keeps_artifacts() const { return false; }
    /// Throws UserError where the tracker keeps no artifacts. The files may be removed after the call.
    virtual void log_artifact(const ArtifactRecord& record, const Value& arguments);
    /// Records wait for room in a full queue instead of being dropped, because the tracker writes them to a disk at
    /// once.
    virtual bool keeps_every_record() const { return false; }
    /// Messages for the user since the last call. Called from any thread, also during the other calls.
    virtual std::vector<Message> take_notes() { return {}; }
    /// The run continues from `step` after a restart: records of this step and later ones are obsolete.
    virtual void restart(std::int64_t step, double wall_time) { (void)step, (void)wall_time; }
    /// What was logged reaches its place. Called when the queue is empty, at least every 100 ms while there is
    /// something to write.
    virtual void flush() {}
    virtual void finish() {}
    /// Seconds that Trackers::finish() waits for records in the queue; those left are reported as not delivered. A call
    /// that has not returned by then is not interrupted, but nothing is called after it.
    virtual double finish_timeout_s() const { return 30; }
};

/// Arguments for the constructor of a tracker.
struct TrackerContext {
    std::string project;                ///< name of the run or project
    std::filesystem::path logging_dir;  ///< exists; empty: none was given
    Value arguments;                    ///< dictionary for this tracker, or null
    bool continues = false;             ///< the run that was tracked there before continues
};

class Service;
/// `open`: what the first entry of a spool has (remote_tracker.h). Requests end as soon as a `stop` is asked for.
using MakeService = std::function<std::unique_ptr<Service>(const Value& open, std::stop_token stop)>;

struct TrackerKind {
    std::string name;
    bool requires_logging_directory = false;
    bool main_process_only = true;
    std::function<std::unique_ptr<Tracker>(const TrackerContext&)> make;
    std::function<bool()> available = [] { return true; };  ///< what it needs is on this machine
    std::function<bool()> for_all = [] { return true; };    ///< "all" has it; others get it by its name only
    MakeService make_service = {};                          ///< of a tracker that sends what it has written to a disk
};

/// Makes a kind known to all of the process. Taking a name again replaces the kind; returns true when it did (tell
/// the user). Throws UserError with the name of a part that the kind lacks.
bool register_tracker(TrackerKind kind);
/// Names of the kinds that are available, built-in ones first, then in the order of registration.
std::vector<std::string> available_trackers();

/// A name, or a tracker of the caller's own.
using TrackerChoice = std::variant<std::string, std::shared_ptr<Tracker>>;

/// Accelerate's filter_trackers: "all" gives the caller's own trackers and every kind that is available; repeats are
/// dropped, kinds that are not available are left out. Throws UserError naming an unknown kind (with the known ones),
/// or one that needs a logging directory when there is none; all problems at once.
std::vector<TrackerChoice> filter_trackers(const std::vector<TrackerChoice>& wanted,
                                           const std::filesystem::path& logging_dir);

/// The kind of that name; throws UserError with the known names.
TrackerKind tracker_kind(const std::string& name);

}  // namespace trainyard::track
