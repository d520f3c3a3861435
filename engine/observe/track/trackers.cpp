// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/trackers.h"

#include <algorithm>
#include <chrono>
#include <condition_variable>
#include <deque>
#include <functional>
#include <mutex>
#include <thread>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/thread_priority.h"

namespace trainyard::track {

namespace {

constexpr double kPatience = 2;            ///< seconds that finish() waits before it reports that it waits
constexpr double kBatch = 0.05;            ///< seconds in which records are collected after a batch
constexpr double kFirstFlushPause = 0.02;  ///< seconds after a last flush that failed, doubled up to a second
constexpr int kLastFlushes = 12;           ///< tries, in 7 seconds

class Blank final : public Tracker {
  public:
    std::string name() const override { return "blank"; }
    void store_init_configuration(const Values&) override {}
    void log(const Record&, const Value&) override {}
};

}  // namespace

/// One tracker with its queue and its thread.
class Trackers::Lane {
  public:
    Lane(std::shared_ptr<Tracker> tracker, const TrackersOptions& options)
        : tracker_(std::move(tracker)),
          name_(tracker_->name()),
          limit_(options.queue_limit),
          when_full_(tracker_->keeps_every_record() ? QueueFull::wait : options.when_full) {}
    /// The thread shares the lane, since it may outlive the Trackers.
    static std::shared_ptr<Lane> start(std::shared_ptr<Tracker> tracker, const TrackersOptions& options) {
        auto lane = std::make_shared<Lane>(std::move(tracker), options);
        lane->thread_ = std::thread([lane] {
            lower_thread_priority();
            lane->loop();
        });
        return lane;
    }

    const std::string& name() const { return name_; }
    Tracker& tracker() { return *tracker_; }

    using Job = std::function<void(Tracker&)>;
    /// A record waits or is dropped when the queue is full; what must not be lost always waits.
    void add(Job job, bool is_record) {
        std::unique_lock lock(mutex_);
        if (closing_)
            return;
        if (queue_.size() >= limit_ && is_record && when_full_ == QueueFull::drop) {
            if (dropped_++ == 0)
                problems_.push_back(
                    Message("the tracker '{}' cannot keep up: records are dropped while {} "
                            "wait to be written",
                            name_, limit_));
            return;
        }
        changed_.wait(lock, [&] { return queue_.size() < limit_ || closing_; });
        queue_.push_back({std::move(job), is_record});
        ++added_;
        records_ += is_record ? 1 : 0;
        if (std::exchange(idle_, false) || queue_.size() == half_full())
            work_.notify_all();
    }

    void flush() {
        std::unique_lock lock(mutex_);
        const std::uint64_t upto = added_;
        wanted_ = std::max(wanted_, upto);
        work_.notify_all();
        changed_.wait(lock, [&] { return done_ >= upto || ended_ || abandoned_; });
    }

    /// Takes no more records.
    void close() {
        {
            std::lock_guard lock(mutex_);
            closing_ = true;
        }
        changed_.notify_all();
        work_.notify_all();
    }

    /// Waits for the end until `begun` (of monotonic_seconds()) plus the tracker's time, then abandons what is left.
    void await_end(double begun, const std::function<void(const Message&)>& on_wait) {
        if (!thread_.joinable())
            return;
        double limit = 30;  // unless the tracker names another one
        attempt([&limit](Tracker& tracker) { limit = std::clamp(tracker.finish_timeout_s(), 0.0, 1e6); });
        std::unique_lock lock(mutex_);
        auto ends_within = [&](double seconds) {
            const std::chrono::duration<double> left(std::max(0.0, begun + seconds - monotonic_seconds()));
            return changed_.wait_for(lock, left, [&] { return ended_; });
        };
        if (!ends_within(std::min(kPatience, limit)) && limit > kPatience) {
            const std::uint64_t left = records_ - finished_;
            const Message waits =
                left == 1 ? Message("waiting for the tracker '{}': 1 record is left, the limit is {:g} s", name_, limit)
                : left > 0 ? Message("waiting for the tracker '{}': {} records are left, the limit is {:g} s", name_,
                                     left, limit)
                           : Message("waiting for the tracker '{}' to deliver what it took, the limit is {:g} s", name_,
                                     limit);
            lock.unlock();
            if (on_wait)
                on_wait(waits);
            lock.lock();
        }
        if (ends_within(limit)) {
            lock.unlock();
            return thread_.join();
        }
        abandoned_ = true;
        const std::uint64_t left = records_ - finished_;
        problems_.push_back(left > 0
                                ? Message("the tracker '{}' did not deliver {} of {} records within {:g} s of the "
                                          "end",
                                          name_, left, records_, limit)
                                : Message("the tracker '{}' did not finish within {:g} s of the end", name_, limit));
        report_counts();
        thread_.detach();
        changed_.notify_all();
    }

