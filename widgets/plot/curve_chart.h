#pragma once
// A chart of curves over step, time or tokens. Reads series that others fill: call dataChanged() after they grew. Pictures are
// redrawn at most every 33 ms, and only while the chart is visible and something changed. It follows the right edge until one
// zooms; F or a double click takes that up again.
// Mouse: wheel zooms at the pointer, drag selects a range, Shift or middle drag pans, double click fits. Keys: arrows move the
// crosshair, F fits, L log axis, S smoothing, Esc clears the crosshair.

#include <functional>

#include <QTimer>
#include <QWidget>

#include "widgets/plot/chart_view.h"

namespace trainyard::widgets {

class ChartOverlay;
class PlotCanvas;

class CurveChart : public QWidget {
    Q_OBJECT
  public:
    explicit CurveChart(const QString& accessibleName, QWidget* parent = nullptr);
    ~CurveChart() override;

    void setCurves(const QVector<Curve>& curves);
    const QVector<Curve>& curves() const { return curves_; }
    void setMarkers(const QVector<Marker>& markers);
    void dataChanged();

    void setScale(const XScale& scale);
    void setLogY(bool log);
    bool isLogY() const { return view_.log_y; }
    void setSmoothing(double weight);
    double smoothing() const { return view_.smoothing; }
    /// A small chart: no markers, no table at the crosshair, fewer ticks.
    void setDense(bool dense);
    bool isDense() const { return dense_; }
    /// How values are written in the table; default value_number().
    void setValueText(std::function<QString(double)> words) { value_text_ = std::move(words); }

    void fit();
    bool isFollowing() const { return following_; }
    void setXRange(const XRange& range);  ///< ends following
    void setCrosshair(double x);          ///< NaN: none
    const ChartView& view() const { return view_; }

    /// Value of a curve nearest to the crosshair, or its last one; NaN without points.
    double valueAtCrosshair(int curve) const;
    /// Lines of the table at the crosshair.
    struct Row {
        int color = 0;
        QString name;
        QString value;
        double y = 0;  ///< where a dot goes; NaN: nowhere
    };
    QVector<Row> rowsAtCrosshair() const;

    QSize sizeHint() const override { return {480, 240}; }
    QSize minimumSizeHint() const override { return {160, 70}; }
    /// Draws now what is due; for tests and screenshots.
    void flush();
    int redraws() const { return redraws_; }

  signals:
    void crosshairMoved(double x);
    void rangeChanged(const trainyard::widgets::XRange& range);
    void fitted();
    void logToggled(bool log);
    void smoothingToggled(bool on);
    void markerActivated(int id);
    void redrawn();

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void wheelEvent(QWheelEvent* event) override;
    void mousePressEvent(QMouseEvent* event) override;
    void mouseMoveEvent(QMouseEvent* event) override;
    void mouseReleaseEvent(QMouseEvent* event) override;
    void mouseDoubleClickEvent(QMouseEvent* event) override;
    void leaveEvent(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    bool event(QEvent* event) override;

  private:
    friend class ChartOverlay;
    enum class Drag { None, Select, Pan };

    void schedule();
    void redraw();
    void fitX();
    void fitY();
    XRange extent() const;
    void moveCrosshair(double x);
    void stepCrosshair(int direction);
    void showRange(const XRange& range);
    void describe();
    QString valueText(double value) const;

    PlotCanvas* canvas_;
    ChartOverlay* overlay_;
    QVector<Curve> curves_;
    QVector<Marker> markers_;
    ChartView view_;
    double remembered_smoothing_ = 0.6;
    bool following_ = true;
    bool y_chosen_ = false;  ///< by a box zoom
    bool dense_ = false;
    bool dirty_ = true;
    int redraws_ = 0;
    QTimer timer_;
    Drag drag_ = Drag::None;
    QPoint drag_from_;
    QPoint drag_to_;
    XRange drag_range_;
    std::function<QString(double)> value_text_;
};

}  // namespace trainyard::widgets
