#pragma once
// First page of the wizard: what is to be started, what it is called, and sets of settings to begin with.

#include "desktop/wizard/step_page.h"

namespace trainyard::desktop {

class CardRow;
class ChoiceCard;

class StartPage : public StepPage {
    Q_OBJECT
  public:
    explicit StartPage(RunDraft* draft, QWidget* parent = nullptr);
    void focusFirst() override;

  signals:
    void presetApplied(const QString& name);

  protected:
    void takeValues() override;

  private:
    CardRow* purposes_;
    CardRow* presets_ = nullptr;
};

}  // namespace trainyard::desktop
