// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/palette_entries.h"

#include <QAction>
#include <QPointer>

#include "desktop/app_context.h"
#include "desktop/command_palette.h"
#include "desktop/page.h"
#include "desktop/runs/run_store.h"

namespace trainyard::desktop {

QVector<FinderEntry> palette_entries(AppContext& context, const QList<QAction*>& actions) {
    QVector<FinderEntry> entries;
    for (QAction* action : actions)
        if (!action->text().isEmpty() && action->isEnabled())
            entries << FinderEntry{.text = action->text(),
                                   .right = action->shortcut().toString(QKeySequence::NativeText),
                                   .icon = action->property("iconName").toString(),
                                   .kind = static_cast<int>(PaletteKind::Action),
                                   .go = [action = QPointer<QAction>(action)] {
                                       if (action != nullptr)
                                           action->trigger();
                                   }};
    // The list of keys leads to the manual.
    for (QAction* action : actions)
        if (action->shortcut() == QKeySequence(QKeySequence::HelpContents))
            entries << FinderEntry{.text = action->text(),
                                   .right = action->shortcut().toString(QKeySequence::NativeText),
                                   .icon = QStringLiteral("info"),
                                   .kind = static_cast<int>(PaletteKind::Shortcut),
                                   .go = [action = QPointer<QAction>(action)] {
                                       if (action != nullptr)
                                           action->trigger();
                                   }};
    Page* page = context.currentPage();
    Page::Shortcuts shortcuts = page->shortcuts();
    for (const QAction* action : static_cast<QWidget*>(page)->actions())
        if (!action->shortcut().isEmpty() && !action->text().isEmpty())
            shortcuts << std::pair(action->shortcut().toString(QKeySequence::NativeText), action->text());
    for (const auto& [keys, words] : shortcuts)
        entries << FinderEntry{.text = words,
                               .right = keys,
                               .icon = QStringLiteral("info"),
                               .kind = static_cast<int>(PaletteKind::Shortcut)};
    for (const RunSummary& run : context.store()->runs())
        entries << FinderEntry{.text = run.name + QStringLiteral("   ") + run.id.left(15),
                               .right = phaseWord(run.phase),
                               .number = run.number,
                               .kind = static_cast<int>(PaletteKind::Run),
                               .go = [app = &context, id = run.id] { app->openRun(id); }};
    return entries;
}

}  // namespace trainyard::desktop
