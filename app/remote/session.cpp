// SPDX-License-Identifier: GPL-3.0-or-later
#include "remote/session.h"

#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/error.h"
#include "remote/channel_state.h"
#include "remote/host_store.h"
#include "remote/link.h"
#include "remote/sftp_client.h"

namespace trainyard::remote {

namespace {

constexpr int kMostJumps = 8;
constexpr std::string_view kShellMark = "trainyard-shell-facts";

/// The hosts on the way, the host itself last. As OpenSSH: a jump's own ProxyJump counts for the first one only.
std::vector<HostSettings> hops_of(const HostSettings& host, const SshConfig& config) {
    std::vector<HostSettings> hops{host};
    std::vector<Jump> jumps = host.jumps;
    while (!jumps.empty()) {
        std::vector<HostSettings> before;
        for (const Jump& jump : jumps) {
            HostSettings settings = config.resolve(jump.host);
            if (!jump.user.empty())
                settings.user = jump.user;
            if (jump.port != 0)
                settings.port = jump.port;
            before.push_back(std::move(settings));
        }
        hops.insert(hops.begin(), before.begin(), before.end());
        if (hops.size() > kMostJumps)
            throw ConnectionError(
                Cause::bad_settings, host.alias,
                Message("{}: more than {} jump hosts are on the way: does a ProxyJump of ssh_config lead "
                        "back to itself?",
                        host.alias, kMostJumps - 1));
        jumps = hops.front().jumps;
    }
    return hops;
}

}  // namespace

Message ExitState::text() const {
    if (!signal.empty())
        return Message("ended by signal {}", signal);
    return status < 0 ? Message("ended without an exit status") : Message("exit status {}", status);
}

Session::Session(std::unique_ptr<Link> link) : link_(std::move(link)) {}
Session::Session(Session&&) noexcept = default;
Session& Session::operator=(Session&&) noexcept = default;
Session::~Session() = default;

Session Session::connect(const HostSettings& host, const SshConfig& config, const ConnectOptions& options) {
    std::vector<Message> transcript = host.notes;
    std::unique_ptr<Link> link;
    try {
        std::vector<HostSettings> hops = hops_of(host, config);
        for (std::size_t i = 0; i < hops.size(); ++i) {
            const HostSettings& hop = hops[i];
            double seconds = std::min(options.timeout, hop.connect_timeout.value_or(HUGE_VAL)),
                   begin = monotonic_seconds();
            transcript.push_back(Message("host {}: {}", hop.alias, hop.target()));
            Line line;
            if (i == 0) {
                line = dial(hop, seconds, options.cancel.get(), transcript);
            } else {
                transcript.push_back(Message("jump from {} to {} port {}", link->host.alias, hop.host_name, hop.port));
                line = dial_through(std::move(link), hop, seconds);
            }
            link = std::make_unique<Link>(hop, options, std::move(line), transcript);
            try {
                link->shake_hands(std::max(1.0, seconds - (monotonic_seconds() - begin)));
                authenticate(*link, options.asker, options.use_key_ring);
            } catch (...) {
                transcript = link->transcript;
                throw;
            }
            transcript = link->transcript;
        }
    } catch (HostKeyRefused& error) {
        error.set_transcript(transcript);
        throw;
    } catch (ConnectionError& error) {
        transcript.push_back(error.message());
        error.set_transcript(transcript);
        throw;
    }
    return Session(std::move(link));
}

Session Session::connect(const std::string& name, const ConnectOptions& options) {
    SshConfig config;
    return connect(settings_for(name, HostStore::load(), config), config, options);
}

const HostSettings& Session::host() const {
    return link_->host;
}
const HostKey& Session::host_key() const {
    return link_->key;
}
const Message& Session::authenticated_by() const {
    return link_->authenticated_by;
}
const std::string& Session::local_address() const {
    return link_->line.local_address;
}
const std::string& Session::remote_address() const {
    return link_->line.remote_address;
}
const std::vector<Message>& Session::transcript() const {
    return link_->transcript;
}
int Session::descriptor() const {
    return link_->line.socket.get();
}
void Session::close() {
    link_->close();
}

void Session::set_cancel(std::shared_ptr<Cancel> cancel) {
    link_->cancel = std::move(cancel);
}
bool Session::alive() {
    try {
        link_->look();
        return true;
    } catch (const ConnectionError&) {
        return false;
    }
}

const ShellFacts& Session::shell() {
    if (link_->shell)
        return *link_->shell;
    // Every shell understands this line, and the mark tells our words from those of start-up files.
    RemoteCommand command{
        {"/bin/sh", "-c", "printf '%s\\n' " + std::string(kShellMark) + " \"$SHELL\" \"$HOME\""}, {}, ""};
    Channel channel = ChannelState::open(*link_);
    ChannelState::request(channel, "exec", any_shell_command_line(command));
    channel.close_input();
    ExecResult result = ChannelState::read_all(channel, kOpenWithin);
    std::string where = described(link_->host), try_this = "ssh " + link_->host.alias + " /bin/true";
    std::size_t mark = result.output.find(kShellMark);
    auto first_line = [](const std::string& text) {
        std::size_t begin = text.find_first_not_of(" \t\r\n");
        return begin == std::string::npos
                   ? ""
                   : text.substr(begin, std::min(text.find_first_of("\r\n", begin) - begin, std::size_t{200}));
    };
    if (mark == std::string::npos) {
        std::string said = first_line(result.error.empty() ? result.output : result.error);
        const Message why = said.find("restricted") != std::string::npos
                                ? Message("its restricted shell lets no commands run")
                                : Message("runs no commands ({})", result.exit.text());
        link_->note(Message("no command can be run: {}", said));
        link_->fail(Cause::no_shell,
                    Message("{}: the account '{}' can log in, but {}: it needs a login shell, without a "
                            "forced command",
                            where, link_->host.user, said.empty() ? why : Message("{}: \"{}\"", why, said)),
                    try_this);
    }
    std::string before = first_line(result.output.substr(0, mark));
    if (!before.empty())
        link_->fail(Cause::shell_prints,
                    Message("{}: start-up files of the login shell print text (\"{}\") before commands run, "
                            "which garbles what programs say to each other: let ~/.bashrc (or what prints "
                            "it) do so in interactive shells only",
                            where, before),
                    try_this);
    ShellFacts facts;
    std::string rest = result.output.substr(mark + kShellMark.size() + 1);
    std::size_t end = std::min(rest.find('\n'), rest.size());
    facts.path = rest.substr(0, end);
    facts.home = rest.substr(std::min(end + 1, rest.size()));
    facts.home.erase(std::min(facts.home.find('\n'), facts.home.size()));
    facts.path = HostText(facts.path, HostText::kMessage);
    facts.home = HostText(facts.home, HostText::kMessage);
    facts.posix = is_posix_shell(facts.path);
    link_->note(facts.posix ? Message("login shell: {}", facts.path)
                            : Message("login shell: {} (not a POSIX shell: commands go through /bin/sh)", facts.path));
    link_->shell = std::move(facts);
    return *link_->shell;
}

Channel Session::open(const RemoteCommand& command) {
    bool posix = shell().posix;
    std::string line = posix ? posix_command_line(command) : any_shell_command_line(command);
    Channel channel = ChannelState::open(*link_);
    ChannelState::request(channel, "exec", line);
    return channel;
}

ExecResult Session::exec(const RemoteCommand& command, std::string_view input, double seconds) {
    Channel channel = open(command);
    if (!input.empty())
        channel.write(input);
    channel.close_input();
    return ChannelState::read_all(channel, seconds);
}

Sftp Session::sftp() {
    Channel channel = ChannelState::open(*link_);
    ChannelState::request(channel, "subsystem", "sftp");
    return Sftp(std::make_unique<SftpClient>(*link_, std::move(channel)));
}

}  // namespace trainyard::remote
