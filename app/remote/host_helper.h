// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One program per host that answers, over one channel, what a launch wants to know before it starts: `trainyard probe --launch`. A line of
// JSON is a question, a line of JSON the answer; it ends when its input does.
//
//   {"order": {...} or null}  ->  {"problems": [...], "time": 1700000000.5, "target": {...}}   launch_checks.h; from now on it listens
//   [targets]                 ->  [reaches]                                                       reach.h

#include <memory>
#include <string>
#include <vector>

#include "launch/supervisor/connection_test.h"
#include "remote/host_shell.h"
#include "remote/launch_checks.h"

namespace trainyard::remote {

using launch::ConnectionTarget;
using launch::ConnectionTest;

/// On the host: serves standard input until it ends. Returns an exit code.
int serve_helper();

/// The other end.
class HostHelper {
  public:
    /// `command`: `trainyard` on the host with its environment; the rest of its argv is added.
    HostHelper(HostShell& shell, RemoteCommand command, std::string host, double seconds = 20);

    /// `order`: check_order(), or empty.
    CheckAnswer check(const std::string& order);
    std::vector<ConnectionTest> reach(const std::vector<ConnectionTarget>& targets);

  private:
    std::string ask(const std::string& line);
    std::string host_;
    double seconds_;
    std::unique_ptr<ByteLink> link_;
    std::string said_;
};

/// All pairs of hosts whose helpers have told their targets.
std::vector<ConnectionTest> reach_matrix(const std::vector<HostHelper*>& helpers,
                                         const std::vector<ConnectionTarget>& targets);

}  // namespace trainyard::remote
