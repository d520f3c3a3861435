// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/bridge.h"

#include <algorithm>
#include <array>
#include <cerrno>
#include <csignal>
#include <optional>
#include <span>
#include <utility>
#include <vector>

#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/find_program.h"
#include "base/json_writer.h"
#include "base/printable.h"
#include "base/run_program.h"
#include "base/system_call.h"
#include "config/values/value_formats.h"

extern char** environ;

namespace trainyard::track {

namespace {

constexpr double kAnswerSeconds = 300;          ///< that a package may take for a delivery
constexpr double kEndSeconds = 10;              ///< that it may take to end
constexpr double kHangSeconds = 1;              ///< the same if it did not answer
constexpr std::size_t kLongestError = 400;      ///< bytes of the end of what it printed
constexpr std::size_t kMostAnswer = 64u << 20;  ///< bytes

/// The program with a socket as its input and output.
class BridgeProcess {
  public:
    /// Throws ServiceUnavailable.
    BridgeProcess(const std::string& python, const std::string& tracker) {
        std::array<int, 2> ends{};
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, ends.data()) != 0)
            throw ServiceUnavailable(Message("cannot start {}: {}", python, system_message(errno)), false);
        socket_ = FileDescriptor(ends[0]);
        const FileDescriptor theirs(ends[1]);
        errors_ = FileDescriptor(::memfd_create("tracker errors", MFD_CLOEXEC));
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, theirs.get(), STDOUT_FILENO);
        posix_spawn_file_actions_adddup2(&actions, errors_.get(), STDERR_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        sigset_t signals;
        sigemptyset(&signals);
        posix_spawnattr_setsigmask(&attributes, &signals);
        sigaddset(&signals, SIGPIPE);
        posix_spawnattr_setsigdefault(&attributes, &signals);
        posix_spawnattr_setpgroup(&attributes, 0);  // Ctrl-C ends the run, which ends this program
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
        std::vector<std::string> words{python, "-c", kBridgeProgram, tracker};
        std::vector<char*> arguments;
        for (std::string& word : words)
            arguments.push_back(word.data());
        arguments.push_back(nullptr);
        const int error = ::posix_spawnp(&pid_, arguments[0], &actions, &attributes, arguments.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        if (error != 0) {
            pid_ = -1;
            throw ServiceUnavailable(Message("cannot start {}: {}", python, system_message(error)), true);
        }
    }
    ~BridgeProcess() { end(kEndSeconds); }
    BridgeProcess(const BridgeProcess&) = delete;
    BridgeProcess& operator=(const BridgeProcess&) = delete;

    /// The line that answers a line; nothing if the program ended, took too long or `stop` was requested.
    std::optional<std::string> answer_to(const std::string& line, const std::stop_token& stop) {
        if (!send_all(socket_.get(), line + "\n"))
            return std::nullopt;
        std::string answer;
        const double until = monotonic_seconds() + kAnswerSeconds;
        while (!stop.stop_requested() && monotonic_seconds() < until && answer.size() < kMostAnswer) {
            pollfd ready{socket_.get(), POLLIN, 0};
            if (::poll(&ready, 1, 100) <= 0)
                continue;
            std::array<char, 1 << 16> bytes;
            const ssize_t n = retry_interrupted([&] { return ::read(socket_.get(), bytes.data(), bytes.size()); });
            if (n <= 0)
                return std::nullopt;
            answer.append(bytes.data(), static_cast<std::size_t>(n));
            if (answer.ends_with('\n'))
                return answer;
        }
        return std::nullopt;
    }

    /// Ends it. Returns the signal that had ended it, or what it printed last to its standard error, or how it ended.
    Message end_and_explain() {
        const std::optional<int> status = end(kHangSeconds);
        if (status && WIFSIGNALED(*status))
            return Message("it was ended by signal {}", WTERMSIG(*status));
        if (const std::string error = last_error(); !error.empty())
            return Message::verbatim(error);
        return status ? Message("it ended with exit code {}", WEXITSTATUS(*status))
                      : Message("it was ended after {} s without an answer", kAnswerSeconds);
    }

  private:
    /// Waits for its end, and kills it after so many seconds. Returns the status of a process that was not killed here.
    std::optional<int> end(double seconds) {
        if (pid_ < 0)
            return std::nullopt;
        const pid_t pid = std::exchange(pid_, -1);
        int status = 0;
        ::shutdown(socket_.get(), SHUT_WR);
        for (const double until = monotonic_seconds() + seconds; monotonic_seconds() < until;) {
            if (retry_interrupted([&] { return ::waitpid(pid, &status, WNOHANG); }) != 0)
                return status;
            ::usleep(5000);
        }
        ::kill(-pid, SIGKILL);
        retry_interrupted([&] { return ::waitpid(pid, &status, 0); });
        return std::nullopt;
    }

    std::string last_error() const {
        const off_t size = ::lseek(errors_.get(), 0, SEEK_END);
        std::string text(std::min<std::size_t>(kLongestError, static_cast<std::size_t>(std::max<off_t>(0, size))),
                         '\0');
        const std::uint64_t begin = static_cast<std::uint64_t>(std::max<off_t>(0, size)) - text.size();
        if (read_all_at(errors_.get(), std::as_writable_bytes(std::span(text)), begin) < 0)
            text.clear();
        while (text.ends_with('\n'))
            text.pop_back();
        return text::printable(text.substr(text.rfind('\n') + 1));
    }

    FileDescriptor socket_, errors_;
    pid_t pid_ = -1;
};

class Bridge final : public Service {
  public:
    Bridge(std::string tracker, const Value& open, std::stop_token stop)
        : tracker_(std::move(tracker)), open_(open), stop_(std::move(stop)) {}

