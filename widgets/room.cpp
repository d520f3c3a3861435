#include "widgets/room.h"

#include <algorithm>

#include <QAction>
#include <QLineEdit>

namespace trainyard::widgets {

int room_for_placeholder(const QLineEdit* field, int least) {
    constexpr int kPadding = 28, kIconRoom = 26;  // of resources/style, and of Qt's buttons inside
    field->ensurePolished();
    int icons = field->isClearButtonEnabled() ? 1 : 0;
    for (const QAction* action : field->actions())
        icons += !action->icon().isNull() ? 1 : 0;
    return std::max(least,
                    field->fontMetrics().horizontalAdvance(field->placeholderText()) + kPadding + icons * kIconRoom);
}

void fix_width(QWidget* widget, int least) {
    widget->ensurePolished();
    widget->setFixedWidth(std::max(least, widget->sizeHint().width()));
}

}  // namespace trainyard::widgets
