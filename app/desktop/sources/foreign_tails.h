// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Readers of runs that other programs recorded, each in its own file, which describes the format.

#include <filesystem>
#include <memory>

#include "desktop/sources/metrics_tail.h"

namespace trainyard::desktop {

/// The file of a run in the file store of MLflow, which make_mlflow_tail() takes.
inline constexpr const char* kMlflowRun = "meta.yaml";
std::unique_ptr<MetricsTail> make_mlflow_tail(std::filesystem::path file);
/// Whether it is the file of a run, not of an experiment or another program.
bool looks_like_mlflow_run(const std::filesystem::path& file);

/// run-*.swanlab.
std::unique_ptr<MetricsTail> make_swanlab_tail(std::filesystem::path file);
bool looks_like_swanlab(const std::filesystem::path& file);

/// A project of Trackio.
std::unique_ptr<MetricsTail> make_trackio_tail(std::filesystem::path file);
/// Whether it is an SQLite file with the tables of Trackio.
bool looks_like_trackio(const std::filesystem::path& file);

/// run-*.wandb.
std::unique_ptr<MetricsTail> make_wandb_tail(std::filesystem::path file);
bool looks_like_wandb(const std::filesystem::path& file);

}  // namespace trainyard::desktop
