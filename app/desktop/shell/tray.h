// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The icon in the desktop's tray: the number of active runs, and a menu that lists them with their progress. Without a
// tray (StatusNotifier, or that of X11) it does nothing.

#include <QObject>

#include "desktop/runs/run_summary.h"
#include "widgets/forward.h"

class QSystemTrayIcon;

namespace trainyard::desktop {

/// The runs that are neither queued nor over.
QVector<RunSummary> active_runs(const QVector<RunSummary>& runs);

class Tray : public QObject {
    Q_OBJECT
  public:
    explicit Tray(QWidget* window);
    ~Tray() override;
    /// Whether the icon is visible, so that a hidden window can be shown again.
    bool isShown() const;
    void setRuns(const QVector<RunSummary>& runs);
    /// The menu is filled again, in another language, by the next setRuns().
    void retranslate() {
        fill({});
        shown_ = QLatin1Char('\n');
    }
    /// Says once where the window went.
    void explainClosing();

  signals:
    void windowRequested();
    void runRequested(const QString& run);  ///< its id
    void stopRequested(const QString& run);
    void quitRequested();

  private:
    void fill(const QVector<RunSummary>& active);

    QSystemTrayIcon* icon_;
    QMenu* menu_;
    QString shown_;  ///< what menu and icon show, so that an unchanged list costs nothing
};

}  // namespace trainyard::desktop
