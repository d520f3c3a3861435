// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/start_look.h"

#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/printable.h"
#include "base/regular_file.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "remote/quoting.h"
#include "run/folder_record.h"
#include "run/mirror.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kLargestSpec = 16u << 20;  // bytes

QString line(const char* key, const std::string& value) {
    return QLatin1String(key) + QStringLiteral(": ") + qt(text::printable(value, kMostOfCommand));
}

/// Lies directly in the folder of runs, links resolved.
bool is_in_runs_root(const fs::path& folder) {
    std::error_code error;
    const fs::path place = fs::canonical(folder, error);
    const fs::path root = error ? fs::path() : fs::canonical(run::runs_root(), error);
    return !error && place.parent_path() == root;
}

bool is_of_other_user(const fs::path& path) {
    struct stat info {};
    return ::stat(path.c_str(), &info) == 0 && info.st_uid != ::geteuid();
}

}  // namespace

QStringList code_of(const config::Recipe& recipe) {
    QStringList lines;
    for (const std::string& library : recipe.plugins)
        lines << line("plugins", library);
    return lines;
}

QStringList code_of(const run::RunSpec& spec) {
    QStringList lines = spec.program ? QStringList() : code_of(spec.recipe);
    if (spec.program) {
        std::string command;
        for (const std::string& word : spec.program->command)
            command += (command.empty() ? "" : " ") + remote::shell_quote(word);
        lines << line("program.command", command);
        if (!spec.program->directory.empty())
            lines << line("program.directory", spec.program->directory);
        for (const auto& [name, value] : spec.program->environment)
            lines << line("program.environment", name + "=" + value);
    }
    if (!spec.launch.device_library.empty())
        lines << line("launch.device_library", spec.launch.device_library);
    for (const auto& [name, value] : spec.launch.environment)
        lines << line("launch.environment", name + "=" + value);
    for (const run::MachineSpec& machine : spec.launch.machines)
        lines << line("launch.machines", machine.host);
    return lines;
}

StartLook look_at_start(const fs::path& spec_file) {
    StartLook look;
    const run::RunPaths run(fs::absolute(spec_file).parent_path());
    look.folder = qt(run.root().string());
    try {
        look.text = read_regular_file(run.spec(), kLargestSpec);
        const run::RunSpec spec = run::parse_spec(look.text, run.spec());
        const QStringList code = code_of(spec);
        look.execution =
            code.isEmpty() ? tr("the engine of Trainyard, with the recipe of this file") : code.join(QLatin1Char('\n'));
    } catch (const std::exception& error) {
        look.problem = qtSentence(message_of(error));
    }
    const run::RunOrigin origin = run::origin_of(run);
    if (origin == run::RunOrigin::mirror) {
        look.verdict = StartLook::Verdict::Mirror;
        const auto source = run::mirror_source(run);
        const auto claimed = run::read_mirror(run);
        look.host = source ? qt(source->host) : claimed ? qt(text::printable(claimed->host)) : QString();
    } else if (is_of_other_user(run.root()) || is_of_other_user(run.spec())) {
        look.verdict = StartLook::Verdict::OtherUser;
    } else if (origin == run::RunOrigin::foreign && !is_in_runs_root(run.root())) {
        look.verdict = StartLook::Verdict::Elsewhere;
    } else if (!look.problem.isEmpty()) {
        look.verdict = StartLook::Verdict::Unreadable;
    } else {
        look.verdict = run::is_trusted(run) ? StartLook::Verdict::Trusted : StartLook::Verdict::Ask;
    }
    return look;
}

}  // namespace trainyard::desktop
