// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The trackers of a run. log() only queues: a thread for each tracker writes, so that training waits neither for a disk nor for a
// plug-in's network, and a slow tracker does not hold up the others. A full queue either waits or drops; drops are counted and told.
//
//     auto trackers = track::Trackers::start({"tensorboard", "jsonl"}, {.project = "run", .logging_dir = folder});
//     trackers->log({{"train/loss", loss}}, step);
//     for (const Message& problem : trackers->take_problems()) ...
//
// Any thread may call.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "observe/track/tracker.h"

namespace trainyard::track {

enum class QueueFull {
    drop,  ///< the newest record is dropped and counted; training never waits
    wait,  ///< the caller waits for room
};

struct TrackersOptions {
    std::string project = "trainyard";
    std::filesystem::path logging_dir;       ///< empty: none
    bool is_main_process = true;             ///< elsewhere only kinds with main_process_only = false are started
    Values configuration;                    ///< hyper-parameters, stored once; empty: none
    std::map<std::string, Value> arguments;  ///< for single trackers, by name
    bool continues = false;          ///< the run of this logging directory continues, for example after a restart
    std::size_t queue_limit = 4096;  ///< records that wait, for each tracker
    QueueFull when_full = QueueFull::drop;
    /// Called by finish() when a tracker needs longer than a moment to write what is queued. Empty: not reported.
    std::function<void(const Message&)> on_wait = {};
};

class Trackers {
  public:
    /// Applies filter_trackers, creates the logging directory, makes and starts the trackers. What start() and the
    /// configuration throw is thrown here, all at once, with the names of the trackers.
    static std::unique_ptr<Trackers> start(const std::vector<TrackerChoice>& wanted, TrackersOptions options);
    /// Calls finish(); its problems are lost.
    ~Trackers();

    /// `arguments`: for single trackers, by name.
    void log(Values values, std::optional<std::int64_t> step = {}, std::map<std::string, Value> arguments = {});
    void log(Record record, const std::map<std::string, Value>& arguments = {});
    /// To the trackers that keep pictures; the others are left out. Throws UserError when no tracker of the run keeps them, or when a picture's
    /// pixels are not as many as its size says.
    void log_images(PictureRecord record, const std::map<std::string, Value>& arguments = {});
    /// To the trackers that keep tables. Throws UserError when no tracker of the run keeps them, or when a row is not
    /// as long as `columns`.
    void log_table(TableRecord record, const std::map<std::string, Value>& arguments = {});
    /// To the trackers that keep artifacts. Throws UserError when no tracker of the run keeps them, or when the path
    /// is missing.
    void log_artifact(ArtifactRecord record, const std::map<std::string, Value>& arguments = {});
    void restart(std::int64_t step);
    /// Waits until the trackers have written all records that were logged so far.
    void flush();
    /// Writes what is queued and ends the trackers. A tracker that does not finish within its finish_timeout_s() is
    /// abandoned, and the number of its records that were not delivered is a problem (take_problems). Later calls do
    /// nothing.
    void finish();

    /// The tracker of that name, for what only it can do; on other processes one that does nothing. Throws UserError for a name that
    /// was not started. Not to be used while records of it are queued: flush() first.
    Tracker& get(const std::string& name);
    std::vector<std::string> names() const;

    /// Problems since the last call, one sentence each: the first failure of each tracker, drops when they begin, and on finish() how
    /// many records were dropped or failed.
    std::vector<Message> take_problems();
    std::uint64_t dropped() const;  ///< records, over all trackers

  private:
    class Lane;
    Trackers();
    /// Queues `call` for the trackers for which `keeps` holds. Returns whether it holds for one, or the process has
    /// none.
    template <class Record>
    bool log_where(bool (Tracker::*keeps)() const, void (Tracker::*call)(const Record&, const Value&), Record record,
                   const std::map<std::string, Value>& arguments);
    void check_names(const std::map<std::string, Value>& arguments);
    std::vector<std::shared_ptr<Lane>> lanes_;
    std::function<void(const Message&)> on_wait_;
    std::vector<std::string> other_names_;  ///< wanted, but not of this process
    std::unique_ptr<Tracker> blank_;
};

}  // namespace trainyard::track
