// A chart on paper: its name, a legend, the plot and what stands above it.

#include <QPainter>
#include <qcustomplot.h>

#include "widgets/plot/chart_overlay.h"
#include "widgets/plot/curve_chart.h"
#include "widgets/plot/curve_picture.h"
#include "widgets/plot/plot_canvas.h"

namespace trainyard::widgets {

namespace {
constexpr int kPaperLinePiece = 18;
constexpr int kLongestPaperName = 180;
}  // namespace

void CurveChart::paintOn(QPaintDevice& device, const QSize& size, const Look& look, bool lines) {
    flush();
    QCPPainter painter(&device);
    if (lines)
        painter.setMode(QCPPainter::pmVectorized);
    painter.setMode(QCPPainter::pmNoCaching);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.fillRect(QRect(QPoint(0, 0), size), look.color(Token::BgPanel));

    const Theme& theme = Theme::instance();
    painter.setFont(theme.text(13, QFont::DemiBold));
    painter.setPen(look.color(Token::Text));
    const QRect line(12, 4, size.width() - 24, kLegendRoom - 8);
    painter.drawText(line, Qt::AlignLeft | Qt::AlignVCenter, accessibleName());
    int x = line.left() + QFontMetrics(painter.font()).horizontalAdvance(accessibleName()) + 20;
    painter.setFont(theme.text(12));
    const QFontMetrics letters(painter.font());
    int rest = 0;
    for (const Curve& curve : curves_) {
        if (!curve.visible)
            continue;
        const QString name = letters.elidedText(curve.name, Qt::ElideMiddle, kLongestPaperName);
        const int wide = kPaperLinePiece + 6 + letters.horizontalAdvance(name) + 14;
        if (rest > 0 || x + wide > line.right() - 90) {
            ++rest;
            continue;
        }
        const QPointF middle(x, line.center().y());
        painter.setPen(QPen(look.run(curve.color), 2, curve.dash, Qt::FlatCap));
        painter.drawLine(QLineF(middle, middle + QPointF(kPaperLinePiece, 0)));
        paint_end_marker(painter, curve.end, middle + QPointF(kPaperLinePiece - 3, 0), look.run(curve.color));
        painter.setPen(look.color(Token::TextSecondary));
        painter.drawText(QRect(x + kPaperLinePiece + 6, line.top(), wide, line.height()),
                         Qt::AlignLeft | Qt::AlignVCenter, name);
        x += wide;
    }
    if (rest > 0) {
        painter.setPen(look.color(Token::TextMuted));
        painter.drawText(QRect(x, line.top(), 100, line.height()), Qt::AlignLeft | Qt::AlignVCenter,
                         tr("and %n more", nullptr, rest));
    }

    painter.translate(0, kLegendRoom);
    const Look screen = canvas_->look();
    canvas_->setLook(look);
    canvas_->paintOn(painter, QSize(size.width(), size.height() - kLegendRoom),
                     [&] { overlay_->paintKept(painter, look); });
    canvas_->setLook(screen);
}

}  // namespace trainyard::widgets
