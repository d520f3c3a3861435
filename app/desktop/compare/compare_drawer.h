// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Drawer below the list of runs: curves of the selected runs, their differences from one of them, groups, all curves,
// or a sweep's parallel axes and scatter plot. The settings and metrics that differ are at the right.

#include <QFrame>
#include <QJsonObject>
#include <QTimer>

#include "desktop/compare/compare_curves.h"
#include "desktop/compare/compare_sources.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class CurvesPanel;
class DifferencesPanel;
class SmoothingControl;

class CompareDrawer : public QWidget {
    Q_OBJECT
  public:
    enum class Show { Curves, Differences, All, Sweep };

    explicit CompareDrawer(QWidget* parent = nullptr);
    ~CompareDrawer() override;

    /// The selected runs, in order. An empty list releases all data.
    void setRuns(const RunSummaries& runs);
    const RunSummaries& runs() const { return runs_; }
    void show(Show what);
    Show shown() const;
    void setTag(const QString& tag);
    void setUnit(widgets::XUnit unit);
    void restoreView(const QJsonObject& view);
    void clearBrushes();  ///< ranges that were dragged on the sweep's axes
    /// Exports a report (.html), a table (.csv) or an image of the drawer (.png), depending on the file name extension.
    /// exported() reports when it is written.
    void exportTo(const QString& file);
    void openExport();  ///< asks which, and where

    widgets::ElidedLabel* title() const { return title_; }

  signals:
    void runActivated(const QString& path);
    void untickRequested(const QString& path);
    void closed();
    void windowRequested();
    void viewChanged(const QJsonObject& view);
    /// The ranges on the sweep's axes changed, and these runs are inside all of them. `any` is false if there are no
    /// ranges.
    void brushed(bool any, const QSet<QString>& paths);
    void pointed(const QSet<QString>& paths);  ///< chosen among the points of the sweep
    void exported(const QString& file, const QString& problem);

  protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

  private:
    void fillTags();
    void fillGroups();
    void refresh();  ///< which curves there are
    void redraw();   ///< what they hold
    void arrangeHead();
    void fillSweep();
    void tellBrushes();
    void keep();
    void setSmoothing(double weight);
    std::size_t longestCurve() const;  ///< in points
    widgets::XUnit unit() const;
    bool showsCurves() const { return shown() == Show::Curves || shown() == Show::Differences; }

    CompareSources* sources_;
    CompareCurves curves_;
    RunSummaries runs_;
    widgets::ElidedLabel* title_;
    QComboBox* tags_;
    QComboBox* groups_;
    widgets::SegmentedControl* units_;
    widgets::SegmentedControl* modes_;
    SmoothingControl* smoothing_;
    QStackedWidget* stack_;
    QPushButton* window_;
    QPushButton* shut_;
    QHBoxLayout* head_;
    QHBoxLayout* foot_;
    QFrame* panel_frame_;
    widgets::CurveChart* chart_;
    widgets::ChartLegend* legend_;
    widgets::ParallelCoordinates* parallel_;
    widgets::ScatterPlot* scatter_;
    QComboBox* scatter_x_;
    QSplitter* sweep_;
    CurvesPanel* panel_ = nullptr;
    QLabel* remark_;
    QSplitter* splitter_;
    DifferencesPanel* differences_;
    QTimer redraw_due_, sweep_due_;
    widgets::Job export_;
    bool brushed_ = false;
    QString wanted_tag_, wanted_group_;
    bool restoring_ = false;
    bool automatic_ = true;  ///< the weight of the smoothing follows the number of points
};

}  // namespace trainyard::desktop
