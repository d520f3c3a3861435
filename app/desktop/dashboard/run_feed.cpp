#include "desktop/dashboard/run_feed.h"

#include <algorithm>
#include <map>

#include <poll.h>
#include <sys/eventfd.h>
#include <sys/inotify.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "desktop/dashboard/log_tail.h"
#include "desktop/dashboard/run_facts.h"
#include "desktop/sources/event_tail.h"

namespace trainyard::desktop {

namespace {

constexpr int kBatchInterval = 50;   // ms
constexpr int kPollInterval = 100;   // ms, where inotify does not work
constexpr int kQuietInterval = 500;  // ms, when the run is over
constexpr int kMostInFlight = 2;     // batches that the window has not taken yet
constexpr std::uint64_t kMetricsSlice = 4u << 20;
constexpr std::uint64_t kLogSlice = 1u << 20;
constexpr double kPatience = 10;  // seconds for an answer to a request

struct FileStamp {
    std::uint64_t inode = 0;
    std::int64_t seconds = 0, nanoseconds = 0, size = -1;
    bool operator==(const FileStamp&) const = default;
};

FileStamp stamp_of(const std::filesystem::path& path) {
    struct stat info {};
    if (::stat(path.c_str(), &info) != 0)
        return {};
    return {info.st_ino, info.st_mtim.tv_sec, info.st_mtim.tv_nsec, info.st_size};
}

}  // namespace

/// What the thread remembers between its rounds.
struct RunFeed::Reader {
    explicit Reader(const run::RunPaths& paths)
        : run(paths),
          journal(paths.journal()),
          metrics(paths.metrics(), widgets::EarlierStep::Overtakes),
          logs(paths) {}

    void readState(RunBatch& batch) {
        const FileStamp stamp = stamp_of(run.state());
        if (!(stamp == state_stamp)) {
            state_stamp = stamp;
            state_problem.clear();
            try {
                if (auto read = run::read_state(run))
                    state = std::move(read);
            } catch (const std::exception& error) {
                state_problem = error.what();
            }
            fresh_state = true;
        }
        std::error_code error;
        batch.missing = !state && !std::filesystem::is_directory(run.root(), error);
        if (!state)
            return;
        std::string now = run::shown_status(*state, wall_seconds());
        if (fresh_state || now != status) {
            batch.state = state;
            status = batch.status = std::move(now);
        }
        fresh_state = false;
    }

    void readFacts(RunBatch& batch) {
        if (facts_known)
            return;
        const FileStamp stamp = stamp_of(run.spec());
        if (stamp.size < 0 || stamp == facts_stamp)
            return;
        facts_stamp = stamp;
        try {
            batch.facts = read_facts(run);
            facts_known = true;
            facts_problem.clear();
        } catch (const std::exception& error) {
            facts_problem = error.what();
        }
    }

    void readJournal(RunBatch& batch) {
        try {
            batch.events = journal.poll();
            journal_problem.clear();
        } catch (const std::exception& error) {
            journal_problem = error.what();
        }
    }

    void takeProblems(RunBatch& batch) {
        std::vector<std::string> now = metrics.problems();
        for (const std::string* problem : {&state_problem, &facts_problem, &journal_problem, &request_problem})
            if (!problem->empty())
                now.push_back(*problem);
        if (now != problems)
            batch.problems = problems = std::move(now);
    }

    void drop(std::deque<run::Request> asked, RunBatch& batch) {
        for (run::Request& request : asked) {
            try {
                const std::string kind = request.kind;
                const std::string id = run::drop_request(run, std::move(request));
                waiting[id] = {kind, monotonic_seconds(), false};
                batch.requests.push_back({id, kind, RequestNews::Stage::Asked, {}, {}});
            } catch (const std::exception& error) {
                batch.requests.push_back({{}, request.kind, RequestNews::Stage::Answered, "failed", error.what()});
            }
        }
    }

