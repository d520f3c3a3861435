// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run that was resumed from a checkpoint of another run, and that one perhaps from a third: their curves and events
// as those of one run. For reading threads.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "desktop/dashboard/program_tables.h"
#include "desktop/dashboard/run_batch.h"
#include "desktop/sources/event_tail.h"
#include "run/journal.h"
#include "run/paths.h"
#include "run/spec.h"

namespace trainyard::desktop {

struct Ancestor {
    run::RunPaths run;
    std::string name;
    std::int64_t seam =
        0;  ///< step of the checkpoint that was gone on from: what this run trained after it does not count
    int ranks = 1;
    double started = 0;
};

/// Returns the ancestors, oldest first, at most 64. Empty if the run was not resumed from a run of this machine.
std::vector<Ancestor> ancestors_of(const run::RunSpec& spec);
/// Returns the events of the ancestors' journals up to their seams, with a `resume` event at each seam. Paths are
/// absolute.
std::vector<run::Event> inherited_events(const std::vector<Ancestor>& ancestors, const run::RunSpec& spec);
/// Folders of checkpoints of the run and, up to their seams, of its ancestors, newest first.
std::vector<SavedCheckpoint> saved_checkpoints(const run::RunPaths& run, const std::vector<Ancestor>& ancestors);

/// The metrics of the ancestors up to their seams, then those of the run itself as they grow.
class LineageTail : public MetricsTail {
  public:
    explicit LineageTail(const run::RunPaths& run);
    void setAncestors(const std::vector<Ancestor>& ancestors);
    /// Also reads the tables of a program in this folder.
    void readTables(const std::filesystem::path& folder);
    bool poll(CurveBatch& batch, std::uint64_t limit_bytes) override;
    std::vector<Message> problems() const override;

  private:
    void rewind();

    run::RunPaths run_;
    std::vector<Ancestor> ancestors_;
    std::size_t next_ = 0;                ///< ancestor that is being read
    std::unique_ptr<EventTail> reading_;  ///< its files
    std::unique_ptr<EventTail> own_;
    std::filesystem::path tables_folder_;  ///< empty: there are no tables
    std::unique_ptr<ProgramTables> tables_;
    bool started_ = false;  ///< something was delivered already
    bool again_ = false;    ///< everything delivered so far is invalid
};

}  // namespace trainyard::desktop
