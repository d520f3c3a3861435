// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/plot_canvas.h"

#include <algorithm>

#include <QFontMetrics>
#include <QStyle>

#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/axis_ticks.h"
#include "widgets/plot/curve_sign.h"

namespace trainyard::widgets {

namespace {

const int& kLeftMargin = live_px(48);  // minimum: it grows for long numbers
const int& kBottomMargin = live_px(24);
const int& kTopMargin = live_px(26);  // room for markers
const int& kDenseTopMargin = live_px(6);
const int& kRightMargin = live_px(12);
const int& kLabelPadding = live_px(8);
const int& kXTickRoom = live_px(84);  // pixels per tick of the horizontal axis
const int& kYTickRoom = live_px(40);
const int& kDenseXTickRoom = live_px(64);
const int& kDenseYTickRoom = live_px(28);
const int &kPaperEdge = live_px(12), &kPaperTitle = live_px(26), &kPaperLine = live_px(18), &kPaperSign = live_px(18),
          &kPaperGap = live_px(6);
constexpr int kMostPaperLines = 3;
const int& kLongestPaperName = live_px(180);

/// Provides our ticks to an axis.
class Ticker : public QCPAxisTicker {
  public:
    Ticker(const QCPAxis* axis, const int* head) : axis_(axis), head_(head) {}
    void setUnit(XUnit unit) { unit_ = unit; }
    void setRoom(int pixels, int least) {
        room_ = pixels;
        least_ = least;
    }
    void generate(const QCPRange& range, const QLocale&, QChar, int, QVector<double>& ticks, QVector<double>*,
                  QVector<QString>* labels) override {
        // Based on the minimum size: the layout requests ticks before it knows the width of their labels.
        const QRect all = axis_->parentPlot()->viewport();
        const QMargins margins = axis_->axisRect()->minimumMargins();
        const int pixels = axis_->orientation() == Qt::Horizontal
                               ? all.width() - margins.left() - margins.right()
                               : all.height() - *head_ - margins.top() - margins.bottom();
        ticks.clear();
        if (labels)
            labels->clear();
        for (const AxisTick& tick :
             position_ticks(range.lower, range.upper, axis_->scaleType() == QCPAxis::stLogarithmic, unit_,
                            std::max(least_, pixels / room_))) {
            ticks.append(tick.at);
            if (labels)
                labels->append(tick.text);
        }
    }

  private:
    const QCPAxis* axis_;
    const int* head_;             ///< pixels used by name and legend
    XUnit unit_ = XUnit::Tokens;  // plain numbers
    int room_ = 1, least_ = 2;
};

Ticker& ticker_of(const QCPAxis* axis) {
    return static_cast<Ticker&>(*axis->ticker());
}

/// The layout of the legend on paper: columns, and how many names are shown; the others are only counted.
struct PaperLegend {
    PaperLegend(int width, const QVector<Curve>& curves) {
        const QFontMetrics letters(Theme::instance().text(12));
        for (const Curve& curve : curves)
            if (curve.visible) {
                shown.append(&curve);
                widest = std::max(widest, kPaperSign + 2 * kPaperGap +
                                              std::min(kLongestPaperName, letters.horizontalAdvance(curve.name)));
            }
        const auto count = static_cast<int>(shown.size());
        columns = std::clamp((width - 2 * kPaperEdge) / std::max(1, widest), 1, std::max(1, count));
        const int room = columns * kMostPaperLines;
        named = count <= room ? count : room - 1;
        lines = (std::min(count, room) + columns - 1) / columns;
    }
    QVector<const Curve*> shown;
    int widest = 0, columns = 1, named = 0, lines = 0;
};

/// A legend entry on paper: the name of a curve, or the number of omitted ones.
class PaperName : public QCPAbstractLegendItem {
  public:
    PaperName(QCPLegend* legend, const Curve* curve, const QString& words, const Look& look, int width)
        : QCPAbstractLegendItem(legend), curve_(curve), words_(words), look_(look), width_(width) {}
    QSize minimumOuterSizeHint() const override { return {width_, kPaperLine}; }

