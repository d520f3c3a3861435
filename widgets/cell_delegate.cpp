// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/cell_delegate.h"

#include <algorithm>
#include <cmath>

#include <QEvent>
#include <QHeaderView>
#include <QTableView>

#include "widgets/chip.h"
#include "widgets/local_text.h"
#include "widgets/paint.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {
const int& kCellPadding = live_px(12);
const int& kSwatch = live_px(8);
const int& kBar = live_px(40);
const int& kTick = live_px(16);
const int& kRow = live_px(38);
const int& kHeader = live_px(34);

QFont font_of(const Cell& cell) {
    const QFont::Weight weight = cell.strong ? QFont::DemiBold : QFont::Normal;
    return cell.mono ? Theme::instance().mono(12, weight) : Theme::instance().text(13, weight);
}

class StretchedColumn : public QObject {
  public:
    StretchedColumn(QTableView* table, int column, int least)
        : QObject(table), header_(table->horizontalHeader()), column_(column), least_(least) {
        header_->viewport()->installEventFilter(this);
        // After the header has set the other widths: it would set this one to its former width after them.
        connect(
            header_, &QHeaderView::sectionResized, this,
            [this](int resized) {
                if (resized != column_)
                    fit();
            },
            Qt::QueuedConnection);
        connect(
            table->model(), &QAbstractItemModel::modelReset, this, [this] { fit(); }, Qt::QueuedConnection);
        fit();
    }
    bool eventFilter(QObject*, QEvent* event) override {
        if (event->type() == QEvent::Resize)
            fit();
        return false;
    }

  private:
    void fit() {
        if (column_ >= header_->count())
            return;
        // A section that fits its content would take no other size.
        if (header_->sectionResizeMode(column_) != QHeaderView::Interactive)
            header_->setSectionResizeMode(column_, QHeaderView::Interactive);
        const int others = header_->length() - header_->sectionSize(column_);
        header_->resizeSection(column_, std::max(least_, header_->viewport()->width() - others));
    }
    QHeaderView* header_;
    int column_, least_;
};
}  // namespace

int cell_padding() {
    return kCellPadding;
}

void set_quiet_look(QTableView* table, int row) {
    table->setShowGrid(false);
    table->setFrameShape(QFrame::NoFrame);
    table->setEditTriggers(QAbstractItemView::NoEditTriggers);
    table->setTabKeyNavigation(false);
    table->setVerticalScrollMode(QAbstractItemView::ScrollPerPixel);
    table->horizontalHeader()->setHighlightSections(false);
    table->verticalHeader()->hide();
    table->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table->verticalHeader()->setMinimumSectionSize(std::min(row, table->verticalHeader()->minimumSectionSize()));
    table->verticalHeader()->setDefaultSectionSize(row);
}

void set_rows_look(QTableView* table) {
    set_quiet_look(table, kRow);
    table->setItemDelegate(new CellDelegate(table));
    table->setSelectionBehavior(QAbstractItemView::SelectRows);
    table->setSelectionMode(QAbstractItemView::ExtendedSelection);
    table->horizontalHeader()->setFixedHeight(kHeader);
    table->horizontalHeader()->setFont(Theme::instance().text(12, QFont::Medium));
}

void stretch_column(QTableView* table, int column, int least) {
    new StretchedColumn(table, column, least);
}

void set_column_widths(QHeaderView* header, std::initializer_list<std::pair<int, int>> widths) {
    for (const auto& [column, width] : widths)
        header->resizeSection(column, std::max(TextSize::instance().scaled(width), header->sectionSizeHint(column)));
}

QRect tick_area(const QRect& cell) {
    return {cell.left() + kCellPadding, cell.center().y() - kTick / 2 + 1, kTick, kTick};
}

QRect swatch_area(const QRect& cell, bool has_tick) {
    // Larger than what is painted: eight pixels are hard to hit.
    const int left = cell.left() + kCellPadding + (has_tick ? kTick + 10_px : 0);
    return {left - 4_px, cell.center().y() - 10_px, kSwatch + 8_px, 20_px};
}

