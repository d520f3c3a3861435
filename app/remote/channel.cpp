// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <cmath>

#include "base/clock.h"
#include "base/error.h"
#include "remote/channel_state.h"

namespace trainyard::remote {

namespace {

constexpr std::size_t kChunk = 1u << 16;      // bytes a read takes at most
constexpr std::size_t kMostKept = 64u << 20;  // bytes of output that exec() and a writing channel keep

void take_signal(ssh_session, ssh_channel, const char* name, int, const char*, const char*, void* state) {
    static_cast<ExitState*>(state)->signal = name;
}

void take_status(ssh_session, ssh_channel, int status, void* state) {
    static_cast<ExitState*>(state)->status = status;
}

}  // namespace

ChannelState::ChannelState(Link& link_used, ssh_channel opened) : link(link_used), channel(opened) {
    ssh_callbacks_init(&callbacks);
    callbacks.userdata = &exit;
    callbacks.channel_exit_status_function = take_status;
    callbacks.channel_exit_signal_function = take_signal;
    ::ssh_set_channel_callbacks(channel, &callbacks);
}

ChannelState::~ChannelState() {
    if (!link.connected())
        return;  // libssh frees the channels of a connection that has ended
    ::ssh_remove_channel_callbacks(channel, &callbacks);
    ::ssh_channel_free(channel);  // closes it
}

Channel ChannelState::open(Link& link) {
    if (!link.connected())
        link.lost();
    ssh_channel channel = ::ssh_channel_new(link.session);
    if (channel == nullptr)
        throw std::bad_alloc();
    auto state = std::make_unique<ChannelState>(link, channel);
    int result = link.repeat(
        [channel] { return ::ssh_channel_open_session(channel); }, SSH_AGAIN, kOpenWithin,
        Message("{}: the server did not open a channel within {}", described(link.host), seconds_text(kOpenWithin)));
    if (result != SSH_OK) {
        if (!link.connected())
            link.lost();
        link.fail(Cause::no_shell, Message("{}: the server lets no command run: {}: are there too many "
                                           "sessions over one connection (MaxSessions)?",
                                           described(link.host), ::ssh_get_error(link.session)));
    }
    return Channel(std::move(state));
}

void ChannelState::request(Channel& of, const std::string& what, const std::string& text) {
    ChannelState& state = *of.state_;
    Link& link = state.link;
    auto ask = [&] {
        return what == "exec" ? ::ssh_channel_request_exec(state.channel, text.c_str())
                              : ::ssh_channel_request_subsystem(state.channel, text.c_str());
    };
    int result = link.repeat(
        ask, SSH_AGAIN, kOpenWithin,
        Message("{}: the server did not start a command within {}", described(link.host), seconds_text(kOpenWithin)));
    if (result == SSH_OK)
        return;
    if (!link.connected())
        link.lost();
    if (what == "subsystem")
        link.fail(Cause::remote_file,
                  Message("{}: its SSH server offers no file transfer: sshd_config needs 'Subsystem sftp "
                          "internal-sftp'",
                          described(link.host)),
                  "sftp " + link.host.alias);
    link.fail(Cause::no_shell,
              Message("{}: the server refuses to run commands for '{}'", described(link.host), link.host.user));
}

void ChannelState::take_in() {
    // Looking at one stream may bring packets of the other one.
    std::uint64_t packets_before;
    do {
        packets_before = link.packets();
        for (int stream = 0; stream < 2; ++stream) {
            std::string& to = stream == 0 ? output : error;
            for (int size = 1; size > 0 && to.size() < kMostKept;) {
                std::size_t before = to.size();
                to.resize(before + kChunk);
                size = ::ssh_channel_read_nonblocking(channel, to.data() + before, kChunk, stream);
                to.resize(before + static_cast<std::size_t>(std::max(size, 0)));
            }
        }
    } while (link.packets() != packets_before);
}

void ChannelState::look_for_end() {
    // The exit status comes before the channel is closed; end of file alone may come before it.
    if (::ssh_channel_is_closed(channel) == 0)
        return;
    take_in();
    done = true;
}

Channel::Channel(std::unique_ptr<ChannelState> state) : state_(std::move(state)) {}
Channel::Channel(Channel&&) noexcept = default;
Channel& Channel::operator=(Channel&&) noexcept = default;
Channel::~Channel() = default;

Channel::Chunk Channel::read(double seconds, int wake) {
    ChannelState& state = *state_;
    double end = seconds < 0 ? HUGE_VAL : monotonic_seconds() + seconds;
    while (true) {
        if (!state.done && state.link.connected()) {
            state.link.look();
            state.take_in();
            state.look_for_end();
        }
        for (std::string* stream : {&state.output, &state.error})
            if (!stream->empty()) {
                Chunk chunk{std::move(*stream), stream == &state.error};
                stream->clear();
                return chunk;
            }
        if (state.done)
            return {};
        if (!state.link.connected())
            state.link.lost();
        double left = end - monotonic_seconds();
        if (left <= 0 || state.link.wait(seconds < 0 ? -1 : left, wake) != Link::Woken::socket) {
            state.link.look();
            state.take_in();
            state.look_for_end();
            if (state.output.empty() && state.error.empty())
                return {};
        }
    }
}

bool Channel::ended() const {
    return state_->done && state_->output.empty() && state_->error.empty();
}

const ExitState& Channel::exit() const {
    return state_->exit;
}

void Channel::write(std::string_view bytes) {
    ChannelState& state = *state_;
    while (!bytes.empty()) {
        if (!state.link.connected())
            state.link.lost();
        int size = ::ssh_channel_write(state.channel, bytes.data(),
                                       static_cast<std::uint32_t>(std::min<std::size_t>(bytes.size(), kChunk)));
        if (size < 0) {
            if (!state.link.connected())
                state.link.lost(Message::verbatim(::ssh_get_error(state.link.session)));
            return;  // the command has ended: its exit status says more than we could
        }
        bytes.remove_prefix(static_cast<std::size_t>(size));
        state.take_in();
        if (::ssh_channel_is_closed(state.channel) != 0)
            return;
        if (size == 0 && ::ssh_channel_window_size(state.channel) == 0) {
            state.link.wait(-1);
            state.link.look();
        }
    }
}

void Channel::close_input() {
    if (state_->link.connected() && ::ssh_channel_is_open(state_->channel) != 0)
        ::ssh_channel_send_eof(state_->channel);
}

void Channel::signal(const std::string& name) {
    if (state_->link.connected() && ::ssh_channel_is_open(state_->channel) != 0)
        ::ssh_channel_request_send_signal(state_->channel, name.c_str());
}

ExecResult ChannelState::read_all(Channel& of, double seconds) {
    ExecResult result;
    double end = seconds < 0 ? HUGE_VAL : monotonic_seconds() + seconds;
    while (!of.ended()) {
        double left = seconds < 0 ? -1 : std::max(0.0, end - monotonic_seconds());
        Channel::Chunk chunk = of.read(left);
        (chunk.error ? result.error : result.output) += chunk.bytes;
        if (result.output.size() + result.error.size() > kMostKept)
            link_of(of).fail(Cause::remote_file,
                             Message("{}: a command printed more than 64 MB", described(link_of(of).host)));
        if (chunk.bytes.empty() && !of.ended() && monotonic_seconds() >= end)
            link_of(of).fail(Cause::timed_out, Message("{}: a command did not end within {}",
                                                       described(link_of(of).host), seconds_text(seconds)));
    }
    result.exit = of.exit();
    return result;
}

}  // namespace trainyard::remote
