// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The events of a run as a model, newest first.

#include <string>
#include <vector>

#include <QAbstractListModel>

#include "desktop/dashboard/event_words.h"

namespace trainyard::desktop {

class EventsModel : public QAbstractListModel {
    Q_OBJECT
  public:
    enum Role { WordsRole = Qt::UserRole + 1, TimeRole, StepRole };
    using QAbstractListModel::QAbstractListModel;
    /// `events` has grown at its end since the last call.
    void follow(const std::vector<run::Event>& events);
    const run::Event& eventAt(int row) const { return (*events_)[number(row)]; }
    std::size_t number(int row) const { return shown_[shown_.size() - 1 - static_cast<std::size_t>(row)]; }
    int rowOf(std::size_t event) const;  ///< -1: not shown
    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;

  private:
    const std::vector<run::Event>* events_ = nullptr;
    std::size_t taken_ = 0;
    std::string failure_;             ///< words of the last one
    std::vector<std::size_t> shown_;  ///< oldest first
};

}  // namespace trainyard::desktop
