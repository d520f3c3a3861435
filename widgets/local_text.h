// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Figures and lists as the language of the window writes them. What is shown goes through here, or through QLocale
// where it has digit groups; QString::arg() and fmt write a point in every language.

#include <optional>

#include <QString>
#include <QStringList>

namespace trainyard::widgets {

/// `1234.5`, `1234,5`: with so many decimals, without groups.
QString decimal_text(double value, int decimals = 0);
/// So many significant digits at most, and whole numbers in full: `0.5`, `1.25e-05`, `1024`.
QString short_text(double value, int digits = 4);
/// `12.5 %` of 0.125, with a no-break space where the language has one.
QString percent_text(double share, int decimals = 0);
/// `gpu-a, gpu-b`, with the comma of the language.
QString list_text(const QStringList& items);
/// Appends a text where a value or another sentence begins or ends. A translation has its blanks for one kind of value,
/// and the value may be of another: Chinese has a blank next to Latin letters and figures, and none within Chinese nor
/// after a sign; a value may be empty.
void append_text(QString& text, QStringView next);
/// `form` with `value` instead of its only placeholder, %1, as append_text() does it.
QString filled_text(const QString& form, const QString& value);
/// The number that a user typed, with the decimal separator of the language or with a point: `0,5` and `0.5`. `groups`:
/// digits may be grouped, `18,420` in English. Nothing for other texts.
std::optional<double> typed_number(const QString& text, bool groups = false);

}  // namespace trainyard::widgets
