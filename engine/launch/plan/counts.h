// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How many processes run on which machine. resolve() fills the settings from it, make_plan() numbers the ranks.

#include <string>
#include <vector>

#include "base/error.h"
#include "launch/plan/probe.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// Even where it can be; the first machines take one more each.
std::vector<int> spread(std::int64_t processes, std::int64_t machines);

/// The hosts of the flags. Those without a number share --num_processes evenly; 0 where that is absent, too. Throws
/// UserError for numbers that
/// contradict.
std::vector<HostRanks> host_shares(const Flags& flags);
/// The same command line for one machine with all the ranks: the options of a rank do not depend on its machine.
Flags as_one_machine(const Flags& flags);

/// Processes of each machine for settings that are resolved. Empty when there are fewer processes than machines.
std::vector<int> ranks_per_machine(const Flags& flags, const Resolved& resolved, const EnvironmentMap& environment);

/// Fills num_processes, num_machines, machine_rank, main_process_ip and main_process_port where neither flag nor file
/// says
/// them: from --hosts, then the SLURM allocation, then the devices of this machine.
class CountResolver {
  public:
    CountResolver(const Flags& flags, bool has_file, const settings::Machine& machine,
                  const EnvironmentMap& environment, Resolved& resolved, std::vector<Problem>& problems);
    /// The values that were assumed because none were given, as `--num_processes 4`.
    const std::vector<std::string>& assumed() const { return assumed_; }
    void fill(bool on_cpu);

  private:
    bool said(const char* path) const;
    void set(const char* path, Value value, Origin origin);
    void complain(const char* key, Message message);
    void note_launcher(Message text);
    void fill_from_hosts();
    void fill_from_slurm();
    void fill_from_mpi();
    void fill_rest(bool on_cpu);

    const Flags& flags_;
    bool has_file_;
    const settings::Machine& machine_;
    const EnvironmentMap& environment_;
    Resolved& resolved_;
    std::vector<Problem>& problems_;
    std::vector<std::string> assumed_;
};

}  // namespace trainyard::plan
