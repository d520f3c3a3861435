#pragma once
// Words of the engine's tables (labels and help of questions, keys, presets and the recipe's keys) in the language of the window. The
// tables are English, since the terminal and files use them, too. engine_texts.cpp lists them for lupdate, under the context
// trainyard::engine; a test compares the list with the tables.

#include <string_view>
#include <vector>

#include <QString>

namespace trainyard::desktop {

/// English where there is no translation.
QString engineWords(std::string_view text);
/// Those that lupdate finds, in order of letters.
const std::vector<const char*>& engineTexts();

}  // namespace trainyard::desktop
