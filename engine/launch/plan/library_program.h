// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Programs in C++ that are linked with Trainyard's library (Accelerator): what of the settings they do not act on. They
// get no variable of Accelerate that the library does not read, so that nothing seems to be set that has no effect.

#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "config/accelerate/schema.h"
#include "launch/plan/plan.h"

namespace trainyard::plan {

/// True if `program`, a path or a name that find_program() finds, is linked with Trainyard's library.
bool is_library_program(const std::string& program, const char* search_path);

/// Why keys of a section have no effect on code that runs without Python, a recipe as well as a program in C++; empty
/// for sections whose keys act on both or are judged one by one.
Message reason_without_python(settings::Section section);

/// Removes the variables of Accelerate that the library does not read from the plan, adds the settings that were given
/// for them to Plan::ignored and a note for each to Plan::warnings.
void leave_out_unread_variables(Plan& plan, const Resolved& resolved);

}  // namespace trainyard::plan
