// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The user's terminal program with a command in it. Everything is an argv, no shell reads it.

#include <QString>
#include <QStringList>

namespace trainyard::desktop {

struct TerminalCommand {
    QString program;  ///< empty: none was found
    QStringList arguments;
};

/// $TERMINAL, x-terminal-emulator, then the usual ones, the first that is in PATH. `command` empty: just a terminal.
TerminalCommand terminal_command(const QStringList& command);
/// Empty on success, else one sentence.
QString open_terminal(const QStringList& command);

}  // namespace trainyard::desktop
