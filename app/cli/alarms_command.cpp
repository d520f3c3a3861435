// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard alarms show | test | secret | watch

#include <iostream>
#include <memory>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>

#include "alarms/watcher.h"
#include "base/error.h"
#include "cli/commands.h"
#include "cli/say.h"
#include "launch/supervisor/alarm_process.h"
#include "run/listing.h"

namespace trainyard::cli {

namespace {

struct AlarmFlags {
    std::string target, run;
    bool forget = false;
};

std::string where_to(const alarms::Target& target) {
    switch (target.kind) {
        case alarms::TargetKind::command:
            return fmt::format("{}", fmt::join(target.command, " "));
        case alarms::TargetKind::webhook:
            return target.address;
        case alarms::TargetKind::mail:
            return fmt::format("{}", fmt::join(target.to, ", "));
    }
    return {};
}

const alarms::Target& find_target(const alarms::Settings& settings, const std::string& name) {
    const alarms::Target* target = settings.find(name);
    if (target == nullptr)
        throw UserError("alarms have no target '{}': `trainyard alarms show` names them", name);
    return *target;
}

int show_alarms() {
    const alarms::Settings settings = alarms::load_settings();
    if (settings.targets.empty())
        say(fmt::format("No targets in {}: alarms are shown in the window alone.", alarms::settings_file().string()));
    for (const alarms::Target& target : settings.targets) {
        const bool missing = alarms::needs_secret(target) && !alarms::find_secret(target);
        say(fmt::format("{}  {}  {}  at most {} an hour{}{}", target.name, alarms::kind_name(target.kind),
                        where_to(target), target.per_hour, target.enabled ? "" : "  off",
                        missing ? "  its secret is missing" : ""));
    }
    for (std::size_t i = 0; i < alarms::kNoticeKinds; ++i) {
        const auto kind = static_cast<alarms::NoticeKind>(i);
        if (const std::optional<double>& limit = settings.rules.limit(kind))
            say(alarms::has_limit(kind) ? fmt::format("sent: {} (limit {})", alarms::kind_key(kind), *limit)
                : kind == alarms::NoticeKind::Metric
                    ? fmt::format("sent: metric {}", alarms::to_text(settings.rules.metrics))
                    : fmt::format("sent: {}", alarms::kind_key(kind)));
    }
    return kExitDone;
}

int test_alarms(const AlarmFlags& flags) {
    const alarms::Settings settings = alarms::load_settings();
    if (settings.targets.empty())
        throw UserError("there are no targets in {}", alarms::settings_file().string());
    int code = kExitDone;
    for (const alarms::Target& target : settings.targets) {
        if (!flags.target.empty() && &target != &find_target(settings, flags.target))
            continue;
        const alarms::Delivery delivery = alarms::deliver(target, alarms::test_alarm());
        if (delivery.problem.empty()) {
            say(fmt::format("{}: sent", target.name));
        } else {
            say(stderr, fmt::format("trainyard: {}: {}", target.name, delivery.problem.text()));
            code = kExitFailed;
        }
    }
    return code;
}

int keep_secret(const AlarmFlags& flags) {
    const alarms::Settings settings = alarms::load_settings();
    const alarms::Target& target = find_target(settings, flags.target);
    if (flags.forget) {
        alarms::forget_secret(target);
        return kExitDone;
    }
    std::string line;
    std::getline(std::cin, line);
    if (line.empty())
        throw UserError("the secret is one line of standard input");
    remote::Secret secret{line};
    remote::wipe(line);
    const fs::path file = alarms::keep_secret(target, secret);
    say(file.empty() ? std::string("stored in the key ring")
                     : fmt::format("stored in {}, which only you can read: there is no key ring that can be used",
                                   file.string()));
    return kExitDone;
}

int watch_alarms(const AlarmFlags& flags) {
    if (!flags.run.empty()) {
        const run::RunPaths run = run::find_run(run::runs_root(), flags.run);
        if (!alarms::watch_run(run))
            say(fmt::format("another process watches run {}", run.id()));
        return kExitDone;
    }
    for (const run::ListedRun& run : run::list_runs(run::runs_root()))
        if (run.state && !run::is_over(run.state->status) && !run.state->mirror)
            launch::start_alarm_process(run.paths);
    return kExitDone;
}

}  // namespace

void add_alarms(CLI::App& app, Action& chosen) {
    auto flags = std::make_shared<AlarmFlags>();
    CLI::App* alarms = app.add_subcommand("alarms", "Messages about runs to a command, a webhook or mail");
    alarms->require_subcommand(1);
    const auto add = [&](const char* name, const char* help, auto action) {
        CLI::App* command = alarms->add_subcommand(name, help);
        command->callback([flags, action, &chosen] { chosen = [flags, action] { return action(*flags); }; });
        return command;
    };
    add("show", "Targets and rules", [](const AlarmFlags&) { return show_alarms(); });
    add("test", "Send a test message", test_alarms)
        ->add_option("target", flags->target, "Its name; all of them without it");
    CLI::App* secret = add("secret", "Store the secret of a target, read from standard input", keep_secret);
    secret->add_option("target", flags->target, "Its name")->required();
    secret->add_flag("--forget", flags->forget, "Remove the stored secret");
    add("watch", "Send the alarms of a run until it is over; started automatically by launches", watch_alarms)
        ->add_option("run", flags->run,
                     "Id, unique beginning or end of it, name, or folder; all active runs without it");
}

}  // namespace trainyard::cli
