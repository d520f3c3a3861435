#include "launch/slurm_run.h"

#include <cstdlib>

#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "base/regular_file.h"
#include "run/state.h"

namespace trainyard::launch {

namespace {

constexpr std::uint64_t kLargest = 1u << 16;  // of slurm.json

fs::path file_of(const run::RunPaths& run) {
    return run.root() / "slurm.json";
}

}  // namespace

std::optional<std::string> slurm_job_of(const run::RunPaths& run) {
    std::error_code error;
    if (!fs::exists(file_of(run), error))
        return std::nullopt;
    nlohmann::json file = read_json(read_regular_file(file_of(run), kLargest));
    if (!file.is_object() || !file.contains("job") || !file["job"].is_string())
        return std::nullopt;
    return file["job"].get<std::string>();
}

void write_slurm_job(const run::RunPaths& run, const std::string& job) {
    write_file_atomically(file_of(run), nlohmann::json{{"job", job}, {"script", "slurm.sh"}}.dump() + "\n", false);
}

bool is_queued(const run::RunPaths& run) {
    std::optional<run::RunState> state = run::read_state(run);
    return state && run::is_waiting(*state) && slurm_job_of(run);
}

bool is_run_of_this_job(const fs::path& run) {
    const char* here = std::getenv("SLURM_JOB_ID");
    std::optional<std::string> job = here == nullptr ? std::nullopt : slurm_job_of(run::RunPaths(run));
    return job && (job->empty() || *job == here);
}

}  // namespace trainyard::launch
