// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Whether the folder of a run is still the one that the run began with, and a new one where it was lost. A folder that
// was deleted, moved or taken by another run differs from a file system that does not answer for a while: the
// folder is held open, and what the kernel reports of it counts, not a failure to write.

#include <cstdint>
#include <utility>

#include "base/file_descriptor.h"
#include "base/message.h"
#include "run/paths.h"
#include "run/spec.h"

namespace trainyard::launch {

class RunFolderWatch {
  public:
    explicit RunFolderWatch(run::RunPaths paths) : paths_(std::move(paths)) {}

    /// From now on, for the folder as it is now.
    void begin();

    enum class State { there, deleted, moved, taken };
    struct Look {
        State state = State::there;
        Message sentence;  ///< "the run's folder /x was deleted while it ran"; empty: it is there
    };
    /// Cheap: a few system calls. `there` where it cannot be known, and after abandon().
    Look look() const;

    /// Makes the folder of a run again, after `problem`, and watches it. Throws UserError.
    void make_again(const Message& problem, const run::RunSpec& spec, int generation);
    /// Nothing is written into the folder from now on.
    void abandon(const Message& problem);

    bool was_lost() const { return !problem_.empty(); }
    /// How a run ended whose folder was lost. `step`: its last one.
    Message sentence(bool is_program, std::int64_t step) const;

  private:
    run::RunPaths paths_;
    FileDescriptor folder_;
    bool is_ours_ = true;
    Message problem_;
};

}  // namespace trainyard::launch
