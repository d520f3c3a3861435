#include "cli/rank_group.h"

#include <algorithm>
#include <cerrno>
#include <csignal>
#include <cstdio>
#include <cstring>
#include <filesystem>

#include <fcntl.h>
#include <fmt/format.h>
#include <poll.h>
#include <sys/prctl.h>
#include <sys/signalfd.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

namespace trainyard::cli {

namespace fs = std::filesystem;

namespace {

constexpr double kTermSeconds = 5;  ///< between SIGTERM and SIGKILL
constexpr int kPollMs = 200;

/// `3`, or `0:1,2:3` with 0 for the ranks that are not named. Bit 1: stdout, bit 2: stderr.
int tee_of(const std::string& tee, int local_rank) {
    auto digit = [&](const std::string& text) {
        if (text.size() != 1 || text[0] < '0' || text[0] > '3')
            throw UserError(
                fmt::format("--tee {}: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single "
                            "ranks as in 0:1,1:3",
                            tee));
        return text[0] - '0';
    };
    if (tee.find(':') == std::string::npos)
        return digit(tee);
    int found = 0;
    for (std::size_t start = 0; start <= tee.size();) {
        std::size_t end = std::min(tee.find(',', start), tee.size());
        std::string part = tee.substr(start, end - start);
        std::size_t colon = std::min(part.find(':'), part.size());
        int what = digit(colon == part.size() ? part : part.substr(colon + 1));
        if (part.substr(0, colon) == std::to_string(local_rank))
            found = what;
        start = end + 1;
    }
    return found;
}

/// One stream of a rank that is shown line by line with the rank's name, and kept where a log folder is named.
struct Stream {
    FileDescriptor pipe;
    FileDescriptor log;
    std::FILE* shown = stdout;
    std::string prefix;
    std::string pending;
};

struct Rank {
    int number = 0;
    pid_t pid = 0;
    bool ended = false;
};

void write_all(int fd, std::string_view text) {
    while (!text.empty()) {
        ssize_t n = ::write(fd, text.data(), text.size());
        if (n <= 0 && errno != EINTR)
            return;  // the log's disk is full: the console still has it
        text.remove_prefix(static_cast<std::size_t>(std::max<ssize_t>(0, n)));
    }
}

void show(Stream& stream, bool end) {
    std::size_t start = 0;
    for (std::size_t line; (line = stream.pending.find('\n', start)) != std::string::npos; start = line + 1)
        std::fprintf(stream.shown, "%s%.*s\n", stream.prefix.c_str(), static_cast<int>(line - start),
                     stream.pending.data() + start);
    stream.pending.erase(0, start);
    if (end && !stream.pending.empty())
        std::fprintf(stream.shown, "%s%s\n", stream.prefix.c_str(), stream.pending.c_str());
    std::fflush(stream.shown);
}

class RankGroup {
  public:
    RankGroup(const plan::Plan& made, const plan::EnvironmentMap& environment)
        : made_(made), environment_(environment) {
        sigset_t watched;
        sigemptyset(&watched);
        for (int number : {SIGCHLD, SIGINT, SIGTERM, SIGHUP})
            sigaddset(&watched, number);
        sigprocmask(SIG_BLOCK, &watched, &old_mask_);
        signals_ = FileDescriptor(::signalfd(-1, &watched, SFD_CLOEXEC | SFD_NONBLOCK));
    }
    ~RankGroup() {
        signal_all(SIGKILL);
        for (Rank& rank : ranks_)
            if (!rank.ended)
                ::waitpid(rank.pid, nullptr, 0);
        sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
    }
    RankGroup(const RankGroup&) = delete;
    RankGroup& operator=(const RankGroup&) = delete;

    /// 0, or the first failure's code.
    int run(int attempt) {
        for (const plan::RankPlan& rank : made_.ranks)
            start(rank, attempt);
        while (!all_ended() || !streams_.empty()) {
            wait_for_something();
            take_signals();
            reap();
            if (ending_since_ > 0 && !killed_ && monotonic_seconds() > ending_since_ + kTermSeconds) {
                killed_ = true;
                signal_all(SIGKILL);
            }
            if (all_ended())
                drain_rest();
        }
        if (interrupted_ != 0)
            return 128 + interrupted_;
        return code_;
    }
    bool interrupted() const { return interrupted_ != 0; }
    const std::string& failure() const { return failure_; }

