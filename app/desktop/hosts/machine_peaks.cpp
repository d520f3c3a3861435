// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/machine_peaks.h"

#include <algorithm>
#include <system_error>

#include <QStringList>

#include "base/error.h"
#include "base/text.h"
#include "desktop/shell/ui.h"

namespace trainyard::desktop {

MachinePeaks::MachinePeaks(QObject* parent, std::filesystem::path file) : QObject(parent), file_(std::move(file)) {}

void MachinePeaks::refresh() {
    reading_.submit([file = file_] { return estimate::known_peaks(file); },
                    [this](const Known& known) {
                        const auto same = [](const auto& one, const auto& other) {
                            return one.first == other.first && one.second.flops_per_s == other.second.flops_per_s &&
                                   one.second.time == other.second.time;
                        };
                        if (std::equal(known.begin(), known.end(), known_.begin(), known_.end(), same))
                            return;
                        known_ = known;
                        emit changed();
                    });
}

void MachinePeaks::forget() {
    removing_.submit(
        [file = file_] {
            std::error_code error;
            std::filesystem::remove(file, error);
            if (error)
                throw UserError("The measured peaks in {} could not be removed: {}", file.string(), error.message());
        },
        [this] { refresh(); }, [this](const QString& sentence) { emit failed(sentence); });
}

std::optional<estimate::KnownPeak> MachinePeaks::find(const std::string& format, int ranks, int threads) const {
    const auto found = known_.find(estimate::peak_key(threads, format, ranks));
    return found == known_.end() ? std::nullopt : std::optional(found->second);
}

PeaksPanel::PeaksPanel(MachinePeaks* peaks, QWidget* parent)
    : QWidget(parent),
      peaks_(peaks),
      lines_(selectable(wrapped(make_note({})))),
      again_(with_look(new QPushButton(tr("Measure again")),
                       {.tip = tr("Deletes the measured peaks; the next run measures them before its first step")})) {
    setLayout(make_row({0, 0, 0, 0}, 12, {{lines_, 1}, {again_, 0, Qt::AlignTop}}));
    connect(again_, &QPushButton::clicked, this, [this] {
        forgotten_ = true;
        peaks_->forget();
    });
    connect(peaks_, &MachinePeaks::changed, this, &PeaksPanel::show);
    connect(peaks_, &MachinePeaks::failed, lines_, &QLabel::setText);
    show();
}

void PeaksPanel::showEvent(QShowEvent* event) {
    QWidget::showEvent(event);
    peaks_->refresh();
}

void PeaksPanel::show() {
    QStringList lines;
    for (const auto& [key, peak] : peaks_->known())
        lines << tr("%1FLOP/s, measured %2 (%3)")
                     .arg(qtNumber(text::quantity(peak.flops_per_s)), absoluteTime(peak.time), qt(key));
    lines_->setText(!lines.isEmpty() ? lines.join(QLatin1Char('\n'))
                    : forgotten_     ? tr("The next run measures it before its first step.")
                                     : tr("Not measured yet: the first run does it before its first step."));
    again_->setEnabled(!lines.isEmpty());
}

}  // namespace trainyard::desktop
