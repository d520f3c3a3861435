// SPDX-License-Identifier: GPL-3.0-or-later
// Flags of `launch` that no file holds. Source: Accelerate's launch parser; the last group is Trainyard's own.

#include "base/environment_names.h"
#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

void add_launch_flags(std::vector<Key>& keys) {
    SectionRows general(keys, Section::launch, "General", "all");
    general("config_file", Type::path, "Settings file", "File of settings for this launch instead of the default one")
        .flag("--config_file");
    general("quiet", Type::boolean, "Quiet", "Do not print a trace when a process fails")
        .presence("--quiet")
        .brief("-q");
    general("module", Type::boolean, "Module", "The program is a Python module, as with python -m")
        .presence("--module")
        .brief("-m");
    general("no_python", Type::boolean, "No Python", "The program is executed itself, without Python")
        .presence("--no_python");

    SectionRows hardware(keys, Section::launch, "Hardware", "all");
    hardware("cpu", Type::boolean, "CPU", "Train on the CPU; the default settings file is not read").presence("--cpu");
    hardware("multi_gpu", Type::boolean, "Several devices", "One process for each accelerator, of any maker")
        .presence("--multi_gpu");
    hardware("tpu", Type::boolean, "TPU", "Train on a TPU").presence("--tpu");

    hardware("ipex", Type::boolean, "IPEX", "Accelerate's flag for the Intel extension of PyTorch; without effect")
        .presence("--ipex")
        .until("1.12");
    hardware("use_xpu", Type::boolean, "IPEX on XPU",
             "Accelerate's flag for the Intel extension on XPU; without effect")
        .presence("--use_xpu")
        .until("1.12");

    SectionRows resources(keys, Section::launch, "Resources", "all");
    resources("num_cpu_threads_per_process", Type::integer, "Threads of a process",
              "Threads for the processor's part of the work; without it the cores are shared out")
        .range(0)
        .flag("--num_cpu_threads_per_process")
        .when_set(kEnvThreads);

    SectionRows paradigm(keys, Section::launch, "Way of training", "all");
    paradigm("use_deepspeed", Type::boolean, "DeepSpeed", "Train with DeepSpeed").presence("--use_deepspeed");
    paradigm("use_fsdp", Type::boolean, "FSDP", "Train with fully sharded data parallelism").presence("--use_fsdp");
    paradigm("use_parallelism_config", Type::boolean, "Mesh", "Train on a mesh of several kinds of parallelism")
        .presence("--use_parallelism_config")
        .since("1.10");
    paradigm("use_megatron_lm", Type::boolean, "Megatron-LM", "Train with Megatron-LM").presence("--use_megatron_lm");

    SectionRows machines(keys, Section::launch, "Several machines", "torchrun");
    machines("tee", Type::text, "Show output",
             "Output that is shown as well as logged: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`")
        .flag("--tee", "0")
        .brief("-t");
    machines("log_dir", Type::path, "Log folder", "Folder for the output of the processes").flag("--log_dir");
    machines("redirects", Type::text, "Redirected output",
             "Output that goes to the log folder only: 0 none, 1 stdout, 2 stderr, 3 both, or `rank:number,...`")
        .flag("--redirects", "0")
        .brief("-r");
    machines("local_ranks_filter", Type::text, "Shown processes",
             "Processes of this machine whose output is shown, as in `0,2`; without it all")
        .flag("--local_ranks_filter");
    machines("rdzv_id", Type::text, "Rendezvous name", "Name under which the machines of a job find each other")
        .flag("--rdzv_id");
    machines("role", Type::text, "Role", "Name of the workers in torchrun's messages").flag("--role", "default");
    machines("rdzv_conf", Type::text, "Rendezvous settings", "Settings of the rendezvous, as in `timeout=900,read=60`")
        .flag("--rdzv_conf", "");
    machines("max_restarts", Type::integer, "Restarts", "How often all processes are started again when one fails")
        .range(0)
        .flag("--max_restarts", 0);
    machines("monitor_interval", Type::number, "Looks", "Seconds between two looks at the processes")
        .range(0)
        .flag("--monitor_interval", 0.1);

    machines("nnodes", Type::text, "Machines", "torchrun's name for --num_machines: N, or FEWEST:MOST")
        .flag("--nnodes");
    machines("nproc_per_node", Type::text, "Processes of a machine",
             "torchrun's way to say --num_processes: N for each machine, or `auto`, `gpu`, `cpu`")
        .flag("--nproc_per_node");
    machines("rdzv_endpoint", Type::text, "Rendezvous address",
             "torchrun's way to say --main_process_ip and --main_process_port: HOST or HOST:PORT")
        .flag("--rdzv_endpoint");
    machines("standalone", Type::boolean, "One machine", "torchrun's way to say one machine and a free port")
        .presence("--standalone");
    machines("use_env", Type::boolean, "Ranks in variables",
             "Flag of torch.distributed.launch; without effect: processes read their rank from variables anyway")
        .presence("--use_env");

    SectionRows tpu(keys, Section::launch, "TPU", "XLA");
    tpu("no_tpu_cluster", Type::boolean, "No pod", "Not on all workers of a pod: what a pod's worker is started with")
        .flag("--no_tpu_cluster", {}, FlagKind::absence);

    SectionRows aws(keys, Section::launch, "Amazon", "SageMaker");
    aws("aws_access_key_id", Type::text, "Access key",
        "Access key of AWS, if no profile is used; better kept in ~/.aws or in the environment")
        .flag("--aws_access_key_id");
    aws("aws_secret_access_key", Type::text, "Secret key",
        "Secret key of AWS; everybody on this machine sees it among the processes, so better use a profile")
        .flag("--aws_secret_access_key");

    SectionRows own(keys, Section::launch, "Trainyard", "Trainyard");
    own("hosts", Type::text, "Hosts",
        "Hosts to start on over SSH, each with its number of processes if wanted: gpu-a,gpu-b:2")
        .flag("--hosts");
    own("hostfile", Type::path, "Host file", "The same from a file: one `name slots=4` a line, as DeepSpeed reads it")
        .flag("--hostfile");
    own("run_dir", Type::path, "Run folder", "The run's own folder, new or empty; else a new one in TRAINYARD_RUNS")
        .flag("--run_dir");
    own("device", Type::text, "Device",
        "Kind of device to train on: cpu, cuda, or the one that a library brings, e.g. npu")
        .flag("--device");
    own("device_library", Type::path, "Device library",
        "Shared library that brings a device to LibTorch (a PrivateUse1 back end); else TRAINYARD_DEVICE_LIBRARY")
        .flag("--device_library");
    own("set", Type::texts, "Recipe key", "key=value for the recipe, e.g. training.steps=100")
        .flag("--set", {}, FlagKind::repeated);
    own("queue", Type::boolean, "Queue",
        "Wait until the runs queued before have started and the machine, or the GPUs, are free")
        .presence("--queue");
    own("detach", Type::boolean, "Detach", "Return as soon as the processes run").presence("--detach");
    own("no_run_dir", Type::boolean, "No run folder", "Leave nothing of a program's run behind: no logs, no curves")
        .presence("--no_run_dir");
    own("dry_run", Type::boolean, "Dry run",
        "Check everything and print the command and environment of every process; start nothing")
        .presence("--dry-run");
    own("check", Type::boolean, "Check",
        "Look at everything on all machines that a start needs, print it as a table, start nothing")
        .presence("--check");
    own("export", Type::path, "Script",
        "Write a bash script that starts the same processes where no Trainyard is, as in a notebook; start nothing")
        .flag("--export");
    own("json", Type::boolean, "JSON", "Print for programs").presence("--json");

    SectionRows slurm(keys, Section::launch, "SLURM", "SLURM");
    slurm("slurm", Type::boolean, "Batch job", "Hand the run to SLURM as a batch job, and follow it")
        .presence("--slurm");
    slurm("nodes", Type::integer, "Nodes", "Nodes of the job").range(1, 65536).flag("--nodes");
    slurm("ntasks_per_node", Type::integer, "Processes of a node", "Processes on each node of the job")
        .range(1, 1024)
        .flag("--ntasks_per_node");
    slurm("cpus_per_task", Type::integer, "Cores of a process", "Cores for each process of the job")
        .range(1, 4096)
        .flag("--cpus_per_task");
    slurm("partition", Type::text, "Partition", "Partition of the cluster").flag("--partition");
    slurm("account", Type::text, "Account", "Account that the job is charged to").flag("--account");
    slurm("qos", Type::text, "Quality of service", "Quality of service of the job").flag("--qos");
    slurm("time", Type::text, "Time", "Time limit of the job, as in 1-12:00:00").flag("--time");
    slurm("gres", Type::text, "Devices", "Devices of each node, as in gpu:4").flag("--gres");
    slurm("constraint", Type::text, "Features", "Features that the nodes must have").flag("--constraint");
    slurm("nodelist", Type::text, "Named nodes", "Nodes that the job must have").flag("--nodelist");
    slurm("sbatch_arg", Type::texts, "Further option", "A further option of sbatch, as in --sbatch_arg=--exclusive")
        .flag("--sbatch_arg", {}, FlagKind::repeated);
    slurm("no_requeue", Type::boolean, "No requeue", "Do not requeue the job after it was stopped")
        .presence("--no_requeue");
}

}  // namespace trainyard::settings
