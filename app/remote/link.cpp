// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/link.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>

#include <fcntl.h>
#include <libssh/server.h>
#include <linux/sockios.h>
#include <linux/tcp.h>
#include <netinet/in.h>
#include <poll.h>
#include <sys/eventfd.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/run_program.h"
#include "base/text.h"
#include "remote/known_hosts.h"

namespace trainyard::remote {

namespace {

constexpr double kAskAfter = 2;           // at most this many seconds without a packet, then a keep-alive request
constexpr double kLongestSlice = 0.5;     // of one poll: how often silence is checked
constexpr int kManyBytesWaiting = 16384;  // in the socket: a transfer is in progress, so the peer is alive

/// Progress of sent data: bytes acknowledged by the peer's system, or (without TCP) bytes not yet accepted.
std::uint64_t sent_mark(int socket) {
    tcp_info info{};
    socklen_t size = sizeof info;
    if (::getsockopt(socket, IPPROTO_TCP, TCP_INFO, &info, &size) == 0)
        return info.tcpi_bytes_acked;
    int waiting = 0;
    ::ioctl(socket, SIOCOUTQ, &waiting);
    return static_cast<std::uint64_t>(waiting);
}

}  // namespace

Cancel::Cancel() : descriptor_(::eventfd(0, EFD_CLOEXEC | EFD_NONBLOCK)) {
    if (descriptor_ < 0)
        throw UserError("cannot make an event descriptor: {}", system_message(errno));
}

Cancel::~Cancel() {
    ::close(descriptor_);
}

void Cancel::set() {
    ::eventfd_write(descriptor_, 1);
}

bool Cancel::is_set() const {
    pollfd event{descriptor_, POLLIN, 0};
    return ::poll(&event, 1, 0) > 0;
}

std::string described(const HostSettings& host) {
    std::string plain = host.host_name + (host.port == 22 ? "" : ":" + std::to_string(host.port));
    return host.alias == host.host_name && host.port == 22 ? host.alias : host.alias + " (" + plain + ")";
}

std::string seconds_text(double seconds) {
    std::string text = std::to_string(std::round(seconds * 10) / 10);
    text.erase(text.find('.') + 2);
    if (text.ends_with(".0"))
        text.erase(text.size() - 2);
    return text + " s";
}

HostKey host_key_of(ssh_key key) {
    char* blob = nullptr;
    HostKey result;
    result.type = ::ssh_key_type_to_char(::ssh_key_type(key));
    if (::ssh_pki_export_pubkey_base64(key, &blob) == SSH_OK)
        result.blob = blob;
    ::ssh_string_free_char(blob);
    return result;
}

Link::Link(HostSettings settings, const ConnectOptions& options, Line line_given, std::vector<Message>& lines)
    : host(std::move(settings)),
      silence(options.silence),
      cancel(options.cancel),
      accepted_once(options.accepted_once),
      line(std::move(line_given)),
      transcript(lines) {
    session = ::ssh_new();
    if (session == nullptr)
        throw std::bad_alloc();
    last_heard_ = last_asked_ = monotonic_seconds();
}

Link::~Link() {
    close();
    if (session != nullptr)
        ::ssh_free(session);
}

void Link::close() {
    if (session != nullptr) {
        // Nothing more is sent to the server: everything necessary was sent, and a host whose key was refused gets no
        // data.
        ::ssh_silent_disconnect(session);
    }
    line.socket.close();
    line.carrier.reset();
}

void Link::fail(Cause cause, const Message& sentence, const std::string& command) const {
    throw ConnectionError(cause, host.alias, sentence, command);
}

void Link::lost(const Message& why) {
    if (lost_because.empty()) {
        lost_because = line.carrier ? line.carrier->blame() : Message();
        if (lost_because.empty())
            lost_because = why;
        if (lost_because.empty() && session != nullptr && ::ssh_get_error_code(session) == SSH_FATAL)
            lost_because = Message::verbatim(::ssh_get_error(session));
        if (lost_because.empty())
            lost_because = "the peer closed it";
        note(Message("connection lost: {}", lost_because));
    }
    fail(Cause::connection_lost, Message("{}: the connection is lost: {}", described(host), lost_because),
         "ssh " + host.alias);
}

void Link::heard_now() {
    last_heard_ = monotonic_seconds();
    asked_since_ = 0;
}

bool Link::heard_something() {
    bool heard = packets_.in_packets != packets_heard_;
    packets_heard_ = packets_.in_packets;
    int waiting = 0;
    if (!heard && line.socket && ::ioctl(line.socket.get(), SIOCOUTQ, &waiting) == 0 && waiting > kManyBytesWaiting) {
        std::uint64_t mark = sent_mark(line.socket.get());
        heard = mark != acknowledged_;
        acknowledged_ = mark;
    }
    return heard;
}

void Link::look() {
    if (!connected())
        lost();
    ::ssh_execute_message_callbacks(session);  // processes incoming packets
    if (!connected())
        lost(Message::verbatim(::ssh_get_error(session)));
    double now = monotonic_seconds();
    if (heard_something())
        heard_now();
    double ask_after = std::min(kAskAfter, silence / 4);
    if (authenticated_ && now - last_heard_ > ask_after && now - last_asked_ > ask_after / 2) {
        last_asked_ = now;
        if (asked_since_ == 0)
            asked_since_ = now;
        ::ssh_send_keepalive(session);
    }
    // A connection that was idle because others were served has not sent a keep-alive yet.
    double patience = silence - ask_after - 2 * kLongestSlice;
    bool unanswered = !authenticated_ || (asked_since_ != 0 && now - asked_since_ > patience);
    if (now - last_heard_ > silence && unanswered)
        lost(Message("nothing was heard for {}", seconds_text(silence)));
}

Link::Woken Link::wait(double seconds, int wake) {
    double end = seconds < 0 ? HUGE_VAL : monotonic_seconds() + seconds;
    while (true) {
        double left = end - monotonic_seconds();
        if (!connected())
            lost();
        pollfd events[3] = {
            {line.socket.get(), POLLIN, 0}, {cancel ? cancel->descriptor() : -1, POLLIN, 0}, {wake, POLLIN, 0}};
        if (::ssh_get_poll_flags(session) & SSH_WRITE_PENDING)
            events[0].events |= POLLOUT;
        int milliseconds = static_cast<int>(std::ceil(std::clamp(left, 0.0, kLongestSlice) * 1000));
        int ready = ::poll(events, 3, milliseconds);
        if (ready < 0 && errno != EINTR)
            lost(system_message(errno));
        if (ready > 0 && events[1].revents != 0)
            fail(Cause::cancelled, Message("{}: cancelled", described(host)));
        if (ready > 0 && events[0].revents != 0)
            return Woken::socket;
        if (ready > 0 && events[2].revents != 0)
            return Woken::wake;
        std::uint64_t packets_before = packets();
        look();
        if (packets() != packets_before)
            return Woken::socket;
        if (monotonic_seconds() >= end)
            return Woken::limit;
    }
}

int Link::repeat(const std::function<int()>& call, int again, double seconds, const Message& sentence) {
    double end = monotonic_seconds() + seconds;
    while (true) {
        double began = monotonic_seconds();
        int result = call();
        // A call that took long waited for the user (the agent), not for the server.
        if (heard_something() || monotonic_seconds() - began > kLongestSlice)
            heard_now();
        if (result != again)
            return result;
        double left = end - monotonic_seconds();
        if (left <= 0)
            fail(Cause::timed_out, sentence, "ssh -v " + host.alias);
        if (wait(left) == Woken::socket && monotonic_seconds() - last_heard_ > silence)
            look();  // bytes that never form a packet do not prove that the peer is alive
    }
}

void Link::shake_hands(double seconds) {
    int process_config = 0;
    unsigned int port = static_cast<unsigned int>(host.port);
    auto set = [this](ssh_options_e option, const void* value) {
        return ::ssh_options_set(session, option, value) == 0;
    };
    set(SSH_OPTIONS_PROCESS_CONFIG, &process_config);
    // Request the key types recorded for the host first; otherwise the key of a server with several keys seems to have
    // changed.
    std::string types;
    std::vector<std::string> order = known_hosts("ORDER").key_types(host.known_name());
    for (const char* type :
         {"ssh-ed25519", "ecdsa-sha2-nistp256", "ecdsa-sha2-nistp384", "ecdsa-sha2-nistp521", "ssh-rsa"})
        order.emplace_back(type);
    for (const std::string& type : order) {
        std::string names = type == "ssh-rsa" ? "rsa-sha2-512,rsa-sha2-256" : type;
        if (("," + types + ",").find("," + names + ",") == std::string::npos)
            types += (types.empty() ? "" : ",") + names;
    }
    auto choose = [&](ssh_options_e option, const std::string& value, const char* name) {
        if (!value.empty() && !set(option, value.c_str()))
            note(Message("{} '{}' of ssh_config is not followed: {}", name, value, ::ssh_get_error(session)));
    };
    set(SSH_OPTIONS_HOSTKEYS, types.c_str());
    int descriptor = ::fcntl(line.socket.get(), F_DUPFD_CLOEXEC, 3);  // libssh closes its descriptor at any time
    bool fine = descriptor >= 0;
    for (const std::filesystem::path& file : host.libssh_files)  // Host lines name the alias
        fine = fine && set(SSH_OPTIONS_HOST, host.alias.c_str()) &&
               ::ssh_options_parse_config(session, file.c_str()) == SSH_OK;
    fine = fine && set(SSH_OPTIONS_FD, &descriptor) && set(SSH_OPTIONS_HOST, host.host_name.c_str()) &&
           set(SSH_OPTIONS_PORT, &port) && set(SSH_OPTIONS_USER, host.user.c_str());
    const int delegate = 0;  // the host gets no tickets
    set(SSH_OPTIONS_GSSAPI_DELEGATE_CREDENTIALS, &delegate);
    if (!fine) {
        const Message why = descriptor < 0 ? system_message(errno) : Message::verbatim(::ssh_get_error(session));
        if (descriptor >= 0)
            ::close(descriptor);
        fail(Cause::bad_settings, Message("{}: these settings cannot be used: {}", described(host), why));
    }
    if (host.required_rsa_size && !set(SSH_OPTIONS_RSA_MIN_SIZE, &*host.required_rsa_size))
        fail(Cause::bad_settings, Message("{}: RequiredRSASize {} of ssh_config cannot be used: {}", described(host),
                                          *host.required_rsa_size, ::ssh_get_error(session)));
    choose(SSH_OPTIONS_HOSTKEYS, host.host_key_algorithms, "HostKeyAlgorithms");
    choose(SSH_OPTIONS_KEY_EXCHANGE, host.kex_algorithms, "KexAlgorithms");
    choose(SSH_OPTIONS_CIPHERS_C_S, host.ciphers, "Ciphers");
    choose(SSH_OPTIONS_CIPHERS_S_C, host.ciphers, "Ciphers");
    choose(SSH_OPTIONS_HMAC_C_S, host.macs, "MACs");
    choose(SSH_OPTIONS_HMAC_S_C, host.macs, "MACs");
    choose(SSH_OPTIONS_PUBLICKEY_ACCEPTED_TYPES, host.pubkey_algorithms, "PubkeyAcceptedAlgorithms");
    ::ssh_set_counters(session, &sockets_, &packets_);
    ::ssh_set_blocking(session, 0);

    const Message late(
        "{}: no answer from its SSH server within {}: the connection was accepted, but the SSH handshake did not "
        "finish in time",
        described(host), seconds_text(seconds));
    if (repeat([this] { return ::ssh_connect(session); }, SSH_AGAIN, seconds, late) != SSH_OK) {
        std::string why = ::ssh_get_error(session);
        const Message blame = line.carrier ? line.carrier->blame() : Message();
        note(Message("no key exchange: {}", why));
        if (!blame.empty())
            fail(Cause::connection_lost, Message("{}: the connection is lost: {}", described(host), blame),
                 "ssh -v " + host.alias);
        bool hung_up = why.find("Socket error") != std::string::npos || why.find("disconnected") != std::string::npos ||
                       why.find("Connection reset") != std::string::npos;
        const char* banner = ::ssh_get_serverbanner(session);
        if (hung_up && banner == nullptr)
            fail(Cause::not_ssh,
                 Message("{}: the connection was closed before an SSH banner was received: is the port right, and does "
                         "the server accept connections from this machine?",
                         described(host)),
                 "ssh -v " + host.alias);
        if (hung_up)
            fail(Cause::connection_lost,
                 Message("{}: the server closed the connection during the key exchange: {}", described(host), why),
                 "ssh -v " + host.alias);
        fail(Cause::not_ssh, Message("{}: the host did not answer as an SSH server: {}", described(host), why),
             "ssh -v " + host.alias);
    }
    if (const char* banner = ::ssh_get_serverbanner(session))
        note(Message("server: {}", banner));
    note(Message("key exchange: {}, {}", ::ssh_get_kex_algo(session), ::ssh_get_cipher_out(session)));
    check_host_key();
}

KnownHosts Link::known_hosts(const std::string& why) {
    constexpr double kLongest = 10;  // seconds
    std::vector<std::filesystem::path> files = host.user_known_hosts;
    files.insert(files.end(), host.global_known_hosts.begin(), host.global_known_hosts.end());
    KnownHosts known(files);
    if (host.known_hosts_command.empty())
        return known;
    const bool has_key = !key.blob.empty();
    auto expanded = [&](const std::string& word) {
        std::string text;
        for (std::size_t i = 0; i < word.size(); ++i) {
            const char token = word[i] == '%' && i + 1 < word.size() ? word[++i] : '\0';
            text += token == '\0'  ? std::string(1, word[i])
                    : token == 'I' ? why
                    : token == 'H' ? host.known_name()
                    : token == 't' ? (has_key ? key.type : "NONE")
                    : token == 'K' ? (has_key ? key.blob : "NONE")
                    : token == 'f' ? (has_key ? key.fingerprint() : "NONE")
                                   : std::string(1, token);
        }
        return text;
    };
    std::vector<std::string> argv;
    for (const std::string& word : host.known_hosts_command)
        argv.push_back(expanded(word));
    const ProgramResult result = run_program(argv, "", kLongest, cancel ? cancel->descriptor() : -1);
    if (cancel && cancel->is_set())
        fail(Cause::cancelled, Message("{}: cancelled", described(host)));
    if (!result.ok()) {
        const std::string said = text::printable(text::first_line(result.error), 200);
        Message how = result.timed_out    ? Message("did not end within {}", seconds_text(kLongest))
                      : result.status < 0 ? Message("cannot be started")
                                          : Message("ended with an error");
        if (!said.empty())
            how = Message("{}: {}", how, said);
        fail(Cause::bad_settings,
             Message("{}: the KnownHostsCommand '{}' of ssh_config {}, and without it host keys cannot be checked",
                     described(host), argv.front(), how),
             "ssh -v " + host.alias);
    }
    note(Message("KnownHostsCommand {} was asked for {}", argv.front(), why));
    known.add(result.output, "KnownHostsCommand " + argv.front());
    return known;
}

void Link::check_host_key() {
    ssh_key server_key = nullptr;
    if (::ssh_get_server_publickey(session, &server_key) != SSH_OK)
        fail(Cause::not_ssh, Message("{}: the server showed no host key", described(host)));
    key = host_key_of(server_key);
    ::ssh_key_free(server_key);
    if (key.blob.empty())
        fail(Cause::not_ssh, Message("{}: the server's host key cannot be read", described(host)));

    const Message shown("{} key {}", key.short_type(), key.fingerprint());
    note(Message("host key: {}", shown));
    RevokedAnswer revoked = look_up_revoked(host.revoked_host_keys, key, cancel != nullptr ? cancel->descriptor() : -1);
    if (!revoked.problem.empty())
        fail(Cause::bad_settings,
             Message("{}: RevokedHostKeys of ssh_config cannot be used, so no host key is accepted: {}: "
                     "repair or create the file, or remove the line from ssh_config",
                     described(host), revoked.problem),
             "ssh -v " + host.alias);
    KnownHostsAnswer answer = known_hosts("HOSTNAME").look_up(host.known_name(), key);
    if (revoked.line) {
        answer.state = KeyState::revoked;
        answer.lines = {*revoked.line};
    }
    if (answer.state == KeyState::known) {
        note(Message("host key is known: {}", answer.lines.front().place()));
        return;
    }
    HostKeyReport report{host.known_name(),
                         line.remote_address,
                         key,
                         answer.lines,
                         host.user_known_hosts.empty() ? std::filesystem::path() : host.user_known_hosts.front(),
                         host.hash_known_hosts};
    if (answer.state == KeyState::revoked)
        throw HostKeyRefused(
            Cause::host_key_revoked, host.alias,
            Message("{}: its host key is revoked in {} ({}): the key must not be trusted, so no connection is made",
                    described(host), answer.lines.front().place(), shown),
            report, "");
    if (answer.state == KeyState::changed) {
        const KnownLine& known = answer.lines.front();
        throw HostKeyRefused(
            Cause::host_key_changed, host.alias,
            Message("{}: THE HOST KEY HAS CHANGED. The server now shows the {}, but {} has {}. The host may have been "
                    "reinstalled, or an attacker may be intercepting the connection. Ask the administrator of the "
                    "host; if the new key is right, remove the old line",
                    described(host), shown, known.place(), known.key.fingerprint()),
            report, remove_key_command(host.known_name(), known.file));
    }
    if (std::find(accepted_once.begin(), accepted_once.end(), accepted_for_now(report)) != accepted_once.end()) {
        note("host key is accepted this time only");
        return;
    }
    const Message unknown =
        answer.lines.empty()
            ? Message(
                  "{}: its host key is not known yet: {}. Compare it with the fingerprint from the host's "
                  "administrator, then trust it.",
                  described(host), shown)
            : Message(
                  "{}: THE HOST SHOWS A KEY OF ANOTHER TYPE. {} has its {} key, which was requested, but the server "
                  "shows the {}. The old key may have been removed there, or an attacker may be intercepting the "
                  "connection. Ask the administrator of the host before you trust it.",
                  described(host), answer.lines.front().place(), answer.lines.front().key.short_type(), shown);
    const Message authority =
        answer.authority ? Message("A certificate authority is named for it, but host certificates are not supported.")
                         : Message();
    throw HostKeyRefused(Cause::host_key_unknown, host.alias, Message::joined({unknown, authority}, " "), report,
                         fmt::format("trainyard hosts trust {}", host.alias));
}

}  // namespace trainyard::remote
