// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an own script is: file, module or program, its arguments, and how it is started: interpreter, folder, variables,
// and the name of its run.

#include "desktop/wizard/interpreters.h"
#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class ScriptPage : public StepPage {
    Q_OBJECT
  public:
    explicit ScriptPage(RunDraft* draft, QWidget* parent = nullptr);
    const QVector<Interpreter>& interpreters() const { return found_; }

  protected:
    void takeValues() override;

  private:
    void look();
    void offerInterpreters();

    QPushButton* choose_;
    QStringList looked_in_{QString()};  ///< folders of the last look; this value: none yet
    QVector<Interpreter> found_;
    widgets::Job look_;
};

}  // namespace trainyard::desktop
