// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Base of buttons that paint themselves.

#include <QAbstractButton>
#include <QKeyEvent>

namespace trainyard::widgets {

/// Accepts the focus by Tab and by a click, is repainted while the pointer is on it, and is pressed by Return as well as
/// by Space: Qt leaves Return to the theme of the desktop.
class PaintedButton : public QAbstractButton {
  public:
    explicit PaintedButton(QWidget* parent) : QAbstractButton(parent) {
        setFocusPolicy(Qt::StrongFocus);
        setAttribute(Qt::WA_Hover);
        setCursor(Qt::PointingHandCursor);
    }

  protected:
    void keyPressEvent(QKeyEvent* event) override {
        if (event->key() == Qt::Key_Return || event->key() == Qt::Key_Enter)
            click();
        else
            QAbstractButton::keyPressEvent(event);
    }
};

}  // namespace trainyard::widgets
