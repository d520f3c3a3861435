// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard cache: data that runs store on this machine: prepared tokens of data sets (base/files/token_cache.h), the
// measured peak of its processors (estimate/known_peaks.h), and the memory that runs on each device used compared with
// their estimate (estimate/calibration.h).

#include <cstdio>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/files/token_cache.h"
#include "base/filesystem.h"
#include "base/text.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "estimate/calibration.h"
#include "estimate/known_peaks.h"

namespace trainyard::cli {

void add_cache(CLI::App& app, Action& chosen) {
    struct Flags {
        bool clear = false, json = false;
    };
    auto flags = std::make_shared<Flags>();
    CLI::App* command = app.add_subcommand(
        "cache",
        "Show or remove cached data of runs on this machine: prepared tokens, measured peak FLOP/s, measured memory");
    command->add_flag("--clear", flags->clear, "Remove them; the next run prepares and measures again");
    command->add_flag("--json", flags->json, "For programs");
    command->callback([flags, &chosen] {
        chosen = [flags] {
            const fs::path folder = files::token_cache_folder();
            const files::CacheContent content =
                flags->clear ? files::clear_token_cache(folder) : files::token_cache_content(folder);
            const auto peaks = estimate::known_peaks();
            std::error_code error;
            if (flags->clear)
                fs::remove(estimate::known_peaks_file(), error);
            const auto learnt = estimate::calibrations();
            if (flags->clear)
                fs::remove(estimate::calibration_file(), error);
            if (flags->json) {
                nlohmann::ordered_json measured = nlohmann::ordered_json::object();
                for (const auto& [key, peak] : peaks)
                    measured[key] = {{"flops_per_s", peak.flops_per_s}, {"measured", iso_time(peak.time)}};
                nlohmann::ordered_json memory = nlohmann::ordered_json::object();
                for (const auto& [device, known] : learnt)
                    memory[device] = {{"factor", known.factor},
                                      {"runs", known.runs},
                                      {"program_bytes", known.program},
                                      {"program_runs", known.program_runs},
                                      {"last_run", known.last_run}};
                print_json(nlohmann::ordered_json{{"folder", folder.string()},
                                                  {flags->clear ? "removed_files" : "files", content.files},
                                                  {flags->clear ? "removed_bytes" : "bytes", content.bytes},
                                                  {flags->clear ? "removed_peaks" : "peaks", measured},
                                                  {flags->clear ? "removed_memory" : "memory", memory}});
                return kExitDone;
            }
            say_format(stdout, "%s%zu file%s with prepared tokens, %s, in %s\n", flags->clear ? "removed " : "",
                       content.files, content.files == 1 ? "" : "s", text::file_size(content.bytes).c_str(),
                       folder.c_str());
            for (const auto& [key, peak] : peaks)
                say_format(stdout, "%smeasured %sFLOP/s on %s: %s\n", flags->clear ? "removed " : "",
                           text::quantity(peak.flops_per_s).c_str(), iso_time(peak.time).substr(0, 10).c_str(),
                           key.c_str());
            for (const auto& [device, known] : learnt) {
                if (known.runs > 0)
                    say_format(stdout, "%smemory of %zu run%s on %s: %.2f of the estimate\n",
                               flags->clear ? "removed " : "", known.runs, known.runs == 1 ? "" : "s", device.c_str(),
                               known.factor);
                if (known.program_runs > 0)
                    say_format(stdout, "%smemory of the program on %s: %s, from %zu run%s\n",
                               flags->clear ? "removed " : "", device.c_str(),
                               text::memory_size(static_cast<std::uint64_t>(known.program)).c_str(), known.program_runs,
                               known.program_runs == 1 ? "" : "s");
            }
            return kExitDone;
        };
    });
}

}  // namespace trainyard::cli
