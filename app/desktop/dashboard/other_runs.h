// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runs beside a run: what its curves and its configuration can be laid against. Reads the folder of runs; runs in a thread.

#include <string>
#include <vector>

#include <QString>

#include "run/paths.h"

namespace trainyard::desktop {

struct OtherRun {
    QString name;
    QString folder;
    int color = 1;  ///< run colour
    bool operator==(const OtherRun&) const = default;
};

struct OtherRuns {
    std::vector<OtherRun> runs;  ///< newest first, at most some dozens; archived and unreadable ones are left out
    int first = -1;  ///< to begin with: the baseline, else the newest earlier run of the same name; -1: none
};
OtherRuns find_other_runs(const run::RunPaths& run);

/// A name without the ending that tells runs of one kind apart: `sample` of `sample-2` and `sample-lr0.003`.
std::string name_stem(const std::string& name);

}  // namespace trainyard::desktop
