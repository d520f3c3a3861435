// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run in the file store of MLflow, by its meta.yaml: next to it are metrics/ (a file for each curve, with "time value
// step" in a line, time in milliseconds), params/ and tags/ (a file for each, with its value). Names with slashes are
// folders.

#include <filesystem>
#include <memory>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

inline constexpr const char* kMlflowRun = "meta.yaml";

std::unique_ptr<MetricsTail> make_mlflow_tail(std::filesystem::path file);
/// Whether it is the file of a run, not of an experiment or another program.
bool looks_like_mlflow_run(const std::filesystem::path& file);

}  // namespace trainyard::desktop
