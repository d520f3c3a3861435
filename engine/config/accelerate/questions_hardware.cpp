// SPDX-License-Identifier: GPL-3.0-or-later
// Kind of machine, hosts, CPU, number of processes.

#include <algorithm>

#include "base/device_kinds.h"
#include "base/text.h"
#include "config/accelerate/questions.h"

namespace trainyard::settings::questions {

namespace {

constexpr int kMostRanksListed = 1024;  // a menu of more machines helps nobody

bool several_machines(const Context& context) {
    return context.integer("num_machines", 1) > 1;
}

std::string detected_machine_type(const Context& context) {
    if (context.machine().tpu)
        return "XLA";
    const DeviceKind* kind = find_device_kind(context.machine().device);
    const bool several = kind != nullptr && kind->name != "cpu" && context.machine().device_count > 1;
    return several && !kind->distributed_type.empty() ? std::string(kind->distributed_type) : "NO";
}

/// DeepSpeed, FSDP and Megatron-LM hide the kind of machine in the file; GPUs are by far the most likely.
std::optional<std::string> read_machine_type(const Settings& settings) {
    std::string type = settings.text("distributed_type");
    if (type == "DEEPSPEED" && settings.boolean("use_cpu"))
        return "NO";
    if (type == "DEEPSPEED" || type == "FSDP" || type == "MEGATRON_LM")
        return "MULTI_GPU";
    if (type.empty())
        return std::nullopt;
    return type;
}

std::string processes_label(const Context& context) {
    std::string_view type = context.distributed_type();
    if (type == "MULTI_CPU")
        return "Processes";
    if (type == "MULTI_NEURON")
        return "NEURON cores";
    if (type.starts_with("MULTI_"))
        return std::string(type.substr(6)) + "s";
    return type == "XLA" ? "XLA devices" : "GPUs";
}

std::string detected_processes(const Context& context) {
    std::int64_t machines = context.integer("num_machines", 1);
    if (context.is("machine_type", "MULTI_CPU"))
        return std::to_string(2 * machines);
    if (context.machine().device_count < 1)
        return {};
    return std::to_string(context.machine().device_count * machines);
}

std::optional<Message> processes_problem(const Context& context, const std::string& answer) {
    // The reference stops with a ValueError for this answer.
    if (context.distributed_type() == "MULTI_GPU" && !several_machines(context) && whole_number(answer) == 1)
        return "MULTI_GPU with 1 process on 1 machine uses one GPU only: take 2 or more, or choose the machine type NO";
    return std::nullopt;
}

std::string devices_label(const Context& context) {
    static const std::vector<std::pair<std::string_view, std::string_view>> kNames{
        {"npu", "NPU ids"}, {"mlu", "MLU ids"}, {"sdaa", "SDAA ids"},         {"musa", "MUSA ids"},
        {"xpu", "XPU ids"}, {"hpu", "HPU ids"}, {"neuron", "Neuron core ids"}};
    for (const auto& [device, name] : kNames)
        if (device == context.machine().device)
            return std::string(name);
    return "GPU ids";
}

bool one_device_kind(const Context& context) {
    bool cards = context.distributed_type().starts_with("MULTI_") && !context.is("machine_type", "MULTI_CPU");
    return (cards || context.distributed_type() == "NO") && !context.on_cpu() && !context.on_mps();
}

std::vector<Option> rank_options(const Context& context) {
    std::vector<Option> options;
    std::int64_t machines = std::min<std::int64_t>(context.integer("num_machines", 1), kMostRanksListed);
    for (std::int64_t rank = 0; rank < machines; ++rank)
        options.push_back({std::to_string(rank), std::to_string(rank), rank == 0 ? "hosts the main process" : ""});
    return options;
}

std::optional<Message> ids_problem(const Context&, const std::string& answer) {
    if (answer == "all")
        return std::nullopt;
    Value ids = list_of(answer, ',');
    for (const Value& id : *ids.list())
        if (!whole_number(*id.text()) || *whole_number(*id.text()) < 0)
            return Message("gpu_ids {} is not a list of device numbers: use all, or numbers with commas such as 0,1",
                           answer);
    return std::nullopt;
}

}  // namespace

std::vector<Row> topology_rows() {
    auto several = [](const Context& context) { return several_machines(context); };
    auto ranks = [](const Context& context) {
        return context.accelerators() || context.is("machine_type", "MULTI_CPU");
    };
    constexpr std::string_view kSeveral = "only with more than one machine";
    std::vector<Row> rows;
    rows.push_back(
        {.question = question("env", Topic::hardware, QuestionKind::menu, "Where will this run?", "Environment",
                              "This machine and others you reach, or jobs in Amazon SageMaker", "compute_environment",
                              {{"LOCAL_MACHINE", "This machine", "and machines it works together with"},
                               {"AMAZON_SAGEMAKER", "Amazon SageMaker", "jobs in the AWS cloud"}}),
         .fallback = "LOCAL_MACHINE"});
    rows.push_back(
        {.question = question("machine_type", Topic::hardware, QuestionKind::menu, "What kind of machine is it?",
                              "Machine type", "What the processes of a run compute on", "",
                              {{"NO", "One device", "one process, nothing distributed"},
                               {"MULTI_CPU", "Many CPUs", "several processes without accelerator"},
                               {"MULTI_XPU", "Many XPUs", "Intel GPUs"},
                               {"MULTI_HPU", "Many HPUs", "Intel Gaudi"},
                               {"MULTI_GPU", "Many GPUs", "NVIDIA or AMD"},
                               {"MULTI_NPU", "Many NPUs", "Huawei Ascend"},
                               {"MULTI_MLU", "Many MLUs", "Cambricon"},
                               {"MULTI_SDAA", "Many SDAAs", "Tecorigin"},
                               {"MULTI_MUSA", "Many MUSAs", "Moore Threads"},
                               {"MULTI_NEURON", "Many Neuron cores", "AWS Trainium and Inferentia"},
                               {"XLA", "TPU", "Google TPU through XLA"}}),
         .fallback = "NO",
         .detected = detected_machine_type,
         .read = read_machine_type});
    rows.push_back({.question = question("num_machines", Topic::hardware, QuestionKind::integer, "How many machines?",
                                         "Machines", "More than 1 for training across hosts", "num_machines"),
                    .shown = ranks,
                    .hidden = "one device needs one machine only",
                    .fallback = "1",
                    .range = {1, 65536}});
    rows.push_back(
        {.question = question("machine_rank", Topic::hardware, QuestionKind::menu, "Which number has this machine?",
                              "Machine rank", "0 is the machine that hosts the main process", "machine_rank"),
         .shown = several,
         .hidden = kSeveral,
         .fallback = "0",
         .stored = Stored::integer,
         .options_of = rank_options});
    rows.push_back(
        {.question = question("main_ip", Topic::hardware, QuestionKind::text, "Address of the machine with number 0?",
                              "Main address", "Host name or IP address that all machines reach", "main_process_ip"),
         .shown = several,
         .hidden = kSeveral,
         .required = "main_process_ip is missing: name the host or IP address of the machine with rank 0"});
    rows.push_back({.question = question("main_port", Topic::hardware, QuestionKind::integer,
                                         "Port of the main process on that machine?", "Main port",
                                         "The firewalls between the machines must let it through", "main_process_port"),
                    .shown = several,
                    .hidden = kSeveral,
                    .detected = [](const Context&) { return std::string("29500"); },
                    .range = {0, 65535},
                    .required = "main_process_port is missing: name a port from 0 to 65535, 29500 is the usual one"});
    rows.push_back({.question = question("same_network", Topic::hardware, QuestionKind::yes_no,
                                         "Are all machines in one local network?", "Same network",
                                         "No when they are in different networks or in a cloud", "same_network"),
                    .shown = several,
                    .hidden = kSeveral,
                    .fallback = "yes"});
    rows.push_back(
        {.question = question("rdzv_backend", Topic::hardware, QuestionKind::text, "Which rendezvous backend?",
                              "Rendezvous", "How the machines find each other: static, c10d, etcd", "rdzv_backend"),
         .shown = [](const Context& context) { return several_machines(context) && !context.yes("same_network"); },
         .hidden = "only when the machines are in different networks",
         .fallback = "static"});
    rows.push_back({.question = question("debug", Topic::hardware, QuestionKind::yes_no,
                                         "Check distributed operations while running?", "Debug checks",
                                         "Finds shapes that differ between processes; slower", "debug"),
                    .shown = ranks,
                    .hidden = "one process has no distributed operations",
                    .fallback = "no"});
    rows.push_back(
        {.question = question("use_cpu", Topic::hardware, QuestionKind::yes_no,
                              "Train on the CPU even where an accelerator is?", "CPU only",
                              "Accelerators of this machine stay unused", "use_cpu"),
         .shown = [](const Context& context) { return context.is("machine_type", "NO"); },
         .hidden = "follows from the machine type",
         .fallback = "no",
         .detected =
             [](const Context& context) { return std::string(context.machine().device == "cpu" ? "yes" : "no"); }});
    rows.push_back(
        {.question = question("use_mpirun", Topic::hardware, QuestionKind::yes_no, "Start the processes with mpirun?",
                              "Use mpirun", "For several machines with MPI installed"),
         .shown = [](const Context& context) { return context.is("machine_type", "MULTI_CPU"); },
         .hidden = "only for many CPUs",
         .fallback = "no",
         .read = yes_when_there({"mpirun_config.mpirun_hostfile"}, "")});
    rows.push_back(
        {.question = question("mpirun_hostfile", Topic::hardware, QuestionKind::path, "Which host file for mpirun?",
                              "Host file", "Names the machines, one a line", "mpirun_config.mpirun_hostfile"),
         .shown = [](const Context& context) { return context.yes("use_mpirun"); },
         .hidden = "only with mpirun",
         .fallback = "~/hostfile",
         .write =
             [](const Context&, const std::string& answer, Settings& settings) {
                 settings.set("mpirun_config.mpirun_hostfile", with_home(std::string(text::trimmed(answer))));
             }});
    return rows;
}

std::vector<Row> device_rows() {
    std::vector<Row> rows;
    rows.push_back({.question = question("num_processes", Topic::hardware, QuestionKind::integer,
                                         "How many processes in all, over all machines?", "Processes",
                                         "One process for each device, counted over all machines", "num_processes"),
                    .shown = [](const Context& context) { return context.distributed_type() != "NO"; },
                    .hidden = "one device is one process",
                    .fallback = "1",
                    .detected = detected_processes,
                    .range = {1, 1048576},
                    .label_of = processes_label,
                    .problem = processes_problem});
    rows.push_back(
        {.question = question("gpu_ids", Topic::hardware, QuestionKind::text, "Which devices of this machine?",
                              "GPU ids", "all, or their numbers with commas: 0,1", "gpu_ids"),
         .shown = one_device_kind,
         .hidden = "only for accelerators without DeepSpeed, FSDP and Megatron-LM",
         .fallback = "all",
         .label_of = devices_label,
         .problem = ids_problem});
    rows.push_back(
        {.question = question("numa", Topic::hardware, QuestionKind::yes_no,
                              "Keep each process near the memory of its GPU (NUMA)?", "NUMA affinity",
                              "Pins processes to the cores beside their GPU; NVIDIA only", "enable_cpu_affinity"),
         .shown =
             [](const Context& context) {
                 return (context.distributed_type() == "NO" || context.distributed_type() == "MULTI_GPU") &&
                        !context.on_cpu() && !context.on_mps();
             },
         .hidden = "only for GPUs without DeepSpeed, FSDP and Megatron-LM",
         .fallback = "no"});
    return rows;
}

}  // namespace trainyard::settings::questions
