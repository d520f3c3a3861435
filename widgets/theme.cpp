// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme.h"

#include <cmath>

#include <QApplication>
#include <QEvent>
#include <QFile>
#include <QGuiApplication>
#include <QImage>
#include <QPainter>
#include <QPalette>
#include <QPixmapCache>
#include <QScopedValueRollback>
#include <QSvgRenderer>
#include <QTimer>
#include <QWidget>

#include "widgets/color_scheme_portal.h"
#include "widgets/high_contrast.h"
#include "widgets/languages.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/popup_place.h"
#include "widgets/scroll_area.h"
#include "widgets/style.h"
#include "widgets/style_parts.h"
#include "widgets/theme_icon.h"

namespace trainyard::widgets {

namespace {

/// `size` pixels at 96 dots per inch and the usual text size.
double points(int size) {
    return size * TextSize::instance().factor() * 72 / 96;
}

bool looks_dark(const QPalette& palette) {
    return palette.color(QPalette::Window).lightness() < palette.color(QPalette::WindowText).lightness();
}

}  // namespace

Theme& Theme::instance() {
    static Theme theme;
    return theme;
}

Theme::Theme() = default;

void Theme::install(QApplication& application) {
    if (application_ != &application) {
        install_plain_text(application);
        install_wheel_guard(application);
        install_popup_place(application);
    }
    application_ = &application;
    if (Languages::current().isEmpty())
        Languages::install(application, QStringLiteral("en"));
    platform_dark_ = looks_dark(QGuiApplication::palette());
    application.setStyle(new Style);
    application.setFont(text());
    application.installEventFilter(this);
    auto* portal = new ColorSchemePortal(&application);
    connect(portal, &ColorSchemePortal::schemeChanged, this, [this](int scheme) {
        portal_scheme_ = scheme;
        systemMayHaveChanged();
    });
    connect(&application, &QObject::destroyed, this, [this] { application_ = nullptr; });
    apply();
    // The bus is asked after the first frame: connecting to it may take longer than showing the window.
    QTimer::singleShot(0, portal, &ColorSchemePortal::start);
}

void Theme::setChoice(ThemeChoice choice) {
    if (choice == choice_)
        return;
    choice_ = choice;
    apply();
}

void Theme::setTextSize(int percent) {
    if (percent / 100.0 == TextSize::instance().factor())
        return;
    TextSize::instance().setFactor(percent / 100.0);
    if (application_ != nullptr)
        application_->setFont(text());
    emit textSizeChanged();
}

void Theme::setHighContrast(bool high) {
    if (high == is_high_contrast())
        return;
    set_high_contrast(high);
    apply();
}

void Theme::systemMayHaveChanged() {
    if (choice_ == ThemeChoice::System && systemIsDark() != dark_)
        apply();
}

void Theme::apply() {
    dark_ = choice_ == ThemeChoice::System ? systemIsDark() : choice_ == ThemeChoice::Dark;
    if (application_ != nullptr) {
        QScopedValueRollback guard(applying_, true);
        style::set_palettes(dark_);
    }
    emit changed();
    for (QWidget* widget : QApplication::allWidgets())
        widget->update();
}

bool Theme::eventFilter(QObject* watched, QEvent* event) {
    if (watched == application_ && event->type() == QEvent::ApplicationPaletteChange && !applying_) {
        // The palette of the platform shows only while none of ours is set.
        QTimer::singleShot(0, this, [this] {
            if (application_ == nullptr)
                return;
            QScopedValueRollback guard(applying_, true);
            application_->setPalette(QPalette());
            platform_dark_ = looks_dark(QGuiApplication::palette());
            style::set_palettes(dark_);
            systemMayHaveChanged();
        });
    }
    return QObject::eventFilter(watched, event);
}

QColor Theme::tint(Token state) const {
    return tint(color(state));
}

QColor Theme::tint(const QColor& state) const {
    return mixed(state, color(Token::BgPanel), dark_ ? 0.15 : 0.10);
}

QFont Theme::text(int size, int weight) const {
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")});
    font.setStyleHint(QFont::SansSerif);
    font.setPointSizeF(points(size));
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

QFont Theme::mono(int size, int weight) const {
    QFont font;
    font.setFamilies({QStringLiteral("JetBrains Mono"), QStringLiteral("DejaVu Sans Mono")});
    font.setStyleHint(QFont::Monospace);
    font.setFixedPitch(true);
    // Without ligatures: keys, figures and code are read letter by letter. Scripts that need shaping still get it.
    font.setStyleStrategy(QFont::PreferNoShaping);
    font.setPointSizeF(points(size));
    font.setWeight(static_cast<QFont::Weight>(weight));
    return font;
}

QPixmap Theme::pixmap(const QString& name, const QColor& color, int size, qreal ratio) const {
    const QString key = QStringLiteral("trainyard/%1/%2/%3/%4").arg(name, color.name()).arg(size).arg(ratio);
    QPixmap pixmap;
    if (QPixmapCache::find(key, &pixmap))
        return pixmap;
    QFile file(QStringLiteral(":/trainyard/icons/%1.svg").arg(name));
    if (!file.open(QIODevice::ReadOnly))
        return pixmap;
    QByteArray drawing = file.readAll();
    // Lines that grow with the size look heavy: a 48 px icon has lines of 2.6 px, not of 4.5.
    if (size > 20)
        drawing.replace("stroke-width=\"1.5\"",
                        "stroke-width=\"" + QByteArray::number(1.5 * std::sqrt(16.0 / size), 'f', 2) + '"');
    QSvgRenderer renderer(drawing);
    QImage image(QSize(size, size) * ratio, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    QPainter painter(&image);
    renderer.render(&painter, QRectF(QPointF(), QSizeF(image.size())));
    painter.setCompositionMode(QPainter::CompositionMode_SourceIn);
    painter.fillRect(image.rect(), color);
    painter.end();
    pixmap = QPixmap::fromImage(image);
    pixmap.setDevicePixelRatio(ratio);
    QPixmapCache::insert(key, pixmap);
    return pixmap;
}

QIcon Theme::icon(const QString& name, Token token) const {
    return QIcon(new ThemeIcon(name, token));
}

}  // namespace trainyard::widgets
