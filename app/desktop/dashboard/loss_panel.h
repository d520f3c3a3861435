#pragma once
// The loss: train and validation over step, time or tokens, with smoothing, log axis and the markers of events.

#include <QFrame>
#include <QVector>

#include "desktop/dashboard/run_record.h"

class QCheckBox;
class QLabel;
class QSlider;

namespace trainyard::widgets {
class CurveChart;
class SegmentedControl;
}  // namespace trainyard::widgets

namespace trainyard::desktop {

class LossPanel : public QFrame {
    Q_OBJECT
  public:
    explicit LossPanel(const RunRecord* run, QWidget* parent = nullptr);
    widgets::CurveChart* chart() const { return chart_; }
    void setMarkers(const QVector<widgets::Marker>& markers);
    widgets::XUnit unit() const;
    void setUnit(widgets::XUnit unit);
    void setSmoothing(double weight);
    void setLogY(bool log);

  signals:
    void unitChanged(trainyard::widgets::XUnit unit);

  protected:
    void resizeEvent(QResizeEvent* event) override;

  private:
    void setWeight(double weight);
    QWidget* legendEntry(const QString& name, int color);

    const RunRecord* run_;
    widgets::CurveChart* chart_;
    QWidget* legend_;
    QLabel* smoothing_word_;
    QSlider* smoothing_;
    QLabel* weight_;
    widgets::SegmentedControl* units_;
    widgets::SegmentedControl* scale_;
};

}  // namespace trainyard::desktop
