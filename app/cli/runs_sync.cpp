// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard runs sync: sends what the trackers of a run could not send before it ended.

#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/counted.h"
#include "base/error.h"
#include "base/filesystem.h"
#include "cli/print_json.h"
#include "cli/runs_parts.h"
#include "cli/say.h"
#include "observe/track/unsent.h"
#include "run/listing.h"
#include "run/paths.h"

namespace trainyard::cli {

namespace {

struct SyncFlags {
    std::string run;
    double seconds = 60;
    bool json = false;
};

int send_records(const SyncFlags& flags) {
    const fs::path folder =
        fs::is_directory(flags.run) ? fs::path(flags.run) : run::find_run(run::runs_root(), flags.run).root();
    const std::vector<track::SentRecords> results = track::send_unsent_records(folder, flags.seconds);
    nlohmann::ordered_json list = nlohmann::ordered_json::array();
    std::size_t left = 0;
    for (const track::SentRecords& result : results) {
        left += result.left;
        std::vector<std::string> problems;
        for (const Message& problem : result.problems)
            problems.push_back(problem.text());
        if (flags.json) {
            list.push_back({{"tracker", result.tracker},
                            {"file", result.file.string()},
                            {"sent", result.sent},
                            {"left", result.left},
                            {"problems", problems}});
            continue;
        }
        say(fmt::format("{}: {} sent{}", result.tracker,
                        text::counted(static_cast<std::int64_t>(result.sent), "record"),
                        result.left > 0 ? fmt::format(", {} are left in {}", result.left, result.file.string()) : ""));
        for (const std::string& problem : problems)
            say(stderr, "trainyard: " + problem);
    }
    if (flags.json)
        print_json(list);
    else if (results.empty())
        say(fmt::format("{} has no records that were not sent", folder.string()));
    return left > 0 ? kExitFailed : kExitDone;
}

}  // namespace

void add_runs_sync(CLI::App& runs, Action& chosen) {
    auto flags = std::make_shared<SyncFlags>();
    CLI::App* command = runs.add_subcommand(
        "sync", "Send the records that the trackers of a run could not send before it ended, for example offline");
    command->add_option("run", flags->run, "Id, unique beginning or end of it, name, or folder")->required();
    command
        ->add_option("--seconds", flags->seconds,
                     "Time limit for all records; what is left can be sent by another call")
        ->capture_default_str()
        ->check(CLI::NonNegativeNumber);
    command->add_flag("--json", flags->json, "For programs");
    command->callback([flags, &chosen] { chosen = [flags] { return send_records(*flags); }; });
}

}  // namespace trainyard::cli
