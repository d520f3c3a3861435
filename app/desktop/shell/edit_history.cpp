// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/edit_history.h"

#include <ranges>
#include <utility>

#include <QScopedValueRollback>

namespace trainyard::desktop {

bool EditHistory::joins(const QString& field) const {
    return !field.isEmpty() && field == field_ && since_.elapsed() < kJoinMs && undone_.empty() && !done_.empty() &&
           depth_ == 0;
}

void EditHistory::add(Step step, const QString& field) {
    if (moving_)
        return;
    if (joins(field)) {
        done_.back().redo = std::move(step.redo);
    } else if (depth_ > 0) {
        group_.push_back(std::move(step));
    } else {
        undone_.clear();
        done_.push_back(std::move(step));
        if (done_.size() > kSteps)
            done_.erase(done_.begin());
    }
    field_ = field;
    since_.start();
    emit changed();
}

void EditHistory::dropLast() {
    done_.pop_back();
    endEdit();
    emit changed();
}

bool EditHistory::end() {
    if (--depth_ > 0)
        return false;
    const auto steps = std::exchange(group_, {});
    if (!steps.empty())
        add({[steps] {
                 for (const Step& each : steps | std::views::reverse)
                     each.undo();
             },
             [steps] {
                 for (const Step& each : steps)
                     each.redo();
             }});
    return !steps.empty();
}

void EditHistory::undo() {
    move(done_, undone_, &Step::undo);
}

void EditHistory::redo() {
    move(undone_, done_, &Step::redo);
}

void EditHistory::move(std::vector<Step>& from, std::vector<Step>& to, std::function<void()> Step::*act) {
    if (from.empty() || moving_)
        return;
    const Step step = from.back();
    from.pop_back();
    to.push_back(step);
    endEdit();
    {
        const QScopedValueRollback guard(moving_, true);
        (step.*act)();
    }
    emit changed();
}

void EditHistory::clear() {
    done_.clear();
    undone_.clear();
    group_.clear();
    endEdit();
    emit changed();
}

}  // namespace trainyard::desktop
