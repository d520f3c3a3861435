// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checks that the values of a run can be stored in run.yaml: its readers rely on valid UTF-8 text.

#include <vector>

#include "base/error.h"
#include "run/spec.h"

namespace trainyard::run {

/// One problem for each text of the specification that is not UTF-8, with its key. Versions and git are not looked at: nobody wrote them,
/// and to_yaml() replaces what is wrong in them.
std::vector<Problem> text_problems(const RunSpec& spec);

}  // namespace trainyard::run
