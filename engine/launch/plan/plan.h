// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The plan of a launch, made before anything starts: the exact command and environment of every rank of this machine
// (torchrun's variables and Accelerate's), and the rendezvous. `launch --dry-run` prints it; launching executes it.

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "base/message.h"
#include "launch/plan/resolve.h"

namespace trainyard::plan {

/// The process that starts the ranks.
enum class Starter {
    process,    ///< one child; MPI, when the command begins with mpirun
    ranks,      ///< our supervisor, instead of torchrun
    deepspeed,  ///< the deepspeed program over several machines
    tpu,        ///< torch_xla's spawn
    tpu_pod,    ///< gcloud
    sagemaker,
};
std::string_view starter_name(Starter starter);

/// torchrun's view of the launch; names and defaults are torchrun's.
struct Rendezvous {
    std::string nnodes = "1:1";
    int nproc_per_node = 1;  ///< on this machine
    int node_rank = 0;
    std::string master_addr = "127.0.0.1";
    int master_port = 29500;
    std::string rdzv_backend = "static";
    std::string rdzv_endpoint;
    std::string rdzv_conf;
    bool standalone = false;
    int max_restarts = 0;
    double monitor_interval = 0.1;
    std::string role = "default";
    std::string tee = "0";
    std::string log_dir;  ///< empty: none
};

struct RankPlan {
    int rank = 0;
    int local_rank = 0;
    EnvironmentMap environment;  ///< in addition to Plan::environment
};

struct SageMakerJob {
    std::string request;  ///< JSON: the arguments of the estimator
    std::string inputs;   ///< JSON; empty: none
};

struct Plan {
    Starter starter = Starter::process;
    std::vector<std::string> command;    ///< argv of a rank, or of the one child
    EnvironmentMap environment;          ///< added or changed for all ranks of this machine
    EnvironmentMap machine_environment;  ///< added by each machine; placeholders for values that only it knows
    std::optional<Rendezvous> rendezvous;
    std::vector<RankPlan> ranks;  ///< of this machine
    int world_size = 1;
    std::vector<int> ranks_per_machine;
    std::vector<std::string> deepspeed_env_file;  ///< lines appended to .deepspeed_env
    std::optional<SageMakerJob> sagemaker;
    std::map<std::string, Message> ignored;  ///< paths of settings that were given and have no effect, and why
    std::vector<Message> warnings;
    std::string state;  ///< state_text() of the first rank of this machine; empty: not known
};

/// `interpreter`: the Python that runs scripts, e.g. `python3`. Throws InvalidInput.
Plan make_plan(const Flags& flags, const Resolved& resolved, const settings::Machine& machine,
               const EnvironmentMap& environment, const std::string& interpreter);

/// Returns the plan as text for users (aligned, with the origin of each setting), or as JSON for programs.
std::string plan_text(const Plan& plan, const Resolved& resolved);
std::string plan_json(const Plan& plan, const Resolved& resolved);
/// A bash script that starts the same processes where no Trainyard is (a hosted notebook, a container): variables,
/// command, ranks of this machine; it ends all of them with the first that fails, and has its exit code. `command`:
/// what was typed, for its first lines. Throws UserError for starters that are programs of their own (DeepSpeed, TPU,
/// SageMaker).
std::string plan_script(const Plan& plan, const std::vector<std::string>& command);

}  // namespace trainyard::plan
