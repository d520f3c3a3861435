// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The loss: train and validation over step, time or tokens, with other runs laid over it, smoothing, log axis and the markers of events.

#include <QFrame>
#include <QVector>

#include "desktop/dashboard/overlays.h"
#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class LossPanel : public QFrame {
    Q_OBJECT
  public:
    explicit LossPanel(RunRecord* run, QWidget* parent = nullptr);
    ~LossPanel() override;
    widgets::CurveChart* chart() const { return chart_; }
    Overlays* overlays() const { return overlays_; }
    /// O: which runs are laid over, and how.
    void showOverlayMenu();
    void setMarkers(const QVector<widgets::Marker>& markers);
    widgets::XUnit unit() const;
    void setUnit(widgets::XUnit unit);
    /// Time without pauses and restarts.
    void setActiveTime(bool active);
    bool isActiveTime() const { return run_->isActiveTime(); }
    void setSmoothing(double weight);
    void setLogY(bool log);
    /// Places of the curves on the axis, and breaks where the run was started again, as they are known now.
    void refresh();

  signals:
    void unitChanged(trainyard::widgets::XUnit unit);

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void setWeight(double weight);
    void addLegend(const QString& name, int color, const QString& folder = {});
    void showCurves();
    void fillMenu();
    void fitWords();

    RunRecord* run_;
    Overlays* overlays_;
    widgets::CurveChart* chart_;
    QWidget* legend_;
    QHBoxLayout* entries_;
    QHBoxLayout* line_;
    QPushButton* overlay_;
    QMenu* menu_;
    QLabel* smoothing_word_;
    QSlider* smoothing_;
    QLabel* weight_;
    widgets::SegmentedControl* units_;
    widgets::SegmentedControl* scale_;
    bool was_time_ = false;  ///< the segment was on when it was clicked
    bool was_log_ = false;   ///< before differences, which have no logarithm, were shown
};

}  // namespace trainyard::desktop
