#pragma once
// How a run's overview was last looked at: unit, zoom, smoothing, axis, and whether all curves stood in its place. Restored when it is
// made, kept by ViewState under the run's key on every change.

#include <QObject>

namespace trainyard::widgets {
class ChartLink;
}

namespace trainyard::desktop {

class LossPanel;

class RunView : public QObject {
    Q_OBJECT
  public:
    /// After the panel tells its unit to whoever scales the charts of the link.
    RunView(const QString& key, LossPanel* loss, widgets::ChartLink* link, QObject* parent);
    bool showsCurves() const;
    void setShowsCurves(bool shows);

  private:
    void restore();
    void keep();

    QString key_;
    LossPanel* loss_;
    widgets::ChartLink* link_;
};

}  // namespace trainyard::desktop
