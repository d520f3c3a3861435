// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The zooms of a chart, to go back and forward through them. Zooms within half a second of each other (the notches of a wheel) are one.

#include <QElapsedTimer>
#include <QVector>

#include "widgets/plot/reduction.h"

namespace trainyard::widgets {

class ZoomHistory {
  public:
    struct Place {
        XRange x;
        XRange y;
        bool following = true;
        bool y_chosen = false;
        bool operator==(const Place&) const = default;
    };
    /// `before` is left for another place. `merges`: it may be part of the movement before it.
    void leave(const Place& before, bool merges);
    /// Back from `now`; false when there is nothing before it.
    bool back(const Place& now, Place& to);
    bool forward(const Place& now, Place& to);
    bool hasBack() const { return !past_.isEmpty(); }
    bool hasForward() const { return !future_.isEmpty(); }

  private:
    QVector<Place> past_;
    QVector<Place> future_;
    QElapsedTimer since_;
    bool moving_ = false;
};

}  // namespace trainyard::widgets
