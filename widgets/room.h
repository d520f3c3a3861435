// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Widths that follow the words instead of a number of pixels: words of other languages are a third longer, and there are larger letters.

#include <QList>

#include "widgets/forward.h"

namespace trainyard::widgets {

/// Room for the placeholder beside the field's icons, at least `least` pixels.
int room_for_placeholder(const QLineEdit* field, int least = 0);
/// Shows of `spared` what has room in a line of `width` pixels beside the rest of it; the first ones go first.
void spare_in_line(QHBoxLayout* line, int width, const QList<QWidget*>& spared);

}  // namespace trainyard::widgets
