// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The processes of trainyard generate --num_processes: a pipeline stage of the model each. The first one answers (answer_prompts.h); the others are this program
// again, get what the first one reads from it, and end with it.

#include <memory>
#include <string>
#include <vector>

#include <sys/types.h>

#include "base/message.h"
#include "distributed/parallel/communicator.h"
#include "distributed/tensors/tree.h"

namespace trainyard::worker {

inline constexpr const char* kStageMode = "generate-stage";
inline constexpr int kMostStages = 64;

class StageRanks {
  public:
    /// The first process: starts the others. Throws UserError if they cannot be started. If one of them ends
    /// unexpectedly, this process reports it and ends, too.
    explicit StageRanks(int count);
    /// One of the others, by its arguments: number, count, port.
    StageRanks(int argc, char** argv);
    ~StageRanks();
    StageRanks(const StageRanks&) = delete;
    StageRanks& operator=(const StageRanks&) = delete;

    parallel::Communicator& ranks() { return *ranks_; }
    bool is_first() const { return ranks_->rank() == 0; }
    /// Collective: what the first one says. Of the others the argument does not count.
    std::string said(const std::string& text);
    /// Collective: the first problem of a rank; empty: none has any.
    Message problem_of_any(const Message& own);
    /// Collective: returns whether the first process continues.
    bool goes_on(bool own);

  private:
    void connect(int rank, int count, int port, int store);

    std::vector<pid_t> others_;
    std::unique_ptr<parallel::World> world_;
    std::shared_ptr<parallel::Communicator> ranks_;
};

}  // namespace trainyard::worker
