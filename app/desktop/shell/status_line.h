// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The line at the foot: engine and its state, freshness of what is shown; at the right, keys of the page and of the
// window.

#include <QFrame>
#include <QTimer>

#include "desktop/runs/run_summary.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class EngineLink;

class StatusLine : public QFrame {
    Q_OBJECT
  public:
    explicit StatusLine(EngineLink* engine, QWidget* parent = nullptr);
    /// Shows the keys of the page with this key in the registry of pages.
    void setPage(const QString& key);
    void setRuns(const RunSummaries& runs);
    /// A passing sentence ("Stop was asked for"); goes after some seconds.
    void say(const QString& sentence);

  signals:
    void commandsRequested();
    void shortcutsRequested();
    void manualRequested();

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void refresh();
    void spareHints();
    EngineLink* engine_;
    QLabel* dot_;
    QLabel* engine_text_;
    QLabel* fresh_;
    widgets::ElidedLabel* said_;
    QString page_;
    QList<QPushButton*> hints_;
    QList<QLabel*> page_hints_;
    QTimer tick_;
    QTimer forget_;
    double newest_ = 0;  ///< latest heartbeat of a live run, wall seconds
    QString stalest_;    ///< name of the live run that is silent for longest
    double oldest_ = 0;
};

}  // namespace trainyard::desktop
