#pragma once
// Whether run.yaml can hold what was asked: it is text in UTF-8, and whoever reads it trusts in that.

#include <vector>

#include "base/error.h"
#include "run/spec.h"

namespace trainyard::run {

/// One problem for each text of the specification that is not UTF-8, with its key. Versions and git are not looked at: nobody wrote them,
/// and to_yaml() replaces what is wrong in them.
std::vector<Problem> text_problems(const RunSpec& spec);

}  // namespace trainyard::run
