// SPDX-License-Identifier: GPL-3.0-or-later
#include "models/nn/modules/module_plan.h"

#include <stdexcept>

#include <fnmatch.h>

namespace trainyard::models {

const ModuleChoice& ModulePlan::choice(const std::string& module) const {
    for (const ModuleChoice& row : rows_)
        if (::fnmatch(row.pattern.c_str(), module.c_str(), 0) == 0)
            return row;
    throw std::invalid_argument("no row of the plan names the module '" + module + "'");
}

}  // namespace trainyard::models
