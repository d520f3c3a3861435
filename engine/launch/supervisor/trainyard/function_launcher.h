// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs a function of this program on several ranks: what notebook_launcher and debug_launcher are in Accelerate. Each rank is a fork of
// this process with torchrun's variables, a store on a loopback port that nobody else can take, and no need of a script or a run folder.
//
//     auto losses = launch::launch_function(2, [](int) {
//         accelerator::Accelerator accelerator;
//         ...
//         return std::to_string(loss);
//     });
//
// To be called before this process computes: a fork has one thread only, and locks that another one held stay locked for ever.

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "base/error.h"

namespace trainyard::launch {

/// Options of launch_function.
struct FunctionOptions {
    std::string mixed_precision = "no";     ///< ACCELERATE_MIXED_PRECISION
    bool cpu = false;                       ///< ACCELERATE_USE_CPU
    int port = 0;                           ///< on which the ranks, or the nodes, meet; 0: a free one, for one node
    int num_nodes = 1;                      ///< machines that run this program, each with its node_rank
    int node_rank = 0;                      ///< of this machine, from 0
    std::string master_addr = "127.0.0.1";  ///< address of the machine with node_rank 0
    int max_restarts = 0;                   ///< attempts after the first, of all ranks of all nodes
    double monitor_interval_s = 0.1;        ///< between two looks at the ranks
    double time_limit_s = 0;                ///< then the ranks are ended and RankFailed is thrown; 0: none
    double grace_s = 2;                     ///< that the others have to end after the first failure
    std::map<std::string, std::string> environment = {};  ///< on top
};

/// The first rank that failed, and the text of its exception (or how it ended).
class RankFailed : public UserError {
  public:
    /// `rank` failed with the message `text`.
    RankFailed(int rank, const Message& text);
    /// Returns the rank that failed.
    int rank() const { return rank_; }

  private:
    int rank_;
};

/// What the function returned for each rank of this node; `ranks`: of this node, others may have other numbers. The
/// settings file is not read. Says on standard error how many ranks it starts. One rank without other nodes runs in this process, as in a notebook. Throws RankFailed; UserError when ranks cannot be
/// had: this process is a rank of something already, has threads, or has no room. No rank is left in any case.
std::vector<std::string> launch_function(int ranks, const std::function<std::string(int rank)>& function,
                                         const FunctionOptions& options = {});

/// Ranks on the CPU whatever the machine has, to try a function out.
std::vector<std::string> debug_launch(const std::function<std::string(int rank)>& function, int ranks = 2);

}  // namespace trainyard::launch