  private:
    std::vector<std::string> variables(const plan::RankPlan& rank, int attempt) const {
        plan::EnvironmentMap all = environment_;
        for (const auto* part : {&made_.environment, &rank.environment})
            for (const auto& [name, value] : *part)
                all[name] = value;
        all["TORCHELASTIC_RESTART_COUNT"] = std::to_string(attempt);
        std::vector<std::string> entries;
        for (const auto& [name, value] : all)
            entries.push_back(name + "=" + value);
        return entries;
    }

    /// The write end for the child, -1 when it keeps our own stream.
    FileDescriptor open_stream(const plan::RankPlan& rank, bool error) {
        const plan::Rendezvous& rendezvous = *made_.rendezvous;
        if ((tee_of(rendezvous.tee, rank.local_rank) & (error ? 2 : 1)) == 0)
            return FileDescriptor();
        int ends[2];
        if (::pipe2(ends, O_CLOEXEC) != 0)
            throw UserError(fmt::format("rank {} cannot be started: no pipe: {}", rank.rank, std::strerror(errno)));
        Stream stream;
        stream.pipe = FileDescriptor(ends[0]);
        ::fcntl(ends[0], F_SETFL, O_NONBLOCK);
        stream.shown = error ? stderr : stdout;
        stream.prefix = fmt::format("[{}{}]:", rendezvous.role, rank.rank);
        if (!rendezvous.log_dir.empty()) {
            fs::path folder = fs::path(rendezvous.log_dir) / std::to_string(rank.local_rank);
            std::error_code failed;
            fs::create_directories(folder, failed);
            fs::path file = folder / (error ? "stderr.log" : "stdout.log");
            stream.log = FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
            if (!stream.log)
                throw UserError(fmt::format("{} cannot be written: {}: name another folder with --log_dir",
                                            file.string(), std::strerror(errno)));
        }
        streams_.push_back(std::move(stream));
        return FileDescriptor(ends[1]);
    }

    void start(const plan::RankPlan& rank, int attempt) {
        std::vector<std::string> words = made_.command, entries = variables(rank, attempt);
        std::vector<char*> arguments, environment;
        for (std::string& word : words)
            arguments.push_back(word.data());
        for (std::string& entry : entries)
            environment.push_back(entry.data());
        arguments.push_back(nullptr);
        environment.push_back(nullptr);
        FileDescriptor out = open_stream(rank, false), error = open_stream(rank, true);
        int report[2];
        if (::pipe2(report, O_CLOEXEC) != 0)
            throw UserError(fmt::format("rank {} cannot be started: no pipe: {}", rank.rank, std::strerror(errno)));
        FileDescriptor read_end(report[0]), write_end(report[1]);
        pid_t parent = ::getpid();
        pid_t pid = ::fork();
        if (pid == 0) {
            ::setpgid(0, 0);
            ::prctl(PR_SET_PDEATHSIG, SIGKILL);
            if (::getppid() != parent)
                ::_exit(1);
            sigprocmask(SIG_SETMASK, &old_mask_, nullptr);
            ::dup2(::open("/dev/null", O_RDONLY), STDIN_FILENO);
            if (out)
                ::dup2(out.get(), STDOUT_FILENO);
            if (error)
                ::dup2(error.get(), STDERR_FILENO);
            ::execvpe(arguments[0], arguments.data(), environment.data());
            int number = errno;
            ssize_t ignored = ::write(write_end.get(), &number, sizeof number);
            (void)ignored;
            ::_exit(127);
        }
        if (pid < 0)
            throw UserError(fmt::format("rank {} cannot be started: {}", rank.rank, std::strerror(errno)));
        ::setpgid(pid, pid);
        ranks_.push_back({rank.rank, pid, false});
        write_end = FileDescriptor();
        int number = 0;
        if (::read(read_end.get(), &number, sizeof number) == static_cast<ssize_t>(sizeof number))
            throw UserError(fmt::format("{} cannot be started: {}: check its name and its rights", words[0],
                                        std::strerror(number)));
    }

