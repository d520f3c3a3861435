// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/draft_launch.h"

#include <QFileInfo>
#include <QLocale>
#include <QProcess>

#include "base/environment_names.h"
#include "config/accelerate/settings_file.h"
#include "desktop/hosts/host_source.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/wizard/recipe_draft.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

QString run_name(const RunDraft& draft) {
    return draft.purpose() == Purpose::Engine ? draft.recipeValue(QStringLiteral("name")).trimmed()
                                              : QFileInfo(draft.script().path).completeBaseName();
}

std::string settings_text(const RunDraft& draft) {
    return settings::to_text(draft.draft().settings(), settings::Format::yaml);
}

}  // namespace

std::function<LaunchFiles()> launch_files_writer(const RunDraft& draft) {
    const bool engine = draft.purpose() == Purpose::Engine;
    const bool is_script = draft.script().kind != ScriptChoice::Kind::Program;
    return [engine, is_script, yaml = draft.recipeYaml(), settings = settings_text(draft), name = run_name(draft),
            place = draft.programPlace(), program = engine ? QStringList() : draft.programWords({}),
            here = draft.hosts().isEmpty()] {
        LaunchFiles files;
        if (engine)
            files.recipe = writeRecipe(yaml, name);
        files.settings = writeRecipe(settings, name + QStringLiteral("-settings"));
        if (!place.isEmpty() && here)
            files.run = writeRecipe(
                program_run(QStringList{QStringLiteral("--config_file"), files.settings} + program, place, is_script),
                name + QStringLiteral("-run"));
        return files;
    };
}

LaunchRequest launch_request(const RunDraft& draft, const LaunchFiles& files) {
    LaunchRequest request;
    const bool engine = draft.purpose() == Purpose::Engine;
    const ScriptChoice& script = draft.script();
    const int ranks = draft.ranks();
    request.name = run_name(draft);
    QStringList facts{tr("%Ln ranks", nullptr, ranks)};
    if (draft.hosts().isEmpty()) {
        facts.last() += tr(" on this machine");
    } else {
        QStringList names;
        for (const remote::HostShare& share : draft.hosts())
            names << (share.host == kThisMachine ? tr("this machine") : qt(share.host));
        facts.last() +=
            tr(" on %1").arg(names.size() > 3 ? tr("%1 hosts").arg(names.size()) : widgets::list_text(names));
    }
    if (engine)
        facts
            << tr("%1 steps").arg(QLocale().toString(draft.recipeValue(QStringLiteral("training.steps")).toLongLong()));
    request.facts = facts.join(QStringLiteral("  ·  "));
    request.settings_file = files.settings;
    request.recipe_file = files.recipe;
    request.run_file = files.run;
    request.words = files.run.isEmpty() ? QStringList{QStringLiteral("--config_file"), files.settings} +
                                              draft.programWords(files.recipe)
                                        : QStringList{files.run};
    if (!engine) {
        request.place = draft.programPlace();
        if (!request.place.name.isEmpty())
            request.name = request.place.name;
        const QString python = request.place.interpreter.isEmpty()
                                   ? qEnvironmentVariable(kEnvPython, QStringLiteral("python3"))
                                   : request.place.interpreter;
        request.is_script = script.kind != ScriptChoice::Kind::Program;
        if (request.is_script)
            request.program << python;
        if (script.kind == ScriptChoice::Kind::Module)
            request.program << QStringLiteral("-m");
        request.program << script.path.trimmed() << QProcess::splitCommand(script.arguments);
    }
    request.use_cpu = draft.draft().settings().boolean("use_cpu", false);
    request.ranks = ranks;
    request.port = static_cast<int>(draft.draft().settings().integer("main_process_port", 0));
    request.hosts = draft.hosts();
    request.command = shellLine(draft.commandWords(engine ? request.name + QStringLiteral(".yaml") : QString()));
    return request;
}

SweepBase sweep_base(const RunDraft& draft, const QString& name) {
    SweepBase base;
    base.name = name;
    base.settings = settings_text(draft);
    for (const remote::HostShare& share : draft.hosts())
        base.hosts << QStringLiteral("%1:%2").arg(qt(share.host)).arg(share.ranks);
    if (draft.purpose() == Purpose::Engine) {
        base.recipe = draft.recipeYaml();
        base.learning_rate = draft.recipeValue(QStringLiteral("optimizer.lr")).toDouble();
    } else {
        const ProgramPlace place = draft.programPlace();
        base.program = draft.programWords({});
        while (!base.program.isEmpty() && base.program.first().startsWith(QLatin1String("--")))
            base.launch << base.program.takeFirst();
        if (!place.interpreter.isEmpty() && draft.script().kind != ScriptChoice::Kind::Program) {
            if (draft.script().kind == ScriptChoice::Kind::Module)
                base.program.prepend(QStringLiteral("-m"));
            base.program.prepend(place.interpreter);
            base.launch = QStringList{QStringLiteral("--no_python")};
        }
        base.environment = place.environment;
        base.directory = place.directory;
    }
    return base;
}

}  // namespace trainyard::desktop
