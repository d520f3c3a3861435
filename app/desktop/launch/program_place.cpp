// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/program_place.h"

#include <QRegularExpression>

#include "base/environment_names.h"
#include "desktop/text/qt_text.h"
#include "launch/plan/flags.h"
#include "launch/plan/plan.h"
#include "launch/supervisor/program_launch.h"
#include "run/spec.h"

namespace trainyard::desktop {

void put_in_place(run::RunSpec& spec, const ProgramPlace& place, bool is_script) {
    if (!place.name.isEmpty())
        spec.recipe.name = place.name.toStdString();
    if (!spec.program)
        return;
    if (is_script && !place.interpreter.isEmpty() && !spec.program->command.empty())
        spec.program->command.front() = place.interpreter.toStdString();
    if (!place.directory.isEmpty())
        spec.program->directory = place.directory.toStdString();
    for (auto each = place.environment.begin(); each != place.environment.end(); ++each)
        spec.program->environment[each.key().toStdString()] = each.value().toStdString();
}

std::string program_run(const QStringList& words, const ProgramPlace& place, bool is_script) {
    std::vector<std::string> argv;
    for (const QString& word : words)
        argv.push_back(word.toStdString());
    const plan::Flags flags = plan::parse_flags(argv);
    const launch::LaunchSettings settings = launch::resolve_launch(flags);
    const std::string python = place.interpreter.isEmpty()
                                   ? qEnvironmentVariable(kEnvPython, QStringLiteral("python3")).toStdString()
                                   : place.interpreter.toStdString();
    const plan::Plan made = plan::make_plan(flags, settings.resolved, settings.machine, settings.environment, python);
    std::vector<std::string> command{"trainyard", "launch"};
    command.insert(command.end(), argv.begin(), argv.end());
    run::RunSpec spec = launch::program_spec(made, flags, settings, command);
    put_in_place(spec, place, is_script);
    return run::to_yaml(spec);
}

QMap<QString, QString> variables_of(const QString& lines, QString* wrong) {
    static const QRegularExpression form(QStringLiteral("^([A-Za-z_][A-Za-z0-9_]*)=(.*)$"));
    QMap<QString, QString> variables;
    for (const QString& line : lines.split(QLatin1Char('\n'))) {
        if (line.trimmed().isEmpty())
            continue;
        const QRegularExpressionMatch match = form.match(line.trimmed());
        if (match.hasMatch())
            variables.insert(match.captured(1), match.captured(2));
        else if (wrong != nullptr && wrong->isEmpty())
            *wrong = line.trimmed();
    }
    return variables;
}

}  // namespace trainyard::desktop
