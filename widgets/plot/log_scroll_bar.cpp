// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/log_scroll_bar.h"

#include <algorithm>

#include <QPainter>

#include "widgets/plot/log_model.h"
#include "widgets/theme.h"

namespace trainyard::widgets {

LogScrollBar::LogScrollBar(const LogModel* model, QWidget* parent) : QScrollBar(Qt::Vertical, parent), model_(model) {
    connect(model, &LogModel::foundChanged, this, qOverload<>(&QWidget::update));
}

void LogScrollBar::setMark(int row) {
    if (mark_ == row)
        return;
    mark_ = row;
    update();
}

std::vector<bool> LogScrollBar::foundPixels() const {
    std::vector<bool> pixels(static_cast<std::size_t>(std::max(0, height())), false);
    const int rows = model_->rowCount();
    if (rows == 0 || pixels.empty())
        return pixels;
    // At most as many look-ups as there are pixels, whatever the number of lines found.
    const std::vector<std::uint32_t>& found = model_->found();
    for (auto next = found.begin(); next != found.end();) {
        const std::size_t pixel = std::min(
            pixels.size() - 1, static_cast<std::size_t>(*next) * pixels.size() / static_cast<std::size_t>(rows));
        pixels[pixel] = true;
        const std::size_t beyond = ((pixel + 1) * static_cast<std::size_t>(rows) + pixels.size() - 1) / pixels.size();
        next = std::lower_bound(next + 1, found.end(), static_cast<std::uint32_t>(beyond));
    }
    return pixels;
}

void LogScrollBar::paintEvent(QPaintEvent* event) {
    QScrollBar::paintEvent(event);
    QPainter painter(this);
    const Theme& theme = Theme::instance();
    const std::vector<bool> pixels = foundPixels();
    for (std::size_t y = 0; y < pixels.size(); ++y)
        if (pixels[y])
            painter.fillRect(QRect(width() / 2, static_cast<int>(y), width() / 2, 2), theme.color(Token::Warn));
    if (const int rows = model_->rowCount(); mark_ >= 0 && rows > 0)
        painter.fillRect(QRect(0, static_cast<int>(static_cast<qint64>(mark_) * height() / rows), width(), 2),
                         theme.color(Token::Accent));
}

}  // namespace trainyard::widgets