    void wait_for_something() {
        std::vector<pollfd> watched{{signals_.get(), POLLIN, 0}};
        for (const Stream& stream : streams_)
            watched.push_back({stream.pipe.get(), POLLIN, 0});
        ::poll(watched.data(), watched.size(), kPollMs);
        for (std::size_t i = streams_.size(); i-- > 0;)
            if (watched[i + 1].revents != 0 && !read(streams_[i]))
                streams_.erase(streams_.begin() + static_cast<std::ptrdiff_t>(i));
    }

    /// False at the stream's end.
    bool read(Stream& stream) {
        char buffer[65536];
        for (;;) {
            ssize_t n = ::read(stream.pipe.get(), buffer, sizeof buffer);
            if (n < 0 && errno == EINTR)
                continue;
            if (n < 0 && errno == EAGAIN)
                return true;
            std::string_view text(buffer, static_cast<std::size_t>(std::max<ssize_t>(0, n)));
            stream.pending += text;
            show(stream, n <= 0);
            if (stream.log)
                write_all(stream.log.get(), text);
            if (n <= 0)
                return false;
        }
    }

    /// A child of a rank may keep a pipe open after the ranks have ended: what is there is shown, then we go.
    void drain_rest() {
        for (Stream& stream : streams_)
            if (read(stream))
                show(stream, true);
        streams_.clear();
    }

    void take_signals() {
        signalfd_siginfo info{};
        while (::read(signals_.get(), &info, sizeof info) == static_cast<ssize_t>(sizeof info)) {
            int number = static_cast<int>(info.ssi_signo);
            if (number == SIGCHLD)
                continue;
            interrupted_ = number;
            signal_all(number);
            begin_ending();
        }
    }

    void reap() {
        int status = 0;
        for (Rank& rank : ranks_) {
            if (rank.ended || ::waitpid(rank.pid, &status, WNOHANG) != rank.pid)
                continue;
            rank.ended = true;
            ::kill(-rank.pid, SIGKILL);  // its own children do not outlive it
            bool good = WIFEXITED(status) && WEXITSTATUS(status) == 0;
            if (good || code_ != 0 || interrupted_ != 0)
                continue;
            if (WIFEXITED(status)) {
                code_ = WEXITSTATUS(status);
                failure_ = fmt::format("rank {} failed with exit code {}", rank.number, code_);
            } else {
                code_ = 128 + WTERMSIG(status);
                failure_ = fmt::format("rank {} was killed by signal {} ({})", rank.number, WTERMSIG(status),
                                       ::strsignal(WTERMSIG(status)));
            }
            signal_all(SIGTERM);
            begin_ending();
        }
    }

    void begin_ending() {
        if (ending_since_ == 0)
            ending_since_ = monotonic_seconds();
    }
    void signal_all(int number) {
        for (const Rank& rank : ranks_)
            if (!rank.ended)
                ::kill(-rank.pid, number);
    }
    bool all_ended() const { return std::ranges::all_of(ranks_, &Rank::ended); }

    const plan::Plan& made_;
    const plan::EnvironmentMap& environment_;
    sigset_t old_mask_{};
    FileDescriptor signals_;
    std::vector<Rank> ranks_;
    std::vector<Stream> streams_;
    std::string failure_;
    int code_ = 0;
    int interrupted_ = 0;
    double ending_since_ = 0;
    bool killed_ = false;
};

}  // namespace

int run_ranks(const plan::Plan& made, const plan::EnvironmentMap& environment) {
    int restarts = made.rendezvous ? made.rendezvous->max_restarts : 0;
    for (int attempt = 0;; ++attempt) {
        RankGroup group(made, environment);
        int code = group.run(attempt);
        if (code == 0 || group.interrupted())
            return code;
        bool again = attempt < restarts;
        std::fprintf(stderr, "trainyard: %s%s\n", group.failure().c_str(),
                     again ? fmt::format("; all ranks are started again ({} of {})", attempt + 1, restarts).c_str()
                           : "; the other ranks were ended");
        if (!again)
            return code;
    }
}

}  // namespace trainyard::cli
