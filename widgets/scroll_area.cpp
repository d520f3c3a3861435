// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scroll_area.h"

#include <QLayout>

#include "widgets/controls.h"

namespace trainyard::widgets {

namespace {

/// QScrollArea asks its content for the height that wrapped text needs. This one answers with the smallest height, not
/// with the preferred one: text views in a panel shrink before the column scrolls. It is as wide as the area.
class PanelHolder : public QWidget {
  public:
    using QWidget::QWidget;
    int heightForWidth(int width) const override {
        return layout() == nullptr ? -1 : layout()->totalMinimumHeightForWidth(width);
    }
    QSize minimumSizeHint() const override {
        return {0, layout() == nullptr ? 0 : layout()->totalMinimumSize().height()};
    }
};

/// Nothing moves sideways, so it is at least as wide as its panels; its height is not bound to theirs.
class PanelScroll : public QScrollArea {
  public:
    using QScrollArea::QScrollArea;
    QSize minimumSizeHint() const override {
        const QLayout* panels = widget() == nullptr ? nullptr : widget()->layout();
        const int width = panels == nullptr ? 0 : panels->totalMinimumSize().width();
        return {width, QScrollArea::minimumSizeHint().height()};
    }
    QSize sizeHint() const override { return widget() == nullptr ? QScrollArea::sizeHint() : widget()->sizeHint(); }
};

QScrollArea* styled_scroll_area(QScrollArea* scroll, QWidget* content) {
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    if (content != nullptr)
        scroll->setWidget(content);
    return scroll;
}

QScrollArea* upright(QScrollArea* scroll, QWidget* content) {
    content->setProperty("surface", QStringLiteral("clear"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return styled_scroll_area(scroll, content);
}

}  // namespace

QScrollArea* make_scroll_area(QWidget* content) {
    return styled_scroll_area(new QScrollArea, content);
}

QScrollArea* make_upright_scroll(QWidget* content) {
    return upright(new QScrollArea, content);
}

QScrollArea* make_upright_scroll(QLayout* inside) {
    return make_upright_scroll(make_holder(inside));
}

QScrollArea* make_panel_scroll(QLayout* panels, QWidget* parent) {
    auto* content = new PanelHolder;
    if (panels != nullptr)
        content->setLayout(panels);
    return upright(new PanelScroll(parent), content);
}

}  // namespace trainyard::widgets
