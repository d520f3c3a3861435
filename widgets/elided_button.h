// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A push button that may be narrower than its text: it shows as much as fits, and the whole text as tool tip. For lines of buttons that
// must hold words of any language in the smallest window.

#include <QPushButton>

namespace trainyard::widgets {

class ElidedButton : public QPushButton {
    Q_OBJECT
  public:
    explicit ElidedButton(const QString& text = {}, QWidget* parent = nullptr);
    QSize minimumSizeHint() const override;

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    QString tip_text_;  ///< what of the tool tip is the text
};

}  // namespace trainyard::widgets
