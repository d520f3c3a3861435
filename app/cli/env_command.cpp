// trainyard env: what to put in a report of a problem.

#include <cstdio>
#include <fstream>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "base/error.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/commands.h"
#include "launch/prepare.h"
#include "launch/rank_process.h"

namespace trainyard::cli {

namespace {

std::string cpu_model() {
    std::ifstream info("/proc/cpuinfo");
    for (std::string line; std::getline(info, line);)
        if (line.starts_with("model name"))
            return line.substr(line.find(':') + 2);
    return "unknown";
}

nlohmann::ordered_json environment() {
    utsname system{};
    ::uname(&system);
    struct sysinfo memory {};
    ::sysinfo(&memory);
    auto versions = launch::build_versions();
    int gpus = 0;
    std::error_code error;
    while (fs::exists("/dev/nvidia" + std::to_string(gpus), error))
        ++gpus;
    return {{"trainyard", versions["trainyard"]},
            {"libtorch", versions["libtorch"]},
            {"compiler", versions["compiler"]},
            {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
            {"host", host_name()},
            {"cpu", cpu_model()},
            {"cores", launch::usable_cores()},
            {"memory_bytes", static_cast<std::uint64_t>(memory.totalram) * memory.mem_unit},
            {"nvidia_gpus", gpus},
            {"default_device", launch::default_device()},
            {"worker", launch::worker_path().string()},
            {"worker_found", fs::exists(launch::worker_path(), error)},
            {"runs", run::runs_root().string()}};
}

}  // namespace

void add_env(CLI::App& app, Action& chosen) {
    auto json = std::make_shared<bool>(false);
    CLI::App* command = app.add_subcommand("env", "Versions and machine, for reports of problems");
    command->add_flag("--json", *json, "For programs");
    command->callback([json, &chosen] {
        chosen = [json] {
            nlohmann::ordered_json values = environment();
            if (*json) {
                std::printf("%s\n", values.dump(2).c_str());
                return kExitDone;
            }
            for (const auto& [name, value] : values.items())
                std::printf("- %s: %s\n", name.c_str(),
                            name == "memory_bytes" ? text::memory_size(value.get<std::uint64_t>()).c_str()
                            : value.is_string()    ? value.get<std::string>().c_str()
                                                   : value.dump().c_str());
            return kExitDone;
        };
    });
}

}  // namespace trainyard::cli
