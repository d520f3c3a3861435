// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Names of themes: the values of `--theme`, also passed from a new process to the window that is already open.

#include <optional>
#include <utility>

#include <QString>

#include "widgets/theme.h"

namespace trainyard::desktop {

inline constexpr std::pair<const char*, widgets::ThemeChoice> kThemeWords[] = {
    {"dark", widgets::ThemeChoice::Dark},
    {"light", widgets::ThemeChoice::Light},
    {"system", widgets::ThemeChoice::System}};

/// Returns std::nullopt for an unknown word.
inline std::optional<widgets::ThemeChoice> theme_of(const QString& word) {
    for (const auto& [known, choice] : kThemeWords)
        if (word == QLatin1String(known))
            return choice;
    return std::nullopt;
}

/// The name of a theme; empty: no theme was requested.
inline QString theme_word(const std::optional<widgets::ThemeChoice>& theme) {
    for (const auto& [known, choice] : kThemeWords)
        if (theme == choice)
            return QLatin1String(known);
    return {};
}

}  // namespace trainyard::desktop