    std::uint64_t dropped() const {
        std::lock_guard lock(mutex_);
        return dropped_;
    }

    void take_problems(std::vector<Message>& into) {
        for (const Message& note : tracker_->take_notes())
            into.push_back(Message("the tracker '{}': {}", name_, note));
        std::lock_guard lock(mutex_);
        into.insert(into.end(), problems_.begin(), problems_.end());
        problems_.clear();
    }

  private:
    /// Reports the first failure at once; later ones are counted, and their number is reported at the end. Returns
    /// whether it worked.
    bool attempt(const Job& job) {
        Message failed;
        try {
            job(*tracker_);
            return true;
        } catch (const std::exception& error) {
            failed = message_of(error);
        } catch (...) {
            failed = "an exception that is not a std::exception";
        }
        std::lock_guard lock(mutex_);
        if (failed_++ == 0)
            problems_.push_back(Message("the tracker '{}' failed: {}", name_, failed));
        return false;
    }

    /// Writes the rest, also to a disk that fails or is full for a few seconds.
    void flush_at_the_end() {
        double pause = kFirstFlushPause;
        for (int tries = 1; !attempt([](Tracker& tracker) { tracker.flush(); }) && tries < kLastFlushes; ++tries) {
            std::unique_lock lock(mutex_);
            if (changed_.wait_for(lock, std::chrono::duration<double>(pause), [&] { return abandoned_; }))
                return;
            pause = std::min(1.0, 2 * pause);
        }
    }

    void loop() {
        std::unique_lock lock(mutex_);
        for (;;) {
            idle_ = true;
            work_.wait(lock, [&] { return !queue_.empty() || closing_; });
            idle_ = false;
            if (queue_.empty())
                break;
            // A batch at a time, so that a queue that never empties is flushed, too.
            std::deque<Item> items = std::exchange(queue_, {});
            changed_.notify_all();
            for (const Item& item : items) {
                lock.unlock();
                attempt(item.job);
                lock.lock();
                if (abandoned_)
                    return;
                finished_ += item.is_record ? 1 : 0;
            }
            lock.unlock();
            attempt([](Tracker& tracker) { tracker.flush(); });
            lock.lock();
            if (abandoned_)
                return;
            done_ += items.size();
            changed_.notify_all();
            // The records of the next moment are one batch: a loop that logs in every step does not wake this thread
            // in every step.
            work_.wait_for(lock, std::chrono::duration<double>(kBatch),
                           [&] { return closing_ || wanted_ > done_ || queue_.size() >= half_full(); });
        }
        lock.unlock();
        flush_at_the_end();
        lock.lock();
        if (abandoned_)
            return;
        lock.unlock();
        attempt([](Tracker& tracker) { tracker.finish(); });
        lock.lock();
        if (!abandoned_)
            report_counts();
        ended_ = true;
        changed_.notify_all();
    }

    std::size_t half_full() const { return std::max<std::size_t>(1, limit_ / 2); }

    void report_counts() {
        if (dropped_ > 0)
            problems_.push_back(dropped_ == 1 ? Message("the tracker '{}' dropped 1 record in all", name_)
                                              : Message("the tracker '{}' dropped {} records in all", name_, dropped_));
        if (failed_ > 1)
            problems_.push_back(Message("the tracker '{}' failed {} times in all", name_, failed_));
    }

