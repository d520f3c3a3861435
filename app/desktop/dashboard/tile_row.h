#pragma once
// The figures of a run in a row: train loss, validation loss, throughput, step time, gradient norm, learning rate, memory.

#include <QWidget>

#include "desktop/dashboard/run_record.h"

namespace trainyard::desktop {

class MetricTile;

class TileRow : public QWidget {
    Q_OBJECT
  public:
    explicit TileRow(const RunRecord* run, QWidget* parent = nullptr);
    void refresh();
    MetricTile* trainLoss() const { return train_; }

  private:
    const RunRecord* run_;
    MetricTile* train_;
    MetricTile* validation_;
    MetricTile* throughput_;
    MetricTile* step_time_;
    MetricTile* norm_;
    MetricTile* rate_;
    MetricTile* memory_;
};

}  // namespace trainyard::desktop
