// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Markers of the events of a run on its charts. Keeps up with a list that only grows: the cost of an update does not
// depend on the number of earlier events.

#include <cstddef>
#include <deque>
#include <optional>
#include <vector>

#include <QVector>

#include "run/journal.h"
#include "widgets/plot/chart_view.h"

namespace trainyard::desktop {

class EventMarkers {
  public:
    static constexpr std::size_t kMost = 1000;  ///< the newest; more would cover the edge of a chart

    /// Takes the events that were appended since the last call.
    void follow(const std::vector<run::Event>& events);
    /// The id of a marker is the position of its event in the list. The best evaluation is last.
    QVector<widgets::Marker> markers() const;
    /// The best checkpoint as the run itself reports it, or the lowest validation loss.
    const std::optional<widgets::Marker>& best() const { return best_; }

  private:
    std::size_t seen_ = 0;
    std::deque<widgets::Marker> newest_;
    std::optional<widgets::Marker> best_;
    bool best_is_reported_ = false;
    double lowest_ = 0;
};

}  // namespace trainyard::desktop
