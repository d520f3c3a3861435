// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A push button that may be narrower than its text. The style elides it; the tool tip begins with the whole text then.
// For lines of buttons that must hold words of any language in the smallest window.

#include <QPushButton>

namespace trainyard::widgets {

class ElidedButton : public QPushButton {
    Q_OBJECT
  public:
    explicit ElidedButton(const QString& text = {}, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

  protected:
    bool event(QEvent* event) override;

  private:
    void showTip();
    QString own_tip_;  ///< the tool tip set by the caller
    bool shows_tip_ = false;
};

}  // namespace trainyard::widgets
