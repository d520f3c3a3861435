// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/layouts.h"

#include <algorithm>

#include <QSplitter>

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

namespace {

/// Parts side by side or, while it is narrower than `below`, below each other.
class StackingSplitter : public QSplitter {
  public:
    explicit StackingSplitter(int below) : QSplitter(Qt::Horizontal), below_(below) {}
    QSize minimumSizeHint() const override {
        int widest = 0;
        for (int i = 0; i < count(); ++i)
            if (const QWidget* part = widget(i); !part->isHidden())
                widest = std::max({widest, part->minimumWidth(), part->minimumSizeHint().width()});
        return {widest, QSplitter::minimumSizeHint().height()};
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QSplitter::resizeEvent(event);
        const Qt::Orientation wanted = width() < below_ ? Qt::Vertical : Qt::Horizontal;
        if (wanted == orientation())
            return;
        setOrientation(wanted);
        updateGeometry();
    }

  private:
    int below_;
};

class StackingRow : public QWidget {
  public:
    StackingRow(int below, int spacing, LayoutItems items)
        : below_(below), line_(new QBoxLayout(QBoxLayout::LeftToRight, this)) {
        line_->setContentsMargins(0, 0, 0, 0);
        line_->setSpacing(spacing);
        add_items(line_, items);
    }
    QSize minimumSizeHint() const override {
        int widest = 0;
        for (int i = 0; i < line_->count(); ++i)
            if (const QLayoutItem* item = line_->itemAt(i); !item->isEmpty())
                widest = std::max(widest, item->minimumSize().width());
        return {widest, QWidget::minimumSizeHint().height()};
    }

  protected:
    void resizeEvent(QResizeEvent*) override {
        const auto wanted = width() < below_ ? QBoxLayout::TopToBottom : QBoxLayout::LeftToRight;
        if (wanted == line_->direction())
            return;
        line_->setDirection(wanted);
        updateGeometry();
    }

  private:
    int below_;
    QBoxLayout* line_;
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

QSplitter* make_splitter(Qt::Orientation along, std::initializer_list<QWidget*> parts) {
    return set_up_splitter(new QSplitter(along), parts);
}

QSplitter* make_stacking_splitter(int below, std::initializer_list<QWidget*> parts) {
    return set_up_splitter(new StackingSplitter(below), parts);
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
