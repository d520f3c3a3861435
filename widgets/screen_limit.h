// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The smallest size of a window, which is never larger than the screen that the window is on: neither with large text
// or a large scale, nor when it moves to a smaller screen or the screen changes.

#include <QObject>
#include <QPointer>
#include <QSize>

class QScreen;
class QWidget;

namespace trainyard::widgets {

class ScreenLimit : public QObject {
    Q_OBJECT
  public:
    explicit ScreenLimit(QWidget* window);
    void setSmallest(const QSize& smallest);
    /// Shrinks the window if its screen has no room for it. Returns whether it did.
    bool fit();

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;  ///< of the window

  private:
    void apply();
    QSize room() const;
    QWidget* window_;
    QPointer<QScreen> screen_;
    QSize smallest_;
};

}  // namespace trainyard::widgets
