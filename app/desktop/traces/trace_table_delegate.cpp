#include "desktop/traces/trace_table_delegate.h"

#include <QPainter>

#include "desktop/traces/trace_table_model.h"
#include "desktop/ui.h"

namespace trainyard::desktop {

void TraceTableDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    widgets::CellDelegate::paint(painter, option, index);
    const auto* model = qobject_cast<const TraceTableModel*>(index.model());
    if (model == nullptr || !model->isShare(index.column()))
        return;
    const TraceRow& row = model->at(index.row());
    const QRectF bar(option.rect.left() + 12, option.rect.center().y() - 2, option.rect.width() - 24, 5);
    painter->save();
    if (bar.width() > 8)
        widgets::paint_bar(
            *painter, bar, row.share,
            row.color > 0 ? Theme::instance().runColor(row.color) : Theme::instance().color(Token::TextMuted));
    painter->restore();
}

}  // namespace trainyard::desktop
