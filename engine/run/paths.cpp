// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/paths.h"

#include <cctype>
#include <cerrno>
#include <cstdlib>

#include <fmt/format.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/environment_names.h"
#include "base/error.h"
#include "base/file.h"
#include "base/files/user_folders.h"
#include "base/random_hex.h"

namespace trainyard::run {

fs::path RunPaths::rank_log(int rank) const {
    return logs() / fmt::format("rank-{:05}.log", rank);
}

fs::path runs_root() {
    if (const char* root = std::getenv(kEnvRuns); root != nullptr && *root != '\0')
        return fs::absolute(root);
    return files::data_folder() / "runs";
}

namespace {
std::string safe_name(const std::string& name) {
    std::string safe;
    for (char c : name) {
        bool plain = std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.';
        if (plain)
            safe += c;
        else if (!safe.empty() && safe.back() != '-')
            safe += '-';
    }
    if (safe.size() > 60)
        safe.resize(60);
    while (!safe.empty() && (safe.back() == '-' || safe.back() == '.'))
        safe.pop_back();
    return safe.empty() ? "run" : safe;
}

void make_parts(const RunPaths& run) {
    for (const fs::path& part :
         {run.requests(), run.requests_done(), run.logs(), run.metrics(), run.checkpoints(), run.traces()})
        make_private_folder(part);
}
}  // namespace

std::string new_run_id(const std::string& name) {
    return fmt::format("{}-{}-{}", compact_time(wall_seconds()), safe_name(name), random_hex(4));
}

RunPaths create_run_directory(const fs::path& runs_root, const std::string& name) {
    make_private_folder(runs_root);
    // mkdir decides who gets a name: two launches in the same second with the same four digits must not share a folder.
    for (int attempt = 0; attempt < 16; ++attempt) {
        RunPaths run(runs_root / new_run_id(name));
        if (::mkdir(run.root().c_str(), 0700) == 0) {
            make_parts(run);
            return run;
        }
        if (errno != EEXIST)
            throw_file_error("cannot make the run's folder", run.root(), errno);
    }
    throw UserError("cannot find a free name for the run in {}", runs_root.string());
}

RunPaths create_run_directory_at(const fs::path& folder) {
    std::error_code error;
    if (fs::exists(folder, error) && !fs::is_empty(folder, error))
        throw UserError("{} is there already and not empty: name another folder for the run", folder.string());
    make_private_folder(folder);
    RunPaths run(folder);
    make_parts(run);
    return run;
}

}  // namespace trainyard::run
