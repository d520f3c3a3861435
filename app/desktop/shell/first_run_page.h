// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shown in Runs until the first run: three cards (try it, your own, open something) and the hardware of this machine.

#include "desktop/hosts/machine.h"
#include "desktop/shell/page.h"
#include "widgets/card.h"
#include "widgets/forward.h"
#include "widgets/inline_message.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class EngineLink;

class FirstRunPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "first-run";  ///< in the registry of pages
    explicit FirstRunPage(EngineLink* engine, QWidget* parent = nullptr);
    QPushButton* startButton() const { return start_; }
    QWidget* firstFocus() override;
    void primaryAction() override;
    void setLaunching(bool launching);
    void showError(const QString& title, const QString& words);
    /// What was opened lately, newest first; none: the line is not there.
    void setRecents(const QStringList& paths);
    bool eventFilter(QObject* watched, QEvent* event) override;

  signals:
    void sampleRequested();
    void newRunRequested();
    void openRequested();
    void openFolderRequested();
    void openRemoteRequested();
    void recentRequested(const QString& path);
    void engineChooseRequested();
    void manualRequested(const QString& page);

  private:
    void engineChanged();
    void alignButtons();
    widgets::Card* makeCard(const QString& title, const QString& text, const QString& note, QWidget* picture,
                            QPushButton* button, QLabel** noteLabel = nullptr);

    EngineLink* engine_;
    QPushButton* start_;
    QLabel* sample_note_ = nullptr;
    QList<QLabel*> notes_;  ///< below the buttons of the cards
    QLabel* machine_;
    widgets::IconLabel* engine_mark_;
    QLabel* engine_text_;
    QPushButton* choose_;
    widgets::Card* sample_card_ = nullptr;
    widgets::InlineMessage* message_;
    QWidget* recent_links_;  ///< in as many lines as they need
    QFrame* recents_;
    widgets::Job facts_;
};

}  // namespace trainyard::desktop
