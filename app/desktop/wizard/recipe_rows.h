// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The page and the label of each key of a recipe in the wizard. A new key of config/recipe/recipe.h needs one row here;
// a test compares the two.

#include <QString>
#include <QStringList>
#include <QVector>

#include "config/recipe/recipe.h"
#include "desktop/wizard/steps.h"

namespace trainyard::desktop {

struct RecipeRow {
    QString key;
    QString label;
    QString hint;  ///< empty: the help of config/recipe/recipe.h
    Step step = Step::Model;
    QString block;      ///< heading above the row
    bool usual = true;  ///< false: collapsed under "More"
    enum class Width { Short, Long } width = Width::Short;
};

/// All rows in reading order.
const QVector<RecipeRow>& recipeRows();
/// The row of this key; nullptr if no page shows the key because its value comes from the settings.
const RecipeRow* findRecipeRow(const QString& key);

/// nullptr: no recipe has the key.
const config::RecipeKey* find_recipe_key(const QString& key);
/// Whether its value is true or false.
bool is_truth_key(const config::RecipeKey& key);
/// Whether its value is one path or several.
bool is_path_key(const config::RecipeKey& key);
/// The words that it takes: the only values, or for a path further ones. Empty: it takes anything of its type.
QStringList recipe_options(const config::RecipeKey& key);

}  // namespace trainyard::desktop
