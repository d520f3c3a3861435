// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One entry of the navigation bar at the left: icon, text, and a number or badge at the right. Collapsed, it shows only
// the icon, with the text as tool tip, and a dot if there is a badge.

#include "widgets/painted_button.h"

namespace trainyard::widgets {

class NavButton : public PaintedButton {
    Q_OBJECT
  public:
    NavButton(const QString& text, const QString& icon, QWidget* parent = nullptr);
    /// Sets a muted number, e.g. "3" or "1/4"; empty hides it.
    void setCount(const QString& count);
    /// Sets a highlighted number (unread messages); 0 hides it.
    void setBadge(int badge);
    void setFolded(bool folded);
    QSize sizeHint() const override { return {folded_ ? 40 : 192, 32}; }

  protected:
    void paintEvent(QPaintEvent* event) override;

  private:
    void describe();
    QString icon_name_;
    QString count_;
    int badge_ = 0;
    bool folded_ = false;
};

}  // namespace trainyard::widgets