    void watchRequests(RunBatch& batch) {
        for (auto at = waiting.begin(); at != waiting.end();) {
            std::optional<run::Request> answer;
            try {
                answer = run::finished_request(run, at->first);
            } catch (const std::exception& error) {
                request_problem = error.what();
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
    EventTail metrics;
    LogTail logs;
    std::optional<run::RunState> state;
    std::string status;
    FileStamp state_stamp, facts_stamp;
    bool fresh_state = false, facts_known = false, missing = false;  ///< as told last
    std::string state_problem, facts_problem, journal_problem, request_problem;
    std::vector<std::string> problems;
    std::map<std::string, Waiting> waiting;
};

RunFeed::RunFeed(run::RunPaths run, QObject* parent) : QObject(parent), run_(std::move(run)) {
    wake_ = FileDescriptor(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK));
}

RunFeed::~RunFeed() {
    stopping_ = true;
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
    if (thread_.joinable())
        thread_.join();
}

void RunFeed::start() {
    if (!thread_.joinable())
        thread_ = std::thread([this] { loop(); });
}

void RunFeed::ask(run::Request request) {
    {
        std::lock_guard lock(mutex_);
        asked_.push_back(std::move(request));
    }
    const std::uint64_t one = 1;
    (void)!::write(wake_.get(), &one, sizeof one);
}

void RunFeed::wait(int milliseconds) {
    pollfd ready[] = {{wake_.get(), POLLIN, 0}, {inotify_.get(), POLLIN, 0}};
    ::poll(ready, inotify_ ? 2 : 1, milliseconds);
    std::uint64_t count = 0;
    (void)!::read(wake_.get(), &count, sizeof count);
    alignas(inotify_event) char buffer[4096];
    while (inotify_ && ::read(inotify_.get(), buffer, sizeof buffer) > 0) {
    }
}

void RunFeed::loop() {
    Reader reader(run_);
    inotify_ = FileDescriptor(::inotify_init1(IN_CLOEXEC | IN_NONBLOCK));
    constexpr std::uint32_t kEvents = IN_MODIFY | IN_CREATE | IN_MOVED_TO | IN_CLOSE_WRITE;
    bool watched = false;
    bool first = true;
    bool more = true;
    while (!stopping_) {
        // The folders may come after us.
        if (inotify_ && !watched) {
            watched = true;
            for (const auto& folder : {run_.root(), run_.metrics(), run_.logs()})
                watched = ::inotify_add_watch(inotify_.get(), folder.c_str(), kEvents) >= 0 && watched;
        }
        auto batch = std::make_shared<RunBatch>();
        if (in_flight_ < kMostInFlight) {
            std::deque<run::Request> asked;
            {
                std::lock_guard lock(mutex_);
                asked.swap(asked_);
            }
            reader.drop(std::move(asked), *batch);
            reader.readState(*batch);
            reader.readFacts(*batch);
            reader.readJournal(*batch);
            more = !reader.metrics.poll(batch->curves, kMetricsSlice);
            batch->log = reader.logs.poll(kLogSlice, more);
            reader.watchRequests(*batch);
            reader.takeProblems(*batch);
            batch->caught_up = !more;
            if (!batch->empty() || first || batch->missing != reader.missing) {
                first = false;
                reader.missing = batch->missing;
                ++in_flight_;
                QMetaObject::invokeMethod(
                    this,
                    [this, batch] {
                        emit this->batch(batch);
                        --in_flight_;
                    },
                    Qt::QueuedConnection);
            }
        }
        if (more) {
            wait(in_flight_ < kMostInFlight ? 0 : 5);
            continue;
        }
        const bool quiet = reader.state && run::is_over(reader.state->status) && reader.waiting.empty();
        const double begin = monotonic_seconds();
        wait(quiet ? kQuietInterval : kPollInterval);
        // Events come in swarms: one batch for all that happens within the interval.
        const int left = kBatchInterval - static_cast<int>((monotonic_seconds() - begin) * 1000);
        if (left > 0 && !stopping_)
            std::this_thread::sleep_for(std::chrono::milliseconds(std::min(left, kBatchInterval)));
    }
}

}  // namespace trainyard::desktop
