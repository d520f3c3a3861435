#pragma once
// What only a host itself can tell about a launch: are its data, its disk, its worker, its versions as the run needs them? Asked through
// the helper (host_helper.h).

#include <map>
#include <string>
#include <vector>

#include "launch/supervisor/reach.h"
#include "remote/remote_run.h"
#include "run/spec.h"

namespace trainyard::remote {

struct LaunchProblem {
    std::string check = "settings";  ///< of host_checks(): engine | data | disk | output | port | program | settings
    Message text;                    ///< one sentence with what to do, without the host
    bool operator==(const LaunchProblem&) const = default;

    void fields(auto& field) const {
        field("check", check).label();
        field("text", text).lines();
    }
};

/// The answer of a host to the questions about a launch.
struct CheckAnswer {
    std::vector<LaunchProblem> problems;
    std::vector<CheckResult> found;  ///< one for each of host_steps() in preflight.h
    double time = 0;                 ///< wall seconds of the host
    launch::ReachTarget target;

    void fields(auto& field) const {
        field("problems", problems).at_most(1000);
        field("found", found).at_most(1000);
        field("time", time)("target", target);
    }
};

/// A host's part in a run.
struct HostPart {
    int ranks = 1;
    std::vector<int> ports;  ///< that must be free on it; 0: any
    bool operator==(const HostPart&) const = default;
};

/// The order: `spec` with all its machines; `run_dir` empty: a new folder under the host's runs root.
std::string check_order(const run::RunSpec& spec, const std::string& run_dir, const HostPart& part);
/// On the host. Problems and findings; the rest is the caller's. Throws UserError for an order that cannot be read.
CheckAnswer answer_check_order(const std::string& order);
std::string to_json(const CheckAnswer& answer);
/// Throws UserError when it is no answer.
CheckAnswer parse_check_answer(const std::string& answer);

}  // namespace trainyard::remote
