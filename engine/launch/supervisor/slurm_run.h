// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A run that was submitted to SLURM: its folder exists before a supervisor does, and the job's launcher takes it over,
// again after each requeue of the job. The file slurm.json names that job: {job, script}.

#include <filesystem>
#include <optional>
#include <string>

#include "run/paths.h"

namespace trainyard::launch {

/// Empty: not a run of a job. An empty text: it is being handed over.
std::optional<std::string> slurm_job_of(const run::RunPaths& run);
void write_slurm_job(const run::RunPaths& run, const std::string& job);

/// True if the run waits in the queue of SLURM and has no supervisor.
bool is_queued(const run::RunPaths& run);
/// This process belongs to the run's job ($SLURM_JOB_ID): it may continue in a folder that exists already.
bool is_run_of_this_job(const std::filesystem::path& run);

}  // namespace trainyard::launch
