// SPDX-License-Identifier: GPL-3.0-or-later
// Opens the first connection to a host: TCP to one of its addresses, or the program of its ProxyCommand.

#include <algorithm>
#include <cerrno>
#include <condition_variable>
#include <csignal>
#include <cstring>
#include <mutex>
#include <thread>

#include <arpa/inet.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <linux/tcp.h>
#include <netdb.h>
#include <poll.h>
#include <spawn.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "remote/link.h"

namespace trainyard::remote {

namespace {

struct Lookup {
    std::mutex mutex;
    std::condition_variable changed;
    bool done = false;
    int error = 0;
    addrinfo* addresses = nullptr;
    ~Lookup() {
        if (addresses != nullptr)
            ::freeaddrinfo(addresses);
    }
};

/// getaddrinfo() has no time-out: it runs on a thread that is abandoned if it takes too long.
std::shared_ptr<Lookup> look_up_address(const HostSettings& host, double seconds, Cancel* cancel) {
    auto lookup = std::make_shared<Lookup>();
    int family = host.address_family == "inet" ? AF_INET : host.address_family == "inet6" ? AF_INET6 : AF_UNSPEC;
    std::thread([lookup, family, name = host.host_name, port = std::to_string(host.port)] {
        addrinfo hints{};
        hints.ai_family = family;
        hints.ai_socktype = SOCK_STREAM;
        hints.ai_flags = AI_NUMERICSERV;
        addrinfo* found = nullptr;
        int error = ::getaddrinfo(name.c_str(), port.c_str(), &hints, &found);
        std::lock_guard lock(lookup->mutex);
        lookup->error = error;
        lookup->addresses = found;
        lookup->done = true;
        lookup->changed.notify_all();
    }).detach();
    std::unique_lock lock(lookup->mutex);
    double end = monotonic_seconds() + seconds;
    while (!lookup->done && monotonic_seconds() < end) {
        lookup->changed.wait_for(lock, std::chrono::milliseconds(100));
        if (cancel != nullptr && cancel->is_set())
            throw ConnectionError(Cause::cancelled, host.alias, Message("{}: cancelled", described(host)));
    }
    std::string try_this = fmt::format("getent hosts {}", host.host_name);
    if (!lookup->done)
        throw ConnectionError(Cause::name_not_found, host.alias,
                              Message("{}: the name service did not answer for '{}' within {}: is the "
                                      "network up?",
                                      host.alias, host.host_name, seconds_text(seconds)),
                              try_this);
    if (lookup->error == EAI_AGAIN)
        throw ConnectionError(Cause::name_not_found, host.alias,
                              Message("{}: the name service cannot look up '{}' at the moment: is the network up?",
                                      host.alias, host.host_name),
                              try_this);
    if (lookup->error != 0)
        throw ConnectionError(Cause::name_not_found, host.alias,
                              Message("{}: there is no address for the name '{}': is it spelled right, is it "
                                      "in ~/.ssh/config or DNS?",
                                      host.alias, host.host_name),
                              try_this);
    return lookup;
}

std::string text_of(const sockaddr* address, socklen_t size) {
    char name[NI_MAXHOST] = "";
    ::getnameinfo(address, size, name, sizeof name, nullptr, 0, NI_NUMERICHOST);
    return name;
}

/// Returns 0 when connected, else errno.
int connect_within(int socket, const addrinfo& address, double seconds, Cancel* cancel, const HostSettings& host) {
    if (::connect(socket, address.ai_addr, address.ai_addrlen) == 0)
        return 0;
    if (errno != EINPROGRESS)
        return errno;
    double end = monotonic_seconds() + seconds;
    while (true) {
        double left = end - monotonic_seconds();
        if (left <= 0)
            return ETIMEDOUT;
        pollfd events[2] = {{socket, POLLOUT, 0}, {cancel != nullptr ? cancel->descriptor() : -1, POLLIN, 0}};
        int ready = ::poll(events, 2, static_cast<int>(left * 1000) + 1);
        if (ready > 0 && events[1].revents != 0)
            throw ConnectionError(Cause::cancelled, host.alias, Message("{}: cancelled", described(host)));
        if (ready > 0) {
            int error = 0;
            socklen_t size = sizeof error;
            ::getsockopt(socket, SOL_SOCKET, SO_ERROR, &error, &size);
            return error;
        }
    }
}

[[noreturn]] void throw_unreached(const HostSettings& host, int error, double seconds) {
    std::string port = std::to_string(host.port), where = described(host);
    std::string try_this = "ssh -v " + host.alias;
    switch (error) {
        case ECONNREFUSED:
            throw ConnectionError(
                Cause::refused, host.alias,
                Message("{}: nothing listens on port {}: does sshd run there, and is the port right?", where, port),
                try_this);
        case ETIMEDOUT:
            throw ConnectionError(Cause::timed_out, host.alias,
                                  Message("{}: no answer within {}: is the host up, and does a firewall let "
                                          "port {} through?",
                                          where, seconds_text(seconds), port),
                                  "ping " + host.host_name);
        case EHOSTUNREACH:
        case ENETUNREACH:
        case ENETDOWN:
        case EHOSTDOWN:
        case EADDRNOTAVAIL:
        case EACCES:
        case EPERM:
        case EINVAL:
            throw ConnectionError(Cause::no_route, host.alias,
                                  Message("{}: no route to the host ({}): is this machine in the right network or VPN?",
                                          where, system_message(error)),
                                  fmt::format("ip route get {}", host.host_name));
        default:
            throw ConnectionError(Cause::no_route, host.alias,
                                  Message("{}: it cannot be reached: {}", where, system_message(error)), try_this);
    }
}

void bind_to(int socket, const addrinfo& target, const HostSettings& host) {
    addrinfo hints{};
    hints.ai_family = target.ai_family;
    hints.ai_socktype = SOCK_STREAM;
    hints.ai_flags = AI_NUMERICHOST;
    addrinfo* own = nullptr;
    int error = ::getaddrinfo(host.bind_address.c_str(), nullptr, &hints, &own);
    bool bound = error == 0 && ::bind(socket, own->ai_addr, own->ai_addrlen) == 0;
    if (own != nullptr)
        ::freeaddrinfo(own);
    if (!bound)
        throw ConnectionError(Cause::bad_settings, host.alias,
                              Message("{}: BindAddress {} of ssh_config is not an address of this machine",
                                      described(host), host.bind_address));
}

Line dial_tcp(const HostSettings& host, double seconds, Cancel* cancel, std::vector<Message>& transcript) {
    double begin = monotonic_seconds();
    std::shared_ptr<Lookup> lookup = look_up_address(host, seconds, cancel);
    int last_error = EHOSTUNREACH;
    std::size_t left_over = 0;
    for (const addrinfo* address = lookup->addresses; address != nullptr; address = address->ai_next)
        ++left_over;
    for (const addrinfo* address = lookup->addresses; address != nullptr; address = address->ai_next, --left_over) {
        Line line;
        line.socket = FileDescriptor(
            ::socket(address->ai_family, address->ai_socktype | SOCK_CLOEXEC | SOCK_NONBLOCK, address->ai_protocol));
        if (!line.socket) {
            last_error = errno;
            continue;
        }
        int yes = 1;
        ::setsockopt(line.socket.get(), IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
        if (!host.bind_address.empty())
            bind_to(line.socket.get(), *address, host);
        line.remote_address = text_of(address->ai_addr, address->ai_addrlen);
        // An address that does not answer must not use up the time for the next ones.
        double share = std::max(0.5, (begin + seconds - monotonic_seconds()) / static_cast<double>(left_over));
        last_error = connect_within(line.socket.get(), *address, share, cancel, host);
        transcript.push_back(Message("connect to {} port {}: {}", line.remote_address, host.port,
                                     last_error == 0 ? Message("connected") : system_message(last_error)));
        if (last_error != 0)
            continue;
        sockaddr_storage own{};
        socklen_t size = sizeof own;
        if (::getsockname(line.socket.get(), reinterpret_cast<sockaddr*>(&own), &size) == 0)
            line.local_address = text_of(reinterpret_cast<sockaddr*>(&own), size);
        return line;
    }
    throw_unreached(host, last_error, seconds);
}

/// The program of a ProxyCommand, in its own process group.
class ProxyProgram : public Carrier {
  public:
    ProxyProgram(pid_t pid, FileDescriptor errors, std::string name)
        : pid_(pid), errors_(std::move(errors)), name_(std::move(name)) {}
    ~ProxyProgram() override {
        if (pid_ <= 0)
            return;
        ::kill(-pid_, SIGTERM);
        for (int tries = 0; tries < 50; ++tries) {
            if (::waitpid(pid_, nullptr, WNOHANG) != 0)
                return;
            ::poll(nullptr, 0, 10);
        }
        ::kill(-pid_, SIGKILL);
        ::waitpid(pid_, nullptr, 0);
    }
    Message blame() override {
        // Its end of the connection closes a moment before waitpid() reports its exit.
        int status = 0;
        pid_t ended = 0;
        for (int tries = 0; pid_ > 0 && tries < 50 && (ended = ::waitpid(pid_, &status, WNOHANG)) == 0; ++tries)
            ::poll(nullptr, 0, 10);
        if (pid_ <= 0 || ended != pid_)
            return ended_;
        pid_ = 0;
        char text[400];
        ssize_t size = std::max<ssize_t>(::pread(errors_.get(), text, sizeof text, 0), 0);
        std::string said(text, static_cast<std::size_t>(size));
        std::replace(said.begin(), said.end(), '\n', ' ');
        ended_ = WIFEXITED(status)
                     ? Message("the ProxyCommand '{}' ended with exit status {}", name_, WEXITSTATUS(status))
                     : Message("the ProxyCommand '{}' ended", name_);
        if (!said.empty())
            ended_ = Message("{}: {}", ended_, said);
        return ended_;
    }

  private:
    pid_t pid_;
    FileDescriptor errors_;
    std::string name_;
    Message ended_;
};

Line dial_program(const HostSettings& host, std::vector<Message>& transcript) {
    int pair[2];
    if (::socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, pair) != 0)
        throw ConnectionError(Cause::bad_settings, host.alias,
                              Message("{}: no socket for its ProxyCommand: {}", host.alias, system_message(errno)));
    FileDescriptor ours(pair[0]), theirs(pair[1]), errors(::memfd_create("proxy", MFD_CLOEXEC));
    std::vector<std::string> words = host.proxy_command;
    std::vector<char*> argv;
    for (std::string& word : words)
        argv.push_back(word.data());
    argv.push_back(nullptr);
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    ::sigemptyset(&none);
    ::posix_spawn_file_actions_init(&actions);
    ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), 0);
    ::posix_spawn_file_actions_adddup2(&actions, theirs.get(), 1);
    ::posix_spawn_file_actions_adddup2(&actions, errors.get(), 2);
    ::posix_spawn_file_actions_addclosefrom_np(&actions, 3);
    ::posix_spawnattr_init(&attributes);
    ::posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETPGROUP | POSIX_SPAWN_SETSIGMASK);
    ::posix_spawnattr_setsigmask(&attributes, &none);
    pid_t pid = 0;
    int error = ::posix_spawnp(&pid, argv[0], &actions, &attributes, argv.data(), environ);
    ::posix_spawn_file_actions_destroy(&actions);
    ::posix_spawnattr_destroy(&attributes);
    if (error != 0)
        throw ConnectionError(Cause::bad_settings, host.alias,
                              Message("{}: its ProxyCommand '{}' cannot be started: {}", host.alias, words.front(),
                                      system_message(error)));
    transcript.push_back(Message("ProxyCommand {} started", words.front()));
    Line line;
    ::fcntl(ours.get(), F_SETFL, O_NONBLOCK);
    line.socket = std::move(ours);
    line.carrier = std::make_unique<ProxyProgram>(pid, std::move(errors), words.front());
    return line;
}

}  // namespace

Line dial(const HostSettings& host, double seconds, Cancel* cancel, std::vector<Message>& transcript) {
    return host.proxy_command.empty() ? dial_tcp(host, seconds, cancel, transcript) : dial_program(host, transcript);
}

}  // namespace trainyard::remote
