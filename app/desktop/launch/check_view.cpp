// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/launch/check_view.h"

#include <QHeaderView>
#include <QPainterPath>
#include <QStyledItemDelegate>

#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const int& kCheckRowHeight = live_px(40);
const int& kHeaderHeight = live_px(34);
const int& kCheckPadding = live_px(12);
const int& kNames = live_px(190);

class CheckDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;

    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        const Theme& theme = Theme::instance();
        const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
        painter->save();
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, theme.color(Token::BgSelected));
        painter->setPen(theme.color(Token::Line));
        painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());
        if ((option.state & QStyle::State_HasFocus) != 0) {
            painter->setPen(QPen(theme.color(Token::Accent), 2));
            painter->drawRect(option.rect.adjusted(1, 1, -1, -2));
        }
        QRect area = option.rect.adjusted(kCheckPadding, 0, -kCheckPadding, 0);
        if (!cell.chip.icon.isEmpty()) {
            painter->drawPixmap(
                area.left(), area.center().y() - 7_px + 1,
                theme.pixmap(cell.chip.icon, cell.chip.color, 14_px, painter->device()->devicePixelRatioF()));
            area.adjust(22_px, 0, 0, 0);
        }
        const QFont font = theme.text(index.column() == 0 ? 13 : 12, cell.strong ? QFont::DemiBold : QFont::Normal);
        draw_elided(*painter, font, cell.ink, area, cell.text);
        painter->restore();
    }
};

}  // namespace

CheckView::CheckView(CheckTable* table, QWidget* parent) : QTableView(parent) {
    setModel(table);
    setAccessibleName(tr("Checks"));
    setItemDelegate(new CheckDelegate(this));
    widgets::set_quiet_look(this, kCheckRowHeight);
    setSelectionMode(QAbstractItemView::SingleSelection);
    setSelectionBehavior(QAbstractItemView::SelectRows);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    horizontalHeader()->setFont(Theme::instance().text(12));
    horizontalHeader()->setFixedHeight(kHeaderHeight);
    horizontalHeader()->setMinimumSectionSize(60_px);
    connect(table, &QAbstractItemModel::modelReset, this, &CheckView::arrange);
    arrange();
}

void CheckView::arrange() {
    const int columns = model()->columnCount();
    for (int column = 0; column < columns; ++column)
        horizontalHeader()->setSectionResizeMode(column, column == 0 ? QHeaderView::Fixed : QHeaderView::Stretch);
    if (columns > 0)
        horizontalHeader()->resizeSection(0, std::min(kNames, width() / 3));
}

void CheckView::resizeEvent(QResizeEvent* event) {
    QTableView::resizeEvent(event);
    arrange();
}

CheckBar::CheckBar(const CheckTable* table, QWidget* parent) : QWidget(parent), table_(table) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(table, &QAbstractItemModel::modelReset, this, QOverload<>::of(&QWidget::update));
    connect(table, &QAbstractItemModel::dataChanged, this, QOverload<>::of(&QWidget::update));
}

void CheckBar::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    QPainterPath shape;
    shape.addRoundedRect(QRectF(rect()), 3, 3);
    painter.setClipPath(shape);
    painter.fillRect(rect(), theme.color(Token::BgHover));
    if (table_->all() == 0)
        return;
    double x = 0;
    for (const auto& [state, ink] :
         {std::pair(CheckState::passed, Token::Ok), std::pair(CheckState::warning, Token::Warn),
          std::pair(CheckState::failed, Token::Error)}) {
        const double part = static_cast<double>(width()) * table_->count(state) / table_->all();
        painter.fillRect(QRectF(x, 0, part, height()), theme.color(ink));
        x += part;
    }
}

}  // namespace trainyard::desktop
