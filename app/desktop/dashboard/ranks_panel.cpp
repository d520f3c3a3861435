#include "desktop/dashboard/ranks_panel.h"

#include <algorithm>
#include <set>

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>

#include "desktop/ui.h"
#include "widgets/cell.h"

namespace trainyard::desktop {

namespace {

constexpr int kRankRowHeight = 24;
constexpr int kMostRowsUnscrolled = 6;
constexpr int kCellPadding = 7;
constexpr int kPhaseRoom = 300;  // a narrower panel has no room for the phase

/// Cells with the padding of the header above them.
class PaddedDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, Theme::instance().color(Token::BgSelected));
        const auto cell = index.data(widgets::CellRole).value<widgets::Cell>();
        painter->setFont(cell.mono ? Theme::instance().mono(11)
                                   : Theme::instance().text(12, cell.strong ? QFont::DemiBold : QFont::Normal));
        painter->setPen(Theme::instance().color(cell.ink));
        const QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
        painter->drawText(area, static_cast<int>(cell.alignment | Qt::AlignVCenter),
                          painter->fontMetrics().elidedText(cell.text, Qt::ElideRight, area.width()));
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
    table_->horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView { font-size: 11px; } QHeaderView::section { padding: 0 %1px; }").arg(kCellPadding));
    table_->setFrameShape(QFrame::NoFrame);
    table_->setShowGrid(false);
    table_->setSelectionBehavior(QAbstractItemView::SelectRows);
    table_->setSelectionMode(QAbstractItemView::SingleSelection);
    table_->setTabKeyNavigation(false);
    table_->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    table_->verticalHeader()->hide();
    table_->verticalHeader()->setMinimumSectionSize(kRankRowHeight);
    table_->verticalHeader()->setDefaultSectionSize(kRankRowHeight);
    table_->verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    table_->horizontalHeader()->setFixedHeight(22);
    table_->horizontalHeader()->setHighlightSections(false);
    table_->horizontalHeader()->setMinimumSectionSize(30);
    table_->horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    for (const auto& [column, size] : {std::pair(RanksModel::Rank, 42), std::pair(RanksModel::Step, 56),
                                       std::pair(RanksModel::Phase, 70), std::pair(RanksModel::Memory, 78)}) {
        table_->horizontalHeader()->setSectionResizeMode(column, QHeaderView::Fixed);
        table_->horizontalHeader()->resizeSection(column,
                                                  std::max(size, table_->horizontalHeader()->sectionSizeHint(column)));
    }
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
    connect(&Theme::instance(), &Theme::changed, table_, [this] { table_->viewport()->update(); });
    setRanks({}, -1);
}

void RanksPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    table_->setColumnHidden(RanksModel::Phase, width() < kPhaseRoom);
}

void RanksPanel::setRanks(const std::vector<run::RankState>& ranks, int first_failed,
                          const std::vector<run::MachineState>& machines, double now) {
    model_->setRanks(ranks, first_failed, machines, now);
    std::set<std::string> hosts;
    for (const run::RankState& rank : ranks)
        hosts.insert(rank.host);
    summary_->setText(hosts.size() == 1 ? qt(*hosts.begin())
                      : hosts.empty()   ? QString()
                                        : tr("%1 hosts").arg(hosts.size()));
    const int rows = std::clamp(model_->rowCount(), 1, kMostRowsUnscrolled);
    table_->setFixedHeight(22 + rows * kRankRowHeight + 2);
}

}  // namespace trainyard::desktop
