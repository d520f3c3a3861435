#include "widgets/plot/plot_canvas.h"

#include <algorithm>

#include "widgets/plot/number_text.h"
#include "widgets/plot/tick_marks.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

namespace {

constexpr int kLeftMargin = 48;
constexpr int kBottomMargin = 24;
constexpr int kTopMargin = 26;    // markers stand here
constexpr int kBandColumn = 3;    // pixels
constexpr int kSmoothColumn = 3;  // pixels: the smoothed line has no spikes to keep, and each point of it is costly
constexpr int kSmallChart = 500;  // pixels
constexpr int kXTickRoom = 84;    // pixels a tick of the horizontal axis asks for
constexpr int kYTickRoom = 40;
constexpr int kDenseXTickRoom = 64;
constexpr int kDenseYTickRoom = 28;

QVector<QCPGraphData> graph_data(const std::vector<QPointF>& points) {
    QVector<QCPGraphData> data;
    data.reserve(static_cast<qsizetype>(points.size()));
    for (const QPointF& point : points)
        data.append({point.x(), point.y()});
    return data;
}

void feed(QCPGraph* graph, const std::vector<QPointF>& points) {
    graph->data()->set(graph_data(points), true);
}

}  // namespace

PlotCanvas::PlotCanvas(QWidget* parent)
    : QCustomPlot(parent), x_ticks_(new QCPAxisTickerText), y_ticks_(new QCPAxisTickerText) {
    setAttribute(Qt::WA_TransparentForMouseEvents);
    setFocusPolicy(Qt::NoFocus);
    setPlottingHints(QCP::phFastPolylines | QCP::phCacheLabels);
    setNoAntialiasingOnDrag(true);
    setInteractions(QCP::Interactions());
    setAutoAddPlottableToLegend(false);
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMargins(QMargins(kLeftMargin, kTopMargin, 12, kBottomMargin));
    axisRect()->setMinimumSize(10, 10);
    plotLayout()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLength(0, 0);
        axis->setNumberFormat(QStringLiteral("g"));  // or it would write 3e-4 with a raised exponent
        axis->setSubTicks(false);
        axis->setTickLabelPadding(axis == xAxis ? 6 : 8);
        axis->grid()->setSubGridVisible(false);
    }
    xAxis->grid()->setVisible(false);
    xAxis->setTicker(x_ticks_);
    yAxis->setTicker(y_ticks_);
    applyTheme();
}

void PlotCanvas::setDense(bool dense) {
    dense_ = dense;
    axisRect()->setMargins(QMargins(kLeftMargin, dense ? 6 : kTopMargin, 12, kBottomMargin));
}

void PlotCanvas::applyTheme() {
    const Theme& theme = Theme::instance();
    setBackground(theme.color(Token::BgPanel));
    const QFont font = theme.mono(11);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(theme.color(Token::TextMuted));
        axis->grid()->setPen(QPen(theme.color(Token::Line), 0));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    xAxis->setBasePen(QPen(theme.color(Token::LineControl), 0));
    yAxis->setBasePen(Qt::NoPen);
    for (Line& line : lines_) {
        const QColor color = theme.runColor(line.curve.color);
        const QColor panel = theme.color(Token::BgPanel);
        line.lower->setPen(Qt::NoPen);
        line.upper->setPen(Qt::NoPen);
        // Opaque mixtures instead of alpha: a long translucent polyline costs several times as much.
        line.upper->setBrush(mixed(color, panel, theme.isDark() ? 0.30 : 0.24));
        line.smooth->setPen(QPen(color, 2));
        line.upper->setAntialiasedFill(false);  // a jagged polygon: smoothing its edge costs more than all the rest
        line.smooth->setAntialiased(true);
    }
}

void PlotCanvas::setCurves(const QVector<Curve>& curves) {
    clearPlottables();
    lines_.clear();
    for (const Curve& curve : curves) {
        Line line;
        line.curve = curve;
        line.smoothed = std::make_unique<SmoothedColumn>();
        lines_.push_back(std::move(line));
    }
    for (Line& line : lines_) {
        line.lower = addGraph();
        line.upper = addGraph();
        line.upper->setChannelFillGraph(line.lower);
    }
    for (Line& line : lines_)
        line.raw = addGraph();
    for (Line& line : lines_)
        line.smooth = addGraph();
    applyTheme();
}

