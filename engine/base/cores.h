#pragma once
// The number of processor cores.

namespace trainyard {

/// Physical cores: hyper-threads are not counted, if sysfs has the topology; else the number of logical processors. At
/// least 1.
int physical_cores();

}  // namespace trainyard
