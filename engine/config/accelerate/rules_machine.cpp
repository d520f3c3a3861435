// SPDX-License-Identifier: GPL-3.0-or-later
// Processes, machines, devices, ports; and keys that have no effect.

#include <algorithm>
#include <array>
#include <cstdlib>
#include <set>
#include <string_view>

#include <fmt/format.h>

#include "base/device_kinds.h"
#include "base/error.h"
#include "base/host_name.h"
#include "base/number.h"
#include "base/printable.h"
#include "base/text.h"
#include "config/accelerate/rules.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings {

namespace {

std::vector<std::string> parts_of(const std::string& text) {
    std::vector<std::string> parts;
    std::string_view rest = text;
    while (true) {
        std::size_t comma = std::min(rest.find(','), rest.size());
        std::string_view part = rest.substr(0, comma);
        while (part.starts_with(' '))
            part.remove_prefix(1);
        while (part.ends_with(' '))
            part.remove_suffix(1);
        parts.emplace_back(part);
        if (comma == rest.size())
            return parts;
        rest.remove_prefix(comma + 1);
    }
}

std::optional<int> device_number(const std::string& text) {
    return parse_number<int>(text, 0);
}

/// Devices that gpu_ids names; empty for `all` or when it names none.
std::vector<std::string> devices_of(const Judgement& j) {
    std::string ids = j.settings().text("gpu_ids", "all");
    return ids == "all" ? std::vector<std::string>() : parts_of(ids);
}

bool starts_deepspeed_itself(const Judgement& j) {
    return j.type() == "DEEPSPEED" &&
           j.settings().text("deepspeed_config.deepspeed_multinode_launcher", "pdsh") != "standard";
}

void machine_rank(Judgement& j) {
    std::int64_t machines = j.integer("num_machines", 1);
    std::int64_t rank = j.integer("machine_rank", 0);
    if (machines >= 1 && rank >= machines)
        j.error("machine_rank",
                machines == 1
                    ? Message("machine_rank {} is not there with one machine: use 0", rank)
                    : Message("machine_rank {} is not one of {} machines: use 0 to {}", rank, machines, machines - 1),
                machines == 1 ? std::optional<Value>(Value(0)) : std::nullopt);
}

void processes_on_machines(Judgement& j) {
    std::int64_t machines = j.integer("num_machines", 1);
    std::int64_t processes = j.integer("num_processes", -1);
    if (j.is_sagemaker() || machines < 2 || processes < 1)
        return;
    if (processes < machines) {
        j.error("num_processes",
                Message("num_processes {} is less than one for each of {} machines: it counts all machines "
                        "together, use {} or a multiple",
                        processes, machines, machines),
                Value(machines));
    } else if (processes % machines != 0) {
        std::int64_t below = processes / machines * machines;
        j.warning("num_processes",
                  Message("num_processes {} cannot be shared out evenly over {} machines: use {} or {}, or say "
                          "with --hosts how many each machine starts",
                          processes, machines, below, below + machines));
    }
}

void main_address(Judgement& j) {
    const std::string address = j.settings().text("main_process_ip");
    if (!address.empty() && !is_valid_host_name(address)) {
        j.error("main_process_ip",
                Message("main_process_ip \"{}\" is neither a host name nor an address: leave blanks, "
                        "slashes, quotes, a leading dash and characters that a shell interprets out",
                        text::printable(address, 100)));
        return;
    }
    if (j.is_sagemaker() || j.type() == "XLA" || j.integer("num_machines", 1) < 2 || starts_deepspeed_itself(j))
        return;
    if (address.empty())
        j.error("main_process_ip", Message("main_process_ip is missing: {} machines meet at the address of "
                                           "the one with machine_rank 0, so name it",
                                           j.integer("num_machines", 1)));
    else if (address == "localhost" || address.starts_with("127.") || address == "::1")
        j.warning("main_process_ip",
                  Message("main_process_ip {} is every machine's own address: name the one by which the "
                          "others reach the main machine",
                          address));
}

void main_port_of_processes(Judgement& j) {
    bool plain = j.type() == "NO" || j.type() == "MULTI_CPU";
    if (!j.is_sagemaker() && plain && j.integer("num_machines", 1) > 1 && !j.given("main_process_port"))
        j.error("main_process_port",
                "main_process_port is missing: several machines meet at one port, the same on all of them, e.g. 29500",
                Value(29500));
}

void shared_port(Judgement& j) {
    if (j.integer("num_machines", 1) > 1 && j.given("main_process_port") && j.integer("main_process_port", 29500) == 0)
        j.error(
            "main_process_port",
            "main_process_port 0 picks a free port, which the other machines do not know: use the same number on all, "
            "e.g. 29500",
            Value(29500));
}

void port_needs_root(Judgement& j) {
    std::int64_t port = j.integer("main_process_port", 29500);
    if (port > 0 && port < 1024)
        j.warning("main_process_port",
                  Message("main_process_port {} is open to root only: use 1024 to 65535, or 0 for a free one", port));
}

void port_in_use(Judgement& j) {
    if (j.machine() == nullptr || j.is_sagemaker())
        return;
    std::int64_t port = j.integer("main_process_port", 29500);
    if (std::ranges::find(j.machine()->ports_in_use, port) == j.machine()->ports_in_use.end())
        return;
    if (j.integer("num_machines", 1) < 2)
        j.warning("main_process_port",
                  Message("main_process_port {} is used by another program: a free one will be taken, as 0 "
                          "asks for",
                          port),
                  Value(0));
    else if (j.integer("machine_rank", 0) == 0)
        j.error("main_process_port",
                Message("main_process_port {} is used by another program on this machine: choose another "
                        "one, the same on all machines",
                        port));
}

void one_process(Judgement& j) {
    std::int64_t processes = j.integer("num_processes", -1);
    if (!j.is_sagemaker() && j.type() == "NO" && processes > 1)
        j.warning(
            "distributed_type",
            j.settings().boolean("use_cpu")
                ? Message("distributed_type NO is for one process, but num_processes is {}: use MULTI_CPU", processes)
                : Message("distributed_type NO is for one process, but num_processes is {}: use MULTI_GPU or "
                          "MULTI_CPU",
                          processes),
            j.settings().boolean("use_cpu") ? std::optional<Value>(Value("MULTI_CPU")) : std::nullopt);
    else if (j.type().starts_with("MULTI_") && j.type() != "MULTI_CPU" && processes == 1)
        j.warning("num_processes",
                  Message("num_processes 1 is not several: use 2 or more with {}, or distributed_type NO", j.type()));
}

void cpu_or_not(Judgement& j) {
    if (j.settings().boolean("use_cpu") && j.type().starts_with("MULTI_") && j.type() != "MULTI_CPU")
        j.warning(
            "use_cpu",
            Message("use_cpu is true, but {} trains on accelerators: set it to false, or use MULTI_CPU", j.type()),
            Value(false));
}

void device_numbers(Judgement& j) {
    std::set<std::string> seen;
    for (const std::string& id : devices_of(j)) {
        // CUDA also takes the names that nvidia-smi -L prints.
        bool named = id.starts_with("GPU-") || id.starts_with("MIG-");
        if (!named && !device_number(id)) {
            j.error("gpu_ids",
                    Message("gpu_ids: \"{}\" is not the number of a device: use all, or numbers as in 0,1", id));
            return;
        }
        if (!seen.insert(id).second) {
            j.error("gpu_ids", Message("gpu_ids names device {} twice: name each once", id));
            return;
        }
        if (j.machine() != nullptr && !named && j.machine()->device_count > 0 &&
            *device_number(id) >= j.machine()->device_count) {
            j.error("gpu_ids", Message("gpu_ids names device {}, but this machine has {}: use 0 to {}", id,
                                       j.machine()->device_count, j.machine()->device_count - 1));
            return;
        }
    }
}

Message devices_text(std::int64_t count) {
    return count == 1 ? Message("1 device") : Message("{} devices", count);
}

void enough_devices(Judgement& j) {
    if (j.is_sagemaker() || !j.on_accelerators())
        return;
    std::int64_t machines = std::max<std::int64_t>(1, j.integer("num_machines", 1));
    std::vector<std::string> devices = devices_of(j);
    if (devices.size() == 1 && machines == 1 && j.type().starts_with("MULTI_")) {
        j.error("gpu_ids",
                Message("gpu_ids names one device, but {} needs two or more: name more, or use "
                        "distributed_type NO",
                        j.type()),
                Value("all"));
        return;
    }
    std::int64_t here = j.integer("num_processes", -1) / machines;
    if (here < 1)
        return;
    auto named = static_cast<std::int64_t>(devices.size());
    if (!devices.empty() && named != here)
        j.warning("num_processes",
                  Message("num_processes asks for {} processes on each machine, but gpu_ids names {}: each process "
                          "needs one, so make them equal",
                          here, devices_text(named)),
                  Value(named * machines));
    else if (devices.empty() && j.machine() != nullptr && j.machine()->device_count > 0 &&
             here > j.machine()->device_count)
        j.warning("num_processes",
                  Message("num_processes asks for {} processes on this machine, which has {}: use {}", here,
                          devices_text(j.machine()->device_count), j.machine()->device_count * machines),
                  Value(j.machine()->device_count * machines));
}

void maker_of_devices(Judgement& j) {
    if (j.machine() == nullptr || j.machine()->device_count < 1)
        return;
    const DeviceKind* wanted = device_kind_of_type(j.type());
    const DeviceKind* found = find_device_kind(j.machine()->device);
    const auto is_accelerator = [](const DeviceKind* kind) {
        return kind != nullptr && kind->distributed_type.starts_with("MULTI_") && kind->name != "cpu";
    };
    if (is_accelerator(wanted) && is_accelerator(found) && wanted != found)
        j.warning("distributed_type",
                  Message("distributed_type {} is for {} devices, but this machine has {}: use {}",
                          wanted->distributed_type, wanted->name, found->name, found->distributed_type),
                  Value(found->distributed_type));
}

/// Kinds without collectives of LibTorch have no way of training with several processes (Apple's MPS).
void device_collectives(Judgement& j) {
    if (j.machine() == nullptr || j.is_sagemaker() || j.settings().boolean("use_cpu"))
        return;
    const DeviceKind* kind = find_device_kind(j.machine()->device);
    const bool several = (j.type().starts_with("MULTI_") && j.type() != "MULTI_CPU") || j.on_accelerators();
    if (kind != nullptr && kind->distributed_type.empty() && several && j.integer("num_processes", 2) > 1)
        j.error(
            "distributed_type",
            Message("{} needs several processes, and LibTorch has no collectives for this machine's '{}': use NO, or "
                    "set use_cpu",
                    j.type(), kind->name),
            Value("NO"));
}

/// As Accelerate's prepare() refuses it: https://github.com/huggingface/accelerate, accelerator.py.
void lazy_mode(Judgement& j) {
    constexpr std::string_view kOptimizer = "deepspeed_config.offload_optimizer_device";
    const char* mode = std::getenv("PT_HPU_LAZY_MODE");
    const bool is_lazy = mode == nullptr || std::string_view(mode) == "1";
    if (j.machine() != nullptr && j.machine()->device == "hpu" && j.type() == "DEEPSPEED" && is_lazy &&
        !j.settings().boolean("use_cpu") && j.settings().text(kOptimizer, "none") != "none")
        j.error(
            kOptimizer,
            "an offloaded optimizer does not work with Gaudi's lazy mode: set the variable PT_HPU_LAZY_MODE to 0, or "
            "offload_optimizer_device to none",
            Value("none"));
}

void rendezvous_backend(Judgement& j) {
    static const std::vector<std::string> known = {"static", "c10d", "etcd", "etcd-v2"};
    std::string backend = j.settings().text("rdzv_backend", "static");
    if (std::ranges::find(known, backend) != known.end())
        return;
    auto near = text::nearest(backend, known);
    j.warning("rdzv_backend",
              near ? Message("rdzv_backend \"{}\" is not one of torchrun's backends: did you mean {}?", backend, *near)
                   : Message("rdzv_backend \"{}\" is not one of torchrun's backends (static, c10d, etcd, etcd-v2): it "
                             "must be registered on every machine",
                             backend),
              near ? std::optional<Value>(Value(*near)) : std::nullopt);
}

void mpi_program(Judgement& j) {
    if (j.machine() != nullptr && j.type() == "MULTI_CPU" && j.given("mpirun_config.mpirun_hostfile") &&
        !j.machine()->mpi)
        j.error(
            "mpirun_config.mpirun_hostfile",
            "mpirun_hostfile asks for MPI, but neither mpirun nor mpiexec is on this machine: install Open MPI, Intel "
            "MPI or MVAPICH, or remove mpirun_hostfile",
            Value());
}

Message no_effect_text(std::string_view name, const Key& key) {
    return Message("{} has no effect: it counts only when {}", name, Message::table_text(key.applies_when));
}

/// Reports keys of the file that have no effect under these settings.
void no_effect(Judgement& j) {
    for (const Entry& entry : j.settings().root()) {
        const Value::Map* table = entry.value.map();
        if (table == nullptr) {
            const Key* key = find_key(entry.key, j.is_sagemaker());
            // The questionnaire writes same_network for one machine, too.
            if (key == nullptr || key->applies == nullptr || key->name == "same_network" || entry.value.is_null() ||
                entry.value == key->standard() || key->applies(j.settings()))
                continue;
            bool empty_list = entry.value.list() != nullptr && entry.value.list()->empty();
            bool off = key->type == Type::boolean && !j.settings().boolean(entry.key);
            if (!empty_list && !off)
                j.warning(entry.key, no_effect_text(key->name, *key), Value());
            continue;
        }
        std::size_t idle = 0;
        std::size_t known = 0;
        const Key* example = nullptr;
        std::vector<const Key*> keys;
        for (const Entry& nested : *table) {
            const Key* key = find_key(entry.key + "." + nested.key, j.is_sagemaker());
            if (key == nullptr || key->applies == nullptr || nested.value.is_null())
                continue;
            ++known;
            if (key->applies(j.settings()))
                continue;
            ++idle;
            example = key;
            bool off = key->type == Type::boolean && !j.settings().boolean(key->path()) &&
                       (key->standard().is_null() || key->standard() == Value(false));
            if (!(nested.value == key->standard()) && !off)
                keys.push_back(key);
        }
        bool whole_table = section_of_table(entry.key) != Section::dynamo && known > 1 && idle == known;
        if (whole_table && !keys.empty() && !example->applies_when.empty()) {
            const Key* first = find_key(known_paths()[0]);
            for (const Key& key : schema())
                if (key.section == section_of_table(entry.key)) {
                    first = &key;
                    break;
                }
            if (!first->applies(j.settings())) {
                j.warning(entry.key, no_effect_text(entry.key, *first), Value());
                continue;
            }
        }
        for (const Key* key : keys)
            j.warning(key->path(), no_effect_text(key->name, *key), Value());
    }
}

constexpr std::array kMachineRules = {
    Rule{"machine_rank", "machine_rank is one of the machines", machine_rank},
    Rule{"processes_on_machines", "the processes can be shared out evenly over the machines", processes_on_machines},
    Rule{"main_address", "several machines have an address to meet at", main_address},
    Rule{"main_port", "several machines without a rendezvous have a port to meet at", main_port_of_processes},
    Rule{"shared_port", "several machines do not meet at a port that only one of them knows", shared_port},
    Rule{"root_port", "the port is open to everybody", port_needs_root},
    Rule{"port_in_use", "the port is free on this machine", port_in_use},
    Rule{"one_process", "NO means one process, MULTI_ more than one", one_process},
    Rule{"cpu_or_not", "use_cpu does not contradict the way of training", cpu_or_not},
    Rule{"device_numbers", "gpu_ids names devices, each once, that are there", device_numbers},
    Rule{"enough_devices", "there is one device for each process", enough_devices},
    Rule{"maker_of_devices", "the distributed type fits this machine's devices", maker_of_devices},
    Rule{"device_collectives", "several processes have devices with collectives", device_collectives},
    Rule{"lazy_mode", "Gaudi's lazy mode does not meet an offloaded optimizer", lazy_mode},
    Rule{"rendezvous_backend", "rdzv_backend is one that torchrun has", rendezvous_backend},
    Rule{"mpi_program", "mpirun is installed when it is used", mpi_program},
    Rule{"no_effect", "every key in the file has an effect", no_effect},
};

}  // namespace

std::span<const Rule> machine_rules() {
    return kMachineRules;
}

}  // namespace trainyard::settings
