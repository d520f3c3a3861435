#pragma once
// Resuming on machines that do not share a disk: rank 0 has the checkpoint, other machines may not. Rank 0 decides what is resumed from, and
// machines without these very files get them from it through the ranks' own network, into a folder beside their logs that is removed
// again once they are loaded.

#include <filesystem>
#include <string>

#include "parallel/communicator.h"

namespace trainyard::worker {

/// Where this rank finds the checkpoint that rank 0 resumes from. Collective. The copy, if one was needed, goes with the object.
class SharedCheckpoint {
  public:
    /// `resume_from` is rank 0's: a checkpoint, or a folder whose newest whole one counts; empty: nothing is resumed. `copies` is a folder of
    /// this machine; its rank with `local_rank` 0 writes there. Throws UserError on all ranks alike.
    SharedCheckpoint(parallel::Communicator& everyone, const std::string& resume_from,
                     const std::filesystem::path& copies, int local_rank);
    ~SharedCheckpoint();
    SharedCheckpoint(const SharedCheckpoint&) = delete;
    SharedCheckpoint& operator=(const SharedCheckpoint&) = delete;

    const std::string& folder() const { return folder_; }  ///< empty: nothing is resumed

  private:
    std::string folder_;
    std::filesystem::path copy_;  ///< to be removed; empty: none, or another rank's
};

}  // namespace trainyard::worker
