// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Fits a sentence into the two lines of a row: the first breaks between words, the second contains the rest and is
// elided at its end.

#include <QFontMetrics>
#include <QString>
#include <QTextLayout>

namespace trainyard::widgets {

/// Returns the text with a line break where the second line begins, for painters that do not wrap text.
inline QString two_lines(const QString& words, const QFont& font, int width) {
    QTextLayout layout(words, font);
    layout.beginLayout();
    QTextLine line = layout.createLine();
    if (line.isValid())
        line.setLineWidth(width);
    layout.endLayout();
    const int first = line.isValid() ? line.textLength() : static_cast<int>(words.size());
    if (first >= words.size())
        return words;
    return words.left(first).trimmed() + QLatin1Char('\n') +
           QFontMetrics(font).elidedText(words.mid(first).trimmed(), Qt::ElideRight, width);
}

}  // namespace trainyard::widgets
