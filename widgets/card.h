// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A panel one can walk to with Tab and press: choices and first-run offers. Space, Enter and a click activate it; the
// widgets inside keep their own keys. `lit` marks the recommended or chosen one.

#include <QFrame>

namespace trainyard::widgets {

class Card : public QFrame {
    Q_OBJECT
  public:
    explicit Card(const QString& accessibleName, QWidget* parent = nullptr);
    bool isLit() const { return lit_; }
    void setLit(bool lit);

  signals:
    void activated();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;

  private:
    bool lit_ = false;
};

}  // namespace trainyard::widgets
