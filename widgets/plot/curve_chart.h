// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A chart of curves over step, time, tokens or epochs. Reads series that others fill: call dataChanged() after they
// grew. Pictures are redrawn by redraw.h, only while the chart can be seen. It follows the right edge until one zooms;
// F or a double click takes that up again.
// Mouse: wheel zooms at the pointer (over the numbers of the vertical axis, or with Ctrl: vertically), drag selects a
// range, Ctrl or Alt + drag a box, Shift or middle drag pans (upwards too once the pointer moved 12 pixels), double
// click fits. The curve nearest to the pointer is thick. Ctrl+click pins the crosshair, two pins are measured against
// each other. Right click: menu.
// Keys: arrows move the crosshair, F fits, Backspace and Shift+Backspace go back and forward through the zooms, L log
// axis, Shift+L log of the horizontal one, S smoothing, B bands, G goes to a step, M pins, N asks for a note, Esc
// clears crosshair, then pins.
// Ctrl+C copies picture and values, Ctrl+E exports, Ctrl+Shift+T shows the values as a table.
// Whatever is not drawn (outliers, values a log axis cannot hold) is counted on the chart.

#include <memory>

#include <QTimer>
#include <QWidget>

#include "widgets/forward.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_crosshair.h"
#include "widgets/plot/chart_zoom.h"
#include "widgets/plot/redraw.h"

namespace trainyard::widgets {

class ChartActions;
class ChartOverlay;
class CurvePlottable;
class PlotCanvas;
struct Look;
struct PlotFrame;

class CurveChart : public QWidget {
    Q_OBJECT
  public:
    explicit CurveChart(const QString& accessibleName, QWidget* parent = nullptr);
    ~CurveChart() override;

    /// Smoothed columns of series that were shown before are kept. Hidden curves: `visible`.
    void setCurves(const QVector<Curve>& curves);
    const QVector<Curve>& curves() const { return curves_; }
    void setMarkers(const QVector<Marker>& markers);
    const QVector<Marker>& markers() const { return markers_; }
    void dataChanged();

    void setScale(const XScale& scale);  ///< of curves without their own; its unit is that of all
    void setUnit(XUnit unit);
    void setLogX(bool log);
    void setLogY(bool log);
    void setLogRight(bool log);  ///< the second vertical axis
    bool isLogX() const { return view_.log_x; }
    bool isLogY() const { return view_.log_y; }
    void setTrend(Trend trend);
    void setSmoothing(double weight);
    double smoothing() const { return view_.smoothing; }
    /// Switches smoothing off, or back to the last weight.
    void setSmoothed(bool smoothed) { setSmoothing(smoothed ? remembered_smoothing_ : 0); }
    /// Bands of the raw values behind trends.
    void setBands(bool shown);
    bool hasBands() const { return view_.bands; }
    /// The vertical range leaves out what lies beyond the 5th and 95th percentile of the values in sight; counted on
    /// the chart.
    void setOutliersClipped(bool clipped) { zoom_->setOutliersClipped(clipped); }
    bool areOutliersClipped() const { return zoom_->areOutliersClipped(); }
    /// A small chart: no markers, no table at the crosshair, fewer ticks.
    void setDense(bool dense);

    void setCurveVisible(int curve, bool visible);
    /// Only this curve; again: all.
    void isolate(int curve);
    int hoveredCurve() const { return hovered_; }  ///< -1: none
    void setHoveredCurve(int curve);

    void fit();
    bool isFollowing() const { return zoom_->isFollowing(); }
    void setXRange(const XRange& range) { zoom_->setX(range); }  ///< ends following; the vertical range fits itself
    /// Both; `y` empty (upper <= lower): fits itself. For restoring a view.
    void setRanges(const XRange& x, const XRange& y) { zoom_->setRanges(x, y); }
    bool isYChosen() const { return zoom_->isYChosen(); }
    void back() { zoom_->back(); }  ///< the zoom before
    bool canGoBack() const { return zoom_->hasBack(); }
    void setCrosshair(double x) { crosshair_->set(x); }  ///< NaN: none
    void setPins(const QVector<double>& pins) { crosshair_->setPins(pins); }
    const QVector<double>& pins() const { return crosshair_->pins(); }  ///< in x units, at most two
    /// Values of the curves at the crosshair and the pins.
    const ChartCrosshair& crosshair() const { return *crosshair_; }
    const ChartView& view() const { return view_; }
    /// In the menu and under N: "Add a note here" emits noteRequested().
    void setNotesOffered(bool offered) { notes_offered_ = offered; }

    /// One sentence each: what is not drawn, and why.
    const QStringList& remarks() const { return remarks_; }

    /// Copy, export, table, and what can be switched; texts carry their keys. For a card's own menu. They live as long
    /// as the chart.
    QList<QAction*> menuActions();

    QSize sizeHint() const override { return {480_px, 240_px}; }
    QSize minimumSizeHint() const override { return {160_px, 70_px}; }
    /// Draws now what is due; for tests and screenshots.
    void flush();
    int redraws() const { return redraw_->count(); }
    const PlotFrame& frame() const;
    /// As large as on the screen, with room for name and legend.
    QSize paperSize() const;
    /// Name, legend, plot and remarks onto another device, in device-independent pixels. `lines`: as lines, not as an
    /// image of them.
    void paintOn(QPaintDevice& device, const QSize& size, const Look& look, bool lines);

  signals:
    void crosshairMoved(double x);
    void pinsChanged(const QVector<double>& pins);
    void rangeChanged(const trainyard::widgets::XRange& range);
    void fitted();
    void viewChanged();  ///< anything of the view that is worth keeping: range, axes, smoothing, visible curves
    void logToggled(bool log);
    void smoothingChanged(double weight);
    void curvesShownChanged();
    void hoveredCurveChanged(int curve);
    void markerActivated(int id);  ///< clicked: select the event
    void markerOpened(int id);     ///< double click: act
    void noteRequested(double x);
    void redrawn();

  protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void contextMenuEvent(QContextMenuEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

  private:
    friend class ChartOverlay;

    void redraw();
    void makeRemarks();
    void showView();
    void startQuickRedraw();
    void hoverNearest(const QPoint& position);
    void describe();
    void askForStep();
    bool commandOf(const QKeyEvent* event, bool run);

    PlotCanvas* canvas_;
    ChartOverlay* overlay_;
    CurvePlottable* plottable_;  ///< the canvas owns it
    ChartZoom* zoom_;
    ChartCrosshair* crosshair_;
    std::unique_ptr<Redraw> redraw_;
    QVector<Curve> curves_;
    QVector<Marker> markers_;
    ChartView view_;
    double remembered_smoothing_ = 0.6;
    bool dense_ = false;
    bool notes_offered_ = false;
    bool quick_redraw_ = false;  ///< the old image moves until the pointer rests
    int hovered_ = -1;
    QStringList remarks_;
    QTimer settle_;                    ///< after a hurried picture the exact one
    ChartActions* actions_ = nullptr;  ///< made when they are first asked for
};

}  // namespace trainyard::widgets
