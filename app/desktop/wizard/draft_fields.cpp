// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/draft_fields.h"

#include <QSet>

#include "config/accelerate/schema.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/wizard/recipe_rows.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/steps.h"

namespace trainyard::desktop {

namespace {

FinderEntry fieldEntry(const QString& label, const QString& key, const QString& id, const QString& place,
                       const std::function<void(const QString&)>& go) {
    return {.text = label + QStringLiteral("   ") + key,
            .right = place,
            .words = id,
            .icon = QStringLiteral("target"),
            .go = [go, id] { go(id); }};
}

}  // namespace

QVector<FinderEntry> draftFields(const RunDraft& draft, const std::function<void(const QString&)>& go) {
    QVector<FinderEntry> all;
    QSet<QString> covered;
    const settings::Questionnaire& tree = draft.questionnaire();
    for (const settings::Question& question : tree.questions()) {
        const QString id = qt(question.id);
        const QString path = qt(question.path);
        all << fieldEntry(engineWords(tree.label(question, draft.draft().answers())), path.isEmpty() ? id : path, id,
                          stepTitle(stepOf(question.topic)), go);
        covered.insert(path);
    }
    all << fieldEntry(tr("Script"), QStringLiteral("script"), QStringLiteral("script"), stepTitle(Step::Script), go)
        << fieldEntry(tr("Arguments"), QStringLiteral("arguments"), QStringLiteral("arguments"),
                      stepTitle(Step::Script), go)
        << fieldEntry(tr("Interpreter"), QStringLiteral("interpreter"), QStringLiteral("script_interpreter"),
                      stepTitle(Step::Script), go)
        << fieldEntry(tr("Folder"), QStringLiteral("directory"), QStringLiteral("script_folder"),
                      stepTitle(Step::Script), go)
        << fieldEntry(tr("Variables"), QStringLiteral("environment"), QStringLiteral("script_variables"),
                      stepTitle(Step::Script), go);
    for (FinderEntry& key : configurationKeys(go))
        if (!covered.contains(key.words))
            all << std::move(key);
    return all;
}

QVector<FinderEntry> configurationKeys(const std::function<void(const QString& path)>& go) {
    QVector<FinderEntry> all;
    QSet<QString> covered;
    for (const settings::Key& key : settings::schema()) {
        const QString path = qt(key.path());
        if (key.section == settings::Section::launch || covered.contains(path))
            continue;
        covered.insert(path);
        const QString label = engineWords(key.label);
        all << fieldEntry(label, path, path, tr("in Expert"), go);
    }
    for (const RecipeRow& row : recipeRows()) {
        all << fieldEntry(row.label, row.key, row.key, stepTitle(row.step), go);
        all.last().seldom = !row.usual;
    }
    return all;
}

}  // namespace trainyard::desktop
