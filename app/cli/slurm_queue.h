// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SLURM's programs, started without a shell: sbatch, squeue, sacct, scancel. Source: their manual pages (SLURM 22.05).

#include <filesystem>
#include <string>

#include "base/message.h"
#include "run/paths.h"

namespace trainyard::cli {

/// Number of the job. Throws UserError with sbatch's own words.
std::string submit_job(const std::filesystem::path& script);

struct JobLook {
    bool known = false;  ///< SLURM knows of it, now or in its accounts
    bool over = false;
    std::string state;   ///< PENDING, RUNNING, COMPLETED, CANCELLED, ...
    std::string reason;  ///< why it waits; empty: none
};
JobLook look_at_job(const std::string& job);
/// Throws UserError where scancel refuses.
void cancel_job(const std::string& job);

/// The last word on a run whose job will never start.
void give_up(const run::RunPaths& run, bool failed, const Message& message);

}  // namespace trainyard::cli
