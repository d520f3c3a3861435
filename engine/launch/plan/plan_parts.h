// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The starters' shares of make_plan(). Internal to plan.

#include "base/error.h"
#include "launch/plan/plan.h"

namespace trainyard::plan {

struct PlanInput {
    const Flags& flags;
    const Resolved& resolved;
    const settings::Machine& machine;
    const EnvironmentMap& environment;
    const std::string& interpreter;

    std::int64_t processes() const { return resolved.settings.integer("num_processes", 1); }
    std::int64_t machines() const { return resolved.settings.integer("num_machines", 1); }
    std::int64_t machine_rank() const { return resolved.settings.integer("machine_rank", 0); }
    std::string address() const { return resolved.settings.text("main_process_ip"); }
};

/// The program as argv: with the interpreter in front unless it is run itself. `unbuffered`: -u.
std::vector<std::string> program_command(const PlanInput& input, bool unbuffered);
/// The port to meet on, 0 replaced by a free one.
int rendezvous_port(const PlanInput& input);
/// Throws when this machine should serve a port for others and it is taken.
void check_shared_port(const PlanInput& input, int port);
[[noreturn]] void refuse(std::string key, Message message);

/// One child, under mpirun where a host file is named.
void plan_process(const PlanInput& input, Plan& plan);
/// torchrun's place: our ranks with torchrun's variables.
void plan_ranks(const PlanInput& input, Plan& plan);
/// The deepspeed program over several machines.
void plan_deepspeed(const PlanInput& input, Plan& plan);
void plan_tpu(const PlanInput& input, Plan& plan);
void plan_tpu_pod(const PlanInput& input, Plan& plan);
void plan_sagemaker(const PlanInput& input, Plan& plan);

}  // namespace trainyard::plan
