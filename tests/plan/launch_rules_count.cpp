// SPDX-License-Identifier: GPL-3.0-or-later
// Rules about processes, machines and threads.

#include <algorithm>

#include "plan/launch_rules.h"

namespace trainyard::test {

namespace {

bool is_process(const Json& e) {
    return e.contains("launcher") && e["launcher"] == "process";
}
bool is_plain(const LaunchInput& input) {
    return !is_sagemaker(input) &&
           (type_asked(input) == "NO" || type_asked(input) == "MULTI_CPU" || input.typed("cpu"));
}
/// Ranks on the CPU without mpirun; Accelerate starts one process.
bool is_cpu_group(const LaunchInput& input) {
    return is_plain(input) && hostfile(input).empty() && (processes(input) > 1 || machines(input) > 1);
}

int port_asked(const LaunchInput& input) {
    std::string said = setting(input, "main_process_port", "main_process_port");
    return said.empty() ? 29500 : std::atoi(said.c_str());
}

Json torchrun_of(const LaunchInput& input, Json& e) {
    int port = port_asked(input);
    int free_port = input.machine_value("free_port", 43210);
    if (port == 0)
        port = free_port;
    auto used = input.machine_value("ports_in_use", std::vector<int>());
    bool several = machines(input) > 1, standalone = false;
    if ((!several || machine_rank(input) == 0) && std::ranges::count(used, port) > 0) {
        if (several) {
            e = refused();
            return {};
        }
        standalone = true;
        port = free_port;
        e["port_in_use"] = true;
    }
    std::string address = setting(input, "main_process_ip", "main_process_ip");
    bool same = input.typed("same_network") || is_true(input.config_value("same_network"));
    auto text = [&](const char* flag, const char* otherwise) {
        return input.typed(flag) ? input.value_of(flag) : std::string(otherwise);
    };
    std::string backend = setting(input, "rdzv_backend", "rdzv_backend");
    std::string interval = text("monitor_interval", "0.1");
    return {{"nnodes", several ? std::to_string(machines(input)) : "1:1"},
            {"nproc_per_node", std::to_string(ranks_here(input))},
            {"node_rank", several ? machine_rank(input) : 0},
            {"master_addr", several && same ? address : "127.0.0.1"},
            {"master_port", several && !same ? "29500" : std::to_string(port)},
            {"rdzv_backend", backend.empty() ? "static" : backend},
            {"rdzv_endpoint", several && !same ? address + ":" + std::to_string(port) : ""},
            {"rdzv_conf", text("rdzv_conf", "")},
            {"standalone", standalone},
            {"max_restarts", std::atoi(text("max_restarts", "0").c_str())},
            {"monitor_interval", std::atof(interval.c_str())},
            {"role", text("role", "default")},
            {"tee", text("tee", "0")},
            {"log_dir", text("log_dir", "")}};
}

void start_cpu_group(const LaunchInput& input, Json& e) {
    e["launcher"] = "ranks";
    e["env"].erase("MASTER_ADDR");
    e["env"].erase("MASTER_PORT");
    e["bad_ranks"] = Json::array();
    if (e["command"][0] == "PYTHON")
        e["command"].insert(e["command"].begin() + 1, "-u");
    Json torchrun = torchrun_of(input, e);
    if (!e.contains("error"))
        e["torchrun"] = torchrun;
}

int number_in(const LaunchInput& input, const char* variable) {
    return std::atoi(input.env.value(variable, std::string("-1")).c_str());
}

bool exports_threads(const Json& e) {
    return e["launcher"] != "tpu" && e["env"].value("ACCELERATE_USE_DEEPSPEED", "") != "true";
}

/// Threads of a rank on the CPU: the cores of this machine over its ranks, as Accelerate means it.
void share_cores(const LaunchInput& input, Json& e) {
    if (input.typed("num_cpu_threads_per_process") || number_in(input, "OMP_NUM_THREADS") > 0)
        return;
    int local = std::max(1, ranks_here(input));
    for (const char* name : {"MV2_COMM_WORLD_LOCAL_SIZE", "OMPI_COMM_WORLD_LOCAL_SIZE", "MPI_LOCALNRANKS"})
        if (number_in(input, name) > 0)
            local = number_in(input, name);
    int threads = input.machine_value("physical_cores", 8) / local;
    if (threads <= 1)
        return;
    if (exports_threads(e))
        e["env"]["OMP_NUM_THREADS"] = std::to_string(threads);
    e["assumed"]["num_cpu_threads_per_process"] = std::to_string(threads);
}

/// Adds the number of processes, 1, to the mpirun command. Accelerate leaves it out if the number is 0.
void name_one_process(Json& command) {
    for (std::size_t i = 0; i < command.size(); ++i)
        if (command[i] == "--npernode" || command[i] == "-ppn") {
            command[i + 1] = "1";
            auto at = command.begin() + static_cast<std::ptrdiff_t>(i) + 2;
            if (at == command.end() || *at != "-n")
                command.insert(at, {"-n", "1"});
            else
                *(at + 1) = "1";
            return;
        }
}

/// Returns whether machines may join in any order.
bool comes_by_arrival(const LaunchInput& input) {
    return setting(input, "rdzv_backend", "rdzv_backend") == "c10d";
}

bool needs_rank(const LaunchInput& input, const Json& e) {
    return is_ranks(e) || (is_cpu_group(input) && is_process(e));
}

}  // namespace

std::vector<Rule> count_rules() {
    return {
        {"one process without an accelerator",
         "No accelerator gives Accelerate 0 processes; with --cpu it takes as many processes as there are GPUs. One "
         "process runs, so one is said, and on the CPU it gets all cores.",
         [](const LaunchInput& in, const Json& e) {
             return !e.contains("error") && !in.file_counts() && !in.typed("num_processes") &&
                    (in.typed("cpu") || in.machine_value("device_count", 0) == 0);
         },
         [](const LaunchInput& in, Json& e) {
             e["assumed"]["num_processes"] = "1";
             if (is_ranks(e))
                 e["torchrun"]["nproc_per_node"] = "1";
             if (in.typed("cpu") && machines(in) == 1) {
                 e["env"].erase("MASTER_ADDR");
                 e["env"].erase("MASTER_PORT");
             }
             if (is_process(e) && e["command"][0] == "mpirun")
                 name_one_process(e["command"]);
             if (in.typed("cpu"))
                 share_cores(in, e);
         },
         {}},
        {"too few processes for the machines",
         "Fewer processes than machines (or none at all) leave machines without a rank; Accelerate starts 0 there.",
         [](const LaunchInput& in, const Json&) {
             return !is_sagemaker(in) && (processes(in) < 1 || machines(in) < 1 || processes(in) < machines(in));
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"several machines must know where they meet",
         "Without an address Accelerate's endpoint is the text None:29500, without a rank it is a TypeError.",
         [](const LaunchInput& in, const Json& e) {
             return machines(in) > 1 && needs_rank(in, e) &&
                    (setting(in, "main_process_ip", "main_process_ip").empty() ||
                     (machine_rank(in) < 0 && !comes_by_arrival(in)) || machine_rank(in) >= machines(in));
         },
         [](const LaunchInput&, Json& e) { e = refused(); },
         {}},
        {"machines by arrival need no number",
         "With --rdzv_backend c10d the machines are numbered as they join; Accelerate requires a number nevertheless, "
         "and raises a TypeError without one.",
         [](const LaunchInput& in, const Json& e) {
             return machines(in) > 1 && e.contains("error") && machine_rank(in) < 0 && comes_by_arrival(in) &&
                    !setting(in, "main_process_ip", "main_process_ip").empty();
         },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.add_flags({"--machine_rank", "0"});
             return mended;
         }},
        {"several processes without a way of training",
         "num_processes above 1 where neither flag nor file names a way of training: Accelerate starts one process "
         "nevertheless. We start all of them, on the devices or, without an accelerator, on the CPU.",
         [](const LaunchInput& in, const Json& e) {
             bool stopped = e.contains("error") && e["error"].value("type", "") == "AssertionError";
             return (is_process(e) || stopped) && is_cpu_group(in) && !on_cpu(in);
         },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.config_is_default = false;
             mended.add_flags({in.machine_value("device_count", 0) == 0 ? "--cpu" : "--multi_gpu"});
             return mended;
         }},
        {"MULTI_CPU is training on the CPU",
         "A file of type MULTI_CPU without use_cpu: the ranks train on the CPU.",
         [](const LaunchInput& in, const Json& e) {
             return is_process(e) && type_asked(in) == "MULTI_CPU" && !in.typed("cpu") &&
                    !is_true(in.config_value("use_cpu"));
         },
         {},
         [](const LaunchInput& in) {
             LaunchInput mended = in;
             mended.config_is_default = false;
             mended.add_flags({"--cpu"});
             return mended;
         }},
        {"ranks on the CPU",
         "Several processes on the CPU without mpirun: Accelerate starts one and tells it nothing of the others. All "
         "are "
         "started, with torchrun's variables.",
         [](const LaunchInput& in, const Json& e) { return is_process(e) && is_cpu_group(in); },
         [](const LaunchInput& in, Json& e) { start_cpu_group(in, e); },
         {}},
        {"threads follow the processes of this machine",
         "--cpu beside a file that says use_cpu: false gets one thread from Accelerate; and where the processes do not "
         "divide by the machines, its count is of no machine.",
         [](const LaunchInput& in, const Json& e) {
             bool uneven = processes(in) % std::max(1, machines(in)) != 0;
             bool counted = on_cpu(in) || is_true(in.config_value("use_cpu"));
             bool unseen = in.typed("cpu") && in.file_counts() && is_plain(in);
             return !e.contains("error") && !is_sagemaker(in) && (unseen || (counted && uneven));
         },
         [](const LaunchInput& in, Json& e) {
             if (!in.typed("num_cpu_threads_per_process") && number_in(in, "OMP_NUM_THREADS") <= 0) {
                 e["env"].erase("OMP_NUM_THREADS");
                 if (!in.env.contains("OMP_NUM_THREADS") && exports_threads(e))
                     e["env"]["OMP_NUM_THREADS"] = "1";
                 e["assumed"].erase("num_cpu_threads_per_process");
             }
             share_cores(in, e);
         },
         {}},
        {"uneven machines",
         "num_processes that do not divide by num_machines: Accelerate drops the rest. The first machines take one "
         "more.",
         [](const LaunchInput& in, const Json& e) {
             return machines(in) > 1 && is_ranks(e) && processes(in) % machines(in) != 0;
         },
         [](const LaunchInput& in, Json& e) { e["torchrun"]["nproc_per_node"] = std::to_string(ranks_here(in)); },
         {}},
        {"uneven machines under mpirun",
         "mpirun needs room for the largest share on each machine; -n says how many in all.",
         [](const LaunchInput& in, const Json& e) {
             return is_process(e) && !hostfile(in).empty() && machines(in) > 1 && processes(in) % machines(in) != 0;
         },
         [](const LaunchInput& in, Json& e) {
             for (std::size_t i = 0; i + 1 < e["command"].size(); ++i)
                 if (e["command"][i] == "--npernode" || e["command"][i] == "-ppn") {
                     e["command"][i + 1] = std::to_string((processes(in) + machines(in) - 1) / machines(in));
                     return;
                 }
         },
         {}},
        {"a free port under mpirun, too",
         "main_process_port 0 picks a free port; under mpirun Accelerate exports the 0.",
         [](const LaunchInput&, const Json& e) { return is_process(e) && e["env"].value("MASTER_PORT", "") == "0"; },
         [](const LaunchInput& in, Json& e) {
             e["env"]["MASTER_PORT"] = std::to_string(in.machine_value("free_port", 43210));
         },
         {}},
    };
}

}  // namespace trainyard::test
