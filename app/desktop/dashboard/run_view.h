#pragma once
// How a run's overview is looked at: its layout (tiles, unit, smoothing, axes, bands), which can be given a name for all runs, and of this
// run the zoom, the runs laid over it, and whether all curves stand in its place. Restored when it is made, kept by ViewState under the
// run's key on every change.

#include <QJsonObject>
#include <QObject>

#include "widgets/forward.h"

namespace trainyard::desktop {

class LossPanel;
class NamedLayouts;
class TileRow;

class RunView : public QObject {
    Q_OBJECT
  public:
    /// After the panel tells its unit to whoever scales the charts of the link. `page`: parent of dialogs.
    RunView(const QString& key, LossPanel* loss, TileRow* tiles, widgets::ChartLink* link, QWidget* page);
    bool showsCurves() const;
    void setShowsCurves(bool shows);

    NamedLayouts* layouts() const { return layouts_; }
    QJsonObject layout() const;
    /// What is missing stays as it is.
    void apply(const QJsonObject& layout);
    /// As a run is shown that nobody arranged.
    void reset() { apply(usual_); }

  private:
    void restore();
    void keep();

    QString key_;
    LossPanel* loss_;
    TileRow* tiles_;
    widgets::ChartLink* link_;
    NamedLayouts* layouts_;
    QJsonObject usual_;
    bool applying_ = false;
};

}  // namespace trainyard::desktop
