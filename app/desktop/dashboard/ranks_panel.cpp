// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/ranks_panel.h"

#include <algorithm>

#include <QHeaderView>
#include <QScrollBar>
#include <QSet>
#include <QStyledItemDelegate>
#include <QTableView>

#include "desktop/dashboard/run_record.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

const int& kRankRowHeight = live_px(24);
constexpr int kMostRowsUnscrolled = 6;
const int& kCellPadding = live_px(7);
constexpr int kLongestWord = 40;  // letters; states, phases and places of the program are shorter

/// Cells with the padding of the header above them.
class PaddedDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, Theme::instance().color(Token::BgSelected));
        const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
        draw_elided(*painter, font_of(cell), cell.ink, option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0),
                    cell.text, static_cast<int>(cell.alignment | Qt::AlignVCenter));
    }
    QSize sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const override {
        const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
        return {QFontMetrics(font_of(cell)).horizontalAdvance(cell.text) + 2 * kCellPadding + 1, kRankRowHeight};
    }

  private:
    static QFont font_of(const widgets::Cell& cell) {
        const Theme& theme = Theme::instance();
        return cell.mono ? theme.mono(11) : theme.text(12, cell.strong ? QFont::DemiBold : QFont::Normal);
    }
};

}  // namespace

RanksPanel::RanksPanel(QWidget* parent)
    : QFrame(parent),
      model_(new RanksModel(this)),
      table_(named(new QTableView, tr("Ranks"), tr("Enter shows the log of a rank"))),
      summary_(make_mono_label({}, 11, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    setLayout(make_column({1, 8, 1, 6}, 2,
                          {make_row({12, 0, 12, 0}, {make_title(tr("Ranks")), stretch(), summary_}), table_}));
    table_->setModel(model_);
    table_->setItemDelegate(new PaddedDelegate(table_));
    widgets::set_quiet_look(table_, kRankRowHeight);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    QHeaderView* header = table_->horizontalHeader();
    header->setFont(Theme::instance().text(11));
    header->setProperty("padding", kCellPadding);
    header->setFixedHeight(22_px);
    header->setMinimumSectionSize(30_px);
    header->setSectionResizeMode(QHeaderView::Stretch);
    for (const int column :
         {RanksModel::Rank, RanksModel::Place, RanksModel::Step, RanksModel::Phase, RanksModel::Memory})
        header->setSectionResizeMode(column, QHeaderView::Fixed);
    widgets::set_column_widths(header, {{RanksModel::Rank, 42}, {RanksModel::Step, 56}, {RanksModel::Memory, 78}});
    connect(table_, &QTableView::activated, this, [this](const QModelIndex& index) {
        if (const run::RankState* rank = model_->rank(index.row()))
            emit rankActivated(rank->rank);
    });
    // The line of a host goes over all columns.
    connect(model_, &QAbstractItemModel::modelReset, table_, [this] {
        table_->clearSpans();
        for (int row = 0; row < model_->rowCount(); ++row)
            if (model_->isHost(row))
                table_->setSpan(row, 0, 1, RanksModel::ColumnCount);
    });
    setRanks({}, -1);
}

void RanksPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    arrange();
}

void RanksPanel::arrange() {
    QHeaderView* header = table_->horizontalHeader();
    const auto needed = [&](RanksModel::Column column, const QFont& font) {
        const QFontMetrics metrics(font);
        QSet<QString> words;
        for (int row = 0; row < model_->rowCount(); ++row)
            if (!model_->isHost(row))
                words.insert(model_->index(row, column).data().toString());
        int width = header->sectionSizeHint(column);
        for (const QString& word : std::as_const(words))
            if (word.size() <= kLongestWord)
                width = std::max(width, metrics.horizontalAdvance(word) + 2 * kCellPadding + 1);
        return width;
    };
    table_->setColumnHidden(RanksModel::Place, !model_->hasPlaces());
    if (model_->hasPlaces())
        header->resizeSection(RanksModel::Place, needed(RanksModel::Place, Theme::instance().mono(11)));
    // A hidden column has no size hint.
    table_->setColumnHidden(RanksModel::Phase, false);
    const int phase = needed(RanksModel::Phase, Theme::instance().mono(11));
    int left = width() - 2 - needed(RanksModel::State, Theme::instance().text(12)) - phase;
    if (model_->rowCount() > kMostRowsUnscrolled)
        left -= table_->verticalScrollBar()->sizeHint().width();
    for (const int column : {RanksModel::Rank, RanksModel::Place, RanksModel::Step, RanksModel::Memory})
        left -= header->sectionSize(column);
    header->resizeSection(RanksModel::Phase, phase);
    table_->setColumnHidden(RanksModel::Phase, left < 0);
}

void RanksPanel::setRanks(const std::vector<run::RankState>& ranks, int first_failed,
                          const std::vector<run::MachineState>& machines, double now) {
    model_->setRanks(ranks, first_failed, machines, now);
    const std::vector<std::string> hosts = hosts_of(ranks);
    summary_->setText(hosts.size() == 1 ? qt(hosts.front())
                      : hosts.empty()   ? QString()
                                        : tr("%1 hosts").arg(hosts.size()));
    const int rows = std::clamp(model_->rowCount(), 1, kMostRowsUnscrolled);
    table_->setFixedHeight(22_px + rows * kRankRowHeight + 2);
    arrange();
}

}  // namespace trainyard::desktop
