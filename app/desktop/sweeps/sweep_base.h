// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The draft of New run that a sweep varies.

#include <string>

#include <QMap>
#include <QString>
#include <QStringList>

namespace trainyard::desktop {

struct SweepBase {
    QString name;
    std::string recipe;                  ///< text; empty: a program
    std::string settings;                ///< text of the settings file
    QStringList launch;                  ///< further flags of the launch
    QStringList program;                 ///< words of a program
    QMap<QString, QString> environment;  ///< of the program
    QString directory;                   ///< of the program; empty: the home folder
    QStringList hosts;                   ///< empty: this machine
    double learning_rate = 0;            ///< of the recipe; 0: not known
};

}  // namespace trainyard::desktop
