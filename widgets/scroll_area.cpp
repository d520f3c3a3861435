#include "widgets/scroll_area.h"

#include "widgets/controls.h"

namespace trainyard::widgets {

QScrollArea* make_scroll_area(QWidget* content) {
    auto* scroll = new QScrollArea;
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    if (content != nullptr)
        scroll->setWidget(content);
    return scroll;
}

QScrollArea* make_upright_scroll(QWidget* content) {
    content->setProperty("surface", QStringLiteral("clear"));
    QScrollArea* scroll = make_scroll_area(content);
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return scroll;
}

QScrollArea* make_upright_scroll(QLayout* inside) {
    return make_upright_scroll(make_holder(inside));
}

}  // namespace trainyard::widgets
