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

#include <functional>
#include <memory>

#include <QTimer>
#include <QWidget>

#include "widgets/forward.h"
#include "widgets/pixels.h"
#include "widgets/plot/chart_view.h"
#include "widgets/plot/redraw.h"
#include "widgets/plot/zoom_history.h"

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
    void setOutliersClipped(bool clipped);
    bool areOutliersClipped() const { return clip_outliers_; }
    /// A small chart: no markers, no table at the crosshair, fewer ticks.
    void setDense(bool dense);
    /// How values are written in the table; default value_number().
    void setValueText(std::function<QString(double)> words) { value_text_ = std::move(words); }
    QString valueText(double value) const;

    void setCurveVisible(int curve, bool visible);
    /// Only this curve; again: all.
    void isolate(int curve);
    int hoveredCurve() const { return hovered_; }  ///< -1: none
    void setHoveredCurve(int curve);

    void fit();
    bool isFollowing() const { return following_; }
    void setXRange(const XRange& range);  ///< ends following; the vertical range fits itself
    /// Both; `y` empty (upper <= lower): fits itself. For restoring a view.
    void setRanges(const XRange& x, const XRange& y);
    bool isYChosen() const { return y_chosen_; }
    void back();  ///< the zoom before
    bool canGoBack() const { return history_.hasBack(); }
    void forward();
    void setCrosshair(double x);  ///< NaN: none
    void setPins(const QVector<double>& pins);
    const QVector<double>& pins() const { return pins_; }  ///< in x units, at most two
    const ChartView& view() const { return view_; }
    /// In the menu and under N: "Add a note here" emits noteRequested().
    void setNotesOffered(bool offered) { notes_offered_ = offered; }

    /// Value of a curve nearest to the crosshair, or its last one; NaN without points.
    double valueAtCrosshair(int curve) const;
    /// Lines of the table at the crosshair.
    struct Row {
        int curve = 0;
        int color = 0;
        QString name;
        QString value;
        double y = 0;  ///< where a dot goes; NaN: nowhere
        double x = 0;  ///< of the point whose value it is: the nearest one, which may be far from the crosshair
    };
    /// At most `most` rows, of the curves nearest to the pointer; `rest` counts the curves left out.
    QVector<Row> rowsAtCrosshair(int most = 14, int* rest = nullptr) const;
    /// From the first pin to the second: distance in words, and the change of each curve.
    struct Measure {
        QString distance;
        QVector<Row> rows;
    };
    Measure measure(int most = 6) const;
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
    enum class Drag { None, Select, Box, Pan };

    void redraw();
    void makeRemarks();
    void fitX();
    XRange fittedY(bool right) const;
    bool hasRight() const;  ///< curves on the second vertical axis
    XRange extent() const;
    void moveCrosshair(double x);
    void stepCrosshair(int direction);
    void showRange(const XRange& range);
    void zoomY(double at, double factor);
    void pan(const QPoint& to);
    void showView();
    void startQuickRedraw();
    void pin(double x);
    void hoverNearest(const QPoint& position);
    void remember() { history_.leave(place(), false); }
    void take(const ZoomHistory::Place& place);
    ZoomHistory::Place place() const { return {view_.x, view_.y, following_, y_chosen_}; }
    void describe();
    void askForStep();
    /// Visible curves with points, at most `most`, those nearest to the pointer in the order of their values.
    QVector<int> nearestCurves(int most) const;
    bool commandOf(const QKeyEvent* event, bool run);

    PlotCanvas* canvas_;
    ChartOverlay* overlay_;
    CurvePlottable* plottable_;  ///< the canvas owns it
    std::unique_ptr<Redraw> redraw_;
    QVector<Curve> curves_;
    QVector<Marker> markers_;
    QVector<double> pins_;
    ChartView view_;
    ZoomHistory history_;
    double remembered_smoothing_ = 0.6;
    bool following_ = true;
    bool y_chosen_ = false;  ///< by a box zoom or a vertical pan
    bool dense_ = false;
    bool clip_outliers_ = false;
    bool notes_offered_ = false;
    bool quick_redraw_ = false;  ///< the old image moves until the pointer rests
    int hovered_ = -1;
    double pointer_y_ = std::numeric_limits<double>::quiet_NaN();  ///< pixels; NaN: the pointer is elsewhere
    QStringList remarks_;
    Drag drag_ = Drag::None;
    QPoint drag_from_;
    QPoint drag_to_;
    XRange drag_x_;
    XRange drag_y_;
    QTimer settle_;                    ///< after a hurried picture the exact one
    ChartActions* actions_ = nullptr;  ///< made when they are first asked for
    std::function<QString(double)> value_text_;
};

}  // namespace trainyard::widgets
