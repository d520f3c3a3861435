// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/zoom_history.h"

namespace trainyard::widgets {

namespace {
constexpr int kMost = 100;
constexpr qint64 kOneMovement = 500;  // ms
}  // namespace

void ZoomHistory::leave(const Place& before, bool merges) {
    future_.clear();
    const bool same = merges && moving_ && since_.isValid() && since_.elapsed() < kOneMovement;
    moving_ = merges;
    since_.start();
    if (same || (!past_.isEmpty() && past_.last() == before))
        return;
    past_.append(before);
    if (past_.size() > kMost)
        past_.removeFirst();
}

bool ZoomHistory::back(const Place& now, Place& to) {
    if (past_.isEmpty())
        return false;
    moving_ = false;
    future_.append(now);
    to = past_.takeLast();
    return true;
}

bool ZoomHistory::forward(const Place& now, Place& to) {
    if (future_.isEmpty())
        return false;
    moving_ = false;
    past_.append(now);
    to = future_.takeLast();
    return true;
}

}  // namespace trainyard::widgets
