#include "widgets/plot/plot_canvas.h"

#include <algorithm>
#include <cmath>

#include <QFontMetrics>

#include "widgets/plot/number_text.h"
#include "widgets/plot/tick_marks.h"

namespace trainyard::widgets {

namespace {

constexpr int kLeftMargin = 48;
constexpr int kBottomMargin = 24;
constexpr int kTopMargin = 26;  // markers stand here
constexpr int kDenseTopMargin = 6;
constexpr int kRightMargin = 12;
constexpr int kLabelPadding = 8;
constexpr int kXTickRoom = 84;  // pixels a tick of the horizontal axis asks for
constexpr int kYTickRoom = 40;
constexpr int kDenseXTickRoom = 64;
constexpr int kDenseYTickRoom = 28;

/// What the owner paints, as a part of the plot.
class Contents : public QCPAbstractPlottable {
  public:
    Contents(PlotCanvas* canvas, const PlotCanvas::Paint& paint)
        : QCPAbstractPlottable(canvas->xAxis, canvas->yAxis), canvas_(canvas), paint_(paint) {}
    double selectTest(const QPointF&, bool, QVariant*) const override { return -1; }
    QCPRange getKeyRange(bool& found, QCP::SignDomain) const override {
        found = false;
        return {};
    }
    QCPRange getValueRange(bool& found, QCP::SignDomain, const QCPRange&) const override {
        found = false;
        return {};
    }

  protected:
    void draw(QCPPainter* painter) override {
        if (painter->modes().testFlag(QCPPainter::pmVectorized))
            paint_(*painter, canvas_->frame());
    }
    void drawLegendIcon(QCPPainter*, const QRectF&) const override {}

  private:
    PlotCanvas* canvas_;
    const PlotCanvas::Paint& paint_;
};

}  // namespace

PlotCanvas::PlotCanvas(QWidget* parent, Paint paint)
    : QCustomPlot(parent), paint_(std::move(paint)), x_ticks_(new QCPAxisTickerText), y_ticks_(new QCPAxisTickerText) {
    hide();
    setBackground(QBrush(Qt::NoBrush));
    setPlottingHints(QCP::phFastPolylines);
    setInteractions(QCP::Interactions());
    setAutoAddPlottableToLegend(false);
    axisRect()->setAutoMargins(QCP::msNone);
    axisRect()->setMinimumSize(10, 10);
    plotLayout()->setAutoMargins(QCP::msNone);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLength(0, 0);
        axis->setTickPen(Qt::NoPen);  // or a line without length leaves a dot
        axis->setSubTickPen(Qt::NoPen);
        axis->setNumberFormat(QStringLiteral("g"));  // or it would write 3e-4 with a raised exponent
        axis->setSubTicks(false);
        axis->setTickLabelPadding(axis == xAxis ? 6 : kLabelPadding);
        axis->grid()->setSubGridVisible(false);
    }
    xAxis->grid()->setVisible(false);
    xAxis->setTicker(x_ticks_);
    yAxis->setTicker(y_ticks_);
    new Contents(this, paint_);  // the plot owns it
    setDense(false);
    look_ = {!Theme::instance().isDark()};
    setLook(screen_look());
}

void PlotCanvas::setDense(bool dense) {
    dense_ = dense;
    axisRect()->setMargins(QMargins(kLeftMargin, dense ? kDenseTopMargin : kTopMargin, kRightMargin, kBottomMargin));
}

void PlotCanvas::setLook(const Look& look) {
    if (look == look_)
        return;
    look_ = look;
    const QFont font = Theme::instance().mono(11);
    for (QCPAxis* axis : {xAxis, yAxis}) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(look.color(Token::TextMuted));
        axis->grid()->setPen(QPen(look.color(Token::Line), 0));
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    xAxis->setBasePen(QPen(look.color(Token::LineControl), 0));
    yAxis->setBasePen(Qt::NoPen);
}

const PlotFrame& PlotCanvas::setView(const ChartView& view) {
    view_ = view;
    xAxis->setScaleType(view.log_x ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    xAxis->setRange(view.x.lower, view.x.upper);
    yAxis->setScaleType(view.log_y ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setRange(view.y.lower, view.y.upper);
    placeTicks(view, size());
    return frame_;
}

void PlotCanvas::paintFrame(QImage& image) {
    image.fill(look_.color(Token::BgPanel));
    QCPPainter painter(&image);
    toPainter(&painter, width(), height());
}

void PlotCanvas::placeTicks(const ChartView& view, const QSize& size) {
    QMargins margins = axisRect()->margins();
    const int height = std::max(1, size.height() - margins.top() - margins.bottom());
    const int up = dense_ ? std::max(3, height / kDenseYTickRoom) : std::max(2, height / kYTickRoom);
    const TickMarks y =
        view.log_y ? log_ticks(view.y.lower, view.y.upper, up) : linear_ticks(view.y.lower, view.y.upper, up);
    y_ticks_->clear();
    qsizetype longest = 0;
    for (double at : y.at) {
        const QString label = axis_number(at, y.step > 0 ? y.step : at);
        longest = std::max(longest, label.size());
        y_ticks_->addTick(at, label);
    }
    const int letter = QFontMetrics(yAxis->tickLabelFont()).horizontalAdvance(QLatin1Char('0'));
    margins.setLeft(std::max(kLeftMargin, static_cast<int>(longest) * letter + kLabelPadding + 4));
    axisRect()->setMargins(margins);

    frame_ = {QRect(QPoint(0, 0), size).marginsRemoved(margins), view.x, view.y, view.log_x, view.log_y};
    const int across = std::max(2, frame_.area.width() / (dense_ ? kDenseXTickRoom : kXTickRoom));
    TickMarks x;
    switch (view.scale.unit) {
        case XUnit::Time:
            x = view.log_x ? log_ticks(view.x.lower, view.x.upper, across)
                           : time_ticks(view.x.lower, view.x.upper, across);
            break;
        case XUnit::Wall:
            x = wall_ticks(view.x.lower, view.x.upper, across);
            break;
        default:
            x = view.log_x ? log_ticks(view.x.lower, view.x.upper, across)
                           : linear_ticks(view.x.lower, view.x.upper, across, view.scale.unit == XUnit::Step);
            break;
    }
    x_ticks_->clear();
    for (double at : x.at) {
        const double step = x.step > 0 ? x.step : at;
        x_ticks_->addTick(at, view.scale.unit == XUnit::Time   ? axis_time(at, step)
                              : view.scale.unit == XUnit::Wall ? axis_wall(at, step, &at == &x.at.front())
                                                               : axis_number(at, step));
    }
}

void PlotCanvas::paintOn(QCPPainter& painter, const QSize& size, const std::function<void()>& above) {
    const QMargins margins = axisRect()->margins();
    placeTicks(view_, size);
    painter.save();
    toPainter(&painter, size.width(), size.height());
    painter.restore();
    above();
    axisRect()->setMargins(margins);
    placeTicks(view_, this->size());
}

}  // namespace trainyard::widgets
