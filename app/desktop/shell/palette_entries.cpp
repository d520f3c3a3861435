// SPDX-License-Identifier: GPL-3.0-or-later
#include <QAction>
#include <QPointer>

#include "desktop/runs/run_store.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/page.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

QVector<FinderEntry> palette_entries(AppContext& context, const QList<QAction*>& actions) {
    const ActionCollection& commands = ActionCollection::instance();
    QVector<FinderEntry> entries;
    const auto go = [](QAction* action) {
        return action == nullptr ? std::function<void()>{} : [action = QPointer<QAction>(action)] {
            if (action != nullptr)
                action->trigger();
        };
    };
    for (QAction* action : actions)
        if (!action->text().isEmpty() && action->isEnabled() && action->isVisible())
            entries << FinderEntry{.text = action->text(),
                                   .right = action->shortcut().toString(QKeySequence::NativeText),
                                   .icon = action->property("iconName").toString(),
                                   .kind = static_cast<int>(PaletteKind::Action),
                                   .go = go(action)};
    const Page* page = context.currentPage();
    const QStringList scopes = QStringList{page->key()} + Commands::partsOfPage(page->key());
    // The list of keys leads to the manual.
    for (const Command& command : commands.commands()) {
        if (!scopes.contains(command.scope()) && command.id != QLatin1String("window.manual"))
            continue;
        QAction* action = commands.actionIn(page, command.id);
        QStringList keys;
        for (const QKeySequence& each : commands.shortcuts(command.id))
            keys << each.toString(QKeySequence::NativeText);
        if (!keys.isEmpty() && (command.fixed || action != nullptr))
            entries << FinderEntry{.text = action != nullptr ? action->text() : command.text(),
                                   .right = widgets::list_text(keys),
                                   .icon = QStringLiteral("info"),
                                   .kind = static_cast<int>(PaletteKind::Shortcut),
                                   .go = go(action)};
    }
    for (const RunSummary& run : context.store()->runs())
        entries << FinderEntry{.text = run.name + QStringLiteral("   ") + run.id.left(15),
                               .right = phaseWord(run.phase),
                               .number = run.number,
                               .kind = static_cast<int>(PaletteKind::Run),
                               .go = [app = &context, id = run.id] { app->openRun(id); }};
    return entries;
}

}  // namespace trainyard::desktop
