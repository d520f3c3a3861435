// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a program, usually a peer's script, and returns its output.

#include <string>
#include <vector>

#include "base/file_descriptor.h"

namespace trainyard::bench {

/// Standard output of a program that is started without a shell, with `variables` (`NAME=value`) added to the
/// environment. Throws std::runtime_error if it cannot be started or if its exit status is not 0.
std::string output_of(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});

/// A peer's script that stays: it answers each line with a line. So its start, which loads torch for seconds, is paid
/// once.
class PeerServer {
  public:
    /// Throws std::runtime_error if it cannot be started.
    PeerServer(const std::vector<std::string>& words, const std::vector<std::string>& variables = {});
    ~PeerServer();
    PeerServer(const PeerServer&) = delete;
    PeerServer& operator=(const PeerServer&) = delete;
    /// Throws std::runtime_error if it ends without an answer; its standard error says why.
    std::string ask(const std::string& line);

  private:
    std::string name_;
    FileDescriptor to_, from_;
    int child_ = -1;
    std::string read_;
};

}  // namespace trainyard::bench
