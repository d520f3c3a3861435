// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/room.h"

#include <algorithm>

#include <QAction>
#include <QHBoxLayout>
#include <QLineEdit>

#include "widgets/pixels.h"

namespace trainyard::widgets {

int room_for_placeholder(const QLineEdit* field, int least) {
    const int kPadding = 28_px, kIconRoom = 26_px;  // of style.cpp, and of Qt's buttons inside
    field->ensurePolished();
    int icons = field->isClearButtonEnabled() ? 1 : 0;
    for (const QAction* action : field->actions())
        icons += !action->icon().isNull() ? 1 : 0;
    return std::max(least,
                    field->fontMetrics().horizontalAdvance(field->placeholderText()) + kPadding + icons * kIconRoom);
}

void spare_in_line(QHBoxLayout* line, int width, const QList<QWidget*>& spared) {
    const auto room_of = [line](const QWidget* widget) {
        const int least = widget->minimumWidth() > 0 ? widget->minimumWidth() : std::max(0, widget->sizeHint().width());
        return std::min(least, widget->maximumWidth()) + line->spacing();
    };
    const QMargins margins = line->contentsMargins();
    int needed = margins.left() + margins.right() - line->spacing();
    for (int i = 0; i < line->count(); ++i)
        if (QWidget* widget = line->itemAt(i)->widget())
            needed += widget->isHidden() && !spared.contains(widget) ? 0 : room_of(widget);
    for (QWidget* widget : spared) {
        const bool fits = needed <= width;
        widget->setVisible(fits);
        needed -= fits ? 0 : room_of(widget);
    }
}

}  // namespace trainyard::widgets
