// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The commands that other machines' launchers start (supervise, agent): one JSON document on standard input, one line as the answer.

#include <functional>
#include <string>

namespace trainyard::cli {

/// All of standard input; to be wiped after parsing (launch::wipe). Throws UserError when it is a terminal, or larger
/// than 16 MiB.
std::string read_order();

/// Prints what `work` returns, or {"problems": [...]} for what it throws; the exit code that belongs to it.
int answer_with(const std::function<std::string()>& work);

}  // namespace trainyard::cli
