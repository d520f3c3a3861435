#pragma once
// Who reaches whom: what the hosts tell each other and us, as lines of JSON of the helper (host_helper.h).

#include <string>
#include <thread>
#include <utility>
#include <vector>

#include "base/file.h"
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

/// Open ports on every address of this machine but loopback (on loopback where there is no other), until the object goes. Whoever sends the
/// first half of the token is told the second one.
class ReachListener {
  public:
    ReachListener();
    ~ReachListener();
    ReachListener(const ReachListener&) = delete;
    ReachListener& operator=(const ReachListener&) = delete;
    const ReachTarget& target() const { return self_; }

  private:
    void serve();
    ReachTarget self_;
    std::vector<FileDescriptor> listeners_;
    FileDescriptor stop_, stopper_;
    std::thread thread_;
};

/// Tries all at once, at most 3 s.
std::vector<Reach> try_targets(const std::vector<ReachTarget>& targets);

}  // namespace trainyard::remote
