// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layouts.h"

#include <algorithm>

#include <QEvent>
#include <QResizeEvent>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStyle>

namespace trainyard::widgets {

LayoutItem stretch(int share) {
    LayoutItem item;
    item.stretch = share;
    return item;
}

LayoutItem gap(int pixels) {
    LayoutItem item;
    item.gap = pixels;
    return item;
}

void add_items(QBoxLayout* line, LayoutItems items) {
    for (const LayoutItem& item : items)
        if (item.widget != nullptr)
            line->addWidget(item.widget, item.stretch, item.alignment);
        else if (item.layout != nullptr)
            line->addLayout(item.layout, item.stretch);
        else if (item.gap < 0)
            line->addStretch(item.stretch);
        else
            line->addSpacing(item.gap);
}

int WrappingRow::roomOf(int index, int width) const {
    const QLayoutItem* item = itemAt(index);
    if (isSpacer(index))
        return item->minimumSize().width();
    const QSize size = stretch(index) > 0 ? item->minimumSize() : item->sizeHint().expandedTo(item->minimumSize());
    return std::min(size.width(), width);
}

bool WrappingRow::isOneLine(int width) const {
    const QMargins margins = contentsMargins();
    int needed = margins.left() + margins.right(), items = 0;
    for (int i = 0; i < count(); ++i)
        if (!itemAt(i)->isEmpty() || isSpacer(i)) {
            needed += roomOf(i, QWIDGETSIZE_MAX);
            items += isSpacer(i) ? 0 : 1;
        }
    return needed + std::max(0, items - 1) * std::max(0, spacing()) <= width;
}

int WrappingRow::widestLine() const {
    const QMargins margins = contentsMargins();
    int widest = margins.left() + margins.right() - spacing();
    for (int i = 0; i < count(); ++i) {
        const QLayoutItem* item = itemAt(i);
        if (isSpacer(i) || stretch(i) > 0)
            return QWIDGETSIZE_MAX;
        if (!item->isEmpty())
            widest += spacing() + (item->expandingDirections().testFlag(Qt::Horizontal) ? item->maximumSize().width()
                                                                                        : roomOf(i, QWIDGETSIZE_MAX));
        if (widest >= QWIDGETSIZE_MAX)
            return QWIDGETSIZE_MAX;
    }
    return widest;
}

QList<WrappingRow::Line> WrappingRow::brokenAt(int break_width, int width) const {
    QList<Line> lines(1);
    int x = 0;
    for (int i = 0; i < count(); ++i) {
        const QLayoutItem* item = itemAt(i);
        if (item->isEmpty() && !isSpacer(i))
            continue;
        const int room = roomOf(i, width);
        if (x > 0 && x + room > break_width && !isSpacer(i)) {
            lines.append(Line{});
            x = 0;
        }
        Line& line = lines.last();
        line.items << i;
        line.height = std::max(line.height, line_height_ > 0 ? line_height_ : item->sizeHint().height());
        x += room + (isSpacer(i) ? 0 : spacing());
    }
    return lines;
}

QList<WrappingRow::Line> WrappingRow::linesOf(int width) const {
    QList<Line> lines = brokenAt(width, width);
    bool all_stretch = true;
    int needed = 0;
    for (int i = 0; i < count(); ++i)
        if (!itemAt(i)->isEmpty() || isSpacer(i)) {
            all_stretch = all_stretch && !isSpacer(i) && stretch(i) > 0;
            needed += roomOf(i, width) + spacing();
        }
    if (!all_stretch || lines.size() < 2)
        return lines;
    constexpr int kStep = 8;
    for (int at = needed / static_cast<int>(lines.size()); at < width; at += kStep)
        if (QList<Line> even = brokenAt(at, width); even.size() == lines.size())
            return even;
    return lines;
}

int WrappingRow::heightOf(int width) const {
    const QMargins margins = contentsMargins();
    const int inner = width - margins.left() - margins.right();
    if (isOneLine(width))
        return line_height_ > 0 ? line_height_ : QHBoxLayout::sizeHint().height();
    const int between = line_height_ > 0 ? 0 : std::max(0, spacing());
    int height = margins.top() + margins.bottom() - between;
    for (const Line& line : linesOf(inner))
        height += line.height + between;
    return height;
}

QSize WrappingRow::minimumSize() const {
    int widest = 0, highest = line_height_;
    for (int i = 0; i < count(); ++i)
        if (const QLayoutItem* item = itemAt(i); !item->isEmpty()) {
            widest = std::max(widest, item->minimumSize().width());
            highest = line_height_ > 0 ? line_height_ : std::max(highest, item->minimumSize().height());
        }
    const QMargins margins = contentsMargins();
    return {widest + margins.left() + margins.right(), highest + margins.top() + margins.bottom()};
}

QSize WrappingRow::sizeHint() const {
    const QSize hint = QHBoxLayout::sizeHint();
    return {hint.width(), line_height_ > 0 ? line_height_ : hint.height()};
}

void WrappingRow::setGeometry(const QRect& room) {
    // In the height of one line, the items shrink instead.
    if (isOneLine(room.width()) || (line_height_ > 0 && room.height() < 2 * line_height_)) {
        const QRect taken(room.topLeft(), QSize(std::min(room.width(), widestLine()), room.height()));
        return QHBoxLayout::setGeometry(
            line_height_ > 0 ? QStyle::visualRect(parentWidget()->layoutDirection(), room, taken) : room);
    }
    QLayout::setGeometry(room);
    const QRect inner = room.marginsRemoved(contentsMargins());
    const int between = line_height_ > 0 ? 0 : std::max(0, spacing());
    int y = inner.top();
    bool is_after_spacer = false;  // in a line above
    for (const Line& line : linesOf(inner.width())) {
        int used = -spacing(), shares = 0;
        for (const int i : line.items) {
            used += roomOf(i, inner.width()) + (isSpacer(i) ? 0 : spacing());
            shares += isSpacer(i) ? std::max(1, stretch(i)) : stretch(i);
        }
        int rest = std::max(0, inner.width() - used), x = inner.left();
        // Items after a spacer are aligned with the end of the row in later lines, too.
        if (is_after_spacer && shares == 0)
            x += rest;
        for (const int i : line.items) {
            QLayoutItem* item = itemAt(i);
            const int share = isSpacer(i) ? std::max(1, stretch(i)) : stretch(i);
            is_after_spacer = is_after_spacer || isSpacer(i);
            const int more = shares == 0 ? 0 : rest * share / shares;
            rest -= more;
            shares -= share;
            const QRect at(x, y, roomOf(i, inner.width()) + more, line.height);
            item->setGeometry(QStyle::visualRect(parentWidget()->layoutDirection(), inner, at));
            x += at.width() + (isSpacer(i) ? 0 : spacing());
        }
        y += line.height + between;
    }
}

namespace {

/// Whether the size of a widget or of its content may have changed. While it is hidden, it does not hear of its
/// content.
bool changes_room(const QEvent* event) {
    return event->type() == QEvent::LayoutRequest || event->type() == QEvent::Resize || event->type() == QEvent::Show;
}

class WrappingHolder : public QWidget {
  public:
    WrappingHolder(const QMargins& margins, int spacing, LayoutItems items) : row_(new WrappingRow) {
        row_->setContentsMargins(margins);
        row_->setSpacing(spacing);
        add_items(row_, items);
        setLayout(row_);
    }

