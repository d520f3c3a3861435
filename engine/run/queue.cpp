// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/queue.h"

#include <algorithm>
#include <cerrno>
#include <limits>
#include <optional>
#include <tuple>

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/file_descriptor.h"
#include "base/process.h"
#include "base/regular_file.h"
#include "run/run_labels.h"

namespace trainyard::run {

namespace {

constexpr double kPatience = 5;               // seconds for the lock
constexpr std::uint64_t kLargest = 1u << 16;  // of queue.json

/// Held by one process; the system ends it with the process.
class QueueLock {
  public:
    /// `wait` off: is_held() may be false. Throws UserError.
    QueueLock(const fs::path& root, bool wait) {
        const fs::path file = root / ".queue.lock";
        file_ = FileDescriptor(::open(file.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
        if (!file_)
            throw_file_error("cannot open", file, errno);
        for (double until = monotonic_seconds() + kPatience;;) {
            held_ = ::flock(file_.get(), LOCK_EX | LOCK_NB) == 0;
            if (held_ || !wait)
                return;
            if (monotonic_seconds() > until)
                throw UserError("the queue in {} is in use by another process: try again", root.string());
            ::usleep(10'000);
        }
    }
    bool is_held() const { return held_; }

  private:
    FileDescriptor file_;
    bool held_ = false;
};

struct LiveRun {
    RunPaths paths;
    RunState state;
    double place = 0;  ///< of those that wait
    bool waits() const { return state.status == Status::queued; }
};

/// queue.json
struct QueuePlace {
    double place = std::numeric_limits<double>::max();  ///< after all others
    void fields(auto& field) const { field("place", place); }
};

/// One whose file is damaged waits behind all others.
double place_of(const RunPaths& run) {
    try {
        return fields::from_text<QueuePlace>(read_regular_file(run.queue(), kLargest), run.queue().string()).place;
    } catch (const UserError&) {
        return QueuePlace{}.place;
    }
}

void write_place(const RunPaths& run, double place) {
    write_file_atomically(run.queue(), fields::to_text(QueuePlace{place}) + "\n", false);
}

/// Its processes are on this machine, and alive. One that another machine looks after must speak for itself.
bool lives_here(const RunState& state) {
    if (is_over(state.status) || state.mirror)
        return false;
    const std::string here = host_name();
    if (state.supervisor_host == here)
        return is_alive(state.supervisor);
    return state.status != Status::queued && !is_lost(state, wall_seconds()) &&
           std::ranges::any_of(state.ranks, [&](const RankState& rank) { return rank.host == here; });
}

/// All that live on this machine, those that wait first and in their order.
std::vector<LiveRun> live_runs(const fs::path& root, std::map<std::string, fs::file_time_type>& over) {
    std::vector<LiveRun> runs;
    std::error_code error;
    for (fs::directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error)) {
        const RunPaths paths(entry->path());
        std::error_code none;
        const fs::file_time_type written = fs::last_write_time(paths.state(), none);
        if (none)
            continue;
        if (auto known = over.find(paths.id()); known != over.end() && known->second == written)
            continue;
        try {
            std::optional<RunState> state = read_state(paths);
            if (!state)
                continue;
            if (lives_here(*state))
                runs.push_back({paths, std::move(*state)});
            else if (is_over(state->status))
                over[paths.id()] = written;
        } catch (const UserError&) {
            // Not a run, or one that cannot be read: nobody waits for it.
        }
    }
    for (LiveRun& run : runs)
        if (run.waits())
            run.place = place_of(run.paths);
    std::ranges::sort(runs, [](const LiveRun& a, const LiveRun& b) {
        return std::tuple(!a.waits(), a.place, a.state.created, a.paths.id()) <
               std::tuple(!b.waits(), b.place, b.state.created, b.paths.id());
    });
    return runs;
}

std::vector<LiveRun> waiting_runs(const fs::path& root) {
    std::map<std::string, fs::file_time_type> over;
    std::vector<LiveRun> runs = live_runs(root, over);
    std::erase_if(runs, [](const LiveRun& run) { return !run.waits(); });
    return runs;
}

std::string name_of(const LiveRun& run) {
    const std::string given = labels_or_none(run.paths).name;
    return given.empty() ? run.state.name : given;
}

}  // namespace

Demand demand_of(const RunSpec& spec) {
    Demand demand;
    if (spec.launch.device == "cpu")
        return demand;
    std::vector<std::string> visible;
    if (spec.program)
        if (auto set = spec.program->environment.find(kEnvVisibleGpus); set != spec.program->environment.end())
            for (std::size_t begin = 0; begin < set->second.size();) {
                const std::size_t end = std::min(set->second.find(',', begin), set->second.size());
                visible.push_back(set->second.substr(begin, end - begin));
                begin = end + 1;
            }
    const auto ranks = static_cast<std::size_t>(std::max(1, machines_of(spec.launch).front().ranks));
    for (std::size_t rank = 0; rank < ranks; ++rank)
        demand.gpus.insert(rank < visible.size() ? visible[rank] : std::to_string(rank));
    return demand;
}

bool must_wait(const Demand& mine, const Demand& of_a_live_run) {
    return mine.gpus.empty() ||
           std::ranges::any_of(mine.gpus, [&](const std::string& gpu) { return of_a_live_run.gpus.contains(gpu); });
}

void enter_queue(const RunPaths& run) {
    const fs::path root = run.root().parent_path();
    const QueueLock lock(root, true);
    const std::vector<LiveRun> runs = waiting_runs(root);
    write_place(run, runs.empty() ? 1 : runs.back().place + 1);
}

int move_in_queue(const RunPaths& run, int place) {
    const fs::path root = run.root().parent_path();
    const QueueLock lock(root, true);
    std::vector<LiveRun> runs = waiting_runs(root);
    const auto own = std::ranges::find(runs, run.id(), [](const LiveRun& one) { return one.paths.id(); });
    if (own == runs.end())
        throw UserError("run {} does not wait in the queue of {}", run.id(), host_name());
    const auto from = own - runs.begin();
    const auto to = std::clamp<std::ptrdiff_t>(place - 1, 0, std::ssize(runs) - 1);
    if (from < to)
        std::rotate(runs.begin() + from, runs.begin() + from + 1, runs.begin() + to + 1);
    else
        std::rotate(runs.begin() + to, runs.begin() + from, runs.begin() + from + 1);
    if (from == to)
        return static_cast<int>(to) + 1;
    // One number between its neighbours', as long as there is one: then a single file changes.
    const double before = to > 0 ? runs[static_cast<std::size_t>(to) - 1].place : 0;
    const double after = to + 1 < std::ssize(runs) ? runs[static_cast<std::size_t>(to) + 1].place : before + 2;
    const double between = to > 0 ? before + (after - before) / 2 : after - 1;
    if ((to == 0 || before < between) && between < after) {
        write_place(run, between);
    } else {
        for (std::size_t i = 0; i < runs.size(); ++i)
            write_place(runs[i].paths, static_cast<double>(i) + 1);
    }
    return static_cast<int>(to) + 1;
}

std::vector<RunPaths> queued_runs(const fs::path& root) {
    std::vector<RunPaths> paths;
    for (const LiveRun& run : waiting_runs(root))
        paths.push_back(run.paths);
    return paths;
}

QueueWatch::Look QueueWatch::look(bool at_once, const std::function<void()>& start) {
    const QueueLock lock(run_.root().parent_path(), false);
    if (!lock.is_held())
        return {};
    if (at_once) {
        start();
        return {.started = true};
    }
    const std::vector<LiveRun> runs = live_runs(run_.root().parent_path(), over_);
    const auto own = std::ranges::find(runs, run_.id(), [](const LiveRun& one) { return one.paths.id(); });
    if (own == runs.end())
        return {};  // its state is not written yet
    const auto before = own - runs.begin();
    const LiveRun* busy = before > 0 ? &runs[static_cast<std::size_t>(before) - 1] : nullptr;
    for (const LiveRun& other : runs) {
        if (other.waits())
            continue;
        auto known = demands_.find(other.paths.id());
        if (known == demands_.end())
            try {
                known = demands_.emplace(other.paths.id(), demand_of(read_spec(other.paths.spec()))).first;
            } catch (const UserError&) {
                // Nobody can say what it takes: as if it were all.
            }
        if (known == demands_.end() || must_wait(demand_, known->second)) {
            busy = &other;
            break;
        }
    }
    if (busy == nullptr) {
        start();
        return {.started = true};
    }
    Message sentence = before > 0 ? Message("waits for {} on {}, {} before it", name_of(*busy), host_name(), before)
                                  : Message("waits for {} on {}", name_of(*busy), host_name());
    return {false, static_cast<int>(before) + 1, std::move(sentence)};
}

}  // namespace trainyard::run
