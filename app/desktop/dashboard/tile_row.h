// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The figures of a run in a row. Right click on one chooses another metric for its place, click opens it as a chart.

#include <QWidget>

#include "desktop/dashboard/run_record.h"

namespace trainyard::desktop {

class MetricTile;

class TileRow : public QWidget {
    Q_OBJECT
  public:
    explicit TileRow(const RunRecord* run, QWidget* parent = nullptr);
    void refresh();
    MetricTile* tile(const std::string& tag) const;  ///< null: not shown

    QStringList chosen() const { return chosen_; }
    /// As many tiles as tags; an empty list: the usual ones, which follow the curves of a program.
    void choose(const QStringList& tags);
    /// Whether the tiles are others than the usual ones.
    bool isOwn() const { return own_; }

  signals:
    void chartRequested(const QString& tag);
    void chosenChanged(const QStringList& tags);

  private:
    void askWhich(int place, const QPoint& at);
    void follow();

    const RunRecord* run_;
    QStringList chosen_;
    bool own_ = false;
    QWidget* line_;
    QVector<MetricTile*> tiles_;
};

}  // namespace trainyard::desktop
