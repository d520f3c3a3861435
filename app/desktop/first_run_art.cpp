#include "desktop/first_run_art.h"

#include <cmath>

#include <QPainter>
#include <QPainterPath>

#include "desktop/ui.h"

namespace trainyard::desktop {

namespace {
constexpr int kArtHeight = 112;

void follow_theme(QWidget* widget) {
    QObject::connect(&Theme::instance(), &Theme::changed, widget, QOverload<>::of(&QWidget::update));
}
}  // namespace

CurveArt::CurveArt(QWidget* parent) : QWidget(parent) {
    setFixedHeight(kArtHeight);
    setAccessibleName(tr("Picture of a falling loss curve"));
    follow_theme(this);
}

void CurveArt::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const QColor color = Theme::instance().runColor(1);
    QPolygonF line;
    unsigned random = 11;
    constexpr int kPoints = 150;
    for (int i = 0; i <= kPoints; ++i) {
        random = random * 1664525u + 1013904223u;
        const double t = static_cast<double>(i) / kPoints;
        const double noise = (static_cast<double>(random >> 16 & 0xFF) / 255 - 0.5) * (0.03 + 0.05 * std::exp(-3 * t));
        const double y = 0.17 + 0.74 * std::exp(-4.2 * t) + noise;
        line << QPointF(t * (width() - 2) + 1, (1 - y) * (height() - 4) + 2);
    }
    QPainterPath area;
    area.moveTo(line.first().x(), height());
    for (const QPointF& point : std::as_const(line))
        area.lineTo(point);
    area.lineTo(line.last().x(), height());
    QColor fill = color;
    fill.setAlphaF(0.16F);
    painter.fillPath(area, fill);
    painter.setPen(QPen(color, 2, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    painter.drawPolyline(line);
}

FactsArt::FactsArt(const QVector<std::pair<QString, QString>>& facts, QWidget* parent)
    : QWidget(parent), facts_(facts) {
    setFixedHeight(kArtHeight);
    QStringList words;
    for (const auto& [what, value] : facts)
        words << what + QStringLiteral(": ") + value;
    setAccessibleName(words.join(QStringLiteral(", ")));
    follow_theme(this);
}

void FactsArt::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const double pitch = (height() + 4.0) / static_cast<double>(facts_.size());
    double top = 0;
    for (const auto& [what, value] : facts_) {
        const QRectF row(0, top, width(), pitch - 4);
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(Token::BgPage));
        painter.drawRoundedRect(row, 4, 4);
        painter.drawPixmap(QPointF(8, row.center().y() - 7),
                           theme.pixmap(QStringLiteral("check"), Token::Ok, 14, devicePixelRatioF()));
        painter.setFont(theme.text(12));
        painter.setPen(theme.color(Token::TextSecondary));
        const QRectF inner = row.adjusted(30, 0, -10, 0);
        painter.drawText(inner, Qt::AlignLeft | Qt::AlignVCenter, what);
        draw_text(painter, theme.text(12, QFont::Medium), Token::Text, inner, value, Qt::AlignRight | Qt::AlignVCenter);
        top += pitch;
    }
}

DropArt::DropArt(const QString& words, QWidget* parent) : QWidget(parent), words_(words) {
    setFixedHeight(kArtHeight);
    setAccessibleName(words);
    follow_theme(this);
}

void DropArt::paintEvent(QPaintEvent*) {
    Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    QPen dashed(theme.color(Token::LineControl), 1.2);
    dashed.setDashPattern({4, 3});
    painter.setPen(dashed);
    painter.setBrush(theme.color(Token::BgPage));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 8, 8);
    const QStringList icons{QStringLiteral("folder"), QStringLiteral("file"), QStringLiteral("runs")};
    constexpr int kIcon = 24;
    constexpr int kPitch = 56;
    int x = width() / 2 - (static_cast<int>(icons.size()) - 1) * kPitch / 2 - kIcon / 2;
    for (const QString& icon : icons) {
        painter.drawPixmap(x, 32, theme.pixmap(icon, Token::TextSecondary, kIcon, devicePixelRatioF()));
        x += kPitch;
    }
    draw_text(painter, theme.text(12), Token::TextMuted, QRect(8, 68, width() - 16, 28), words_, Qt::AlignCenter);
}

}  // namespace trainyard::desktop
