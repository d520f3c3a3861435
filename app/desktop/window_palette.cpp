// What the command palette finds: actions, runs, hosts, keys, settings, and steps of the page that is open.

#include <QAction>
#include <QPointer>
#include <QTimer>

#include "desktop/command_palette.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/main_window.h"
#include "desktop/runs/run_store.h"
#include "desktop/settings_page.h"
#include "desktop/wizard/draft_fields.h"
#include "desktop/wizard/wizard_page.h"
#include "widgets/field_row.h"

namespace trainyard::desktop {

namespace {

FinderEntry paletteEntry(PaletteKind kind, const QString& text, const QString& right, const QString& icon,
                         const std::function<void()>& go) {
    FinderEntry entry;
    entry.kind = static_cast<int>(kind);
    entry.text = text;
    entry.right = right;
    entry.icon = icon;
    entry.go = go;
    return entry;
}

}  // namespace

void MainWindow::openPalette(const QString& beginning) {
    comeToFront();
    QVector<FinderEntry> entries;
    for (QAction* action : commands())
        if (!action->text().isEmpty() && action->isEnabled())
            entries << paletteEntry(PaletteKind::Action, action->text(),
                                    action->shortcut().toString(QKeySequence::NativeText),
                                    action->property("iconName").toString(), [action = QPointer<QAction>(action)] {
                                        if (action != nullptr)
                                            action->trigger();
                                    });
    for (const auto& [keys, words] : shortcutsOfPage())
        entries << paletteEntry(PaletteKind::Shortcut, words, keys, QStringLiteral("info"), {});
    for (const RunSummary& run : store_->runs()) {
        entries << paletteEntry(PaletteKind::Run, run.name + QStringLiteral("   ") + run.id.left(15),
                                phaseWord(run.phase), {}, [this, id = run.id] { showRun(id); });
        entries.last().number = run.number;
    }
    for (FinderEntry& key : configurationKeys([this](const QString& path) {
             showPlace(Place::NewRun);
             newRunPage()->goToField(path);
         })) {
        key.kind = static_cast<int>(PaletteKind::Key);
        entries << std::move(key);
    }
    auto* run = qobject_cast<RunPage*>(currentPage());
    palette_->setStepTarget(run == nullptr ? std::function<void(double)>{}
                                           : [page = QPointer<RunPage>(run)](double step) {
                                                 if (page != nullptr)
                                                     page->showStep(step);
                                             });
    palette_->open(entries, beginning);
    // Pages of their own know the rest; they are made once the palette stands.
    QTimer::singleShot(0, this, &MainWindow::addToPalette);
}

QVector<std::pair<QString, QString>> MainWindow::shortcutsOfPage() const {
    QVector<std::pair<QString, QString>> all;
    if (qobject_cast<RunPage*>(currentPage()) != nullptr)
        all = RunPage::shortcuts();
    if (qobject_cast<HostsPage*>(currentPage()) != nullptr)
        all << std::pair(QStringLiteral("P"), tr("Probe the host"))
            << std::pair(QStringLiteral("T"), tr("Open a terminal on the host"));
    for (const QAction* action : currentPage()->actions())
        if (!action->shortcut().isEmpty() && !action->text().isEmpty())
            all << std::pair(action->shortcut().toString(QKeySequence::NativeText), action->text());
    return all;
}

void MainWindow::addToPalette() {
    QVector<FinderEntry> entries;
    SettingsPage* page = settingsPage();
    for (widgets::FieldRow* row : page->findChildren<widgets::FieldRow*>())
        entries << paletteEntry(PaletteKind::Setting, row->label(), tr("in Settings"), QStringLiteral("gear"),
                                [this, row] {
                                    showPlace(Place::Settings);
                                    row->editor()->setFocus(Qt::OtherFocusReason);
                                });
    palette_->add(entries);
    HostList* hosts = hostsPage()->hosts();
    if (hosts->isLoaded()) {
        addHostsToPalette();
        return;
    }
    // Files are read; nobody is asked over the network.
    disconnect(hosts, &HostList::loaded, this, &MainWindow::addHostsToPalette);
    connect(hosts, &HostList::loaded, this, &MainWindow::addHostsToPalette, Qt::SingleShotConnection);
    hosts->load();
}

void MainWindow::addHostsToPalette() {
    QVector<FinderEntry> entries;
    for (const HostRow& row : hosts_->hosts()->rows()) {
        entries << paletteEntry(PaletteKind::Host, row.title(), row.target, QStringLiteral("hosts"),
                                [this, name = row.name()] {
                                    showPlace(Place::Hosts);
                                    hosts_->choose(name);
                                });
        entries.last().words = row.name();
    }
    palette_->add(entries);
}

}  // namespace trainyard::desktop
