// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/other_runs.h"

#include <regex>

#include "desktop/text/qt_text.h"
#include "run/listing.h"
#include "run/run_labels.h"

namespace trainyard::desktop {

namespace {
constexpr std::size_t kMost = 30;
}

std::string name_stem(const std::string& name) {
    static const std::regex ending("-([0-9]{1,4}|(lr|bs|seed|steps|layers)[0-9][0-9.]*(e[+-]?[0-9]+)?)$");
    const std::string stem = std::regex_replace(name, ending, "");
    return stem.empty() ? name : stem;
}

OtherRuns find_other_runs(const run::RunPaths& run) {
    OtherRuns found;
    std::string name;
    int same_name = -1, baseline = -1;
    const std::vector<run::ListedRun> all = run::list_runs(run.root().parent_path());
    for (const run::ListedRun& one : all)
        if (one.paths.root() == run.root() && one.state)
            name = one.state->name;
    for (std::size_t i = 0; i < all.size(); ++i) {
        const run::ListedRun& one = all[i];
        if (one.paths.root() == run.root() || !one.state || one.labels.archived)
            continue;
        const int place = static_cast<int>(found.runs.size());
        const bool is_baseline = one.labels.baseline && baseline < 0;
        const bool is_same =
            same_name < 0 && name_stem(one.state->name) == name_stem(name) && one.paths.id() < run.id();
        if (found.runs.size() >= kMost && !is_baseline && !is_same)
            continue;
        if (is_baseline)
            baseline = place;
        if (is_same)
            same_name = place;
        // Colours go by the order in which runs were made; the list begins with the newest.
        const int color = one.labels.color > 0 ? one.labels.color : static_cast<int>(all.size() - i);
        found.runs.push_back({qt(run::shown_name(one)), qt(one.paths.root().string()), color});
    }
    found.first = baseline >= 0 ? baseline : same_name;
    return found;
}

}  // namespace trainyard::desktop
