// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/local_text.h"

#include <cmath>

#include <QLocale>

#include "widgets/translate.h"

namespace trainyard::widgets {

namespace {
QLocale without_groups() {
    QLocale locale;
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    return locale;
}
}  // namespace

QString decimal_text(double value, int decimals) {
    return without_groups().toString(value, 'f', decimals);
}

QString short_text(double value, int digits) {
    // Large numbers are written out: 1024 instead of 1.02e+03.
    if (const double size = std::abs(value); size >= std::pow(10.0, digits) - 0.5 && size < 1e15)
        return decimal_text(value);
    return without_groups().toString(value, 'g', digits);
}

QString percent_text(double share, int decimals) {
    return tr("%1 %", "a share in per cent").arg(decimal_text(100 * share, decimals)).replace(u' ', QChar(QChar::Nbsp));
}

std::optional<double> typed_number(const QString& text, bool groups) {
    const QString words = text.trimmed();
    QLocale local;
    // A group does not follow a zero: 0.001 is not 1 in German.
    if (!groups || words.startsWith(u'0'))
        local.setNumberOptions(local.numberOptions() | QLocale::RejectGroupSeparator);
    for (const QLocale& locale : {local, QLocale::c()}) {
        bool is_number = false;
        const double value = locale.toDouble(words, &is_number);
        if (is_number)
            return value;
    }
    return std::nullopt;
}

}  // namespace trainyard::widgets
