// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/run_feed.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <map>
#include <mutex>
#include <utility>
#include <vector>

#include <sys/vfs.h>

#include "base/clock.h"
#include "base/error.h"
#include "desktop/dashboard/log_tail.h"
#include "desktop/dashboard/run_batch.h"
#include "desktop/dashboard/run_lineage.h"
#include "desktop/runs/host_clock.h"
#include "desktop/runs/summary_cache.h"
#include "run/run_health.h"
#include "run/spec.h"

namespace trainyard::desktop {

namespace {

constexpr int kPollInterval = 100;    // ms, where inotify does not work, and while an answer is awaited
constexpr int kQuietInterval = 1000;  // ms, when the run is over or inotify reports changes
constexpr int kFullInterval = 5;      // ms
constexpr int kMostInFlight = 2;      // batches that the window has not taken yet
constexpr std::uint64_t kMetricsSlice = 4u << 20;
constexpr std::uint64_t kLogSlice = 1u << 20;
constexpr double kPatience = 10;      // seconds for an answer to a request
constexpr double kLateHeartbeat = 3;  // seconds; the supervisor writes one every 2 s

/// Whether inotify reports what other processes write: not on network file systems and FUSE (see statfs(2) for the
/// numbers).
bool hears_writes(const std::filesystem::path& folder) {
    struct statfs info {};
    if (::statfs(folder.c_str(), &info) != 0)
        return false;
    constexpr std::array<std::uint32_t, 6> kDeaf{0x6969 /* NFS */,      0x517B /* SMB */,      0xFF534D42 /* CIFS */,
                                                 0xFE534D42 /* SMB2 */, 0x65735546 /* FUSE */, 0x01021997 /* 9P */};
    return std::find(kDeaf.begin(), kDeaf.end(), static_cast<std::uint32_t>(info.f_type)) == kDeaf.end();
}

}  // namespace

/// Requests from the window to the reading thread.
struct RunFeed::Asked {
    std::mutex mutex;
    std::vector<run::Request> asked;

    std::vector<run::Request> take() {
        const std::lock_guard lock(mutex);
        return std::exchange(asked, {});
    }
};

/// State between polls. Refers to the feed only by its address.
class RunFeed::Reader : public PooledReader {
  public:
    Reader(const run::RunPaths& paths, std::shared_ptr<Asked> asked_for, widgets::Mailbox::Address address,
           RunFeed* owner)
        : run(paths),
          journal(paths.journal()),
          metrics(paths),
          logs(paths),
          requests(std::move(asked_for)),
          window(std::move(address)),
          feed(owner) {}

    int read() override {
        if (*in_flight >= kMostInFlight)
            return kFullInterval;
        const double begin = monotonic_seconds();
        auto batch = std::make_shared<RunBatch>();
        drop(requests->take(), *batch);
        readState(*batch);
        readFacts(*batch);
        readJournal(*batch);
        readCheckpoints(*batch);
        readClasses(*batch);
        bool more = !metrics.poll(batch->curves, kMetricsSlice);
        batch->log = logs.poll(kLogSlice, more);
        while (more && !batch->log && monotonic_seconds() - begin < ReadPool::kSlice / 1000.0)
            more = !metrics.poll(batch->curves, kMetricsSlice);
        watchRequests(*batch);
        takeProblems(*batch);
        batch->caught_up = !more;
        if (!batch->empty() || first || batch->missing != missing) {
            first = false;
            missing = batch->missing;
            ++*in_flight;
            window.post([batch, count = in_flight, owner = feed] {
                --*count;
                emit owner->batch(batch);
            });
        }
        if (more)
            return 0;
        return waiting.empty() && (hears || (state && run::is_over(state->status))) ? kQuietInterval : kPollInterval;
    }

    std::vector<std::filesystem::path> watched() const override { return {run.root(), run.metrics(), run.logs()}; }

  private:
    /// Runs `work` and sets `problem` to its error message, or clears it on success.
    template <class Work>
    static void attempt(Message& problem, const Work& work) {
        try {
            work();
            problem = {};
        } catch (const std::exception& error) {
            problem = message_of(error);
        }
    }

    void readState(RunBatch& batch) {
        if (const std::uint64_t mark = fileMark(run.state()); mark != state_mark) {
            state_mark = mark;
            attempt(state_problem, [&] {
                if (auto read = run::read_state(run)) {
                    state = std::move(read);
                    clock.hear(state->heartbeat);
                    if (!state->mirror && !run::is_over(state->status))  // by the clock of this machine from here on
                        state->heartbeat += wall_seconds() - clock.now();
                }
            });
            fresh_state = true;
        }
        std::error_code error;
        batch.missing = !state && !std::filesystem::is_directory(run.root(), error);
        if (!state)
            return;
        const double wall = wall_seconds();
        std::string now = run::shown_status(*state, wall);
        const bool full = !state->mirror && !run::is_over(state->status) && wall - state->heartbeat > kLateHeartbeat &&
                          run::is_disk_full(run);
        if (fresh_state || now != status || full != disk_full) {
            batch.state = state;
            status = std::move(now);
            disk_full = full;
        }
        batch.status = status;
        batch.disk_full = disk_full;
        fresh_state = false;
    }

