// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Starting on machines that do not share a disk: rank 0 has the checkpoint that is resumed from, or the weights to start from, other machines
// may not. Rank 0 decides which, and machines without these very files get them from it through the ranks' own network, into a folder
// beside their logs that is removed again once they are loaded.

#include <filesystem>
#include <string>
#include <vector>

#include "base/message.h"
#include "distributed/parallel/communicator.h"

namespace trainyard::worker {

/// Where this rank finds what rank 0 starts from. Collective. The copy, if one was needed, goes with the object.
class SharedCheckpoint {
  public:
    /// Of rank 0: `resume_from` is a checkpoint of ours or Accelerate's, or a folder whose newest whole one counts; `weights` a file or a
    /// folder of a model, which is started from where nothing is resumed. Both may be empty. `copies` is a folder of this machine; its rank
    /// with `local_rank` 0 writes there. Throws UserError on all ranks alike.
    SharedCheckpoint(parallel::Communicator& everyone, const std::string& resume_from, const std::string& weights,
                     const std::filesystem::path& copies, int local_rank);
    ~SharedCheckpoint();
    SharedCheckpoint(const SharedCheckpoint&) = delete;
    SharedCheckpoint& operator=(const SharedCheckpoint&) = delete;

    /// Collective: every rank has loaded what it needs. The copies go; before that a machine's first rank would take it from the others.
    void loaded(parallel::Communicator& everyone);

    /// Rank 0: a sentence for every checkpoint that was passed over, and one on the steps that are lost by it.
    const std::vector<Message>& notes() const { return notes_; }
    const std::string& resume_from() const { return resume_from_; }  ///< empty: nothing is resumed
    const std::string& weights() const { return weights_; }          ///< empty: not started from any

  private:
    std::string resume_from_, weights_;
    std::vector<Message> notes_;
    bool copied_ = false;         ///< on any machine
    std::filesystem::path copy_;  ///< to be removed; empty: none, or another rank's
};

}  // namespace trainyard::worker
