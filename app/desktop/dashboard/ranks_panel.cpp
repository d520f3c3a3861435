#include "desktop/dashboard/ranks_panel.h"

#include <algorithm>
#include <set>

#include <QHBoxLayout>
#include <QHeaderView>
#include <QLocale>
#include <QPainter>
#include <QStyledItemDelegate>
#include <QTableView>
#include <QVBoxLayout>

#include "base/text.h"
#include "desktop/dashboard/stage_words.h"
#include "desktop/qt_text.h"
#include "widgets/label.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;
using widgets::Tone;

namespace {

constexpr int kRankRowHeight = 24;
constexpr int kMostRowsUnscrolled = 6;
constexpr int kCellPadding = 7;
constexpr double kSilent = 5;    // seconds; hosts speak every second
constexpr int kPhaseRoom = 300;  // a narrower panel has no room for the phase

/// Cells with the padding of the header above them.
class PaddedDelegate : public QStyledItemDelegate {
  public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option, const QModelIndex& index) const override {
        if (option.state & QStyle::State_Selected)
            painter->fillRect(option.rect, Theme::instance().color(Token::BgSelected));
        painter->setFont(index.data(Qt::FontRole).value<QFont>());
        painter->setPen(index.data(Qt::ForegroundRole).value<QColor>());
        const QRect area = option.rect.adjusted(kCellPadding, 0, -kCellPadding, 0);
        painter->drawText(area, static_cast<int>(index.data(Qt::TextAlignmentRole).value<Qt::Alignment>()),
                          painter->fontMetrics().elidedText(index.data().toString(), Qt::ElideRight, area.width()));
    }
};

constexpr int kResumable = 75;  // a rank that saved and stopped because somebody asked

QString state_word(const run::RankState& rank) {
    if (rank.signal)
        return RanksModel::tr("signal %1").arg(*rank.signal);
    if (rank.exit_code == kResumable)
        return RanksModel::tr("stopped");
    if (rank.exit_code && *rank.exit_code != 0)
        return RanksModel::tr("exit %1").arg(*rank.exit_code);
    return rank_state_word(rank.state);
}

bool is_bad(const run::RankState& rank) {
    return rank.signal || rank.state == "failed" || rank.state == "killed";
}

}  // namespace

void RanksModel::setRanks(const std::vector<run::RankState>& ranks, int first_failed,
                          const std::vector<run::MachineState>& machines, double now) {
    first_failed_ = first_failed;
    machines_ = machines;
    now_ = now;
    std::vector<std::string> hosts;
    for (const run::RankState& rank : ranks)
        if (std::find(hosts.begin(), hosts.end(), rank.host) == hosts.end())
            hosts.push_back(rank.host);
    std::vector<Line> lines;
    for (const std::string& host : hosts) {
        if (hosts.size() > 1)
            lines.push_back({-1, host});
        for (std::size_t i = 0; i < ranks.size(); ++i)
            if (ranks[i].host == host)
                lines.push_back({static_cast<int>(i), host});
    }
    if (lines != lines_) {
        beginResetModel();
        ranks_ = ranks;
        lines_ = lines;
        endResetModel();
        return;
    }
    ranks_ = ranks;
    if (!lines_.empty())
        emit dataChanged(index(0, 0), index(rowCount() - 1, ColumnCount - 1));
}

const run::RankState* RanksModel::rank(int row) const {
    const int at = lines_[static_cast<std::size_t>(row)].rank;
    return at < 0 ? nullptr : &ranks_[static_cast<std::size_t>(at)];
}

QString RanksModel::hostWords(const std::string& host, bool& bad) const {
    int all = 0, running = 0;
    for (const run::RankState& rank : ranks_)
        if (rank.host == host) {
            ++all;
            running += rank.state == "running";
        }
    QString words = tr("%1  ·  %2 of %3 running").arg(QString::fromStdString(host)).arg(running).arg(all);
    const auto machine = std::find_if(machines_.begin(), machines_.end(),
                                      [&](const run::MachineState& each) { return each.host == host; });
    if (machine == machines_.end())
        return words;
    bad = machine->state == "lost";
    if (bad)
        words = tr("%1  ·  lost").arg(QString::fromStdString(host));
    else if (machine->last_contact > 0 && now_ - machine->last_contact > kSilent && machine->state == "running") {
        bad = true;
        words =
            tr("%1  ·  silent for %2 s").arg(QString::fromStdString(host)).arg(qRound(now_ - machine->last_contact));
    } else if (machine->state == "waiting") {
        words = tr("%1  ·  awaited").arg(QString::fromStdString(host));
    }
    return words;
}

int RanksModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(lines_.size());
}

int RanksModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : ColumnCount;
}

