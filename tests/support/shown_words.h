// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The texts that a part of the window shows.

#include <QLabel>
#include <QStringList>

#include "widgets/label.h"

namespace trainyard::test {

/// Returns the texts of the labels within `part` that are not hidden, and the accessible names of pictures, one a line.
inline QString shown_words(const QWidget& part) {
    QStringList words;
    for (const QLabel* label : part.findChildren<QLabel*>()) {
        const auto* elided = dynamic_cast<const widgets::ElidedLabel*>(label);
        const QString text = elided != nullptr ? elided->fullText() : label->text();
        if (label->isVisibleTo(&part))
            words << (text.isEmpty() ? label->accessibleName() : text);
    }
    return words.join(QLatin1Char('\n'));
}

}  // namespace trainyard::test
