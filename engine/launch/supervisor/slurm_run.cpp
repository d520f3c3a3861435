// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/slurm_run.h"

#include <cstdlib>

#include "base/environment_names.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "run/folder_record.h"
#include "run/state.h"

namespace trainyard::launch {

namespace {

constexpr std::uint64_t kLargest = 1u << 16;  // of slurm.json

/// slurm.json
struct JobFile {
    std::string job;
    void fields(auto& field) const {
        field("job", job).required();
        field.constant("script", "slurm.sh");
    }
};

fs::path file_of(const run::RunPaths& run) {
    return run.root() / "slurm.json";
}

}  // namespace

std::optional<std::string> slurm_job_of(const run::RunPaths& run) {
    std::error_code error;
    // The job of a run on another machine is not one of this cluster.
    if (!fs::exists(file_of(run), error) || run::origin_of(run) == run::RunOrigin::mirror)
        return std::nullopt;
    JobFile file;
    fields::Reading in;
    fields::read(in, read_json(read_regular_file(file_of(run), kLargest)), file);
    if (!in.problems().empty())
        return std::nullopt;
    // It becomes an argument of scancel: 123, 123_4 of an array, 123+1 of a heterogeneous job.
    if (file.job.find_first_not_of("0123456789_+") != std::string::npos)
        return std::nullopt;
    return file.job;
}

void write_slurm_job(const run::RunPaths& run, const std::string& job) {
    write_file_atomically(file_of(run), fields::to_text(JobFile{job}) + "\n", false);
}

bool is_queued(const run::RunPaths& run) {
    std::optional<run::RunState> state = run::read_state(run);
    return state && run::is_waiting(*state) && slurm_job_of(run);
}

bool is_run_of_this_job(const fs::path& run) {
    const char* here = std::getenv(kEnvSlurmJob);
    std::optional<std::string> job = here == nullptr ? std::nullopt : slurm_job_of(run::RunPaths(run));
    return job && (job->empty() || *job == here);
}

}  // namespace trainyard::launch
