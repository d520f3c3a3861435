// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/first_run_art.h"

#include <algorithm>
#include <cmath>
#include <functional>

#include <QCoreApplication>
#include <QPainterPath>

#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {
const int& kArtHeight = live_px(112);

/// A widget that a function paints.
class Art : public QWidget {
  public:
    using Paint = std::function<void(QPainter& painter, const QRect& area)>;
    Art(const QString& name, Paint paint, int least_width = 0) : paint_(std::move(paint)) {
        setFixedHeight(kArtHeight);
        setMinimumWidth(least_width);
        setAccessibleName(name);
    }

  protected:
    void paintEvent(QPaintEvent*) override {
        SmoothPainter painter(this);
        paint_(painter, rect());
    }

  private:
    Paint paint_;
};

void paint_curve(QPainter& painter, const QRect& area) {
    const QColor color = Theme::instance().runColor(1);
    QPolygonF line;
    unsigned random = 11;
    constexpr int kPoints = 150;
    for (int i = 0; i <= kPoints; ++i) {
        random = random * 1664525u + 1013904223u;
        const double t = static_cast<double>(i) / kPoints;
        const double noise = (static_cast<double>(random >> 16 & 0xFF) / 255 - 0.5) * (0.03 + 0.05 * std::exp(-3 * t));
        const double y = 0.17 + 0.74 * std::exp(-4.2 * t) + noise;
        line << QPointF(t * (area.width() - 2) + 1, (1 - y) * (area.height() - 4) + 2);
    }
    QPainterPath below;
    below.moveTo(line.first().x(), area.height());
    for (const QPointF& point : std::as_const(line))
        below.lineTo(point);
    below.lineTo(line.last().x(), area.height());
    QColor fill = color;
    fill.setAlphaF(0.16F);
    painter.fillPath(below, fill);
    painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
}

void paint_facts(QPainter& painter, const QRect& area, const QVector<std::pair<QString, QString>>& facts) {
    Theme& theme = Theme::instance();
    const double pitch = (area.height() + 4.0) / static_cast<double>(facts.size());
    double top = 0;
    for (const auto& [what, value] : facts) {
        const QRectF row(0, top, area.width(), pitch - 4);
        fill_box(painter, row, 4, theme.color(Token::BgPage));
        painter.drawPixmap(
            QPointF(8_px, row.center().y() - 7_px),
            theme.pixmap(QStringLiteral("check"), Token::Ok, 14_px, painter.device()->devicePixelRatioF()));
        const QRectF inner = row.adjusted(30_px, 0, -10_px, 0);
        draw_text(painter, theme.text(12), Token::TextSecondary, inner, what);
        draw_text(painter, theme.text(12, QFont::Medium), Token::Text, inner, value, Qt::AlignRight | Qt::AlignVCenter);
        top += pitch;
    }
}

void paint_drop(QPainter& painter, const QRect& area, const QString& words) {
    Theme& theme = Theme::instance();
    QPen dashed(theme.color(Token::LineControl), 1.2);
    dashed.setDashPattern({4, 3});
    painter.setPen(dashed);
    painter.setBrush(theme.color(Token::BgPage));
    painter.drawRoundedRect(QRectF(area).adjusted(1, 1, -1, -1), 8, 8);
    const QStringList icons{QStringLiteral("folder"), QStringLiteral("file"), QStringLiteral("runs")};
    const int kIcon = 24_px;
    const int kPitch = 56_px;
    int x = area.width() / 2 - (static_cast<int>(icons.size()) - 1) * kPitch / 2 - kIcon / 2;
    for (const QString& icon : icons) {
        painter.drawPixmap(x, 32_px,
                           theme.pixmap(icon, Token::TextSecondary, kIcon, painter.device()->devicePixelRatioF()));
        x += kPitch;
    }
    draw_text(painter, theme.text(12), Token::TextMuted, QRect(8_px, 68_px, area.width() - 16_px, 28_px), words,
              Qt::AlignCenter);
}

int advance(const QString& text, int weight) {
    return QFontMetrics(Theme::instance().text(12, weight)).horizontalAdvance(text);
}

}  // namespace

QWidget* curve_art() {
    return new Art(QCoreApplication::translate("trainyard::desktop::CurveArt", "Picture of a falling loss curve"),
                   paint_curve);
}

QWidget* facts_art(const QVector<std::pair<QString, QString>>& facts) {
    const int kBesideText = 52_px;  // the tick and margins
    QStringList words;
    int widest = 0;
    for (const auto& [what, value] : facts) {
        words << what + QStringLiteral(": ") + value;
        widest = std::max(widest, advance(what, QFont::Normal) + advance(value, QFont::Medium));
    }
    return new Art(
        widgets::list_text(words), [facts](QPainter& painter, const QRect& area) { paint_facts(painter, area, facts); },
        widest + kBesideText);
}

QWidget* drop_art(const QString& words) {
    const int kBesideText = 20_px;
    return new Art(
        words, [words](QPainter& painter, const QRect& area) { paint_drop(painter, area, words); },
        advance(words, QFont::Normal) + kBesideText);
}

}  // namespace trainyard::desktop
