#pragma once
// The command line of trainyard-desktop.

#include <optional>

#include <QSize>
#include <QString>
#include <QStringList>

#include "widgets/theme.h"

namespace trainyard::desktop {

struct Options {
    QString open;            ///< recipe, run folder, logs, `host:path`, ...
    bool sample = false;     ///< first-run page with the sample ready
    bool autostart = false;  ///< start the sample run, wait, leave
    QString screenshot;      ///< PNG of the window, then leave
    QString page;  ///< runs | new | new:parallelism | first-run | settings | notifications | hosts | ... | run:ID
    std::optional<widgets::ThemeChoice> theme;  ///< for this start only
    QSize size;                                 ///< for this start only

    /// The window comes back where it was left, and keeps where it is: nobody asked for a certain page or a picture.
    bool returns() const { return page.isEmpty() && !sample && screenshot.isEmpty() && !size.isValid(); }
    /// `open`, as another process finds it.
    QString openFromHere() const;
};

/// Empty on success, else one sentence (wrong usage). Handles --help and --version by itself.
QString parseOptions(const QStringList& arguments, Options& options);

}  // namespace trainyard::desktop
