// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard env: what to put in a report of a problem.

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>
#include <sys/sysinfo.h>
#include <sys/utsname.h>

#include "base/device_kinds.h"
#include "base/elf_file.h"
#include "base/error.h"
#include "base/filesystem.h"
#include "base/json_writer.h"
#include "base/process.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/config_command.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "config/accelerate/settings_file.h"
#include "config/values/value_formats.h"
#include "estimate/known_peaks.h"
#include "launch/plan/probe.h"
#include "launch/supervisor/prepare.h"
#include "launch/supervisor/rank_process.h"

namespace trainyard::cli {

namespace {

/// The settings a launch without --config_file would use, or those of the file that was named.
nlohmann::ordered_json settings_json(const std::string& named) {
    fs::path file = settings_path(named);
    std::error_code error;
    if (!fs::exists(file, error)) {
        if (!named.empty())
            throw UserError("{}: there is no such settings file", file.string());
        return nullptr;
    }
    settings::Settings settings = settings::with_defaults(settings::load_settings(file).settings);
    return json_of(settings.saved());
}

/// The back end that ranks of this machine choose.
std::string collective_backend(const std::string& device) {
    return choose_backend(
        device, exports_symbol(device_library_file(device, launch::worker_path().parent_path()), kDeviceLibrarySymbol));
}

nlohmann::ordered_json formats_json(const DeviceFacts& device) {
    nlohmann::ordered_json formats;
    for (std::size_t i = 0; i < kChoiceNames<DeviceFormat>.size(); ++i)
        formats[kChoiceNames<DeviceFormat>[i]] = describe(availability(static_cast<DeviceFormat>(i), device)).text();
    return formats;
}

nlohmann::ordered_json environment(const std::string& config_file) {
    settings::Machine machine = plan::probe_machine();
    utsname system{};
    ::uname(&system);
    struct sysinfo memory {};
    ::sysinfo(&memory);
    auto versions = launch::build_versions();
    std::error_code error;
    const std::string device = launch::default_device();
    return {{"trainyard", versions["trainyard"]},
            {"libtorch", versions["libtorch"]},
            {"compiler", versions["compiler"]},
            {"system", std::string(system.sysname) + " " + system.release + " " + system.machine},
            {"host", host_name()},
            {"cpu", estimate::processor_name()},
            {"cores", launch::usable_cores()},
            {"memory_bytes", static_cast<std::uint64_t>(memory.totalram) * memory.mem_unit},
            {"device", machine.device},
            {"device_count", machine.device_count},
            {"device_names", machine.device_names},
            {"nvidia_driver", machine.driver.empty() ? nullptr : nlohmann::ordered_json(machine.driver)},
            {"collective_backend", collective_backend(machine.device)},
            {"mpi", machine.mpi ? nlohmann::ordered_json(*machine.mpi) : nullptr},
            {"deepspeed", machine.deepspeed ? nlohmann::ordered_json(*machine.deepspeed) : nullptr},
            {"fp8_library", machine.fp8},
            {"default_device", device},
            {"number_formats", formats_json(machine.device_facts(device))},
            {"worker", launch::worker_path().string()},
            {"worker_found", fs::exists(launch::worker_path(), error)},
            {"runs", run::runs_root().string()},
            {"config_file", settings_path(config_file).string()},
            {"config", settings_json(config_file)}};
}

std::string plain_text(const std::string& name, const nlohmann::ordered_json& value) {
    if (name == "memory_bytes")
        return text::memory_size(value.get<std::uint64_t>());
    if (value.is_null())
        return "none";
    return value.is_string() ? value.get<std::string>() : json_text(value);
}

void print_value(const std::string& name, const nlohmann::ordered_json& value) {
    if (name != "config" && name != "number_formats") {
        say_format(stdout, "- %s: %s\n", name.c_str(), plain_text(name, value).c_str());
        return;
    }
    say_format(stdout, "- %s:%s\n", name.c_str(), value.is_null() ? " not found" : "");
    if (value.is_null())
        return;
    for (const auto& [key, one] : value.items())
        say_format(stdout, "    - %s: %s\n", key.c_str(), plain_text(key, one).c_str());
}

}  // namespace

void add_env(CLI::App& app, Action& chosen) {
    auto json = std::make_shared<bool>(false);
    auto file = std::make_shared<std::string>();
    CLI::App* command = app.add_subcommand("env", "Versions, machine and settings, for reports of problems");
    command->add_option("--config_file", *file, "Settings file to show [the default one]");
    command->add_flag("--json", *json, "For programs");
    command->callback([json, file, &chosen] {
        chosen = [json, file] {
            nlohmann::ordered_json values = environment(*file);
            if (*json) {
                print_json(values);
                return kExitDone;
            }
            for (const auto& [name, value] : values.items())
                print_value(name, value);
            return kExitDone;
        };
    });
}

}  // namespace trainyard::cli
