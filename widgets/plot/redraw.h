// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Schedules the redrawing of pictures: many requests become one drawing, at most every 33 ms, and only while the widget
// is visible (shown, and not scrolled out of view). One timer drives all pictures of the program and uses at most 20 ms
// per turn; the rest waits for the next turn, so that a page with a hundred charts never blocks the event loop. A
// picture that is slow to draw is drawn less often in proportion, and all of them together leave two thirds of the
// thread to the rest of the window.

#include <functional>

#include <QObject>

#include "widgets/forward.h"

namespace trainyard::widgets {

class Redraw : public QObject {
    Q_OBJECT
  public:
    /// `watched`: the widget whose paint and show events indicate that it became visible (the topmost one, if children
    /// cover it).
    Redraw(QWidget* watched, std::function<void()> draw);
    ~Redraw() override;

    void ask();  ///< requests a drawing
    void now();  ///< draws at once if a drawing is due
    /// The next drawing will be faster than the last one, so it need not be delayed.
    void expectQuick() { cost_ = 0; }
    bool isDue() const { return due_; }
    int count() const { return count_; }  ///< number of drawings so far

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    friend class RedrawClock;
    bool isSeen() const;

    QWidget* watched_;
    std::function<void()> draw_;
    bool due_ = true;
    int count_ = 0;
    double cost_ = 0;
    qint64 drawn_at_ = -1000000;  ///< ms of the clock
};

}  // namespace trainyard::widgets
