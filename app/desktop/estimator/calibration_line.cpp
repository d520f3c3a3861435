// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/calibration_line.h"

#include "desktop/estimator/memory_groups.h"
#include "desktop/estimator/scenario.h"
#include "desktop/shell/ui.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

QString factorText(double factor) {
    return widgets::decimal_text(factor, 2);
}

/// Describes the calibration of one device.
QStringList calibrationWords(const estimate::Calibration& known) {
    QStringList words;
    if (known.runs > 0)
        words << CalibrationLine::tr("%Ln runs used %1 of their estimate (%2 to %3).", nullptr,
                                     static_cast<int>(known.runs))
                     .arg(factorText(known.factor), factorText(known.least), factorText(known.most));
    if (known.program_runs > 0)
        words << CalibrationLine::tr("The program takes %1, measured by %Ln runs.", nullptr,
                                     static_cast<int>(known.program_runs))
                     .arg(memoryText(known.program));
    return words;
}

}  // namespace

CalibrationLine::CalibrationLine(Scenario* scenario, QWidget* parent, std::filesystem::path file)
    : QWidget(parent),
      scenario_(scenario),
      file_(std::move(file)),
      words_(wrapped(make_label({}, 11, QFont::Normal, Tone::Secondary))),
      forget_(with_look(
          new QPushButton(tr("Forget")),
          {.kind = "link", .tip = tr("Delete what runs have measured on this device; the next runs measure again")})) {
    forget_->setFont(Theme::instance().text(12, QFont::Medium));
    setLayout(make_row({0, 0, 0, 0}, 8, {{words_, 1}, {forget_, 0, Qt::AlignTop}}));
    connect(forget_, &QPushButton::clicked, this, &CalibrationLine::forget);
    connect(scenario_, &Scenario::changed, this, [this] {
        if (scenario_->search().hardware().device.name != device_)
            show();
    });
    show();
    refresh();
}

void CalibrationLine::refresh() {
    reading_.submit([file = file_] { return estimate::calibrations(file); },
                    [this](const std::map<std::string, estimate::Calibration>& known) {
                        known_ = known;
                        scenario_->recalibrate(file_);
                        show();
                    });
}

void CalibrationLine::forget() {
    writing_.submit([file = file_, device = device_] { estimate::forget_calibration(device, file); },
                    [this] { refresh(); }, [this](const QString& sentence) { emit failed(sentence); });
}

void CalibrationLine::show() {
    device_ = scenario_->search().hardware().device.name;
    const auto found = known_.find(device_);
    const bool learnt = found != known_.end();
    words_->setText(
        device_.empty() ? QString()
        : learnt ? tr("Calibrated on %1: %2").arg(qt(device_), calibrationWords(found->second).join(QLatin1Char(' ')))
                 : tr("No calibration for %1 yet: runs that end on it from now on are measured.").arg(qt(device_)));
    QStringList tip;
    for (const auto& [device, known] : known_) {
        tip << qt(device) + QStringLiteral(": ") + calibrationWords(known).join(QLatin1Char(' '));
        if (!known.last_run.empty())
            tip << tr("    last by %1, %2").arg(qt(known.last_run), absoluteTime(known.last_time));
    }
    if (!tip.isEmpty())
        tip << tr("Saved in %1. The factor is applied once three runs of at least 512 MiB have been measured.")
                   .arg(qt(file_.string()));
    words_->setToolTip(tip.join(QLatin1Char('\n')));
    forget_->setVisible(learnt);
    forget_->setAccessibleName(tr("Delete the calibration of %1").arg(qt(device_)));
}

}  // namespace trainyard::desktop
