#pragma once
// The theme of a start as a word: of `--theme`, and as one start hands it to the window that is there.

#include <optional>
#include <utility>

#include <QString>

#include "widgets/theme.h"

namespace trainyard::desktop {

inline constexpr std::pair<const char*, widgets::ThemeChoice> kThemeWords[] = {
    {"dark", widgets::ThemeChoice::Dark},
    {"light", widgets::ThemeChoice::Light},
    {"system", widgets::ThemeChoice::System}};

/// Nothing for a word that is none of them.
inline std::optional<widgets::ThemeChoice> theme_of(const QString& word) {
    for (const auto& [known, choice] : kThemeWords)
        if (word == QLatin1String(known))
            return choice;
    return std::nullopt;
}

/// Empty: no theme was asked for.
inline QString theme_word(const std::optional<widgets::ThemeChoice>& theme) {
    for (const auto& [known, choice] : kThemeWords)
        if (theme == choice)
            return QLatin1String(known);
    return {};
}

}  // namespace trainyard::desktop