  protected:
    void draw(QCPPainter* painter) override {
        const Qt::LayoutDirection direction = painter->layoutDirection();
        QRect sign(mRect.left(), mRect.top(), kPaperSign, mRect.height()), name = mRect;
        if (curve_) {
            name.setLeft(sign.right() + kPaperGap);
            sign = QStyle::visualRect(direction, mRect, sign);
            paint_curve_sign(*painter, *curve_, sign, look_.run(curve_->color));
        }
        painter->setFont(Theme::instance().text(12));
        painter->setPen(look_.color(curve_ ? Token::TextSecondary : Token::TextMuted));
        painter->drawText(QStyle::visualRect(direction, mRect, name), Qt::AlignLeft | Qt::AlignVCenter,
                          elided_text(painter->fontMetrics(), words_, Qt::ElideMiddle, name.width()));
    }

  private:
    const Curve* curve_;
    QString words_;
    Look look_;
    int width_;
};

}  // namespace

PlotCanvas::PlotCanvas(QWidget* parent) : QCustomPlot(parent) {
    hide();
    setBackground(QBrush(Qt::NoBrush));
    setPlottingHints(QCP::phFastPolylines);
    setInteractions(QCP::Interactions());
    setAutoAddPlottableToLegend(false);
    axisRect()->setAutoMargins(QCP::msLeft);
    axisRect()->setMinimumSize(10_px, 10_px);
    plotLayout()->setAutoMargins(QCP::msNone);
    plotLayout()->setRowSpacing(0);
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2}) {
        axis->setTicker(QSharedPointer<Ticker>::create(axis, &head_));
        axis->setTickLength(0, 0);
        axis->setTickPen(Qt::NoPen);  // otherwise a line of zero length leaves a dot
        axis->setSubTickPen(Qt::NoPen);
        axis->setNumberFormat(QStringLiteral("g"));  // otherwise the plot writes 3e-4 with a raised exponent
        axis->setSubTicks(false);
        axis->setTickLabelPadding(axis == xAxis ? 6 : kLabelPadding);
        axis->grid()->setSubGridVisible(false);
        axis->grid()->setZeroLinePen(Qt::NoPen);
    }
    yAxis->setPadding(4);
    yAxis2->setPadding(4);
    yAxis2->setTickLabels(true);
    xAxis->grid()->setVisible(false);
    yAxis2->grid()->setVisible(false);
    setDense(false);
    look_ = {!Theme::instance().isDark()};
    setLook(screen_look());
}

void PlotCanvas::setDense(bool dense) {
    const QMargins margins(kLeftMargin, dense ? kDenseTopMargin : kTopMargin, kRightMargin, kBottomMargin);
    axisRect()->setMinimumMargins(margins);
    axisRect()->setMargins(margins);
    ticker_of(xAxis).setRoom(dense ? kDenseXTickRoom : kXTickRoom, 2);
    for (QCPAxis* axis : {yAxis, yAxis2})
        ticker_of(axis).setRoom(dense ? kDenseYTickRoom : kYTickRoom, dense ? 3 : 2);
}

void PlotCanvas::setLook(const Look& look) {
    if (look == look_)
        return;
    look_ = look;
    const QFont font = Theme::instance().mono(11);
    for (QCPAxis* axis : {xAxis, yAxis, yAxis2}) {
        axis->setTickLabelFont(font);
        axis->setTickLabelColor(look.color(Token::TextMuted));
        axis->grid()->setPen(QPen(look.grid(), 0));
    }
    xAxis->setBasePen(QPen(look.color(Token::LineControl), 0));
    yAxis->setBasePen(Qt::NoPen);
    yAxis2->setBasePen(Qt::NoPen);
}

