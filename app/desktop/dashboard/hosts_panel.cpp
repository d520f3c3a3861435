// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/dashboard/hosts_panel.h"

#include <algorithm>
#include <cmath>

#include <QStringList>

#include "base/text.h"
#include "desktop/dashboard/tags.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"
#include "widgets/pixels.h"
#include "widgets/plain_text.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using widgets::Series;

namespace {

const int &kTitle = live_px(28), &kHostLine = live_px(18), &kBarLine = live_px(16), &kGap = live_px(6),
          &kEdge = live_px(12);
constexpr int kMostLines = 6;
const int &kBarName = live_px(44), &kShare = live_px(44);

std::optional<double> last(const Series& series) {
    if (series.empty() || !std::isfinite(series.value(series.size() - 1)))
        return std::nullopt;
    return series.value(series.size() - 1);
}

std::optional<double> share(std::optional<double> part, std::optional<double> whole) {
    return part && whole && *whole > 0 ? std::optional(*part / *whole) : std::nullopt;
}

QString bytes_text(double bytes) {
    return qtNumber(text::file_size(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

QString rate(double bytes) {
    return bytes_text(bytes).replace(u' ', QChar(0xA0)) + QStringLiteral("/s");
}

void read_gpus(const RunRecord& run, const std::string& host, HostFigures& figures) {
    double busy = 0, used = 0, total = 0, power = 0;
    int with_power = 0, with_use = 0;
    for (int gpu = 0;; ++gpu) {
        const auto of = [&](const char* name) {
            return last(run.series(tag::of_host("gpu" + std::to_string(gpu) + "/" + name, host)));
        };
        const auto use = of("utilization_percent"), memory = of("memory_bytes"), size = of("memory_total_bytes");
        if (!use && !memory)
            break;
        figures.gpus = gpu + 1;
        if (use) {
            busy += *use / 100;
            ++with_use;
        }
        used += memory.value_or(0);
        total += size.value_or(0);
        if (const auto heat = of("temperature_c"))
            figures.temperature_c = std::max(figures.temperature_c.value_or(-300), *heat);
        if (const auto watts = of("power_w")) {
            power += *watts;
            ++with_power;
        }
    }
    if (with_use > 0)
        figures.gpu = busy / with_use;
    if (total > 0)
        figures.gpu_memory = used / total;
    if (with_power > 0)
        figures.power_w = power;
}

}  // namespace

QVector<HostFigures> host_figures(const RunRecord& run) {
    QVector<HostFigures> all;
    if (!run.state())
        return all;
    for (const std::string& host : hosts_of(run.state()->ranks)) {
        const auto of = [&](const char* name) { return last(run.series(tag::of_host(name, host))); };
        const Series& memory = run.series(tag::of_host("machine/memory_bytes", host));
        if (memory.empty())
            continue;
        HostFigures figures;
        figures.host = qt(host);
        figures.time = memory.wallTime(memory.size() - 1);
        figures.memory = share(last(memory), of("machine/memory_total_bytes"));
        if (const auto percent = of("machine/cpu_percent"))
            figures.processors = *percent / 100;
        figures.disk_read = of("machine/disk_read_bytes_per_s");
        figures.disk_write = of("machine/disk_write_bytes_per_s");
        figures.net_in = of("machine/net_in_bytes_per_s");
        figures.net_out = of("machine/net_out_bytes_per_s");
        figures.disk_free = of("machine/disk_free_bytes");
        read_gpus(run, host, figures);
        all << figures;
    }
    return all;
}

HostsPanel::HostsPanel(const RunRecord* run, QWidget* parent) : QFrame(parent), run_(run) {
    setProperty("surface", QStringLiteral("panel"));
    setAccessibleName(tr("Hosts"));
    setSizePolicy(QSizePolicy::Preferred, QSizePolicy::Fixed);
    hide();
}

void HostsPanel::refresh(double now) {
    now_ = now;
    const QVector<HostFigures> figures = host_figures(*run_);
    QStringList spoken;
    bool taller = figures.size() != figures_.size();
    for (int i = 0; i < figures.size(); ++i) {
        taller = taller || bars(figures[i]).size() != bars(figures_[i]).size();
        spoken << words(figures[i]);
    }
    figures_ = figures;
    setAccessibleDescription(spoken.join(QStringLiteral("; ")));
    // Of a run that is over they would be the last of it, which say nothing about the machine.
    setVisible(!figures_.isEmpty() && run_->isLive());
    if (taller)
        updateGeometry();
    update();
}

QVector<HostsPanel::Bar> HostsPanel::bars(const HostFigures& host) {
    QVector<Bar> bars;
    const auto add = [&bars](const QString& name, const std::optional<double>& share, int color) {
        if (share)
            bars.push_back({name, *share, color});
    };
    add(tr("GPU"), host.gpu, 3);
    add(tr("GMEM"), host.gpu_memory, 6);
    add(tr("MEM"), host.memory, host.gpu ? 10 : 6);
    add(tr("CPU"), host.processors, 7);
    return bars;
}

QString HostsPanel::words(const HostFigures& host) const {
    QStringList parts;
    for (const Bar& bar : bars(host))
        parts << bar.name + QLatin1Char(' ') + widgets::percent_text(bar.share);
    if (host.disk_read && host.disk_write)
        parts << tr("disk reads %1, writes %2").arg(rate(*host.disk_read), rate(*host.disk_write));
    if (host.net_in && host.net_out)
        parts << tr("network in %1, out %2").arg(rate(*host.net_in), rate(*host.net_out));
    if (host.disk_free)
        parts << tr("%1 free").arg(bytes_text(*host.disk_free));
    return host.host + QStringLiteral(": ") + widgets::list_text(parts);
}

int HostsPanel::heightOf(const HostFigures& host) const {
    return kHostLine + (figures_.size() > kMostHosts ? 0 : static_cast<int>(bars(host).size()) * kBarLine) + kGap;
}

QSize HostsPanel::sizeHint() const {
    int height = kTitle + 4;
    for (int place = 0; place < std::min<int>(kMostLines + 1, static_cast<int>(figures_.size())); ++place)
        height += heightOf(figures_[place]);
    return {240_px, height};
}

void HostsPanel::paintEvent(QPaintEvent* event) {
    QFrame::paintEvent(event);
    const Theme& theme = Theme::instance();
    SmoothPainter painter(this);
    const int right = width() - kEdge;
    draw_text(painter, theme.text(13, QFont::DemiBold), Token::Text, QRect(kEdge, 6_px, width() - 2 * kEdge, 20_px),
              tr("Hosts"));
    int y = kTitle;
    for (int place = 0; place < figures_.size(); ++place) {
        const HostFigures& host = figures_[place];
        if (place == kMostLines) {
            draw_text(painter, theme.text(11), Token::TextMuted, QRect(kEdge, y, right - kEdge, kHostLine),
                      tr("and %Ln more", nullptr, static_cast<int>(figures_.size()) - kMostLines));
            break;
        }
        const bool stale = run_->isLive() && now_ - host.time > kStale;
        QStringList note;
        if (stale) {
            note << tr("silent for %1").arg(widgets::duration_words(now_ - host.time));
        } else {
            if (host.temperature_c)
                note << QStringLiteral("%1 °C").arg(widgets::decimal_text(*host.temperature_c));
            if (host.power_w)
                note << (*host.power_w < 1000
                             ? QStringLiteral("%1 W").arg(widgets::decimal_text(*host.power_w))
                             : QStringLiteral("%1 kW").arg(widgets::decimal_text(*host.power_w / 1000, 1)));
            if (note.isEmpty() && host.disk_free)
                note << tr("%1 free").arg(bytes_text(*host.disk_free));
        }
        const QVector<Bar> all = bars(host);
        if (figures_.size() > kMostHosts) {
            QStringList shares;
            for (const Bar& bar : all.mid(0, 2))
                shares << bar.name + QLatin1Char(' ') + widgets::percent_text(bar.share);
            note = stale ? note : shares;
        }
        const QString told = note.join(QStringLiteral(" · "));
        const int room = QFontMetrics(theme.mono(11)).horizontalAdvance(told);
        draw_text(painter, theme.mono(11), stale ? Token::Warn : Token::TextMuted,
                  QRect(right - room, y, room, kHostLine), told, Qt::AlignVCenter | Qt::AlignRight);
        const QFont font = theme.text(12, QFont::DemiBold);
        const QRect name(kEdge, y, right - room - 8 - kEdge, kHostLine);
        draw_text(painter, font, stale ? Token::TextMuted : Token::Text, name,
                  widgets::elided_text(QFontMetrics(font), host.host, Qt::ElideMiddle, name.width()));
        y += kHostLine;
        if (figures_.size() <= kMostHosts)
            for (const Bar& bar : all) {
                draw_text(painter, theme.text(11), Token::TextSecondary, QRect(kEdge, y, kBarName, kBarLine), bar.name);
                draw_text(painter, theme.mono(11), stale ? Token::TextMuted : Token::Text,
                          QRect(right - kShare, y, kShare, kBarLine), widgets::percent_text(bar.share),
                          Qt::AlignVCenter | Qt::AlignRight);
                const QRectF track(kEdge + kBarName, y + kBarLine / 2.0 - 3, right - kShare - kEdge - kBarName - 4, 6);
                fill_box(painter, track, 2, theme.color(Token::BgHover));
                QRectF filled = track;
                filled.setWidth(track.width() * std::clamp(bar.share, 0.0, 1.0));
                fill_box(painter, filled, 2, stale ? theme.color(Token::TextMuted) : theme.runColor(bar.color));
                y += kBarLine;
            }
        y += kGap;
    }
}

bool HostsPanel::event(QEvent* event) {
    const auto words_at = [this](const QPoint& at) {
        int y = kTitle;
        for (const HostFigures& host : figures_) {
            const int height = heightOf(host);
            if (at.y() >= y && at.y() < y + height)
                return words(host);
            y += height;
        }
        return QString();
    };
    return show_tip(event, this, words_at) || QFrame::event(event);
}

}  // namespace trainyard::desktop
