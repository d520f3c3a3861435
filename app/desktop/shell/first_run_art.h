// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The small pictures in the first-run cards: a falling curve, the facts a new run starts with, a place to drop files.

#include <QVector>

#include "widgets/forward.h"

namespace trainyard::desktop {

/// A picture of what a loss curve looks like: an illustration, not data, and named so for screen readers.
QWidget* curve_art();
/// Four lines "what: value" with a tick.
QWidget* facts_art(const QVector<std::pair<QString, QString>>& facts);
/// Dashed frame with the icons of what can be opened.
QWidget* drop_art(const QString& words);

}  // namespace trainyard::desktop
