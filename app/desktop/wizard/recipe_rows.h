// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The page and the label of each key of a recipe in the wizard. A new key of config/recipe/recipe.h needs one row here;
// a test compares the two.

#include <QString>
#include <QVector>

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

}  // namespace trainyard::desktop
