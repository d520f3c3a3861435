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
    std::string mixed_precision = "no";  ///< ACCELERATE_MIXED_PRECISION
    bool cpu = false;                    ///< ACCELERATE_USE_CPU
    int port = 0;                        ///< on which the ranks meet; 0: a free one
    double time_limit_s = 0;             ///< then the ranks are ended and RankFailed is thrown; 0: none
    double grace_s = 2;                  ///< that the others have to end after the first failure
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

/// What each rank's function returned. One rank runs in this process, as in a notebook. Throws RankFailed; UserError when ranks cannot be
/// had: this process is a rank of something already, has threads, or has no room. No rank is left in any case.
std::vector<std::string> launch_function(int ranks, const std::function<std::string(int rank)>& function,
                                         const FunctionOptions& options = {});

/// Ranks on the CPU whatever the machine has, to try a function out.
std::vector<std::string> debug_launch(const std::function<std::string(int rank)>& function, int ranks = 2);

}  // namespace trainyard::launch
