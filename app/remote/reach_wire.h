#pragma once
// What the hosts of a reachability matrix are told and answer, as JSON lines of `trainyard probe --listen` and `--reach`.

#include <string>
#include <utility>
#include <vector>

#include "remote/probe.h"

namespace trainyard::remote {

/// A host that listens for seconds: where, and how it is known again.
struct ReachTarget {
    std::string host;
    std::string token;  ///< 32 hexadecimal digits; the second half is the answer to the first
    std::vector<std::pair<std::string, int>> addresses;  ///< and ports
};

std::string to_json(const ReachTarget& target);
ReachTarget parse_reach_target(const std::string& json);
std::string to_json(const std::vector<ReachTarget>& targets);
std::vector<ReachTarget> parse_reach_targets(const std::string& json);
std::string to_json(const std::vector<Reach>& answers);
std::vector<Reach> parse_reaches(const std::string& json);

/// Tries all at once, at most 3 s.
std::vector<Reach> try_targets(const std::vector<ReachTarget>& targets);

}  // namespace trainyard::remote
