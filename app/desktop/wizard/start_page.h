// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// First page of the wizard: what is to be started, what it is called, and sets of settings to begin with.

#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class CardRow;
class ChoiceCard;

class StartPage : public StepPage {
    Q_OBJECT
  public:
    explicit StartPage(RunDraft* draft, QWidget* parent = nullptr);
    void focusFirst() override;
    /// Drafts that were set aside, and whether the one in the form holds work.
    void setDrafts(const QVector<ParkedDraft>& parked, bool holdsWork);

  signals:
    void continueRequested(const QString& file);
    void discardRequested(const QString& file);
    void startOverRequested();
    void presetApplied(const QString& name);

  protected:
    void takeValues() override;

  private:
    void showDrafts();
    CardRow* ways_;
    QVBoxLayout* drafts_;
    QPushButton* start_over_;
    QLabel* resume_;
    QVector<ParkedDraft> parked_;
    QVector<QWidget*> draft_rows_;
    CardRow* presets_ = nullptr;
};

}  // namespace trainyard::desktop
