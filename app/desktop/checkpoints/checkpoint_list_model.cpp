// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/checkpoint_list_model.h"

#include <QDateTime>
#include <QLocale>

#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/text/words.h"

namespace trainyard::desktop {

using inspect::CheckpointEntry;
using inspect::CheckpointState;
using widgets::Cell;
using widgets::Token;

QString stepWords(const CheckpointEntry& item) {
    return item.step >= 0 ? stepText(item.step) : qt(item.name);
}

namespace {

/// The time within a day, then the date: a column is narrow.
QString savedWords(const CheckpointEntry& item) {
    if (item.saved_at.empty())
        return {};
    const QDateTime saved = QDateTime::fromString(qt(item.saved_at), Qt::ISODateWithMs).toLocalTime();
    if (!saved.isValid())
        return qt(item.saved_at);
    const bool today = saved.secsTo(QDateTime::currentDateTime()) < 24 * 3600;
    return QLocale().toString(saved, today ? QStringLiteral("HH:mm") : tr("d MMM", "format of a date"));
}
}  // namespace

void CheckpointListModel::setShelf(const inspect::CheckpointList& checkpoint_list) {
    beginResetModel();
    checkpoint_list_ = checkpoint_list;
    going_.clear();
    endResetModel();
}

void CheckpointListModel::setPlan(const inspect::PrunePlan& plan) {
    going_.clear();
    for (const inspect::PrunePlan::Row& row : plan.rows)
        if (row.goes)
            going_.insert(row.item);
    cellsChanged();
}

void CheckpointListModel::setTicks(int chosen, int other) {
    chosen_ = chosen;
    other_ = other;
    cellsChanged();
}

QString CheckpointListModel::tip(int row, int) const {
    const CheckpointEntry& item = checkpoint_list_.items[static_cast<std::size_t>(row)];
    return !item.problem.empty()    ? qtSentence(item.problem)
           : !item.not_good.empty() ? qtSentence(item.not_good)
                                    : qt(item.folder.string());
}

Cell CheckpointListModel::cell(int row, int column) const {
    const CheckpointEntry& item = checkpoint_list_.items[static_cast<std::size_t>(row)];
    Cell cell;
    const bool goes = going_.contains(static_cast<std::size_t>(row));
    cell.ink = goes ? Token::TextMuted : Token::Text;
    cell.mono = column != Layout;
    switch (column) {
        case Step:
            cell.text = stepWords(item);
            cell.tick = row == chosen_ || row == other_;
            if (row == checkpoint_list_.best())
                cell.tags << tr("best");
            if (item.pinned)
                cell.tags << tr("pinned");
            if (goes)
                cell.tags << tr("to be removed");
            break;
        case Metric:
            cell.text = lossText(item.metric);
            break;
        case Layout:
            if (item.state != CheckpointState::whole || !item.not_good.empty()) {
                const bool remote = item.state == CheckpointState::remote;
                const bool writing = item.state == CheckpointState::being_written;
                cell.text = !item.not_good.empty() ? tr("not finite")
                            : remote               ? tr("on %1").arg(qt(item.host))
                            : writing              ? tr("writing…")
                                                   : tr("broken");
                cell.ink = !item.not_good.empty() ? Token::Error
                           : remote               ? Token::TextSecondary
                           : writing              ? Token::Info
                                                  : Token::Error;
            } else {
                cell.text = qtClause(item.layout);
            }
            break;
        default:
            cell.text = savedWords(item);
            break;
    }
    return cell;
}

QString CheckpointListModel::title(int column) const {
    return column == Step     ? tr("Step")
           : column == Metric ? tr("Metric")
           : column == Layout ? tr("Layout")
                              : tr("Saved");
}

}  // namespace trainyard::desktop
