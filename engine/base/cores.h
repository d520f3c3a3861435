// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The number of processor cores, and the files of sysfs that describe them.

#include <filesystem>
#include <string>

namespace trainyard {

/// First line of a file of sysfs; empty if it cannot be read.
std::string sysfs_line(const std::filesystem::path& file);

/// Physical cores: hyper-threads are not counted, if sysfs has the topology; else the number of logical processors. At
/// least 1.
int physical_cores();

}  // namespace trainyard