void PlotCanvas::setView(const ChartView& view, bool right) {
    xAxis->setScaleType(view.log_x ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    xAxis->setRange(view.x.lower, view.x.upper);
    ticker_of(xAxis).setUnit(view.scale.unit);
    yAxis->setScaleType(view.log_y ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis->setRange(view.y.lower, view.y.upper);
    if (yAxis2->visible() != right) {
        yAxis2->setVisible(right);
        axisRect()->setAutoMargins(right ? QCP::msLeft | QCP::msRight : QCP::MarginSides(QCP::msLeft));
        if (!right)
            axisRect()->setMargins(axisRect()->minimumMargins());
    }
    yAxis2->setScaleType(view.log_right ? QCPAxis::stLogarithmic : QCPAxis::stLinear);
    yAxis2->setRange(view.right.lower, view.right.upper);
    frame_.x = view.x;
    frame_.right = view.right;
    frame_.log_right = view.log_right;
    frame_.y = view.y;
    frame_.log_x = view.log_x;
    frame_.log_y = view.log_y;
}

void PlotCanvas::updateLayout() {
    QCustomPlot::updateLayout();
    if (painting_)
        frame_.area = axisRect()->rect();
}

void PlotCanvas::paint(QCPPainter& painter, const QSize& size) {
    painting_ = true;
    toPainter(&painter, size.width(), size.height());
    painting_ = false;
}

void PlotCanvas::paintInto(QImage& image) {
    image.fill(look_.color(Token::BgPanel));
    QCPPainter painter(&image);
    paint(painter, size());
}

int PlotCanvas::headHeight(int width, const QVector<Curve>& curves) {
    return kPaperTitle + PaperLegend(width, curves).lines * kPaperLine;
}

void PlotCanvas::paintOn(QCPPainter& painter, const QSize& size, const QString& name, const QVector<Curve>& curves,
                         const Look& look, const std::function<void()>& above) {
    const Look screen = look_;
    setLook(look);
    const PaperLegend names(size.width(), curves);
    auto* title = new QCPTextElement(this, name, Theme::instance().text(13, QFont::DemiBold));
    title->setTextColor(look.color(Token::Text));
    title->setTextFlags(Qt::AlignLeft | Qt::AlignVCenter);
    title->setMargins({kPaperEdge, 0, kPaperEdge, 0});
    title->setMinimumSize(10, kPaperTitle);
    title->setMaximumSize(QWIDGETSIZE_MAX, kPaperTitle);
    auto* entries = new QCPLegend;
    for (QCPLayoutElement* element : std::initializer_list<QCPLayoutElement*>{entries, title}) {
        plotLayout()->insertRow(0);
        plotLayout()->addElement(0, 0, element);
    }
    entries->setBorderPen(Qt::NoPen);
    entries->setBrush(Qt::NoBrush);
    entries->setMargins({kPaperEdge, 0, kPaperEdge, 0});
    entries->setRowSpacing(0);
    entries->setColumnSpacing(0);
    entries->setMaximumSize(QWIDGETSIZE_MAX, names.lines * kPaperLine);
    const auto add = [&](int place, const Curve* curve, const QString& words) {
        const int column = place % names.columns;
        entries->addElement(place / names.columns,
                            painter.layoutDirection() == Qt::RightToLeft ? names.columns - 1 - column : column,
                            new PaperName(entries, curve, words, look, names.widest));
    };
    for (int i = 0; i < names.named; ++i)
        add(i, names.shown[i], names.shown[i]->name);
    if (const int rest = static_cast<int>(names.shown.size()) - names.named; rest > 0)
        add(names.named, nullptr, tr("and %Ln more", nullptr, rest));

    head_ = kPaperTitle + names.lines * kPaperLine;
    const PlotFrame before = frame_;
    painter.save();
    paint(painter, size);
    painter.restore();
    above();
    frame_ = before;
    plotLayout()->remove(entries);
    plotLayout()->remove(title);
    plotLayout()->simplify();
    head_ = 0;
    setLook(screen);
}

}  // namespace trainyard::widgets
