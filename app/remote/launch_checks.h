// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Launch checks that only the host itself can perform: whether data, disk, worker and versions match the run. Requested
// through the helper (host_helper.h).

#include <map>
#include <string>
#include <vector>

#include "launch/supervisor/connection_test.h"
#include "remote/remote_run.h"
#include "run/spec.h"

namespace trainyard::remote {

struct LaunchProblem {
    std::string check =
        "settings";  ///< of host_checks(): engine | data | formats | disk | output | port | program | settings
    Message text;    ///< one sentence with the remedy, without the host
    bool operator==(const LaunchProblem&) const = default;

    void fields(auto& field) const {
        field("check", check).label();
        field("text", text).lines();
    }
};

/// The reply of a host to a check order.
struct CheckAnswer {
    std::vector<LaunchProblem> problems;
    std::vector<CheckResult> found;  ///< one for each of host_steps() in preflight.h
    double time = 0;                 ///< wall clock of the host, seconds since 1970
    launch::ConnectionTarget target;

    void fields(auto& field) const {
        field("problems", problems).at_most(1000);
        field("found", found).at_most(1000);
        field("time", time)("target", target);
    }
};

/// The part of a host in a run.
struct HostPart {
    int ranks = 1;
    std::vector<int> ports;  ///< ports that must be free on the host; 0: any
    bool operator==(const HostPart&) const = default;
};

/// Builds the order. `spec` lists all machines; an empty `run_dir` means a new folder under the host's runs root.
std::string check_order(const run::RunSpec& spec, const std::string& run_dir, const HostPart& part);
/// Runs the checks of an order on the host. Returns problems and findings; the caller does the rest. Throws UserError
/// for an invalid order.
CheckAnswer answer_check_order(const std::string& order);
std::string to_json(const CheckAnswer& answer);
/// Throws UserError for an invalid answer.
CheckAnswer parse_check_answer(const std::string& answer);

}  // namespace trainyard::remote