void PlotCanvas::updateSmoothing(const ChartView& view) {
    for (Line& line : lines_)
        if (line.curve.noisy && view.smoothing > 0)
            line.smoothed->follow(*line.curve.series, view.smoothing);
}

void PlotCanvas::draw(const ChartView& view) {
    updateSmoothing(view);
    xAxis->setRange(view.x.lower, view.x.upper);
    yAxis->setScaleType(view.log_y ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setRange(view.y.lower, view.y.upper);
    for (Line& line : lines_)
        drawLine(line, view);
    placeTicks(view);
    replot(QCustomPlot::rpQueuedRefresh);
}

void PlotCanvas::drawLine(Line& line, const ChartView& view) {
    const Series& series = *line.curve.series;
    const int columns = std::max(1, plotArea().width());
    const Theme& theme = Theme::instance();
    const QColor color = theme.runColor(line.curve.color);
    const bool smooths = line.curve.noisy && view.smoothing > 0;
    const std::size_t seen = series.lowerBound(view.x.upper, view.scale) - series.lowerBound(view.x.lower, view.scale);
    // In a small chart a smooth line costs little, whatever it shows.
    const bool dense = seen > static_cast<std::size_t>(columns) && (line.curve.noisy || columns > kSmallChart);
    const bool crowded = smooths && seen > static_cast<std::size_t>(columns) * 2 / kBandColumn;
    Band edges;
    if (crowded)
        edges = band(series, view.scale, view.x, std::max(1, columns / kBandColumn));
    feed(line.lower, edges.lower);
    feed(line.upper, edges.upper);
    const QColor panel = theme.color(Token::BgPanel);
    if (smooths)
        line.raw->setPen(QPen(mixed(color, panel, theme.isDark() ? 0.55 : 0.45), 1));
    else
        line.raw->setPen(QPen(color, dense ? 1.0 : 1.5));
    line.raw->setAntialiased(!smooths && !dense);
    line.raw->setScatterStyle(seen == 1 ? QCPScatterStyle(QCPScatterStyle::ssDisc, color, 5) : QCPScatterStyle());
    feed(line.raw, reduced(raw(series), view.scale, view.x, columns));
    feed(line.smooth, smooths ? reduced({&series, &line.smoothed->values(), &line.smoothed->pyramid()}, view.scale,
                                        view.x, std::max(1, columns / kSmoothColumn))
                              : std::vector<QPointF>{});
}

void PlotCanvas::placeTicks(const ChartView& view) {
    const QRect area = plotArea();
    const int across = std::max(2, area.width() / (dense_ ? kDenseXTickRoom : kXTickRoom));
    const int up = dense_ ? std::max(3, area.height() / kDenseYTickRoom) : std::max(2, area.height() / kYTickRoom);
    const TickMarks x = view.scale.unit == XUnit::Time
                            ? time_ticks(view.x.lower, view.x.upper, across)
                            : linear_ticks(view.x.lower, view.x.upper, across, view.scale.unit == XUnit::Step);
    x_ticks_->clear();
    for (double at : x.at)
        x_ticks_->addTick(at, view.scale.unit == XUnit::Time ? axis_time(at, x.step) : axis_number(at, x.step));
    const TickMarks y =
        view.log_y ? log_ticks(view.y.lower, view.y.upper, up) : linear_ticks(view.y.lower, view.y.upper, up);
    y_ticks_->clear();
    for (double at : y.at)
        y_ticks_->addTick(at, axis_number(at, y.step > 0 ? y.step : at));
}

QRect PlotCanvas::plotArea() const {
    const QMargins margins = axisRect()->margins();
    return rect().marginsRemoved(margins);
}

double PlotCanvas::xAt(double pixel) const {
    return xAxis->pixelToCoord(pixel);
}

double PlotCanvas::pixelOfX(double x) const {
    return xAxis->coordToPixel(x);
}

double PlotCanvas::yAt(double pixel) const {
    return yAxis->pixelToCoord(pixel);
}

double PlotCanvas::pixelOfY(double y) const {
    return yAxis->coordToPixel(y);
}

}  // namespace trainyard::widgets
