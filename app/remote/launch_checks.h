#pragma once
// What only a host itself can tell about a launch: are its data, its disk, its worker, its versions as the run needs them? Asked through
// the helper (host_helper.h).

#include <map>
#include <string>
#include <vector>

#include "remote/remote_run.h"
#include "run/spec.h"

namespace trainyard::remote {

struct LaunchProblem {
    std::string check;  ///< of host_checks(): engine | data | disk | output | port | program | settings
    std::string text;   ///< one sentence with the mend, without the host
    bool operator==(const LaunchProblem&) const = default;
};

/// A host's part in a run.
struct HostPart {
    int ranks = 1;
    std::vector<int> ports;  ///< that must be free on it; 0: any
    bool operator==(const HostPart&) const = default;
};

/// The order: `spec` with all its machines; `run_dir` empty: a new folder under the host's runs root.
std::string check_order(const run::RunSpec& spec, const std::string& run_dir, const HostPart& part);
/// On the host. Throws InvalidInput for an order that cannot be read.
std::string answer_check_order(const std::string& order);
/// Throws UserError when it is no answer.
std::vector<LaunchProblem> parse_check_answer(const std::string& answer);
/// What the host has found besides, by check: state, text, mend and command (host_steps() in preflight.h).
std::vector<CheckResult> parse_check_findings(const std::string& answer);

}  // namespace trainyard::remote
