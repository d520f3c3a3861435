// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/gpu_tile.h"

#include <algorithm>
#include <functional>
#include <map>
#include <span>

#include <QLocale>

#include "base/text.h"
#include "desktop/hosts/host_words.h"
#include "desktop/shell/ui.h"
#include "widgets/cell_delegate.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

namespace {

constexpr int kBusyColor = 3;    // mint
constexpr int kMemoryColor = 6;  // violet
const int& kCell = live_px(13);
const int& kLabel = live_px(20);
constexpr std::size_t kMostProcesses = 10;  // in the tool tip

/// How close, 0..1, by the words of nvidia-smi's legend.
double closeness(const std::string& link) {
    static const std::map<std::string, double> ways{
        {"PIX", 0.7}, {"PXB", 0.55}, {"PHB", 0.42}, {"NODE", 0.3}, {"X", 0}};
    const auto found = ways.find(link);
    return link.starts_with("NV") ? 1 : found == ways.end() ? 0.2 : found->second;
}

}  // namespace

GpuTile::GpuTile(QWidget* parent) : QWidget(parent) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
}

void GpuTile::setGpu(const remote::GpuFacts& gpu, bool stale) {
    gpu_ = gpu;
    stale_ = stale;
    QStringList words{tr("GPU %1, %2").arg(gpu.index).arg(qt(gpu.name))};
    if (gpu.busy_percent)
        words << tr("%1 % busy").arg(*gpu.busy_percent);
    words << tr("%1 of %2 used")
                 .arg(qtNumber(text::memory_size(gpu.memory_used_bytes)),
                      qtNumber(text::memory_size(gpu.memory_bytes)));
    std::vector<const remote::GpuProcess*> processes;
    for (const remote::GpuProcess& process : gpu.processes)
        processes.push_back(&process);
    const std::size_t shown = std::min(processes.size(), kMostProcesses);
    std::ranges::partial_sort(processes, processes.begin() + static_cast<std::ptrdiff_t>(shown), std::greater(),
                              &remote::GpuProcess::memory_bytes);
    for (const remote::GpuProcess* process : std::span(processes).first(shown))
        words << tr("%1, process %2 of %3, %4")
                     .arg(qt(process->name))
                     .arg(process->pid)
                     .arg(qt(process->user), qtNumber(text::memory_size(process->memory_bytes)));
    if (shown < processes.size())
        words << tr("and %1 more").arg(processes.size() - shown);
    setAccessibleName(widgets::list_text(words));
    setToolTip(words.join(QLatin1Char('\n')));
    update();
}

