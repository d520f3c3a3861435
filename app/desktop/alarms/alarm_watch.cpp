// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/alarms/alarm_watch.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "base/text.h"
#include "desktop/qt_text.h"
#include "widgets/local_text.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

namespace {

constexpr double kSmoothing = 0.95;      // of the loss, a look at a time
constexpr double kRise = 0.01;           // of the lowest: less is noise
constexpr std::size_t kUsualRates = 60;  // looks whose median is the usual throughput
constexpr std::size_t kFewestRates = 20;

double median(std::deque<double> values) {
    auto middle = values.begin() + static_cast<std::ptrdiff_t>(values.size() / 2);
    std::nth_element(values.begin(), middle, values.end());
    return *middle;
}

QString disk_words(double bytes) {
    return qtNumber(text::file_size(static_cast<std::uint64_t>(std::max(0.0, bytes))));
}

}  // namespace

std::vector<Notice> AlarmWatch::observe(const RunSight& sight, const AlarmRules& rules, double now) {
    std::vector<Notice> notices;
    Memory& memory = runs_[sight.path];
    const auto fire = [&](NoticeKind kind, const Message& message, std::int64_t step) {
        if (rules.rule(kind).loudness != Loudness::Off && memory.fired.insert(kind).second)
            notices.push_back({kind, sight.path, sight.name, message, step});
    };
    const auto fire_own = [&](NoticeKind kind, const QString& sentence) {
        fire(kind, Message::verbatim(sentence.toStdString()), sight.step);
    };
    const bool moved = sight.step != memory.step;
    if (moved || !sight.trains || memory.step < 0) {
        memory.step = sight.step;
        memory.moved = now;
    }
    if (const double limit = rules.rule(NoticeKind::NoProgress).limit; sight.trains && now - memory.moved >= limit)
        fire_own(NoticeKind::NoProgress, tr("no step for %1, since step %2")
                                             .arg(widgets::duration_words(now - memory.moved),
                                                  QLocale().toString(static_cast<qlonglong>(sight.step))));
    if (sight.loss && !std::isfinite(*sight.loss))
        fire_own(NoticeKind::NotANumber,
                 tr("the loss is not a number at step %1").arg(QLocale().toString(static_cast<qlonglong>(sight.step))));
    if (moved && sight.loss && std::isfinite(*sight.loss)) {
        if (*sight.loss > rules.rule(NoticeKind::LossAbove).limit)
            fire_own(NoticeKind::LossAbove, tr("the loss is %1, above %2")
                                                .arg(widgets::value_number(*sight.loss),
                                                     widgets::value_number(rules.rule(NoticeKind::LossAbove).limit)));
        memory.sum = kSmoothing * memory.sum + (1 - kSmoothing) * *sight.loss;
        memory.weight = kSmoothing * memory.weight + (1 - kSmoothing);
        const double smooth = memory.sum / memory.weight;
        if (memory.lowest_step < 0 || smooth < memory.lowest || sight.step < memory.lowest_step) {
            memory.lowest = smooth;
            memory.lowest_step = sight.step;
        }
        const double rise = smooth - memory.lowest;
        if (static_cast<double>(sight.step - memory.lowest_step) >= rules.rule(NoticeKind::Diverging).limit &&
            rise > kRise * std::abs(memory.lowest))
            fire_own(NoticeKind::Diverging,
                     tr("the smoothed loss has risen from %1 to %2 since step %3")
                         .arg(widgets::value_number(memory.lowest), widgets::value_number(smooth),
                              QLocale().toString(static_cast<qlonglong>(memory.lowest_step))));
    }
    if (moved && sight.trains && sight.tokens_per_s && *sight.tokens_per_s > 0) {
        if (memory.rates.size() >= kFewestRates) {
            const double usual = median(memory.rates);
            if (*sight.tokens_per_s < rules.rule(NoticeKind::SlowerThan).limit / 100 * usual)
                fire_own(NoticeKind::SlowerThan,
                         tr("%1 tok/s, usually %2")
                             .arg(widgets::value_number(*sight.tokens_per_s, 3), widgets::value_number(usual, 3)));
        }
        memory.rates.push_back(*sight.tokens_per_s);
        if (memory.rates.size() > kUsualRates)
            memory.rates.pop_front();
    }
    if (sight.disk_free && *sight.disk_free < rules.rule(NoticeKind::DiskBelow).limit * 1e9)
        fire_own(NoticeKind::DiskBelow, tr("%1 free on the disk of the run folder").arg(disk_words(*sight.disk_free)));
    if (sight.memory_share && 100 * *sight.memory_share > rules.rule(NoticeKind::MemoryAbove).limit)
        fire_own(NoticeKind::MemoryAbove,
                 tr("%1 % of a machine's memory is in use").arg(widgets::decimal_text(100 * *sight.memory_share)));
    for (const run::Event& event : sight.events) {
        if (event.kind == "nan")
            fire(NoticeKind::NotANumber, event.text, event.step);
        else if (event.kind == "spike")
            fire(NoticeKind::Spike, event.text, event.step);
        else if (event.kind == "warning" && event.text.text().starts_with("checkpoint ") &&
                 event.text.text().find("was not saved") != std::string::npos)
            fire(NoticeKind::CheckpointFailed, event.text, event.step);
    }
    return notices;
}

}  // namespace trainyard::desktop
