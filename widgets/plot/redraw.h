#pragma once
// When a picture is drawn anew: many requests become one drawing, at most every 33 ms, and only while the widget can be seen (shown,
// and not scrolled out of sight). One timer drives all pictures of the program and gives each turn of it 20 ms at most, the rest
// waits for the next turn, so that a page of a hundred charts never holds the event loop. A picture that is slow to draw is drawn
// as much less often, and all of them together leave two thirds of the thread to the rest of the window.

#include <functional>

#include <QObject>

#include "widgets/forward.h"

namespace trainyard::widgets {

class Redraw : public QObject {
    Q_OBJECT
  public:
    /// `watched`: the widget whose paint and show events say that it came into sight (the uppermost one, when children cover it).
    Redraw(QWidget* watched, std::function<void()> draw);
    ~Redraw() override;

    void ask();  ///< something changed
    void now();  ///< draw at once what is due
    /// The next one will not take as long as the last: it need not rest after that.
    void expectQuick() { cost_ = 0; }
    bool isDue() const { return due_; }
    int count() const { return count_; }  ///< drawings so far

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
