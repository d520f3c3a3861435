#pragma once
// How many cores the machine has.

namespace trainyard {

/// Cores without their second threads, as far as sysfs tells; else what the system counts. At least 1.
int physical_cores();

}  // namespace trainyard