    struct Item {
        Job job;
        bool is_record;
    };
    std::shared_ptr<Tracker> tracker_;
    std::string name_;
    std::size_t limit_;
    QueueFull when_full_;
    mutable std::mutex mutex_;
    std::condition_variable changed_;  ///< for those who wait for the thread
    std::condition_variable work_;     ///< for the thread
    std::deque<Item> queue_;
    bool idle_ = false;                         ///< the thread waits for the first job of a batch
    std::uint64_t wanted_ = 0;                  ///< jobs that flush() waits for
    std::uint64_t added_ = 0, done_ = 0;        ///< jobs; done: flushed, too
    std::uint64_t records_ = 0, finished_ = 0;  ///< records that were queued, and those that the tracker has taken
    std::uint64_t dropped_ = 0, failed_ = 0;
    bool closing_ = false, ended_ = false, abandoned_ = false;
    std::vector<Message> problems_;
    std::thread thread_;
};

Trackers::Trackers() : blank_(std::make_unique<Blank>()) {}

std::unique_ptr<Trackers> Trackers::start(const std::vector<TrackerChoice>& wanted, TrackersOptions options) {
    if (options.queue_limit == 0)
        throw UserError("the queue of the trackers must hold at least one record");
    std::unique_ptr<Trackers> made(new Trackers());
    made->on_wait_ = options.on_wait;
    std::vector<Message> problems;
    std::vector<std::string> names;
    for (const TrackerChoice& choice : filter_trackers(wanted, options.logging_dir)) {
        std::string name;
        bool started = false;
        auto add_problem = [&](const Message& problem) {
            const bool names_tracker = problem.text().find("'" + name + "'") != std::string::npos;
            problems.push_back(names_tracker ? problem
                               : started     ? Message("the tracker '{}' did not start: {}", name, problem)
                                             : Message("the tracker '{}' could not be created: {}", name, problem));
        };
        try {
            std::shared_ptr<Tracker> tracker;
            bool main_only = true;
            if (const auto* own = std::get_if<std::shared_ptr<Tracker>>(&choice)) {
                tracker = *own;
                name = tracker->name();
                main_only = tracker->main_process_only();
            } else {
                name = std::get<std::string>(choice);
                const TrackerKind kind = tracker_kind(name);
                main_only = kind.main_process_only;
                if (options.is_main_process || !main_only) {
                    if (!options.logging_dir.empty())
                        std::filesystem::create_directories(options.logging_dir);
                    const auto arguments = options.arguments.find(kind.name);
                    tracker = kind.make({options.project, options.logging_dir,
                                         arguments == options.arguments.end() ? Value() : arguments->second,
                                         options.continues});
                    if (tracker == nullptr)
                        throw UserError("its function make gave no tracker");
                } else {
                    names.push_back(kind.name);
                }
            }
            if (tracker != nullptr)
                names.push_back(tracker->name());
            if (!options.is_main_process && main_only) {
                made->other_names_.push_back(names.back());
                continue;
            }
            started = true;
            tracker->start();
            if (!options.configuration.empty())
                tracker->store_init_configuration(options.configuration);
            made->lanes_.push_back(Lane::start(std::move(tracker), options));
        } catch (const UserError& error) {
            add_problem(error.message());
        } catch (const std::exception& error) {
            add_problem(message_of(error));
        } catch (...) {
            add_problem("an exception that is not a std::exception");
        }
    }
    const bool names_are_known = problems.empty();
    for (const auto& [name, arguments] : options.arguments)
        if (names_are_known && std::find(names.begin(), names.end(), name) == names.end())
            problems.push_back(
                Message("there are arguments for the tracker '{}', which is not among those of the run ({})", name,
                        fmt::join(names, ", ")));
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
    return made;
}

Trackers::~Trackers() {
    finish();
}

void Trackers::check_names(const std::map<std::string, Value>& arguments) {
    if (arguments.empty())
        return;
    std::vector<Message> problems;
    for (const auto& [name, given] : arguments) {
        try {
            get(name);
        } catch (const UserError& error) {
            problems.push_back(error.message());
        }
    }
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
}

void Trackers::log(Values values, std::optional<std::int64_t> step, std::map<std::string, Value> arguments) {
    log(Record{std::move(values), step, 0}, arguments);
}

void Trackers::log(Record record, const std::map<std::string, Value>& arguments) {
    check_names(arguments);
    if (record.wall_time == 0)
        record.wall_time = wall_seconds();
    const auto shared = std::make_shared<const Record>(std::move(record));
    for (const auto& lane : lanes_) {
        const auto found = arguments.find(lane->name());
        lane->add([shared, own = found == arguments.end() ? Value() : found->second](
                      Tracker& tracker) { tracker.log(*shared, own); },
                  true);
    }
}

void Trackers::log_images(PictureRecord record, const std::map<std::string, Value>& arguments) {
    check_names(arguments);
    for (const Pictures& pictures : record.pictures)
        if (pictures.count < 1 || pictures.height < 1 || pictures.width < 1 ||
            (pictures.channels != 1 && pictures.channels != 3) ||
            static_cast<std::int64_t>(pictures.pixels.size()) !=
                pictures.count * pictures.height * pictures.width * pictures.channels)
            throw UserError("the pictures '{}' are not {} pictures of {} × {} pixels with 1 or 3 channels",
                            pictures.name, pictures.count, pictures.width, pictures.height);
    if (!log_where(&Tracker::keeps_pictures, &Tracker::log_images, std::move(record), arguments))
        throw UserError("no tracker of this run keeps pictures ({}): add tensorboard", fmt::join(names(), ", "));
}

void Trackers::log_table(TableRecord record, const std::map<std::string, Value>& arguments) {
    check_names(arguments);
    for (const Value::List& row : record.rows)
        if (row.size() != record.columns.size())
            throw UserError("a row of the table '{}' has {} values, and there are {} columns", record.name, row.size(),
                            record.columns.size());
    if (!log_where(&Tracker::keeps_tables, &Tracker::log_table, std::move(record), arguments))
        throw UserError("no tracker of this run keeps tables ({}): add mlflow or wandb", fmt::join(names(), ", "));
}

void Trackers::log_artifact(ArtifactRecord record, const std::map<std::string, Value>& arguments) {
    check_names(arguments);
    if (!std::filesystem::exists(record.path))
        throw UserError("the artifact {} does not exist", record.path.string());
    if (!log_where(&Tracker::keeps_artifacts, &Tracker::log_artifact, std::move(record), arguments))
        throw UserError("no tracker of this run keeps artifacts ({}): add mlflow", fmt::join(names(), ", "));
}

template <class Record>
bool Trackers::log_where(bool (Tracker::*keeps)() const, void (Tracker::*call)(const Record&, const Value&),
                         Record record, const std::map<std::string, Value>& arguments) {
    if (record.wall_time == 0)
        record.wall_time = wall_seconds();
    const auto shared = std::make_shared<const Record>(std::move(record));
    bool kept = lanes_.empty();
    for (const auto& lane : lanes_) {
        if (!(lane->tracker().*keeps)())
            continue;
        kept = true;
        const auto found = arguments.find(lane->name());
        lane->add([shared, call, own = found == arguments.end() ? Value() : found->second](
                      Tracker& tracker) { (tracker.*call)(*shared, own); },
                  true);
    }
    return kept;
}

void Trackers::restart(std::int64_t step) {
    for (const auto& lane : lanes_)
        lane->add([step, now = wall_seconds()](Tracker& tracker) { tracker.restart(step, now); }, false);
}

void Trackers::flush() {
    for (const auto& lane : lanes_)
        lane->flush();
}

void Trackers::finish() {
    const double begun = monotonic_seconds();
    for (const auto& lane : lanes_)
        lane->close();
    for (const auto& lane : lanes_)
        lane->await_end(begun, on_wait_);
}

Tracker& Trackers::get(const std::string& name) {
    for (const auto& lane : lanes_)
        if (lane->name() == name)
            return lane->tracker();
    if (std::find(other_names_.begin(), other_names_.end(), name) != other_names_.end())
        return *blank_;
    throw UserError("there is no tracker '{}' in this run; there are: {}", name, fmt::join(names(), ", "));
}

std::vector<std::string> Trackers::names() const {
    std::vector<std::string> names;
    for (const auto& lane : lanes_)
        names.push_back(lane->name());
    names.insert(names.end(), other_names_.begin(), other_names_.end());
    return names;
}

std::vector<Message> Trackers::take_problems() {
    std::vector<Message> problems;
    for (const auto& lane : lanes_)
        lane->take_problems(problems);
    return problems;
}

std::uint64_t Trackers::dropped() const {
    std::uint64_t dropped = 0;
    for (const auto& lane : lanes_)
        dropped += lane->dropped();
    return dropped;
}

}  // namespace trainyard::track
