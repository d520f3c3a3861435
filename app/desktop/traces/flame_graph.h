// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The calls of a selection as a flame graph: the width of a call is its time, and its callees are below it. Keys:
// arrows move between calls, Enter makes the chosen call the root, Backspace goes back.

#include <cstdint>

#include <QAbstractScrollArea>
#include <QVector>

#include "desktop/traces/selection.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

class FlameGraph : public QAbstractScrollArea {
    Q_OBJECT
  public:
    explicit FlameGraph(QWidget* parent = nullptr);
    /// In the order of TraceTable::Calls: a call before its children.
    void setCalls(const QVector<TraceRow>& calls);
    int count() const { return static_cast<int>(boxes_.size()); }
    /// Row of the chosen call; -1: none.
    int chosen() const { return chosen_; }
    void choose(int call);
    /// The call that fills the width; -1: all calls.
    int root() const { return root_; }
    void setRoot(int call);
    /// Rectangle of a call in viewport coordinates; empty if the call is not below the root.
    QRectF rectOf(int call) const;
    int callAt(const QPointF& at) const;
    /// The whole graph at its current width, including the part scrolled out of view.
    QImage picture() const;
    QSize sizeHint() const override { return {600_px, 160_px}; }

  signals:
    void callChosen(const trainyard::desktop::TraceRow& call);

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    struct Box {
        std::int64_t begin = 0, length = 0;  ///< ns, from the start of all calls
        int parent = -1, depth = 0;
    };
    static inline const int& kLine = live_px(20);  // pixels
    bool isBelowRoot(int call) const;
    int depthOfRoot() const { return root_ < 0 ? 0 : boxes_[root_].depth; }
    void paintCalls(QPainter& painter, const QRect& area, int scroll) const;
    void setScrollRange();
    QString describe(int call) const;

    QVector<TraceRow> calls_;
    QVector<Box> boxes_;
    std::int64_t all_ = 0;
    int deepest_ = -1, chosen_ = -1, root_ = -1;
};

}  // namespace trainyard::desktop
