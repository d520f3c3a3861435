// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/events_model.h"

#include <algorithm>

#include "desktop/text/qt_text.h"

namespace trainyard::desktop {

void EventsModel::follow(const std::vector<run::Event>& events) {
    events_ = &events;
    std::vector<std::size_t> fresh;
    // The phases of the ranks are shown in the table of ranks; here they would hide what matters. The end of a failed
    // run would only repeat the message of its failure.
    for (; taken_ < events.size(); ++taken_) {
        const run::Event& event = events[taken_];
        if (event.kind == "failure")
            failure_ = event.text;
        if (event.kind != "phase" || (event.rank < 0 && (failure_.empty() || event.text != failure_)))
            fresh.push_back(taken_);
    }
    if (fresh.empty())
        return;
    beginInsertRows({}, 0, static_cast<int>(fresh.size()) - 1);
    shown_.insert(shown_.end(), fresh.begin(), fresh.end());
    endInsertRows();
}

int EventsModel::rowOf(std::size_t event) const {
    const auto found = std::lower_bound(shown_.begin(), shown_.end(), event);
    if (found == shown_.end() || *found != event)
        return -1;
    return static_cast<int>(shown_.end() - found) - 1;
}

int EventsModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(shown_.size());
}

QVariant EventsModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const EventWords words = event_words(eventAt(index.row()));
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return words.more.isEmpty() ? words.title : words.title + QStringLiteral(", ") + words.more;
    if (role == Qt::ToolTipRole)
        return event_text(eventAt(index.row()));
    return {};
}

}  // namespace trainyard::desktop
