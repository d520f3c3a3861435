// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Known causes of failed runs in words: what it means and what would help. From the state, the events and the recipe's memory, without
// widgets. The sentence of state.json says what happened; this says why that happens.

#include <QString>

#include "desktop/dashboard/run_record.h"

namespace trainyard::desktop {

enum class FailureCause { Unknown, OutOfMemory, NotFinite, Collective, DiskFull, HostLost };

struct Explanation {
    FailureCause cause = FailureCause::Unknown;
    QString words;  ///< one or two sentences; empty: Unknown
};
Explanation explain_failure(const RunRecord& run);

/// Which of the last lines of a log tells the error: the last one of level error, else the last one that says so; -1: none does.
int error_line(const std::vector<std::string>& lines);

}  // namespace trainyard::desktop
