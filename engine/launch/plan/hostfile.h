// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Host files as DeepSpeed and Horovod read them: one `host slots=N` a line, `#` begins a comment. Source: deepspeed/launcher/runner.py.

#include <filesystem>
#include <string>
#include <vector>

#include "launch/plan/flags.h"

namespace trainyard::plan {

/// In the file's order; without slots a host has as many ranks as devices (0). Throws InvalidInput that lists every
/// invalid line, duplicate hosts included.
std::vector<HostRanks> read_hostfile(const std::filesystem::path& file);
std::vector<HostRanks> parse_hostfile(const std::string& text, const std::string& origin);
/// Hosts of a file for mpirun, each once: `host slots=4` of Open MPI, `host:4` of the others. Throws InvalidInput that
/// lists every invalid line, UserError for none.
std::vector<std::string> read_mpi_hosts(const std::filesystem::path& file);

}  // namespace trainyard::plan