    /// The height is set; layouts around need not ask for it.
    bool hasHeightForWidth() const override { return false; }

  protected:
    bool event(QEvent* event) override {
        const bool done = QWidget::event(event);
        if (changes_room(event))
            if (const int height = row_->heightOf(width()); height != minimumHeight() || height != maximumHeight())
                takeHeight(height);
        return done;
    }

  private:
    void takeHeight(int height) {
        setFixedHeight(height);
        // Also once the layouts around, which may just be placing this, have finished.
        QMetaObject::invokeMethod(
            this,
            [this] {
                for (QWidget* at = this; at != nullptr && !at->isWindow(); at = at->parentWidget())
                    at->updateGeometry();
            },
            Qt::QueuedConnection);
    }
    WrappingRow* row_;
};

/// Width of parts side by side, below which they do not fit.
class PartWidths {
  public:
    void add(int width) {
        sum_ += width + (widest_ > 0 ? spacing_ : 0);
        widest_ = std::max(widest_, width);
    }
    explicit PartWidths(int spacing) : spacing_(spacing) {}
    int sum() const { return sum_; }
    int widest() const { return widest_; }

  private:
    int spacing_, sum_ = 0, widest_ = 0;
};

class StackingSplitter : public QSplitter {
  public:
    explicit StackingSplitter(int below) : QSplitter(Qt::Horizontal), below_(below) {}
    QSize minimumSizeHint() const override { return {widths().widest(), QSplitter::minimumSizeHint().height()}; }

