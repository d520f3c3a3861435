// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run.yaml in the words of the dashboard's header. Runs in the reading thread.

#include "desktop/dashboard/run_batch.h"
#include "run/spec.h"

namespace trainyard::desktop {

RunFacts read_facts(const run::RunSpec& spec);

}  // namespace trainyard::desktop
