// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How a script or program of the user is started: interpreter, folder, variables and name of its run.

#include <QMap>
#include <QString>
#include <QStringList>

namespace trainyard::run {
struct RunSpec;
}

namespace trainyard::desktop {

struct ProgramPlace {
    QString name;         ///< of the run; empty: that of the file
    QString interpreter;  ///< of a script; empty: that of the launch
    QString directory;    ///< empty: where the launch is
    QMap<QString, QString> environment;
    bool isEmpty() const {
        return name.isEmpty() && interpreter.isEmpty() && directory.isEmpty() && environment.isEmpty();
    }
    bool operator==(const ProgramPlace&) const = default;
};

/// `is_script`: the first word of the command is a Python.
void put_in_place(run::RunSpec& spec, const ProgramPlace& place, bool is_script);

/// The specification (run.yaml) of a launch with these words (flags, program and its arguments) on this machine, as a
/// text that `trainyard launch` starts. Looks at the machine. Throws UserError. Not for the GUI thread.
std::string program_run(const QStringList& words, const ProgramPlace& place, bool is_script);

/// Lines `NAME=VALUE`. Returns the first line that is not of that form in `wrong`.
QMap<QString, QString> variables_of(const QString& lines, QString* wrong = nullptr);

}  // namespace trainyard::desktop