  protected:
    bool event(QEvent* event) override {
        const bool done = QSplitter::event(event);
        if (changes_room(event))
            arrange();
        return done;
    }

  private:
    void arrange() {
        const bool stacked = width() < std::max(below_, widths().sum());
        const Qt::Orientation wanted = stacked ? Qt::Vertical : Qt::Horizontal;
        if (wanted == orientation())
            return;
        setOrientation(wanted);
        updateGeometry();
    }
    PartWidths widths() const {
        PartWidths widths(handleWidth());
        for (int i = 0; i < count(); ++i)
            if (const QWidget* part = widget(i); !part->isHidden())
                widths.add(std::max(part->minimumWidth(), part->minimumSizeHint().width()));
        return widths;
    }
    int below_;
};

class ShownStack : public QStackedWidget {
  public:
    ShownStack() { connect(this, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry); }
    QSize minimumSizeHint() const override {
        const QWidget* page = currentWidget();
        if (page == nullptr)
            return {};
        const QSize least = page->minimumSizeHint().expandedTo(page->minimumSize());
        return page->hasHeightForWidth() ? least.expandedTo({0, page->heightForWidth(width())}) : least;
    }
    /// Qt's would be that of the highest page.
    bool hasHeightForWidth() const override { return false; }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QStackedWidget::resizeEvent(event);
        if (event->size().width() != event->oldSize().width())
            updateGeometry();
    }
};

class StackingRow : public QWidget {
  public:
    StackingRow(int below, int spacing, LayoutItems items)
        : below_(below), line_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
        line_->setContentsMargins(0, 0, 0, 0);
        line_->setSpacing(spacing);
        add_items(line_, items);
        for (const LayoutItem& item : items)
            if (auto* scroll = qobject_cast<QScrollArea*>(item.widget))
                scrolls_.append({scroll, scroll->minimumHeight()});
    }
    QSize minimumSizeHint() const override { return {widths().widest(), QWidget::minimumSizeHint().height()}; }

  protected:
    bool event(QEvent* event) override {
        const bool done = QWidget::event(event);
        if (changes_room(event))
            arrange();
        return done;
    }

