// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// run-*.swanlab: what SwanLab writes of a run on the disk. Its records are protocol buffers (swanlab.record.v1):
// scalars are curves, the start of the run has name, description and tags; files/config.yaml next to the file has the
// parameters. Media are left out.

#include <filesystem>
#include <memory>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

std::unique_ptr<MetricsTail> make_swanlab_tail(std::filesystem::path file);
bool looks_like_swanlab(const std::filesystem::path& file);

}  // namespace trainyard::desktop
