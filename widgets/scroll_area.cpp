#include "widgets/scroll_area.h"

#include <QScrollArea>

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

}  // namespace trainyard::widgets
