// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Opens a path or address from the command line, a drop, the dialog, the palette or another start of the program.
// Determines its kind in a worker thread and reports it; the window shows it. The newest request wins. Also stores the
// list of recent items.

#include <QObject>

#include "desktop/shell/open_target.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class Opener : public QObject {
    Q_OBJECT
  public:
    static constexpr int kMostRecents = 20;

    using QObject::QObject;
    void open(const QString& words);
    void choose(QWidget* parent);
    void chooseFolder(QWidget* parent);
    void askAddress(QWidget* parent);  ///< `host:path`
    struct Dropped {
        QString words;    ///< path or address; empty: there is nothing to open
        QString problem;  ///< why files or an address cannot be opened
    };
    static Dropped dropped(const QMimeData* data);

    /// Newest first.
    static QStringList recents();
    /// Recent items that are logs of other programs.
    static QStringList recentLogs();
    void forget(const QString& path);

  signals:
    void found(const trainyard::desktop::OpenTarget& target);
    void recentsChanged();

  private:
    void remember(const OpenTarget& target);
    widgets::Job job_;
};

}  // namespace trainyard::desktop
