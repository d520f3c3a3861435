// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/given_keys.h"

#include <algorithm>
#include <stdexcept>

#include "config/recipe/recipe_fields.h"

namespace trainyard::config {

namespace {

std::string text_of_key(const Recipe& recipe, const std::string& key) {
    for (const Field& field : recipe_fields())
        if (field.dotted() == key)
            return field_text(field, recipe);
    throw std::logic_error("not a key of recipes: " + key);
}

}  // namespace

std::vector<std::string> overrides_of(const std::vector<GivenKey>& given, const Recipe& recipe,
                                      std::vector<Problem>& problems) {
    std::vector<std::string> overrides;
    for (const GivenKey& one : given) {
        const std::string here = text_of_key(recipe, one.key);
        std::string wanted = one.value;
        try {
            Recipe alone;
            apply_overrides(alone, {one.key + "=" + one.value});
            wanted = text_of_key(alone, one.key);
        } catch (const UserError&) {
            // Its dependencies on other keys are checked with the whole recipe.
        }
        if (here == text_of_key(Recipe{}, one.key))
            overrides.push_back(one.key + "=" + one.value);
        else if (here != wanted)
            problems.push_back({"", 0, 0, one.key,
                                Message("the recipe says {} and {} says {}: let them agree, or leave it out in one "
                                        "of them",
                                        here, one.source, one.value)});
    }
    return overrides;
}

void apply_given(Recipe& recipe, const std::vector<std::string>& overrides, const std::vector<GivenKey>& given) {
    try {
        apply_overrides(recipe, overrides);
    } catch (const InvalidInput& invalid) {
        std::vector<Problem> problems = invalid.problems();
        for (Problem& problem : problems) {
            const auto source = std::ranges::find(given, problem.key, &GivenKey::key);
            if (source != given.end() &&
                std::ranges::find(overrides, source->key + "=" + source->value) != overrides.end())
                problem.file = source->source;
        }
        throw InvalidInput(std::move(problems));
    }
}

}  // namespace trainyard::config
