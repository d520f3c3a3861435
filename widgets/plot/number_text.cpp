// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plot/number_text.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <QDateTime>
#include <QLocale>

#include "base/text.h"
#include "widgets/languages.h"
#include "widgets/translate.h"

namespace trainyard::widgets {

namespace {

constexpr QChar kMinus(0x2212);
constexpr QChar kSpace(0xA0);

struct Prefix {
    double factor;
    const char* letter;
};
constexpr std::array<Prefix, 4> kPrefixes{{{1e12, "T"}, {1e9, "G"}, {1e6, "M"}, {1e3, "k"}}};

/// Returns the number of decimals that a multiple of `step` needs, at most 6.
int decimals_of(double step) {
    for (int decimals = 0; decimals < 6; ++decimals) {
        const double scaled = step * std::pow(10.0, decimals);
        if (std::abs(scaled - std::round(scaled)) < 1e-6 * std::max(1.0, scaled))
            return decimals;
    }
    return 6;
}

QString scientific(double value, int digits) {
    int exponent = static_cast<int>(std::floor(std::log10(std::abs(value)) + 1e-9));
    double mantissa = value / std::pow(10.0, exponent);
    // 9.999e-4 with two digits is 1e-3, not 10e-4.
    if (const double last = std::pow(10.0, digits); std::round(std::abs(mantissa) * last) >= 10 * last) {
        mantissa /= 10;
        ++exponent;
    }
    QString text = QString::number(mantissa, 'f', digits);
    if (text.contains(QLatin1Char('.'))) {
        while (text.endsWith(QLatin1Char('0')))
            text.chop(1);
        if (text.endsWith(QLatin1Char('.')))
            text.chop(1);
    }
    return local_number(text) + QLatin1Char('e') + QString::number(exponent);
}

QString with_minus(QString text) {
    return local_number(std::move(text)).replace(QLatin1Char('-'), kMinus);
}

/// `18,420`
QString with_groups(double value) {
    return QLocale().toString(std::llround(value)).replace(QLatin1Char('-'), kMinus);
}

}  // namespace

QString axis_number(double value, double step) {
    step = std::abs(step);
    if (std::abs(value) < step * 1e-6)
        return QStringLiteral("0");
    const double size = std::abs(value);
    // Close steps are written in full: 1,084 instead of 1.084k.
    if (size < 1e6 && size >= 1e3 && step >= 1 && decimals_of(step / 1e3) > 1)
        return with_groups(value);
    for (const Prefix& prefix : kPrefixes)
        if (size >= prefix.factor * 0.9999999)
            return with_minus(
                QString::number(value / prefix.factor, 'f', std::min(3, decimals_of(step / prefix.factor))) +
                QLatin1String(prefix.letter));
    if (size < 1e-3 || (size < 1e-2 && step < 1e-3))
        return scientific(value, 2);
    return with_minus(QString::number(value, 'f', decimals_of(step)));
}

QString axis_time(double seconds, double step) {
    if (std::abs(seconds) < 1e-9)
        return QStringLiteral("0");
    const auto in = [&](double unit, const char* letter) {
        return with_minus(QString::number(seconds / unit, 'f', std::min(2, decimals_of(step / unit)))) + kSpace +
               QLatin1String(letter);
    };
    if (step >= 43200)
        return in(86400, "d");
    if (step >= 1800)
        return in(3600, "h");
    if (step >= 30)
        return in(60, "min");
    return in(1, "s");
}

QString axis_wall(double seconds, double step, bool first) {
    const QDateTime time = QDateTime::fromMSecsSinceEpoch(std::llround(seconds * 1000));
    const QLocale locale;
    if (step >= 28 * 86400.0)
        return locale.toString(time, tr("MMM yyyy", "format of a date"));
    if (step >= 43200 || (first && step >= 60))
        return locale.toString(time,
                               step >= 43200 ? tr("d MMM", "format of a date") : tr("d MMM HH:mm", "format of a date"));
    if (time.time().hour() == 0 && time.time().minute() == 0 && time.time().second() == 0)
        return locale.toString(time, tr("d MMM", "format of a date"));
    return time.toString(step >= 60  ? QStringLiteral("HH:mm")
                         : step >= 1 ? QStringLiteral("HH:mm:ss")
                                     : QStringLiteral("ss.zzz"));
}

QString value_number(double value, int digits) {
    if (std::isnan(value))
        return QStringLiteral("NaN");
    if (std::isinf(value))
        return value > 0 ? QStringLiteral("∞") : QStringLiteral("−∞");
    if (value == 0)
        return QStringLiteral("0");
    const double size = std::abs(value);
    const auto fixed = [&](double number) {
        if (std::abs(number) >= 1000)
            return with_groups(number);
        const int whole = std::abs(number) >= 1 ? static_cast<int>(std::floor(std::log10(std::abs(number)))) + 1 : 1;
        const int zeros = std::abs(number) < 0.1 ? 1 : 0;
        return with_minus(QString::number(number, 'f', std::max(0, digits - whole + zeros)));
    };
    if (size < 1e-2)
        return scientific(value, digits - 2);
    if (size < 10000)
        return fixed(value);
    for (const Prefix& prefix : kPrefixes)
        if (size >= prefix.factor) {
            const double scaled = value / prefix.factor;
            const int whole = static_cast<int>(std::floor(std::log10(std::abs(scaled)))) + 1;
            return with_minus(QString::number(scaled, 'f', std::max(0, 3 - whole))) + kSpace +
                   QLatin1String(prefix.letter);
        }
    return fixed(value);
}

QString position_text(double x, XUnit unit) {
    switch (unit) {
        case XUnit::Time:
            return duration_words(x);
        case XUnit::Tokens:
            return value_number(x, 3) + tr(" tok");
        case XUnit::Epoch:
            return tr("epoch %1").arg(QLocale().toString(x, 'f', 3));
        case XUnit::Wall:
            return QDateTime::fromMSecsSinceEpoch(std::llround(x * 1000))
                .toString(QStringLiteral("yyyy-MM-dd HH:mm:ss"));
        case XUnit::Value:
            return value_number(x, 4);
        case XUnit::Step:
            break;
    }
    return tr("step %1").arg(QLocale().toString(static_cast<qlonglong>(std::llround(x))));
}

QString duration_words(double seconds) {
    return local_number(QString::fromStdString(text::duration(std::max(0.0, seconds))))
        .replace(QLatin1Char(' '), kSpace);
}

}  // namespace trainyard::widgets