void paint_tick(QPainter& painter, const QRect& box, bool on, bool partial) {
    Theme& theme = Theme::instance();
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF frame = QRectF(box).adjusted(0.5, 0.5, -0.5, -0.5);
    painter.setPen(on ? QPen(Qt::NoPen) : QPen(theme.color(Token::LineControl), 1));
    painter.setBrush(on ? theme.color(Token::AccentFill) : theme.color(Token::BgRaised));
    painter.drawRoundedRect(frame, 4, 4);
    if (!on && !partial)
        return;
    const QPointF at = box.topLeft();
    const double unit = box.width() / 16.0;  // the sign is drawn for a box of 16
    painter.setPen(
        QPen(theme.color(on ? Token::OnAccent : Token::Text), 1.8 * unit, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    if (partial) {
        painter.drawLine(at + unit * QPointF(4.5, 8), at + unit * QPointF(11.5, 8));
        return;
    }
    painter.drawPolyline(
        QPolygonF{at + unit * QPointF(4.2, 8.4), at + unit * QPointF(7, 11.2), at + unit * QPointF(12, 5.2)});
}

void paint_bar(QPainter& painter, const QRectF& rect, double share, const QColor& color) {
    Theme& theme = Theme::instance();
    fill_box(painter, rect, rect.height() / 2, theme.color(Token::BgHover));
    const double width = std::clamp(share, 0.0, 1.0) * rect.width();
    if (width < 0.5)
        return;
    fill_box(painter, QRectF(rect.left(), rect.top(), std::max(width, rect.height()), rect.height()), rect.height() / 2,
             color);
}

void paint_spark(QPainter& painter, const QRectF& rect, const QPolygonF& points, const QColor& color) {
    double low = INFINITY;
    double high = -INFINITY;
    for (const QPointF& point : points) {
        if (!std::isfinite(point.y()))
            continue;
        low = std::min(low, point.y());
        high = std::max(high, point.y());
    }
    if (!std::isfinite(low))
        return;
    const double span = high > low ? high - low : 1;
    QPolygonF line;
    line.reserve(points.size());
    for (const QPointF& point : points)
        if (std::isfinite(point.y()))
            line << QPointF(rect.left() + point.x() * rect.width(),
                            rect.bottom() - (point.y() - low) / span * rect.height());
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, 1.4, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.setBrush(Qt::NoBrush);
    painter.drawPolyline(line);
}

void CellDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const {
    Theme& theme = Theme::instance();
    const Cell cell = index.data(CellRole).value<Cell>();
    painter->save();
    const bool selected = option.state.testFlag(QStyle::State_Selected);
    const bool hover = option.state.testFlag(QStyle::State_MouseOver);
    if (selected || hover)
        painter->fillRect(option.rect, theme.color(selected ? Token::BgSelected : Token::BgHover));
    painter->setPen(QPen(theme.color(Token::Line), 0));
    painter->drawLine(option.rect.bottomLeft(), option.rect.bottomRight());

    QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
    const QColor run = cell.run_number > 0 ? theme.runColor(cell.run_number) : theme.color(Token::AccentFill);
    if (cell.tick) {
        paint_tick(*painter, tick_area(option.rect), *cell.tick);
        area.setLeft(area.left() + kTick + 10_px);
    }
    if (cell.swatch) {
        fill_box(*painter, QRectF(area.left(), area.center().y() - kSwatch / 2.0 + 0.5, kSwatch, kSwatch), 2, run);
        area.setLeft(area.left() + kSwatch + 8_px);
    }
    if (!cell.chip.text.isEmpty()) {
        paint_chip(*painter, area, cell.chip);
        area.setLeft(area.left() + chip_size(cell.chip).width() + 8_px);
    }
    if (cell.progress) {
        const QRectF bar(area.left(), area.center().y() - 1.5, kBar, 4);
        if (bar.right() < option.rect.right())
            paint_bar(*painter, bar, *cell.progress, run);
        area.setLeft(area.left() + kBar + 6_px);
        painter->setFont(theme.mono(11));
        painter->setPen(theme.color(Token::TextSecondary));
        const QString percent = percent_text(std::floor(*cell.progress * 100) / 100);
        if (painter->fontMetrics().horizontalAdvance(percent) <= area.width())
            painter->drawText(area, Qt::AlignLeft | Qt::AlignVCenter, percent);
    } else if (cell.bar) {
        if (area.width() > 8_px)
            paint_bar(*painter, QRectF(area.left(), area.center().y() - 2, area.width(), 5_px), *cell.bar,
                      cell.run_number > 0 ? run : theme.color(cell.ink));
    } else if (!cell.spark.isEmpty()) {
        paint_spark(*painter, QRectF(area).adjusted(0, 9_px, 0, -9_px), cell.spark, run);
    } else if (cell.chip.text.isEmpty()) {
        painter->setFont(font_of(cell));
        painter->setPen(theme.color(cell.ink));
        const QFontMetrics metrics = painter->fontMetrics();
        // Names of runs and of keys often differ at their ends.
        const Qt::TextElideMode elided = cell.swatch || cell.mono || cell.strong ? Qt::ElideMiddle : Qt::ElideRight;
        painter->drawText(area, cell.alignment | Qt::AlignVCenter,
                          elided_text(metrics, cell.text, elided, area.width()));
        if (!cell.tags.isEmpty()) {
            const QString text = visible_text(bounded_line(cell.text));
            area.setLeft(area.left() + metrics.horizontalAdvance(text) + 8_px);
            if (area.width() > 0)
                paint_tags(*painter, area, cell.tags);
        }
    }
    painter->restore();
}

void CellDelegate::setEditorData(QWidget* editor, const QModelIndex& index) const {
    if (editor->property("filled").toBool())
        return;
    editor->setProperty("filled", true);
    QStyledItemDelegate::setEditorData(editor, index);
}

QSize CellDelegate::sizeHint(const QStyleOptionViewItem& option, const QModelIndex& index) const {
    const Cell cell = index.data(CellRole).value<Cell>();
    // Rounded up: half a pixel less would cut the last word.
    const int words = cell.chip.text.isEmpty()
                          ? static_cast<int>(std::ceil(QFontMetricsF(font_of(cell)).horizontalAdvance(cell.text)))
                          : chip_size(cell.chip).width();
    return {words + 2 * kCellPadding + (cell.swatch ? kSwatch + 8 : 0) + (cell.tick ? kTick + 10_px : 0),
            std::max(30_px, option.rect.height())};
}

}  // namespace trainyard::widgets
