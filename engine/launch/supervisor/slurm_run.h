#pragma once
// A run that was handed to SLURM: its folder is there before anybody looks after it, and the job's launcher takes it over, each time anew
// when the job was put into the queue again. The file slurm.json says which job that is: {job, script}.

#include <filesystem>
#include <optional>
#include <string>

#include "run/paths.h"

namespace trainyard::launch {

/// Empty: not a run of a job. An empty text: it is being handed over.
std::optional<std::string> slurm_job_of(const run::RunPaths& run);
void write_slurm_job(const run::RunPaths& run, const std::string& job);

/// The run waits in the queue: nobody looks after it.
bool is_queued(const run::RunPaths& run);
/// This process belongs to the run's job ($SLURM_JOB_ID): it may go on in a folder that is there already.
bool is_run_of_this_job(const std::filesystem::path& run);

}  // namespace trainyard::launch
