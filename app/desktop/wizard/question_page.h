// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A page made from the question tree: every question of its topic that is asked now is a row, in asking order under the heading
// of its block. Rows are made when their question is asked for the first time.

#include "config/accelerate/questionnaire.h"
#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class QuestionPage : public StepPage {
    Q_OBJECT
  public:
    QuestionPage(RunDraft* draft, settings::Topic topic, QWidget* parent = nullptr);
    /// Names offered while the address of a machine is typed.
    void setHosts(const QStringList& hosts);

  protected:
    void takeValues() override;
    /// Questions that the page asks in another way, e.g. by cards.
    virtual bool isElsewhere(const QString&) const { return false; }

  private:
    struct Slot {
        std::string id;
        QVBoxLayout* block = nullptr;
        bool made = false;
    };
    void makeSlots();
    void make(Slot& slot, const settings::Question& question);

    settings::Topic topic_;
    QHash<QString, QVBoxLayout*> blocks_;  ///< by heading
    std::vector<Slot> slots_;
    QStringList hosts_;
};

}  // namespace trainyard::desktop
