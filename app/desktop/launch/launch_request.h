// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the wizard wants started: the files it has written, on which hosts. Files go again when nothing comes of it.

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <QVector>

#include "desktop/launch/program_place.h"
#include "remote/remote_run.h"

namespace trainyard::desktop {

struct LaunchRequest {
    QString name;
    QString facts;  ///< `2 ranks · 1,500 steps`
    QString settings_file;
    QString recipe_file;     ///< empty: a program
    QStringList words;       ///< behind `trainyard launch`: flags, then recipe or program with its arguments
    QStringList program;     ///< argv of a rank: `python3 train.py`, empty for a recipe
    bool is_script = false;  ///< program[0] is a Python
    ProgramPlace place;      ///< of a program; on this machine `words` name a file that has it already
    QString run_file;        ///< that file; empty: there is none
    bool use_cpu = false;    ///< the settings say so: GPUs that are there do not count
    int ranks = 1;
    int port = 0;
    QVector<remote::HostShare> hosts;  ///< empty: this machine alone
    QString command;                   ///< the same as one line for a terminal

    bool isLocal() const { return hosts.isEmpty() || (hosts.size() == 1 && hosts.first().host == "localhost"); }
    QStringList files() const { return QStringList{settings_file, recipe_file, run_file}; }
};

}  // namespace trainyard::desktop

Q_DECLARE_METATYPE(trainyard::desktop::LaunchRequest)
