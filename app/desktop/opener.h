#pragma once
// Opening of whatever somebody points at: the command line, a drop, the dialog, the palette, another start of the program. Looks at it in
// a thread and says what it is; the window shows it. Newest wins. Keeps the list of what was opened.

#include <QObject>

#include "desktop/open_target.h"
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
    /// What a drop holds; empty: nothing to open.
    static QString dropped(const QMimeData* data);

    /// Newest first.
    static QStringList recents();
    /// Those that are logs without a run of ours.
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
