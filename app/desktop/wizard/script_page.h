#pragma once
// What an own script is: file, module or program, and its arguments.

#include "desktop/wizard/step_page.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class ScriptPage : public StepPage {
    Q_OBJECT
  public:
    explicit ScriptPage(RunDraft* draft, QWidget* parent = nullptr);

  protected:
    void takeValues() override;

  private:
    QPushButton* choose_;
};

}  // namespace trainyard::desktop
