#pragma once
// A place that the rail shows but this version does not serve yet: says so, and what works today instead.

#include "desktop/page.h"
#include "desktop/rail.h"

class QPushButton;

namespace trainyard::desktop {

class LaterPage : public Page {
    Q_OBJECT
  public:
    LaterPage(const QString& title, const QString& icon, const QString& sentence, const QString& today,
              QWidget* parent = nullptr);
    static LaterPage* of(Place place);
    QWidget* firstFocus() override;

  signals:
    void runsRequested();

  private:
    QPushButton* runs_;
};

}  // namespace trainyard::desktop
