// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/consent.h"

#include <utility>

#include <QFileInfo>

#include "base/error.h"
#include "base/printable.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/consent_dialog.h"
#include "desktop/launch/fetch_dialog.h"
#include "desktop/launch/start_look.h"
#include "desktop/runs/mirror_keeper.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "desktop/wizard/wizard_page.h"
#include "run/folder_record.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

namespace {

QString why_refused(const StartLook& look) {
    switch (look.verdict) {
        case StartLook::Verdict::Mirror:
            return look.host.isEmpty()
                       ? tr("This run is a copy of a run on another machine. Its run.yaml was written there, so it is "
                            "not executed here.")
                       : tr("This run is a copy of a run on %1. Its run.yaml was written there, so it is not executed "
                            "here.")
                             .arg(look.host);
        case StartLook::Verdict::OtherUser:
            return tr(
                "This run belongs to another user of this machine, so its run.yaml is not executed with your "
                "rights.");
        case StartLook::Verdict::Elsewhere:
            return tr(
                "This run was not started on this machine by you, and it is not in your folder of runs. "
                "Its run.yaml may come from anybody, so it is not executed.");
        default:
            return {};
    }
}

void ask_about_mirror(AppContext* app, const QString& folder, const MirrorKeeper::Source& source,
                      const std::function<void()>& then) {
    const auto shown = [](const std::string& words) { return qt(text::printable(words)); };
    ask_for_consent(
        app->window(),
        {tr("Connect to %1?").arg(shown(source.host)),
         tr("%1 says that it is a copy of a run on this host. It was not made by this program on this account, so it "
            "may come from anybody. To follow the run, this program logs in to the host and reads:")
             .arg(folder),
         tr("You are asked once for each folder."), shown(source.host) + QLatin1Char(':') + shown(source.path),
         tr("Connect")},
        [app, folder, source, then] { app->mirrors()->adopt(folder, source, app->window(), then); });
}

}  // namespace

void start_with_consent(AppContext* app, const StartLook& look, const QString& checkpoint, std::function<void()> go) {
    const QString file = look.folder + QStringLiteral("/run.yaml");
    switch (look.verdict) {
        case StartLook::Verdict::Trusted:
            go();
            return;
        case StartLook::Verdict::Unreadable:
            emit app->notified(tr("The run was not started"), look.problem);
            emit app->said(tr("The run was not started: see Notifications."));
            return;
        case StartLook::Verdict::Ask:
            ask_for_consent(
                app->window(),
                {tr("Start this run on this machine?"),
                 tr("%1 was not written by a launch of this account, or has changed since. Starting it executes, "
                    "with your rights:")
                     .arg(file),
                 tr("You are asked once for each folder, and again if the file changes."), look.execution,
                 tr("Start the run")},
                [app, look, go = std::move(go)] {
                    try {
                        run::trust(run::RunPaths(look.folder.toStdString()), look.text);
                    } catch (const UserError& error) {  // then the next start asks again
                        emit app->said(qtSentence(message_of(error)));
                    }
                    go();
                });
            return;
        case StartLook::Verdict::Mirror:
        case StartLook::Verdict::OtherUser:
        case StartLook::Verdict::Elsewhere:
            ask_for_consent(
                app->window(),
                {tr("Not started on this machine"), why_refused(look),
                 tr("You can open it as a draft: New run shows all of it, and nothing is executed before you "
                    "press Launch."),
                 look.execution, tr("Open as a draft")},
                [app, file, checkpoint] {
                    auto* wizard = app->show<WizardPage>();
                    if (checkpoint.isEmpty())
                        wizard->opener()->load(file);
                    else
                        wizard->opener()->loadToResume(file, checkpoint);
                });
            return;
    }
}

void follow_with_consent(AppContext* app, const QString& folder, std::function<void()> then) {
    app->mirrors()->look(folder,
                         [app, folder, then = std::move(then)](const std::optional<MirrorKeeper::Source>& source) {
                             if (source && source->recorded)
                                 then();
                             else if (source)
                                 ask_about_mirror(app, folder, *source, then);
                             else
                                 emit app->said(tr("%1 does not say which host it is a copy from.").arg(folder));
                         });
}

void fetch_checkpoint_of(AppContext* app, const run::RunPaths& run, const std::string& checkpoint,
                         std::function<void(const QString& folder)> then) {
    follow_with_consent(app, qt(run.root().string()), [app, run, checkpoint, then = std::move(then)] {
        auto* hosts = app->madePage<HostsPage>();
        auto* fetch = new FetchDialog(
            run, checkpoint, hosts == nullptr ? remote::AcceptedKeys() : hosts->hosts()->acceptedOnce(), app->window());
        QObject::connect(fetch, &FetchDialog::fetched, app, then);
        widgets::opened(fetch);
    });
}

void ask_to_stop(QWidget* parent, RunStore* store, const RunSummary& run) {
    widgets::ask_before_loss(parent,
                             {tr("Stop the run"), tr("Stop %1?").arg(run.name),
                              tr("It stops after a checkpoint and can be resumed."), tr("Stop the run")},
                             [store, path = run.path] { store->request(path, run::StopRequest()); });
}

}  // namespace trainyard::desktop
