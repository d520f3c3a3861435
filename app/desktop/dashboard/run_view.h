// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// View settings of a run's overview: its layout (tiles, unit, smoothing, axes, bands), which can be saved under a name
// for all runs, and for this run the zoom, the overlaid runs, and whether all curves are shown instead. Restored on
// construction, saved by ViewState under the run's key on every change.

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
    /// Create this after the unit of the panel was connected to the charts of the link. `page`: parent of dialogs.
    RunView(const QString& key, LossPanel* loss, TileRow* tiles, widgets::ChartLink* link, QWidget* page);
    bool showsCurves() const;
    void setShowsCurves(bool shows);

    NamedLayouts* layouts() const { return layouts_; }
    QJsonObject layout() const;
    /// Applies the settings in `layout`; missing ones are unchanged.
    void apply(const QJsonObject& layout);
    /// Restores the default layout.
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
