#pragma once
// Words of the engine's tables (labels and help of questions, keys, presets and the recipe's keys) in the language of the window. The
// tables are English, since the terminal and files use them, too. Their context is trainyard::engine; packaging/translations brings what the
// tables say into the catalogues.

#include <string_view>

#include <QString>

namespace trainyard::desktop {

/// English where there is no translation.
QString engineWords(std::string_view text);

}  // namespace trainyard::desktop
