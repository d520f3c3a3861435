// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/duration_text.h"

#include <algorithm>
#include <cmath>

#include <QLocale>

#include "widgets/plot/number_text.h"

namespace trainyard::widgets {

namespace {

struct TimeUnit {
    double size;  ///< ns
    const char* name;
};
constexpr TimeUnit kTimeUnits[] = {{1e9, "s"}, {1e6, "ms"}, {1e3, "µs"}, {1, "ns"}};

const TimeUnit& unit_for(double nanoseconds) {
    for (const TimeUnit& unit : kTimeUnits)
        if (nanoseconds >= unit.size)
            return unit;
    return kTimeUnits[3];
}

QString with_unit(const QString& number, const TimeUnit& unit) {
    return number + QChar(QChar::Nbsp) + QString::fromUtf8(unit.name);
}

}  // namespace

QString nanosecond_words(std::int64_t nanoseconds) {
    const double size = std::fabs(static_cast<double>(nanoseconds));
    if (size >= 100e9)
        return duration_words(static_cast<double>(nanoseconds) / 1e9);
    const TimeUnit& unit = unit_for(size);
    const double value = static_cast<double>(nanoseconds) / unit.size;
    const int whole = size == 0 ? 1 : static_cast<int>(std::floor(std::log10(std::fabs(value)))) + 1;
    QString number = QLocale().toString(value, 'f', unit.size == 1 ? 0 : std::clamp(4 - whole, 0, 3));
    const QString point = QLocale().decimalPoint();
    if (number.contains(point)) {
        while (number.endsWith(QLatin1Char('0')))
            number.chop(1);
        if (number.endsWith(point))
            number.chop(point.size());
    }
    return with_unit(number, unit);
}

QString offset_words(std::int64_t nanoseconds, std::int64_t step) {
    const double size = std::fabs(static_cast<double>(nanoseconds));
    const TimeUnit& unit = unit_for(std::max(size, static_cast<double>(step)));
    const double step_in_units = static_cast<double>(std::max<std::int64_t>(step, 1)) / unit.size;
    const int decimals = std::clamp(static_cast<int>(std::ceil(-std::log10(step_in_units) - 1e-9)), 0, 9);
    const QString sign = nanoseconds < 0 ? QString(QChar(0x2212)) : QStringLiteral("+");
    return with_unit(sign + QLocale().toString(size / unit.size, 'f', decimals), unit);
}

}  // namespace trainyard::widgets