QVariant RanksModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    if (isHost(index.row())) {
        bool bad = false;
        const QString words = hostWords(lines_[static_cast<std::size_t>(index.row())].host, bad);
        if (role == Qt::DisplayRole || role == Qt::ToolTipRole)
            return index.column() == 0 || role == Qt::ToolTipRole ? words : QString();
        if (role == Qt::FontRole)
            return Theme::instance().text(12, QFont::DemiBold);
        if (role == Qt::TextAlignmentRole)
            return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) | Qt::AlignLeft);
        if (role == Qt::ForegroundRole)
            return Theme::instance().color(bad ? Token::Error : Token::Text);
        return {};
    }
    const run::RankState& rank = *this->rank(index.row());
    switch (role) {
        case Qt::DisplayRole:
            switch (index.column()) {
                case Rank:
                    return QString::number(rank.rank);
                case State:
                    return state_word(rank);
                case Step:
                    return QLocale().toString(static_cast<qlonglong>(rank.step));
                case Phase:
                    return rank.exit_code || rank.signal || rank.phase.empty() ? QStringLiteral("–")
                                                                               : phase_word(rank.phase);
                default:
                    return rank.resident_bytes == 0
                               ? QStringLiteral("–")
                               : qtNumber(text::memory_size(rank.resident_bytes)).replace(u' ', QChar(0xA0));
            }
        case Qt::TextAlignmentRole:
            return QVariant::fromValue(
                Qt::Alignment(Qt::AlignVCenter) |
                (index.column() == Step || index.column() == Memory ? Qt::AlignRight : Qt::AlignLeft));
        case Qt::FontRole:
            return index.column() == State ? Theme::instance().text(12) : Theme::instance().mono(11);
        case Qt::ForegroundRole:
            if (is_bad(rank) && index.column() == State)
                return Theme::instance().color(Token::Error);
            if (rank.rank == first_failed_ && index.column() == Rank)
                return Theme::instance().color(Token::Error);
            if (rank.state == "running" && index.column() == State)
                return Theme::instance().color(Token::Ok);
            return Theme::instance().color(index.column() == Phase ? Token::TextSecondary : Token::Text);
        case Qt::ToolTipRole: {
            QString words = tr("Rank %1 on %2, %3, process %4")
                                .arg(rank.rank)
                                .arg(QString::fromStdString(rank.host), QString::fromStdString(rank.device))
                                .arg(rank.process.pid);
            if (!rank.last_collective.empty())
                words +=
                    QLatin1Char('\n') + tr("last collective: %1").arg(QString::fromStdString(rank.last_collective));
            return words;
        }
        default:
            return {};
    }
}

QVariant RanksModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(Qt::AlignVCenter) |
                                   (section == Step || section == Memory ? Qt::AlignRight : Qt::AlignLeft));
    if (role == Qt::FontRole)
        return Theme::instance().text(11);
    if (role != Qt::DisplayRole)
        return {};
    switch (section) {
        case Rank:
            return tr("Rank");
        case State:
            return tr("State");
        case Step:
            return tr("Step");
        case Phase:
            return tr("Phase");
        default:
            return tr("Memory");
    }
}

RanksPanel::RanksPanel(QWidget* parent)
    : QFrame(parent),
      model_(new RanksModel(this)),
      table_(new QTableView),
      summary_(widgets::make_mono_label({}, 11, Tone::Muted)) {
    setProperty("surface", QStringLiteral("panel"));
    auto* layout = new QVBoxLayout(this);
    layout->setContentsMargins(1, 8, 1, 6);
    layout->setSpacing(2);
    auto* line = new QHBoxLayout;
    line->setContentsMargins(12, 0, 12, 0);
    line->addWidget(widgets::make_label(tr("Ranks"), 13, QFont::DemiBold));
    line->addStretch();
    line->addWidget(summary_);
    layout->addLayout(line);
    layout->addWidget(table_);
    table_->setModel(model_);
    table_->setAccessibleName(tr("Ranks"));
    table_->setItemDelegate(new PaddedDelegate(table_));
    table_->horizontalHeader()->setStyleSheet(
        QStringLiteral("QHeaderView::section { padding: 0 %1px; }").arg(kCellPadding));
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
    table_->setToolTip(tr("Enter shows the log of a rank"));
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
    summary_->setText(hosts.size() == 1 ? QString::fromStdString(*hosts.begin())
                      : hosts.empty()   ? QString()
                                        : tr("%1 hosts").arg(hosts.size()));
    const int rows = std::clamp(model_->rowCount(), 1, kMostRowsUnscrolled);
    table_->setFixedHeight(22 + rows * kRankRowHeight + 2);
}

}  // namespace trainyard::desktop
