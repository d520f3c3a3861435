// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The command line of trainyard-desktop.

#include <optional>

#include <QSize>
#include <QString>
#include <QStringList>

#include "widgets/token.h"

namespace trainyard::desktop {

/// `--page compare:ID,ID`: a part of the page of runs.
inline const QString kComparePage = QStringLiteral("compare");

struct Options {
    QString open;  ///< recipe, run folder, logs, `host:path`, ...
    /// What the desktop entry offers (packaging/trainyard.desktop).
    static const QStringList kActions;
    bool sample = false;     ///< first-run page with the sample ready
    bool autostart = false;  ///< start the sample run, wait, leave
    QString screenshot;      ///< PNG of the window, then leave
    QString page;  ///< runs | new | new:parallelism | first-run | settings | notifications | hosts | ... | run:ID
    std::optional<widgets::ThemeChoice> theme;  ///< for this start only
    QString language;                           ///< of widgets::Languages, for this start only; empty: as set
    QString action;                             ///< one of kActions: what the window does first
    QSize size;                                 ///< for this start only

    /// Whether the window restores and saves its location. False if a certain page, a screenshot or a language was
    /// requested, which another window may not have.
    bool returns() const {
        return page.isEmpty() && !sample && screenshot.isEmpty() && !size.isValid() && language.isEmpty();
    }
    /// Returns the command of `action`, or an empty string.
    QString command() const;
    /// Returns `open` for another process: an absolute path, or an address.
    QString openFromHere() const;
};

/// Returns an empty string on success, else a usage error. Handles --help and --version itself.
QString parseOptions(const QStringList& arguments, Options& options);

}  // namespace trainyard::desktop
