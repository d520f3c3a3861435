// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a RemoteLauncher knows of one host. For its own .cpp files.

#include <algorithm>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "base/environment_names.h"
#include "remote/host_helper.h"
#include "remote/host_shell.h"
#include "remote/host_store.h"
#include "remote/remote_run.h"

namespace trainyard::remote {

struct RemoteLauncher::Host {
    HostShare share;
    StoredHost stored;
    bool local = false;
    std::shared_ptr<Cancel> cancel = std::make_shared<Cancel>();  ///< of its connection
    bool copying = false;  ///< the engine: a cancel lets the copy end, so that it can be taken away again
    std::unique_ptr<HostShell> shell;
    std::optional<HostFacts> facts;
    std::string program;  ///< empty: the engine is not there
    std::unique_ptr<HostHelper> helper;
    ConnectionTarget target;
    std::string address;
    std::vector<CheckResult> results;
    int agent_pid = 0;
    std::vector<Message> start_problems;

    bool failed() const {
        return std::ranges::any_of(results,
                                   [](const CheckResult& one) { return one.state == CheckResult::State::failed; });
    }
    /// What its commands are given: the host's folder for runs and what the user set for it.
    RemoteCommand command(std::vector<std::string> argv) const {
        RemoteCommand all{std::move(argv), stored.environment, {}};
        if (!stored.runs_folder.empty())
            all.environment[kEnvRuns] = stored.runs_folder;
        return all;
    }
};

}  // namespace trainyard::remote
