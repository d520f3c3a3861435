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

}  // namespace trainyard::widgets
