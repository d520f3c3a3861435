// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The main chart: the loss, train and validation over step, time or tokens, with other runs laid over it, smoothing,
// log axis and the markers of events. Of a program any of its curves, by a selector.

#include <QFrame>
#include <QVector>

#include "desktop/dashboard/overlays.h"
#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SmoothingControl;

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
    /// Keeps this weight. Without one, the weight follows the number of points: see smoothing_for().
    void setSmoothing(double weight);
    void setSmoothingAutomatic();
    bool isSmoothingAutomatic() const { return automatic_; }
    /// The curve that is shown, by its tag; train/loss stands for that of validation, too. Only programs have others.
    const std::string& shownMetric() const { return metric_; }
    void chooseMetric(const std::string& tag);
    /// The one that the user chose, which may have no points yet; empty: RunRecord::mainTag() is shown.
    const std::string& chosenMetric() const { return chosen_; }
    void setLogY(bool log);
    /// Places of the curves on the axis, and breaks where the run was started again, as they are known now.
    void refresh();

  signals:
    void unitChanged(trainyard::widgets::XUnit unit);
    void metricChosen();

  protected:
    bool event(QEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

  private:
    void follow();
    void showMetric(const std::string& tag);
    const widgets::Series& series() const { return run_->series(metric_); }
    void addLegend(const QString& name, int color, const QString& folder = {});
    void showCurves();
    void fillMenu();
    void fitWords();

    RunRecord* run_;
    std::string metric_;  ///< shown
    std::string chosen_;  ///< by the user, or empty
    Overlays* overlays_;
    QLabel* title_;
    QComboBox* selector_;
    widgets::CurveChart* chart_;
    QWidget* legend_;
    QHBoxLayout* entries_;
    QHBoxLayout* line_;
    QPushButton* overlay_;
    QMenu* menu_;
    SmoothingControl* smoothing_;
    QCheckBox* active_;  ///< time without pauses and restarts
    widgets::SegmentedControl* units_;
    widgets::SegmentedControl* scale_;
    bool automatic_ = true;  ///< the weight of the smoothing follows the number of points
    bool was_log_ = false;   ///< before differences, which have no logarithm, were shown
};

}  // namespace trainyard::desktop
