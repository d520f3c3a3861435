// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/color_vision.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QPainter>

namespace trainyard::widgets {

namespace {

constexpr double kMatrix[3][3] = {
    {0.367322, 0.860646, -0.227968}, {0.280085, 0.672501, 0.047413}, {-0.011820, 0.042940, 0.968881}};
constexpr int kSteps = 4096;  // of linear light

/// sRGB 0..255 -> linear 0..1, and back from kSteps steps: the same for every pixel.
struct Tables {
    std::array<float, 256> linear{};
    std::array<uchar, kSteps + 1> gamma{};

    Tables() {
        for (int i = 0; i < 256; ++i) {
            const double c = i / 255.0;
            linear[static_cast<std::size_t>(i)] =
                static_cast<float>(c <= 0.04045 ? c / 12.92 : std::pow((c + 0.055) / 1.055, 2.4));
        }
        for (int i = 0; i <= kSteps; ++i) {
            const double c = static_cast<double>(i) / kSteps;
            const double s = c <= 0.0031308 ? 12.92 * c : 1.055 * std::pow(c, 1 / 2.4) - 0.055;
            gamma[static_cast<std::size_t>(i)] = static_cast<uchar>(std::lround(s * 255));
        }
    }
};

QRgb seen(QRgb color) {
    static const Tables tables;
    const float red = tables.linear[static_cast<std::size_t>(qRed(color))];
    const float green = tables.linear[static_cast<std::size_t>(qGreen(color))];
    const float blue = tables.linear[static_cast<std::size_t>(qBlue(color))];
    int out[3];
    for (int row = 0; row < 3; ++row) {
        const double light = kMatrix[row][0] * red + kMatrix[row][1] * green + kMatrix[row][2] * blue;
        const auto step = static_cast<std::size_t>(std::clamp(light, 0.0, 1.0) * kSteps + 0.5);
        out[row] = tables.gamma[step];
    }
    return qRgba(out[0], out[1], out[2], qAlpha(color));
}

}  // namespace

QColor as_deuteranope(const QColor& color) {
    return QColor::fromRgba(seen(color.rgba()));
}

QImage as_deuteranope(QImage image) {
    image.convertTo(QImage::Format_ARGB32);
    for (int y = 0; y < image.height(); ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        QRgb before = 0, then = seen(0);  // most pixels are like the one beside them
        for (int x = 0; x < image.width(); ++x) {
            if (line[x] != before) {
                before = line[x];
                then = seen(before);
            }
            line[x] = then;
        }
    }
    return image;
}

void DeuteranopiaEffect::draw(QPainter* painter) {
    QPoint offset;
    const QPixmap plain = sourcePixmap(Qt::LogicalCoordinates, &offset, QGraphicsEffect::NoPad);
    QImage image = as_deuteranope(plain.toImage());
    image.setDevicePixelRatio(plain.devicePixelRatio());
    painter->drawImage(offset, image);
}

}  // namespace trainyard::widgets
