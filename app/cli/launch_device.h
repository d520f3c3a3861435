#pragma once
// Which device a launch trains on, from flags and settings: the same for recipes and programs.

#include <string>

#include "launch/plan/flags.h"
#include "launch/plan/resolve.h"
#include "launch/supervisor/prepare.h"

namespace trainyard::cli {

/// --cpu, --device and --device_library.
launch::DeviceChoice typed_device(const plan::Flags& flags);
/// What the settings file says beside them: use_cpu, and a distributed_type such as MULTI_NPU whose device comes with a library. Which of the
/// other kinds is there, this machine knows best.
launch::DeviceChoice with_file(launch::DeviceChoice typed, const plan::Resolved& resolved);

}  // namespace trainyard::cli
