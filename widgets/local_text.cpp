// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/local_text.h"

#include <cmath>

#include <QHash>
#include <QLocale>

#include "widgets/translate.h"

namespace trainyard::widgets {

namespace {
QLocale without_groups() {
    QLocale locale;
    locale.setNumberOptions(locale.numberOptions() | QLocale::OmitGroupSeparator);
    return locale;
}

bool is_wide(QChar c) {
    return c.unicode() >= 0x2E80;
}

/// A sign that is as wide as a letter of Chinese and has its blank in itself.
bool is_wide_sign(QChar c) {
    return (c.unicode() >= 0x3000 && c.unicode() <= 0x303F) || c.unicode() >= 0xFF00;
}

}  // namespace

void append_text(QString& text, QStringView next) {
    static const QHash<QChar, QChar> wide_signs{{u':', u'：'}, {u';', u'；'}, {u',', u'，'}, {u'.', u'。'}};
    const QStringView before = QStringView(text).trimmed(), after = next.trimmed();
    if (before.isEmpty() || after.isEmpty() || (!is_wide(before.back()) && !is_wide(after.front()))) {
        text += text.endsWith(u' ') && next.startsWith(u' ') ? next.mid(1) : next;
        return;
    }
    const bool has_blank = text.endsWith(u' ') || next.startsWith(u' ');
    QChar left = before.back();
    const QChar right = after.front();
    text.truncate(before.data() + before.size() - text.constData());
    if (const auto sign = wide_signs.constFind(left); has_blank && sign != wide_signs.constEnd())
        text.back() = left = *sign;
    const bool is_tight = is_wide_sign(left) || is_wide_sign(right) || (is_wide(left) && is_wide(right));
    const bool is_loose = left.isLetterOrNumber() && right.isLetterOrNumber();
    if (!is_tight && (is_loose || has_blank))
        text += u' ';
    text += next.mid(after.data() - next.data());
}

QString filled_text(const QString& form, const QString& value) {
    const qsizetype at = form.indexOf(QLatin1String("%1"));
    QString text = form.left(at);
    append_text(text, value);
    append_text(text, QStringView(form).mid(at + 2));
    return text;
}

QString list_text(const QStringList& items) {
    return items.join(tr(", ", "between the items of a list"));
}

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
