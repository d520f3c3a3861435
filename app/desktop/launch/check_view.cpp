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
const int& kIconRoom = live_px(22);
const int& kNames = live_px(190);
const int& kHostRoom = live_px(110);

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
        QRect area = option.rect.adjusted(kCheckPadding, 0, -kCheckPadding, 0);
        if (!cell.chip.icon.isEmpty()) {
            painter->drawPixmap(
                area.left(), area.center().y() - 7_px + 1,
                theme.pixmap(cell.chip.icon, cell.chip.color, 14_px, painter->device()->devicePixelRatioF()));
            area.adjust(kIconRoom, 0, 0, 0);
        }
        draw_elided(*painter, font_of(cell, index.column()), cell.ink, area, cell.text);
        painter->restore();
    }

    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
        const int words = QFontMetrics(font_of(cell, index.column())).horizontalAdvance(cell.text);
        return {words + 2 * kCheckPadding + (cell.chip.icon.isEmpty() ? 0 : kIconRoom) + 1, kCheckRowHeight};
    }

  private:
    static QFont font_of(const widgets::Cell& cell, int column) {
        return Theme::instance().text(column == 0 ? 13 : 12, cell.strong ? QFont::DemiBold : QFont::Normal);
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
    connect(table, &QAbstractItemModel::dataChanged, this, &CheckView::arrange);
    arrange();
}

/// The names of the checks have the room that they need if it leaves enough for the hosts. The hosts have columns
/// of one width, or as wide as their texts need if one of them would be cut otherwise.
void CheckView::arrange() {
    const int columns = model()->columnCount();
    if (columns == 0)
        return;
    QHeaderView* header = horizontalHeader();
    header->setSectionResizeMode(QHeaderView::Fixed);
    const int left = viewport()->width() - (columns - 1) * kHostRoom;
    header->resizeSection(0, std::max(std::min(kNames, width() / 3), std::min(left, sizeHintForColumn(0))));
    int room = viewport()->width() - header->sectionSize(0), needed = 0, widest = 0;
    for (int column = 1; column < columns; ++column) {
        const int width = sizeHintForColumn(column);
        needed += width;
        widest = std::max(widest, width);
    }
    const bool alike = widest * (columns - 1) <= room || needed > room;
    int rest = alike ? room : room - needed;
    for (int column = 1; column < columns; ++column) {
        const int share = rest / (columns - column);
        rest -= share;
        header->resizeSection(column, share + (alike ? 0 : sizeHintForColumn(column)));
    }
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
