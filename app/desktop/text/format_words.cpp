// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/text/format_words.h"

#include <algorithm>

#include <QStringList>

#include "config/recipe/device_checks.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

namespace {

QString ability_words(DeviceFormat format, const QVector<TrainingDevice>& devices) {
    const auto ability = [&](const TrainingDevice& device) { return availability(format, device.facts).ability; };
    const auto least = std::ranges::max_element(devices, {}, ability);
    const QString words = qtClause(describe(availability(format, least->facts)));
    const bool differ =
        std::ranges::any_of(devices, [&](const TrainingDevice& device) { return ability(device) != ability(*least); });
    return differ && !least->host.isEmpty() ? tr("on %1 %2").arg(least->host, words) : words;
}

}  // namespace

QString formatWords(const QString& key, const QVector<std::pair<QString, QString>>& choices,
                    const QVector<TrainingDevice>& devices) {
    QVector<std::pair<QString, QStringList>> lines;  // what is said, and of which choices
    for (const auto& [value, label] : choices) {
        const auto format = config::format_of_choice(key.toStdString(), value.toStdString());
        if (!format || devices.isEmpty())
            continue;
        const QString words = ability_words(*format, devices);
        const auto same = std::ranges::find(lines, words, [](const auto& line) { return line.first; });
        if (same == lines.end())
            lines.emplaceBack(words, QStringList{label});
        else
            same->second << label;
    }
    QStringList text;
    for (const auto& [words, labels] : std::as_const(lines))
        text << tr("%1: %2").arg(widgets::list_text(labels), words);
    return text.join(QLatin1Char('\n'));
}

}  // namespace trainyard::desktop
