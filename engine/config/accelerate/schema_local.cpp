// SPDX-License-Identifier: GPL-3.0-or-later
// Top-level keys of a file for machines of one's own (compute_environment LOCAL_MACHINE). Source: ClusterConfig.

#include "base/environment_names.h"
#include "config/accelerate/schema_rows.h"

namespace trainyard::settings {

namespace {

constexpr std::string_view kAll = "all";

bool is_tpu(const Settings& settings) {
    return settings.text("distributed_type") == "XLA";
}
bool has_many_machines(const Settings& settings) {
    return settings.integer("num_machines", 1) > 1;
}
bool has_accelerators(const Settings& settings) {
    return !settings.boolean("use_cpu") && settings.text("distributed_type") != "MULTI_CPU";
}

}  // namespace

void add_local_keys(std::vector<Key>& keys) {
    SectionRows row(keys, Section::local, "", kAll);
    row("compute_environment", Type::choice, "Where it runs", "On machines of one's own or on Amazon SageMaker")
        .choices({"LOCAL_MACHINE", "AMAZON_SAGEMAKER"})
        .fallback("LOCAL_MACHINE")
        .since("0.2");
    row("distributed_type", Type::choice, "Way of training", "How the work is spread over processes and devices")
        .choices({"NO", "MULTI_CPU", "MULTI_GPU", "MULTI_NPU", "MULTI_MLU", "MULTI_SDAA", "MULTI_MUSA", "MULTI_XPU",
                  "MULTI_HPU", "MULTI_NEURON", "DEEPSPEED", "FSDP", "XLA", "MEGATRON_LM"})
        .since("0.2");
    row("mixed_precision", Type::choice, "Mixed precision",
        "Number format of the computation; weights stay in their own format")
        .choices({"no", "fp16", "bf16", "fp8"})
        .any_case()
        .effective("no")
        .flag("--mixed_precision")
        .group("Resources")
        .always(kEnvMixedPrecision)
        .lower()
        .since("0.6");
    row("use_cpu", Type::boolean, "CPU only", "Train on the CPU even where an accelerator is")
        .fallback(false)
        .always(kEnvUseCpu)
        .since("0.6");
    row("debug", Type::boolean, "Check operations",
        "Check that all processes call the same operations with matching shapes; slower")
        .fallback(false)
        .presence("--debug")
        .group("General")
        .when_set(kEnvDebugMode)
        .lower()
        .since("0.22");
    row("num_processes", Type::integer, "Processes", "Processes over all machines together, one for each device")
        .range(1)
        .fallback(-1)
        .flag("--num_processes")
        .group("Resources")
        .since("0.2");
    row("num_machines", Type::integer, "Machines", "Machines that take part")
        .range(1)
        .fallback(1)
        .flag("--num_machines")
        .group("Resources")
        .since("0.2");
    row("machine_rank", Type::integer, "Number of this machine",
        "Place of this machine among all, from 0; the machine with 0 hosts the main process")
        .range(0)
        .fallback(0)
        .flag("--machine_rank")
        .also({"--node_rank"})
        .group("Several machines")
        .since("0.2")
        .applies(has_many_machines, "num_machines is above 1");
    row("gpu_ids", Type::text, "Devices", "`all`, or the numbers of the devices of this machine, as in `0,2,3`")
        .effective("all")
        .flag("--gpu_ids")
        .group("Several machines")
        .since("0.13")
        .applies(has_accelerators, "it does not train on the CPU");
    row("main_process_ip", Type::text, "Address of the main machine", "Host name or address of the machine with rank 0")
        .flag("--main_process_ip")
        .also({"--master_addr"})
        .group("Several machines")
        .when_set(kEnvMasterAddress)
        .since("0.2")
        .applies(has_many_machines, "num_machines is above 1");
    row("main_process_port", Type::integer, "Port of the main machine",
        "Port on which the processes meet; 0 picks a free one")
        .range(0, 65535)
        .effective(29500)
        .flag("--main_process_port")
        .also({"--master_port"})
        .group("Several machines")
        .when_set(kEnvMasterPort)
        .since("0.2");
    row("rdzv_backend", Type::text, "Rendezvous",
        "How the machines find each other: `static`, `c10d` or another of torchrun's")
        .fallback("static")
        .flag("--rdzv_backend", "static")
        .group("Several machines")
        .since("0.13")
        .applies(has_many_machines, "num_machines is above 1");
    row("same_network", Type::boolean, "One network",
        "All machines are in one local network and reach the main machine's port directly")
        .fallback(false)
        .presence("--same_network")
        .group("Several machines")
        .since("0.13")
        .applies(has_many_machines, "num_machines is above 1");
    row("main_training_function", Type::text, "Training function", "Function of the script that is started on TPU")
        .fallback("main")
        .flag("--main_training_function")
        .group("TPU")
        .read_by("XLA")
        .since("0.2")
        .applies(is_tpu, "distributed_type is XLA");
    row("enable_cpu_affinity", Type::boolean, "NUMA affinity",
        "Keep each process on the processor cores that are next to its device")
        .fallback(false)
        .presence("--enable_cpu_affinity")
        .group("Resources")
        .when_set(kEnvCpuAffinity)
        .since("0.29");
    row("downcast_bf16", Type::boolean, "Double as bf16 too",
        "On TPU with bf16: also compute double precision in bf16; else double becomes single precision")
        .keeps_words()
        .fallback(false)
        .presence("--downcast_bf16")
        .group("TPU")
        .read_by("XLA")
        .since("0.12")
        .applies(is_tpu, "distributed_type is XLA");
    row("tpu_name", Type::text, "TPU name", "Name of the TPU in Google Cloud")
        .read_by("XLA")
        .since("0.14")
        .applies(is_tpu, "distributed_type is XLA");
    row("tpu_zone", Type::text, "TPU zone", "Zone of the TPU in Google Cloud")
        .read_by("XLA")
        .since("0.14")
        .applies(is_tpu, "distributed_type is XLA");
    row("tpu_use_cluster", Type::boolean, "TPU pod", "The TPU is a pod; the launch goes to all its workers")
        .fallback(false)
        .presence("--tpu_cluster")
        .group("TPU")
        .read_by("XLA")
        .since("0.17")
        .applies(is_tpu, "distributed_type is XLA");
    row("tpu_use_sudo", Type::boolean, "With sudo", "Run the commands on the pod's workers with sudo")
        .keeps_words()
        .fallback(false)
        .presence("--tpu_use_sudo")
        .group("TPU")
        .read_by("XLA")
        .since("0.17")
        .applies(is_tpu, "distributed_type is XLA");
    row("command_file", Type::path, "Command file", "File whose lines `tpu-config` runs on every worker")
        .read_by("tpu-config")
        .since("0.14")
        .applies(is_tpu, "distributed_type is XLA");
    row("commands", Type::texts, "Commands", "Commands that `tpu-config` runs on every worker")
        .read_by("tpu-config")
        .since("0.14")
        .applies(is_tpu, "distributed_type is XLA");
    row("tpu_vm", Type::texts, "TPU machines", "Names of the machines of a TPU pod")
        .flag("--vm", {}, FlagKind::repeated)
        .group("TPU")
        .read_by("XLA")
        .since("0.17")
        .applies(is_tpu, "distributed_type is XLA");
    row("tpu_env", Type::texts, "TPU environment", "Environment variables for the pod's machines, each as NAME=value")
        .flag("--env", {}, FlagKind::repeated)
        .group("TPU")
        .read_by("XLA")
        .since("0.17")
        .applies(is_tpu, "distributed_type is XLA");
}

}  // namespace trainyard::settings
