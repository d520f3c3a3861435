// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Enumerations whose values have names. The names stand next to the enumeration, in the order of its values:
//
//     enum class ChatFormat : unsigned char { no, chatml };
//     constexpr auto choice_names(ChatFormat) { return std::array{"no", "chatml"}; }
//
// Readers, writers, checks and messages take the names from there; fmt writes a value as its name.

#include <algorithm>
#include <array>
#include <cstddef>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>

#include <fmt/format.h>

namespace trainyard {

template <class E>
concept Choice = std::is_enum_v<E> && requires(E value) {
    choice_names(value).size();
};

/// A std::array of the names.
template <Choice E>
inline constexpr auto kChoiceNames = choice_names(E{});

template <Choice E>
constexpr const char* choice_name(E value) {
    return kChoiceNames<E>[static_cast<std::size_t>(value)];
}

/// The value with that name, if there is one.
template <Choice E>
constexpr std::optional<E> find_choice(std::string_view name) {
    const auto found = std::ranges::find(kChoiceNames<E>, name);
    return found == kChoiceNames<E>.end() ? std::nullopt
                                          : std::optional(static_cast<E>(found - kChoiceNames<E>.begin()));
}

/// Whether a value is one of several.
template <class E>
requires std::is_enum_v<E>
constexpr bool is_one_of(E value, std::initializer_list<std::type_identity_t<E>> values) {
    return std::ranges::find(values, value) != values.end();
}

/// A value of any enumeration, and the names of its values: what tables of settings point to.
struct ChoiceValue {
    template <Choice E>
    ChoiceValue(E* choice) : value(reinterpret_cast<unsigned char*>(choice)), names(kChoiceNames<E>) {
        static_assert(std::is_same_v<std::underlying_type_t<E>, unsigned char>);
    }
    std::string name() const { return names[*value]; }

    unsigned char* value;
    std::span<const char* const> names;
};

}  // namespace trainyard

template <trainyard::Choice E>
struct fmt::formatter<E> : fmt::formatter<std::string_view> {
    template <typename Context>
    auto format(E value, Context& context) const {
        return fmt::formatter<std::string_view>::format(trainyard::choice_name(value), context);
    }
};
