// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A program of this machine, run to its end: what Session::exec does on a host.

#include "base/run_program.h"

namespace trainyard::remote {

using trainyard::ProgramResult;
using trainyard::run_program;

}  // namespace trainyard::remote
