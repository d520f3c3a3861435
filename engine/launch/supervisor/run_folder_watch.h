#pragma once
// Is the folder of a run still the one that the run began with? Deleted, moved and taken by another run are told from a file system that does
// not answer for a while: the folder is held open, and what the kernel says of it counts, not a failure to write.

#include <string>

#include "base/file_descriptor.h"
#include "base/message.h"
#include "run/paths.h"

namespace trainyard::launch {

class RunFolderWatch {
  public:
    /// From now on, for the folder as it is now.
    void begin(const run::RunPaths& paths);

    enum class State { there, deleted, moved, taken };
    struct Look {
        State state = State::there;
        Message sentence;  ///< "the run's folder /x was deleted while it ran"; empty: it is there
    };
    /// Cheap: a few system calls. `there` where it cannot be known.
    Look look(const run::RunPaths& paths) const;

  private:
    FileDescriptor folder_;
};

}  // namespace trainyard::launch