  private:
    void arrange() {
        const bool stacked = width() < std::max(below_, widths().sum());
        for (int i = 0; i < line_->count(); ++i)
            if (QWidget* widget = line_->itemAt(i)->widget(); widget != nullptr && line_->stretch(i) == 0)
                if (const int most = stacked ? QWIDGETSIZE_MAX : leastWidth(i); widget->maximumWidth() != most)
                    widget->setMaximumWidth(most);
        for (const auto& [scroll, least] : scrolls_)
            if (const int height = stacked ? std::max(least, heightOf(scroll)) : least;
                height != scroll->minimumHeight())
                scroll->setMinimumHeight(height);
        const auto wanted = stacked ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
        if (wanted == line_->direction())
            return;
        line_->setDirection(wanted);
        updateGeometry();
    }
    int heightOf(const QScrollArea* scroll) const {
        const QWidget* content = scroll->widget();
        const int frame = 2 * scroll->frameWidth();
        return frame + (content->hasHeightForWidth() ? content->heightForWidth(width() - frame)
                                                     : content->minimumSizeHint().height());
    }
    /// Also beyond the maximum that arrange() has set.
    int leastWidth(int index) const {
        const QWidget* widget = line_->itemAt(index)->widget();
        return widget == nullptr ? line_->itemAt(index)->minimumSize().width()
                                 : std::max(widget->minimumWidth(), widget->minimumSizeHint().width());
    }
    PartWidths widths() const {
        PartWidths widths(line_->spacing());
        for (int i = 0; i < line_->count(); ++i)
            if (const QLayoutItem* item = line_->itemAt(i); !item->isEmpty())
                widths.add(leastWidth(i));
        return widths;
    }
    int below_;
    QBoxLayout* line_;
    QList<std::pair<QScrollArea*, int>> scrolls_;  ///< with their own least heights
};

QSplitter* set_up_splitter(QSplitter* splitter, std::initializer_list<QWidget*> parts) {
    splitter->setProperty("surface", QStringLiteral("gap"));
    splitter->setHandleWidth(8);
    splitter->setChildrenCollapsible(false);
    for (QWidget* part : parts)
        splitter->addWidget(part);
    return splitter;
}

}  // namespace

QStackedWidget* make_stack() {
    return new ShownStack;
}

QSplitter* make_splitter(Qt::Orientation along, std::initializer_list<QWidget*> parts) {
    return set_up_splitter(new QSplitter(along), parts);
}

QSplitter* make_stacking_splitter(int below, std::initializer_list<QWidget*> parts) {
    return set_up_splitter(new StackingSplitter(below), parts);
}

QWidget* make_wrapping_row(int spacing, LayoutItems items) {
    return make_wrapping_row(QMargins(), spacing, items);
}

QWidget* make_wrapping_row(const QMargins& margins, int spacing, LayoutItems items) {
    return new WrappingHolder(margins, spacing, items);
}

QWidget* make_stacking_row(int below, int spacing, LayoutItems items) {
    return new StackingRow(below, spacing, items);
}

namespace {
template <class Line>
Line* filled(LayoutItems items, int spacing, const QMargins* margins) {
    auto* line = new Line;
    if (margins != nullptr)
        line->setContentsMargins(*margins);
    line->setSpacing(spacing);
    add_items(line, items);
    return line;
}
constexpr int kOfStyle = -1;
}  // namespace

QHBoxLayout* make_row(LayoutItems items) {
    return filled<QHBoxLayout>(items, kOfStyle, nullptr);
}

QHBoxLayout* make_row(int spacing, LayoutItems items) {
    return filled<QHBoxLayout>(items, spacing, nullptr);
}

QHBoxLayout* make_row(const QMargins& margins, LayoutItems items) {
    return filled<QHBoxLayout>(items, kOfStyle, &margins);
}

QHBoxLayout* make_row(const QMargins& margins, int spacing, LayoutItems items) {
    return filled<QHBoxLayout>(items, spacing, &margins);
}

QVBoxLayout* make_column(LayoutItems items) {
    return filled<QVBoxLayout>(items, kOfStyle, nullptr);
}

QVBoxLayout* make_column(int spacing, LayoutItems items) {
    return filled<QVBoxLayout>(items, spacing, nullptr);
}

QVBoxLayout* make_column(const QMargins& margins, LayoutItems items) {
    return filled<QVBoxLayout>(items, kOfStyle, &margins);
}

QVBoxLayout* make_column(const QMargins& margins, int spacing, LayoutItems items) {
    return filled<QVBoxLayout>(items, spacing, &margins);
}

}  // namespace trainyard::widgets
