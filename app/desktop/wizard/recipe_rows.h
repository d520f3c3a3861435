#pragma once
// On which page of the wizard each key of a recipe stands, and under which words. A new key of config/recipe/recipe.h is one row here;
// a test holds the two together.

#include <QString>
#include <QVector>

#include "desktop/wizard/steps.h"

namespace trainyard::desktop {

struct RecipeRow {
    QString key;
    QString label;
    QString hint;  ///< empty: the help of config/recipe/recipe.h
    Step step = Step::Model;
    QString block;      ///< heading the row stands under
    bool usual = true;  ///< false: folded away under "More"
    enum class Width { Short, Long } width = Width::Short;
};

/// In reading order.
const QVector<RecipeRow>& recipeRows();
/// nullptr: the key stands on no page (its value comes from the settings).
const RecipeRow* findRecipeRow(const QString& key);

}  // namespace trainyard::desktop
