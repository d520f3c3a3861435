// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/terminal.h"

#include <QCoreApplication>
#include <QFileInfo>
#include <QProcess>
#include <QStandardPaths>

namespace trainyard::desktop {

namespace {

struct Emulator {
    const char* name;
    const char* flag;  ///< after which the command's own words come; empty: none is needed
};

constexpr Emulator kEmulators[] = {
    {"x-terminal-emulator", "-e"},
    {"gnome-terminal", "--"},
    {"kgx", "--"},
    {"konsole", "-e"},
    {"xfce4-terminal", "-x"},
    {"mate-terminal", "-x"},
    {"kitty", ""},
    {"alacritty", "-e"},
    {"foot", ""},
    {"wezterm", "-e"},
    {"xterm", "-e"},
};

}  // namespace

TerminalCommand terminal_command(const QStringList& command) {
    QString flag = QStringLiteral("-e");
    QString program;
    const QString named = qEnvironmentVariable("TERMINAL");
    if (!named.isEmpty())
        program = QStandardPaths::findExecutable(named);
    for (const Emulator& each : kEmulators) {
        if (program.isEmpty())
            program = QStandardPaths::findExecutable(QLatin1String(each.name));
        // x-terminal-emulator is a link; the flags depend on the program that it points to.
        const QString real = QFileInfo(QFileInfo(program).canonicalFilePath()).fileName();
        if (!program.isEmpty() &&
            (real == QLatin1String(each.name) || QFileInfo(program).fileName() == QLatin1String(each.name))) {
            flag = QLatin1String(each.flag);
            break;
        }
    }
    if (program.isEmpty())
        return {};
    QStringList arguments;
    if (!command.isEmpty())
        arguments = (flag.isEmpty() ? QStringList() : QStringList{flag}) + command;
    return {program, arguments};
}

QString open_terminal(const QStringList& command) {
    const TerminalCommand terminal = terminal_command(command);
    if (terminal.program.isEmpty())
        return QCoreApplication::translate("trainyard::desktop::Terminal",
                                           "No terminal program was found: install one, or name it in TERMINAL.");
    if (!QProcess::startDetached(terminal.program, terminal.arguments))
        return QCoreApplication::translate("trainyard::desktop::Terminal", "%1 could not be started.")
            .arg(terminal.program);
    return {};
}

}  // namespace trainyard::desktop