    void readFacts(RunBatch& batch) {
        if (facts_known)
            return;
        const std::uint64_t mark = fileMark(run.spec());
        if (mark == 0 || mark == facts_mark)
            return;
        facts_mark = mark;
        attempt(facts_problem, [&] {
            const run::RunSpec spec = run::read_spec(run.spec());
            batch.facts = read_facts(spec);
            facts_known = true;
            if (batch.facts->is_program)
                metrics.readTables(run.root() / "trackers");
            ancestors = ancestors_of(spec);
            if (!ancestors.empty()) {
                batch.facts->lineage_start = ancestors.front().started;
                batch.facts->seam = ancestors.back().seam;
                batch.inherited = inherited_events(ancestors, spec);
                metrics.setAncestors(ancestors);
            }
            // The folder of a program's run has only links to its event files, which inotify does not follow.
            hears = !batch.facts->is_program && hears_writes(run.root());
        });
    }

    void readJournal(RunBatch& batch) {
        attempt(journal_problem, [&] {
            batch.events = journal.poll();
            look_for_checkpoints = look_for_checkpoints || std::ranges::find(batch.events, "checkpoint",
                                                                             &run::Event::kind) != batch.events.end();
        });
    }

    /// Reads the checkpoints again after every save, which may have removed others, and when the run has ended.
    void readCheckpoints(RunBatch& batch) {
        if (!std::exchange(look_for_checkpoints, false) && !batch.facts &&
            !(batch.state && run::is_over(batch.state->status)))
            return;
        std::vector<SavedCheckpoint> now = saved_checkpoints(run, ancestors);
        if (now != checkpoints)
            batch.checkpoints = checkpoints = std::move(now);
    }

    /// The newest report of a classification.
    void readClasses(RunBatch& batch) {
        const std::uint64_t mark = fileMark(run::class_reports(run));
        if (mark == classes_mark)
            return;
        classes_mark = mark;
        attempt(classes_problem, [&] {
            if (const std::vector<std::filesystem::path> files = run::list_class_reports(run); !files.empty())
                batch.classes = std::make_shared<const run::ClassReport>(run::read_class_report(files.back()));
        });
    }

    void takeProblems(RunBatch& batch) {
        std::vector<Message> now = metrics.problems();
        for (const Message* problem :
             {&state_problem, &facts_problem, &journal_problem, &request_problem, &classes_problem})
            if (!problem->empty())
                now.push_back(*problem);
        if (now != problems)
            batch.problems = problems = std::move(now);
    }

    void drop(std::vector<run::Request> asked, RunBatch& batch) {
        for (run::Request& request : asked) {
            try {
                const std::string kind = request.kind;
                const std::string id = run::drop_request(run, std::move(request));
                waiting[id] = {kind, monotonic_seconds(), false};
                batch.requests.push_back({id, kind, RequestNews::Stage::Asked, {}, {}});
            } catch (const std::exception& error) {
                batch.requests.push_back({{}, request.kind, RequestNews::Stage::Answered, "failed", message_of(error)});
            }
        }
    }

    void watchRequests(RunBatch& batch) {
        for (auto at = waiting.begin(); at != waiting.end();) {
            std::optional<run::Request> answer;
            try {
                answer = run::finished_request(run, at->first);
            } catch (const std::exception& error) {
                request_problem = message_of(error);
            }
            if (answer) {
                batch.requests.push_back(
                    {at->first, at->second.kind, RequestNews::Stage::Answered, answer->outcome, answer->text});
                at = waiting.erase(at);
                continue;
            }
            if (!at->second.told && monotonic_seconds() - at->second.since > kPatience) {
                at->second.told = true;
                batch.requests.push_back({at->first, at->second.kind, RequestNews::Stage::Silent, {}, {}});
            }
            ++at;
        }
    }

    struct Waiting {
        std::string kind;
        double since = 0;
        bool told = false;
    };
    run::RunPaths run;
    run::JournalReader journal;
    LineageTail metrics;
    std::vector<Ancestor> ancestors;
    std::vector<SavedCheckpoint> checkpoints;
    bool look_for_checkpoints = true;
    LogTail logs;
    std::optional<run::RunState> state;
    std::string status;
    HostClock clock;
    std::uint64_t state_mark = 0, facts_mark = 0, classes_mark = 0;
    bool fresh_state = false, facts_known = false, missing = false, disk_full = false;  ///< as told last
    bool first = true;
    bool hears = false;  ///< inotify reports every change
    Message state_problem, facts_problem, journal_problem, request_problem, classes_problem;
    std::vector<Message> problems;
    std::map<std::string, Waiting> waiting;
    std::shared_ptr<Asked> requests;
    std::shared_ptr<std::atomic<int>> in_flight = std::make_shared<std::atomic<int>>(0);
    widgets::Mailbox::Address window;
    RunFeed* feed;  ///< to be touched in what is posted only
};

RunFeed::RunFeed(run::RunPaths run, QObject* parent)
    : QObject(parent), run_(std::move(run)), asked_(std::make_shared<Asked>()) {}

void RunFeed::start() {
    reading_.start([this] { return std::make_shared<Reader>(run_, asked_, mailbox_.address(), this); });
}

void RunFeed::ask(run::Request request) {
    {
        std::lock_guard lock(asked_->mutex);
        asked_->asked.push_back(std::move(request));
    }
    reading_.wake();
}

}  // namespace trainyard::desktop