void GpuTile::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    draw_box(painter, rect(), 6, theme.color(Token::BgPage), theme.color(Token::Line));
    const QRect area = rect().adjusted(10_px, 8_px, -10_px, -8_px);
    const QColor ink = theme.color(stale_ ? Token::TextMuted : Token::Text);
    const QString title = tr("GPU %1").arg(gpu_.index);
    draw_text(painter, theme.text(12, QFont::DemiBold), ink, QRect(area.left(), area.top(), area.width(), 16_px),
              title);
    const int used = painter.fontMetrics().horizontalAdvance(title) + 8;
    const QString right = gpu_.processes.empty() ? shortGpu(qt(gpu_.name))
                                                 : qt(gpu_.processes.front().user) + QStringLiteral(" · ") +
                                                       qt(gpu_.processes.front().name);
    draw_elided(painter, theme.text(11), Token::TextSecondary,
                QRect(area.left() + used, area.top(), area.width() - used, 16_px), right,
                Qt::AlignRight | Qt::AlignVCenter);
    const double share = gpu_.memory_bytes == 0
                             ? 0
                             : static_cast<double>(gpu_.memory_used_bytes) / static_cast<double>(gpu_.memory_bytes);
    const std::tuple<QString, double, QString, int> bars[] = {
        {tr("busy"), gpu_.busy_percent.value_or(0) / 100,
         gpu_.busy_percent ? widgets::percent_text(*gpu_.busy_percent / 100) : QStringLiteral("–"), kBusyColor},
        {tr("mem"), share,
         QStringLiteral("%1 GiB").arg(
             QLocale().toString(static_cast<double>(gpu_.memory_used_bytes) / (1ull << 30), 'f', 0)),
         kMemoryColor},
    };
    const QFontMetrics metrics(theme.text(11));
    int label_room = 36_px;
    for (const auto& bar : bars)
        label_room = std::max(label_room, metrics.horizontalAdvance(std::get<0>(bar)) + 8_px);
    int y = area.top() + 19_px;
    for (const auto& [label, value, text, color] : bars) {
        draw_text(painter, theme.text(11), Token::TextSecondary, QRect(area.left(), y, label_room, 16_px), label);
        draw_text(painter, theme.mono(11), ink, QRect(area.right() - 56_px, y, 57_px, 16_px), text,
                  Qt::AlignRight | Qt::AlignVCenter);
        widgets::paint_bar(painter, QRectF(area.left() + label_room, y + 6_px, area.width() - label_room - 62_px, 4_px),
                           value, stale_ ? theme.color(Token::TextMuted) : theme.runColor(color));
        y += 18_px;
    }
    QStringList foot;
    if (gpu_.temperature_c)
        foot << QStringLiteral("%1 °C").arg(QLocale().toString(*gpu_.temperature_c, 'f', 0));
    if (gpu_.power_w)
        foot << QStringLiteral("%1 W").arg(QLocale().toString(*gpu_.power_w, 'f', 0));
    draw_text(painter, theme.mono(11), Token::TextSecondary,
              QRect(area.left(), area.bottom() - 14_px, area.width(), 16_px), foot.join(QStringLiteral(" ")));
}

void LinksMatrix::setLinks(const std::vector<std::vector<std::string>>& links) {
    links_ = links;
    QStringList words;
    for (std::size_t i = 0; i < links_.size(); ++i)
        for (std::size_t j = i + 1; j < links_[i].size() && words.size() < 64; ++j)
            words << tr("%1 to %2: %3").arg(i).arg(j).arg(qt(links_[i][j]));
    setAccessibleName(tr("Links between GPUs"));
    setAccessibleDescription(widgets::list_text(words));
    updateGeometry();
    update();
}

QSize LinksMatrix::sizeHint() const {
    const int side = static_cast<int>(links_.size()) * kCell;
    return {kLabel + side, side};
}

void LinksMatrix::paintEvent(QPaintEvent*) {
    const Theme& theme = Theme::instance();
    QPainter painter(this);
    painter.setFont(theme.mono(10));
    for (std::size_t i = 0; i < links_.size(); ++i) {
        const int y = static_cast<int>(i) * kCell;
        painter.setPen(theme.color(Token::TextMuted));
        painter.drawText(QRect(0, y, kLabel - 5_px, kCell), Qt::AlignRight | Qt::AlignVCenter, QString::number(i));
        for (std::size_t j = 0; j < links_[i].size(); ++j)
            painter.fillRect(
                kLabel + static_cast<int>(j) * kCell, y, kCell - 1, kCell - 1,
                widgets::mixed(theme.runColor(kBusyColor), theme.color(Token::BgHover), closeness(links_[i][j])));
    }
}

bool LinksMatrix::event(QEvent* event) {
    const auto words = [this](const QPoint& at) {
        const auto i = static_cast<std::size_t>(at.y() / kCell),
                   j = static_cast<std::size_t>((at.x() - kLabel) / kCell);
        return at.x() >= kLabel && i < links_.size() && j < links_[i].size()
                   ? tr("GPU %1 to GPU %2: %3").arg(i).arg(j).arg(qt(links_[i][j]))
                   : QString();
    };
    return show_tip(event, this, words) || QWidget::event(event);
}

}  // namespace trainyard::desktop
