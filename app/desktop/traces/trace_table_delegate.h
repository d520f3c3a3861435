#pragma once
// Paints the cells of a TraceTableModel.

#include "widgets/cell_delegate.h"

namespace trainyard::desktop {

/// Paints a share as a bar, the rest as cells.
class TraceTableDelegate : public widgets::CellDelegate {
    Q_OBJECT
  public:
    using widgets::CellDelegate::CellDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override;
};

}  // namespace trainyard::desktop
