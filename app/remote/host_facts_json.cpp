// HostFacts as JSON and back.

#include <nlohmann/json.hpp>

#include "base/error.h"
#include "remote/host_facts.h"
#include "run/json_fields.h"

namespace trainyard::remote {

namespace json = run::json;
using json::Json;

namespace {

Json json_of(const GpuFacts& gpu) {
    Json processes = Json::array();
    for (const GpuProcess& process : gpu.processes) {
        Json one{{"pid", process.pid},
                 {"user", process.user},
                 {"name", process.name},
                 {"memory_bytes", process.memory_bytes}};
        json::write(one, "age_s", process.age_s);
        processes.push_back(std::move(one));
    }
    Json object{{"index", gpu.index},
                {"vendor", gpu.vendor},
                {"name", gpu.name},
                {"uuid", gpu.uuid},
                {"pci", gpu.pci},
                {"memory_bytes", gpu.memory_bytes},
                {"memory_used_bytes", gpu.memory_used_bytes},
                {"compute_capability", gpu.compute_capability},
                {"processes", processes}};
    json::write(object, "temperature_c", gpu.temperature_c);
    json::write(object, "power_w", gpu.power_w);
    json::write(object, "busy_percent", gpu.busy_percent);
    return object;
}

GpuFacts gpu_of(const Json& object, const std::string& origin) {
    GpuFacts gpu;
    json::read(object, "index", gpu.index, origin);
    json::read(object, "vendor", gpu.vendor, origin);
    json::read(object, "name", gpu.name, origin);
    json::read(object, "uuid", gpu.uuid, origin);
    json::read(object, "pci", gpu.pci, origin);
    json::read(object, "memory_bytes", gpu.memory_bytes, origin);
    json::read(object, "memory_used_bytes", gpu.memory_used_bytes, origin);
    json::read(object, "compute_capability", gpu.compute_capability, origin);
    json::read(object, "temperature_c", gpu.temperature_c, origin);
    json::read(object, "power_w", gpu.power_w, origin);
    json::read(object, "busy_percent", gpu.busy_percent, origin);
    Json processes = Json::array();
    json::read(object, "processes", processes, origin);
    for (const Json& one : processes) {
        GpuProcess process;
        json::read(one, "pid", process.pid, origin);
        json::read(one, "user", process.user, origin);
        json::read(one, "name", process.name, origin);
        json::read(one, "memory_bytes", process.memory_bytes, origin);
        json::read(one, "age_s", process.age_s, origin);
        gpu.processes.push_back(std::move(process));
    }
    return gpu;
}

/// One list of the fields of a kind, for both ways.
template <typename Facts, typename Visit>
void texts_and_numbers(Facts& facts, Visit visit) {
    visit("host_name", facts.host_name);
    visit("system", facts.system);
    visit("kernel", facts.kernel);
    visit("machine", facts.machine);
    visit("c_library", facts.c_library);
    visit("cpu", facts.cpu);
    visit("cores", facts.cores);
    visit("physical_cores", facts.physical_cores);
    visit("memory_bytes", facts.memory_bytes);
    visit("memory_available_bytes", facts.memory_available_bytes);
    visit("user", facts.user);
    visit("home", facts.home);
    visit("runs_folder", facts.runs_folder);
    visit("disk_free_bytes", facts.disk_free_bytes);
    visit("disk_total_bytes", facts.disk_total_bytes);
    visit("cache_free_bytes", facts.cache_free_bytes);
    visit("driver", facts.driver);
    visit("cuda", facts.cuda);
    visit("gpu_problem", facts.gpu_problem);
    visit("nccl", facts.nccl);
    visit("python", facts.python);
    visit("python_torch", facts.python_torch);
    visit("engine", facts.engine);
    visit("bundles", facts.bundles);
    visit("gpu_links", facts.gpu_links);
    visit("clock_error_s", facts.clock_error_s);
}

template <typename Facts, typename Visit>
void optional_numbers(Facts& facts, Visit visit) {
    visit("load_1m", facts.load_1m);
    visit("uptime_s", facts.uptime_s);
    visit("clock_offset_s", facts.clock_offset_s);
}

}  // namespace

std::string to_json(const HostFacts& facts) {
    Json object = Json::object();
    texts_and_numbers(facts, [&](const char* key, const auto& value) { object[key] = value; });
    optional_numbers(facts, [&](const char* key, const auto& value) { json::write(object, key, value); });
    object["gpus"] = Json::array();
    for (const GpuFacts& gpu : facts.gpus)
        object["gpus"].push_back(json_of(gpu));
    object["infiniband"] = Json::array();
    for (const InfinibandFacts& port : facts.infiniband)
        object["infiniband"].push_back({{"device", port.device},
                                        {"port", port.port},
                                        {"state", port.state},
                                        {"rate", port.rate},
                                        {"link", port.link}});
    object["interfaces"] = Json::array();
    for (const InterfaceFacts& one : facts.interfaces) {
        Json entry{{"name", one.name}, {"address", one.address}, {"prefix", one.prefix}};
        json::write(entry, "bits_per_s", one.bits_per_s);
        object["interfaces"].push_back(std::move(entry));
    }
    return json::dump(object);
}

HostFacts parse_host_facts(const std::string& text, const std::string& origin) {
    Json object = json::parse_object(text, origin);
    HostFacts facts;
    texts_and_numbers(facts, [&](const char* key, auto& value) { json::read(object, key, value, origin); });
    optional_numbers(facts, [&](const char* key, auto& value) { json::read(object, key, value, origin); });
    Json list = Json::array();
    json::read(object, "gpus", list, origin);
    for (const Json& one : list)
        facts.gpus.push_back(gpu_of(one, origin));
    list = Json::array();
    json::read(object, "infiniband", list, origin);
    for (const Json& one : list) {
        InfinibandFacts port;
        json::read(one, "device", port.device, origin);
        json::read(one, "port", port.port, origin);
        json::read(one, "state", port.state, origin);
        json::read(one, "rate", port.rate, origin);
        json::read(one, "link", port.link, origin);
        facts.infiniband.push_back(std::move(port));
    }
    list = Json::array();
    json::read(object, "interfaces", list, origin);
    for (const Json& one : list) {
        InterfaceFacts entry;
        json::read(one, "name", entry.name, origin);
        json::read(one, "address", entry.address, origin);
        json::read(one, "prefix", entry.prefix, origin);
        json::read(one, "bits_per_s", entry.bits_per_s, origin);
        facts.interfaces.push_back(std::move(entry));
    }
    return facts;
}

}  // namespace trainyard::remote
