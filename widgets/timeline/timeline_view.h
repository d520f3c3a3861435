// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The widget of a timeline: zoom and pan over time, lines that scroll, a chosen span, a selected range, two marks.
// Keys: W S zoom, A D pan, arrows walk through spans, Q E previous and next span of this name, F fits the selection, 0
// shows everything, V folds, P pins, M marks.

#include <memory>
#include <optional>

#include <QAbstractScrollArea>
#include <QHash>
#include <QSet>
#include <QStaticText>
#include <QVector>

#include "widgets/pixels.h"
#include "widgets/timeline/timeline_data.h"
#include "widgets/timeline/timeline_layout.h"

namespace trainyard::widgets {

class TimelineView : public QAbstractScrollArea {
    Q_OBJECT
  public:
    static inline const int &kGutter = live_px(172), &kRuler = live_px(24);  // pixels

    explicit TimelineView(const QString& accessibleName, QWidget* parent = nullptr);

    /// `keep`: the same spans with more of them: what is seen, folded and chosen stays.
    void setData(std::shared_ptr<const TimelineData> data, bool keep = false);
    const TimelineData* data() const { return data_.get(); }
    /// The picture of the data has changed (other colours).
    void dataChanged() { viewport()->update(); }

    TimeSpan view() const { return view_; }
    void setView(const TimeSpan& view);
    void showWhole();
    /// Zooms to the selection, else to the chosen span.
    void fit();
    void zoom(double factor, int x);  ///< the time at this x of the viewport stays; above 1: closer
    void pan(double share);           ///< of what is seen

    /// `group` -1: all groups.
    void select(const std::optional<TimeSpan>& range, int group = -1);
    std::optional<TimeSpan> selection() const { return selection_; }
    int selectedGroup() const { return selected_group_; }

    /// Not valid: none. `reveal`: brings it into sight.
    void choose(const TimelinePlace& place, bool reveal);
    const TimelinePlace& chosen() const { return chosen_; }
    void chooseSameName(int direction);

    void setOrder(const QVector<int>& groups);
    void toggleFold(int group);  ///< -1: none
    void togglePin(int group);
    void setPinned(const QSet<int>& groups);
    const QSet<int>& pinned() const { return pinned_; }
    void setFolded(const QSet<int>& groups);
    const QSet<int>& folded() const { return folded_; }
    /// A mark at the chosen span's begin, else in the middle of what is seen; the third one replaces the first.
    void mark();
    const QVector<std::int64_t>& marks() const { return marks_; }
    void clearMarks();

    /// The span under a point of the viewport.
    TimelinePlace placeAt(const QPoint& at) const;
    /// Where a span is painted; empty: out of sight.
    QRect rectOf(const TimelinePlace& place) const;
    const TimelineLayout& layoutOfLines() const { return layout_; }
    double lastPaintMilliseconds() const { return paint_milliseconds_; }
    QSize sizeHint() const override { return {900_px, 420_px}; }
    QSize minimumSizeHint() const override { return {420_px, 120_px}; }

  signals:
    void viewChanged();
    void selectionChanged();
    void chosenChanged();
    void arrangementChanged();  ///< folded and pinned groups

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool viewportEvent(QEvent* event) override;

  private:
    struct Ink;
    int width() const { return viewport()->width() - kGutter; }
    double perPixel() const;  ///< ns
    double xOf(std::int64_t time) const;
    std::int64_t timeAt(double x) const;
    std::int64_t firstEndingAfter(int group, int lane, int row, std::int64_t time) const;
    std::int64_t firstBeginningAt(int group, int lane, int row, std::int64_t time, std::int64_t from) const;
    static std::int64_t firstBlockAt(const TimelineBlocks& blocks, std::int64_t time, std::int64_t from);
    void layOut();
    void arranged();
    void setScrollRange();
    void revealLine(int line);
    int groupForKeys() const;
    int middleForKeys() const;
    void selectChosen();
    bool undoOne();
    void chooseBeside(int direction);
    void chooseInLine(int direction);

    void paintRuler(QPainter& painter, const Ink& ink) const;
    void paintHead(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const;
    void paintLaneTitle(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const;
    void paintRow(QPainter& painter, int group, int lane, int row, const QRect& area, bool names, const Ink& ink) const;
    void paintPlan(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const;
    void paintName(QPainter& painter, const TimelinePlace& place, const QRectF& box, const Ink& ink) const;
    void paintCurve(QPainter& painter, const TimelineLine& line, int y, const Ink& ink) const;
    void paintOver(QPainter& painter, const Ink& ink) const;

    std::shared_ptr<const TimelineData> data_;
    TimelineLayout layout_;
    TimeSpan view_{0, 1};
    std::optional<TimeSpan> selection_;
    int selected_group_ = -1;
    TimelinePlace chosen_;
    QVector<TimelinePlace> linked_;  ///< to the chosen one
    QVector<int> order_;
    QSet<int> folded_, pinned_;
    QVector<std::int64_t> marks_;

    enum class Drag { None, Select, Pan };
    Drag drag_ = Drag::None;
    QPoint pressed_;
    TimeSpan pressed_view_;
    int pressed_scroll_ = 0;
    bool moved_ = false;
    double paint_milliseconds_ = 0;
    /// Names as they were laid out, by number and room.
    mutable QHash<std::pair<std::uint64_t, int>, QStaticText> names_;
    mutable QHash<std::uint64_t, int> whole_names_;  ///< pixels of whole names, by number
    mutable QFont names_font_;
};

}  // namespace trainyard::widgets
