// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of what happened in a run (events_model.h).

#include <vector>

#include <QFrame>

#include "desktop/dashboard/events_model.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class EventsPanel : public QFrame {
    Q_OBJECT
  public:
    explicit EventsPanel(QWidget* parent = nullptr);
    void follow(const std::vector<run::Event>& events);
    void select(std::size_t event);
    /// The next (1) or previous (-1) one in time that belongs to a step; chosen as by a click.
    void step(int direction);

  signals:
    void eventChosen(qint64 step);
    void eventOpened(std::size_t event);  ///< double click or Enter: act on it

  private:
    EventsModel* model_;
    QListView* list_;
};

}  // namespace trainyard::desktop
