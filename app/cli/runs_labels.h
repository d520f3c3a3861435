#pragma once
// What `trainyard runs` does with what people write on runs, and with runs they no longer want.

#include "cli/commands.h"

namespace trainyard::cli {

/// `runs label`, `runs archive`, `runs delete`, `runs restore`, `runs trash`.
void add_run_labels(CLI::App& runs, Action& chosen);

}  // namespace trainyard::cli
