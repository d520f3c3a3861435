#include "desktop/hosts/hour_chart.h"

#include <QPainter>
#include <QPainterPath>

#include "widgets/local_text.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

using widgets::Theme;
using widgets::Token;

namespace {

constexpr double kGap = 120;  // seconds without an answer end a line
constexpr int kLeft = 30;
constexpr int kFoot = 18;

struct LoadCurve {
    std::optional<double> LoadPoint::*value;
    int color;
    Qt::PenStyle dash;
    const char* name;
};
constexpr LoadCurve kLoadCurves[] = {
    {&LoadPoint::gpu, 3, Qt::SolidLine, QT_TRANSLATE_NOOP("trainyard::desktop::HourChart", "GPU")},
    {&LoadPoint::memory, 6, Qt::DashLine, QT_TRANSLATE_NOOP("trainyard::desktop::HourChart", "memory")},
    {&LoadPoint::cpu, 7, Qt::DotLine, QT_TRANSLATE_NOOP("trainyard::desktop::HourChart", "CPU")}};

}  // namespace

HourChart::HourChart(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    connect(&Theme::instance(), &Theme::changed, this, QOverload<>::of(&QWidget::update));
}

void HourChart::setPoints(const std::deque<LoadPoint>& points, double now) {
    points_ = points;
    now_ = now;
    QStringList last;
    if (!points.empty())
        for (const LoadCurve& curve : kLoadCurves)
            if (const auto value = points.back().*curve.value)
                last << tr(curve.name) + QLatin1Char(' ') + widgets::percent_text(*value / 100);
    setAccessibleName(tr("Load of the last hour"));
    setAccessibleDescription(last.isEmpty() ? tr("nothing was asked") : last.join(QStringLiteral(", ")));
    update();
}

void HourChart::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QRectF plot(kLeft, 6, width() - kLeft - 6, height() - kFoot - 10);
    painter.setFont(theme.mono(10));
    for (int percent : {0, 50, 100}) {
        const double y = plot.bottom() - plot.height() * percent / 100;
        painter.setPen(theme.color(Token::Line));
        painter.drawLine(QPointF(plot.left(), y), QPointF(plot.right(), y));
        painter.setPen(theme.color(Token::TextMuted));
        painter.drawText(QRectF(0, y - 7, kLeft - 6, 14), Qt::AlignRight | Qt::AlignVCenter, QString::number(percent));
    }
    painter.setPen(theme.color(Token::TextMuted));
    for (int quarter = 0; quarter <= 4; ++quarter) {
        const double x = plot.left() + plot.width() * quarter / 4;
        const QString text = quarter == 4 ? tr("now") : tr("−%1 min").arg(60 - 15 * quarter);
        const double width = 64;
        const double left = quarter == 0 ? x : quarter == 4 ? x - width : x - width / 2;
        painter.drawText(QRectF(left, plot.bottom() + 3, width, kFoot),
                         quarter == 0   ? Qt::AlignLeft
                         : quarter == 4 ? Qt::AlignRight
                                        : Qt::AlignHCenter,
                         text);
    }
    for (const LoadCurve& curve : kLoadCurves) {
        QPainterPath path;
        double before = -1;
        QPointF last;
        bool drawn = false;
        for (const LoadPoint& point : points_) {
            const auto value = point.*curve.value;
            if (!value || point.time < now_ - kLoadSpan)
                continue;
            last = QPointF(plot.right() - plot.width() * (now_ - point.time) / kLoadSpan,
                           plot.bottom() - plot.height() * *value / 100);
            if (before < 0 || point.time - before > kGap)
                path.moveTo(last);
            else
                path.lineTo(last);
            before = point.time;
            drawn = true;
        }
        const QColor color = theme.runColor(curve.color);
        painter.setBrush(Qt::NoBrush);
        painter.setPen(QPen(color, 1.4, curve.dash));
        painter.drawPath(path);
        if (!drawn)
            continue;
        // One answer alone is a point.
        painter.setPen(Qt::NoPen);
        painter.setBrush(color);
        painter.drawEllipse(last, 2.2, 2.2);
    }
}

}  // namespace trainyard::desktop
