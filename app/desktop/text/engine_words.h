// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Translates texts of the engine's tables (labels and help of questions, keys, presets and the recipe's keys) into the
// language of the window. The tables are English, because the terminal and files use them, too. Their translation
// context is trainyard::engine; packaging/translations adds the texts of the tables to the catalogues.

#include <string_view>

#include <QString>

namespace trainyard::desktop {

/// Translates a message of the engine. Returns the English text if a translation is missing.
QString engineWords(std::string_view text);

}  // namespace trainyard::desktop
