// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/host_shell.h"

#include <cerrno>
#include <csignal>
#include <cstdlib>
#include <map>

#include <fcntl.h>
#include <poll.h>
#include <spawn.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file_descriptor.h"
#include "base/run_program.h"
#include "base/system_call.h"
#include "base/untrusted.h"

extern char** environ;

namespace trainyard::remote {

namespace {

class ChannelLink final : public ByteLink {
  public:
    explicit ChannelLink(Channel channel) : channel_(std::move(channel)) {}
    std::string read(double seconds, int wake) override {
        Channel::Chunk chunk = channel_.read(seconds, wake);
        if (!chunk.error)
            return std::move(chunk.bytes);
        if (said_.size() < 1000)
            said_ += chunk.bytes;
        return {};
    }
    void write(std::string_view bytes) override { channel_.write(bytes); }
    bool ended() const override {
        if (channel_.ended() && !said_.empty())
            throw UserError(Message::verbatim(HostText::first_line(said_)));
        return channel_.ended();
    }

  private:
    Channel channel_;
    std::string said_;
};

/// `env NAME=value ... program`: without a shell, and without changing our own environment.
std::vector<std::string> with_environment(const RemoteCommand& command) {
    if (command.environment.empty())
        return command.argv;
    std::vector<std::string> argv{"env"};
    for (const auto& [name, value] : command.environment)
        argv.push_back(name + '=' + value);
    argv.insert(argv.end(), command.argv.begin(), command.argv.end());
    return argv;
}

class LocalLink final : public ByteLink {
  public:
    explicit LocalLink(const RemoteCommand& command) {
        int down[2], up[2];
        if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, down) != 0)
            throw UserError("too many files are open");
        FileDescriptor in(down[0]);
        in_ = FileDescriptor(down[1]);
        if (::pipe2(up, O_CLOEXEC) != 0)
            throw UserError("too many files are open");
        out_ = FileDescriptor(up[0]);
        FileDescriptor out(up[1]);
        posix_spawn_file_actions_t actions;
        posix_spawn_file_actions_init(&actions);
        posix_spawn_file_actions_adddup2(&actions, in.get(), STDIN_FILENO);
        posix_spawn_file_actions_adddup2(&actions, out.get(), STDOUT_FILENO);
        posix_spawnattr_t attributes;
        posix_spawnattr_init(&attributes);
        posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP);
        std::vector<std::string> words = with_environment(command);
        std::vector<char*> argv;
        for (std::string& word : words)
            argv.push_back(word.data());
        argv.push_back(nullptr);
        int error = ::posix_spawnp(&pid_, argv[0], &actions, &attributes, argv.data(), environ);
        posix_spawn_file_actions_destroy(&actions);
        posix_spawnattr_destroy(&attributes);
        if (error != 0)
            throw UserError("{} could not be started", words.front());
    }
    ~LocalLink() override {
        in_.close();
        ::kill(-pid_, SIGKILL);
        retry_interrupted([this] { return ::waitpid(pid_, nullptr, 0); });
    }
    LocalLink(const LocalLink&) = delete;
    LocalLink& operator=(const LocalLink&) = delete;

    std::string read(double seconds, int wake) override {
        pollfd waits[2] = {{out_.get(), POLLIN, 0}, {wake, POLLIN, 0}};
        if (::poll(waits, 2, static_cast<int>(seconds * 1000)) <= 0 || waits[0].revents == 0)
            return {};
        std::string bytes(1 << 16, '\0');
        const ssize_t n = retry_interrupted([&] { return ::read(out_.get(), bytes.data(), bytes.size()); });
        ended_ = n <= 0;
        bytes.resize(n > 0 ? static_cast<std::size_t>(n) : 0);
        return bytes;
    }
    void write(std::string_view bytes) override {
        if (!send_all(in_.get(), bytes))
            throw UserError("the program on this machine ended");
    }
    bool ended() const override { return ended_; }

  private:
    FileDescriptor in_, out_;
    pid_t pid_ = -1;
    bool ended_ = false;
};

class SshShell final : public HostShell {
  public:
    explicit SshShell(Session session) : session_(std::move(session)) {}
    ExecResult exec(const RemoteCommand& command, std::string_view input, double seconds) override {
        return session_.exec(command, input, seconds);
    }
    std::unique_ptr<ByteLink> open(const RemoteCommand& command) override { return link_of(session_.open(command)); }
    Session* session() override { return &session_; }

  private:
    Session session_;
};

class LocalShell final : public HostShell {
  public:
    explicit LocalShell(std::shared_ptr<Cancel> cancel) : cancel_(std::move(cancel)) {}
    ExecResult exec(const RemoteCommand& command, std::string_view input, double seconds) override {
        ProgramResult result =
            run_program(with_environment(command), input, seconds, cancel_ ? cancel_->descriptor() : -1);
        if (cancel_ && cancel_->is_set())
            throw ConnectionError(Cause::cancelled, "localhost", Message("cancelled"));
        ExecResult answer;
        answer.output = std::move(result.output);
        answer.error = std::move(result.error);
        if (result.timed_out)
            throw ConnectionError(Cause::timed_out, "localhost",
                                  Message("{} took too long on this machine", command.argv.front()));
        if (WIFEXITED(result.status) && result.status >= 0)
            answer.exit.status = WEXITSTATUS(result.status);
        return answer;
    }
    std::unique_ptr<ByteLink> open(const RemoteCommand& command) override { return local_link(command); }

  private:
    std::shared_ptr<Cancel> cancel_;
};

}  // namespace

std::unique_ptr<ByteLink> link_of(Channel channel) {
    return std::make_unique<ChannelLink>(std::move(channel));
}

std::unique_ptr<ByteLink> local_link(const RemoteCommand& command) {
    return std::make_unique<LocalLink>(command);
}

std::unique_ptr<HostShell> shell_of(Session session) {
    return std::make_unique<SshShell>(std::move(session));
}

std::unique_ptr<HostShell> local_shell(std::shared_ptr<Cancel> cancel) {
    return std::make_unique<LocalShell>(std::move(cancel));
}

}  // namespace trainyard::remote
