// SPDX-License-Identifier: GPL-3.0-or-later
#include <QPointer>

#include "desktop/architecture/architecture_page.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/hosts/machine_peaks.h"
#include "desktop/launch/launch_page.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_names.h"
#include "desktop/runs/run_speed.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/command_palette.h"
#include "desktop/sweeps/sweep_commands.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/wizard/draft_fields.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/wizard_page.h"
#include "models/spec/family.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {

Page* make_new_run_page(AppContext* app, const QString&, QWidget* parent) {
    auto* draft = app->findChild<KeptDraft*>(QString(), Qt::FindDirectChildrenOnly);
    if (draft == nullptr)
        draft = new KeptDraft(app);
    auto* page = new WizardPage(app->machine(), parent, draft);
    page->draft()->setSpeeds([app](const SpeedQuestion& question) -> std::optional<KnownSpeed> {
        if (auto known = known_speed(app->store()->runs(), question.values, question.ranks))
            return known;
        if (!question.recipe || !families::family_of(question.recipe->model).lists_tensors())
            return std::nullopt;
        const QString precision = question.values.value(QStringLiteral("training.mixed_precision"));
        const auto peak = app->peaks()->find(precision == QLatin1String("no") ? "fp32" : precision.toStdString(),
                                             question.ranks, question.threads);
        if (!peak) {
            app->peaks()->refresh();  // a run may have measured it since; then this is asked once more
            return std::nullopt;
        }
        return estimated_speed(*question.recipe, question.ranks, *peak, reached_share(app->store()->runs(), precision));
    });
    QObject::connect(app->peaks(), &MachinePeaks::changed, page, &WizardPage::speedsChanged);
    page->setNamer([app](const QString& name, const QMap<QString, QString>& values) {
        return unique_run_name(name, app->store()->runs(), values);
    });
    QObject::connect(page, &WizardPage::launchRequested, app,
                     [app](const LaunchRequest& request) { open_launch(app, request); });
    QObject::connect(page, &WizardPage::sweepRequested, app, [app](const SweepBase& base) {
        auto* dialog = widgets::opened(new SweepDialog(base, app->window()));
        QObject::connect(dialog, &SweepDialog::startRequested, app, [app, dialog](const QString& file) {
            app->page<SweepsPage>()->commands()->start(
                file,
                [app, shown = QPointer<SweepDialog>(dialog)] {
                    if (shown != nullptr)
                        shown->accept();
                    app->show<SweepsPage>();
                },
                [app, shown = QPointer<SweepDialog>(dialog)](const QString& words) {
                    if (shown != nullptr)
                        shown->showFailure(words);
                    else
                        emit app->notified(SweepsPage::tr("The sweep was not started"), words);
                });
        });
    });
    QObject::connect(page, &WizardPage::architectureRequested, app, [app](const QString& recipe) {
        app->show<ArchitecturePage>()->openRecipe(recipe, QStringLiteral("recipe.yaml"));
    });
    QObject::connect(page, &WizardPage::hostsRequested, app, [app] { app->show<HostsPage>(); });
    return page;
}

void find_keys(AppContext* app, const PageEntry::FoundEntries& found) {
    QVector<FinderEntry> entries =
        configurationKeys([app](const QString& path) { app->show<WizardPage>()->goToField(path); });
    for (FinderEntry& entry : entries)
        entry.kind = static_cast<int>(PaletteKind::Key);
    found(entries);
}

}  // namespace

PageEntry new_run_entry() {
    PageEntry entry{.key = QLatin1String(WizardPage::kKey),
                    .icon = QStringLiteral("plus"),
                    .title = [] { return WizardPage::tr("New run"); },
                    .make = make_new_run_page};
    entry.palette = find_keys;
    return entry;
}

}  // namespace trainyard::desktop
