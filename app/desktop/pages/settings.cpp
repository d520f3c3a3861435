// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/machine_peaks.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/settings_page.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

namespace {

Page* make_settings_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new SettingsPage(app->preferences(), app->engine(), app->peaks(), parent);
    QObject::connect(page, &SettingsPage::themeChosen, app, &AppContext::themeChosen);
    QObject::connect(page, &SettingsPage::engineChooseRequested, app, &AppContext::chooseEngine);
    QObject::connect(page, &SettingsPage::keepAwakeChanged, app->store(), &RunStore::changed);
    QObject::connect(page, &SettingsPage::runsFolderChanged, app->store(), &RunStore::setRoot);
    return page;
}

void find_settings(AppContext* app, const PageEntry::FoundEntries& found) {
    QVector<FinderEntry> entries;
    for (widgets::FieldRow* row : app->page<SettingsPage>()->findChildren<widgets::FieldRow*>())
        entries << FinderEntry{.text = row->label(),
                               .right = SettingsPage::tr("in Settings"),
                               .icon = QStringLiteral("gear"),
                               .kind = static_cast<int>(PaletteKind::Setting),
                               .go = [app, row] {
                                   app->show<SettingsPage>();
                                   row->editor()->setFocus(Qt::OtherFocusReason);
                               }};
    found(entries);
}

}  // namespace

PageEntry settings_entry() {
    PageEntry entry{.key = QLatin1String(SettingsPage::kKey),
                    .icon = QStringLiteral("gear"),
                    .title = [] { return SettingsPage::tr("Settings"); },
                    .rail = RailSection::Foot,
                    .shortcut = QKeySequence(QStringLiteral("Ctrl+,")),
                    .make = make_settings_page};
    entry.palette_makes_page = true;
    entry.palette = find_settings;
    return entry;
}

}  // namespace trainyard::desktop
