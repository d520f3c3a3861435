// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Inside of a Channel. Inside app/remote only.

#include <string>

#include <libssh/callbacks.h>

#include "remote/link.h"

namespace trainyard::remote {

constexpr double kOpenWithin = 8;  ///< seconds for a channel

struct ChannelState {
    ChannelState(Link& link_used, ssh_channel opened);
    ~ChannelState();
    ChannelState(const ChannelState&) = delete;
    ChannelState& operator=(const ChannelState&) = delete;

    static Channel open(Link& link);
    /// `exec` a command line, or a `subsystem`.
    static void request(Channel& of, const std::string& what, const std::string& text);
    /// Both streams to the end. Throws ConnectionError(timed_out) after `seconds` (negative: no limit).
    static ExecResult read_all(Channel& of, double seconds);
    static Link& link_of(Channel& of) { return of.state_->link; }

    /// Moves what libssh has into `output` and `error`.
    void take_in();
    void look_for_end();

    Link& link;
    ssh_channel channel;
    std::string output, error;
    ExitState exit;
    bool done = false;  ///< nothing more will come
    ssh_channel_callbacks_struct callbacks{};
};

}  // namespace trainyard::remote
