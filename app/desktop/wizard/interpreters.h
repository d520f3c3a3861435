// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Python interpreters on this machine: environments next to a script, active ones, those of conda, pyenv, uv and
// virtualenvwrapper, and the system's. What they have is read from their files: nothing is executed.

#include <QString>
#include <QVector>

namespace trainyard::desktop {

struct Interpreter {
    QString path;     ///< of the program, such as /home/user/.venv/bin/python
    QString kind;     ///< venv, conda, pyenv, uv, system
    QString name;     ///< of the environment
    QString version;  ///< of Python, such as 3.11.2; empty: not known
    QString torch;    ///< version of PyTorch; empty: it is not installed there
    bool operator==(const Interpreter&) const = default;
};

/// `folders`: where the script is, and where it is started. I/O: not for the GUI thread.
QVector<Interpreter> find_interpreters(const QStringList& folders);

}  // namespace trainyard::desktop