    std::size_t deliver(std::span<const Value> entries, Values& memory) override {
        const std::string python = bridge_python();
        if (python.empty())
            throw ServiceUnavailable(
                Message("the tracker '{}' writes with a Python package, and there is no Python: install it, or set {} "
                        "to its path",
                        tracker_, kEnvPython),
                true);
        if (process_ == nullptr)
            process_ = std::make_unique<BridgeProcess>(python, tracker_);
        JsonWriter request;
        write_json_tree(
            request,
            Values{{"open", open_}, {"entries", Value::List(entries.begin(), entries.end())}, {"memory", memory}},
            JsonTree::exact);
        const std::optional<std::string> line = process_->answer_to(request.take(), stop_);
        if (!line) {
            const Message reason = process_->end_and_explain();
            process_.reset();  // the next delivery starts it again, with the same entries
            throw ServiceUnavailable(
                Message("the Python process of the tracker '{}' ended or does not answer: {}", tracker_, reason),
                false);
        }
        std::vector<Problem> problems;
        const Value answer = parse_json_tree(*line, tracker_, problems,
                                             {.most_nodes = 1u << 22, .most_bytes = kMostAnswer, .twice = &problems});
        if (const std::string package = text_in(answer, "missing"); !package.empty()) {
            process_.reset();  // it may be installed meanwhile
            throw ServiceUnavailable(
                Message("the Python package {0} is not installed: run `{1} -m pip install {0}`, or set {2} to a Python "
                        "that has it",
                        package, python, kEnvPython),
                true);
        }
        if (const Value* unavailable = answer.find("unavailable")) {
            const bool denied = text_in(answer, "denied") == "True";
            throw ServiceUnavailable(
                Message("{}: {}", tracker_, Message::verbatim(text::printable(unavailable->display()))), denied);
        }
        if (const Value* refused = answer.find("refused"))
            throw UserError(Message("{}: {}", tracker_, Message::verbatim(text::printable(refused->display()))));
        const std::int64_t delivered = integer_in(answer, "delivered");
        const Value* known = answer.find("memory");
        if (delivered < 1 || delivered > static_cast<std::int64_t>(entries.size()) || known == nullptr)
            throw ServiceUnavailable(Message("the Python process of the tracker '{}' ended or does not answer: {}",
                                             tracker_, Message::verbatim(text::printable(*line))),
                                     true);
        memory = known->entries();
        return static_cast<std::size_t>(delivered);
    }

  private:
    const std::string tracker_;
    const Value open_;
    const std::stop_token stop_;
    std::unique_ptr<BridgeProcess> process_;
};

}  // namespace

std::unique_ptr<Service> make_bridge(std::string tracker, const Value& open, std::stop_token stop) {
    return std::make_unique<Bridge>(std::move(tracker), open, std::move(stop));
}

std::string bridge_python() {
    if (std::string named = environment_text(kEnvPython); !named.empty())
        return named;
    const char* path = std::getenv("PATH");
    const std::string found = find_program("python3", path);
    return found.empty() ? find_program("python", path) : found;
}

bool python_has_package(const std::string& package) {
    constexpr double kSeconds = 10;
    const std::string python = bridge_python();
    return !python.empty() &&
           run_program(
               {python, "-c", "import importlib.util as u, sys; sys.exit(not u.find_spec(sys.argv[1]))", package}, "",
               kSeconds)
               .ok();
}

}  // namespace trainyard::track
