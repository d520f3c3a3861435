// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/app_context.h"

#include <utility>

#include <QDesktopServices>
#include <QDir>
#include <QFileInfo>
#include <QUrl>

#include "desktop/hosts/machine_peaks.h"
#include "desktop/hosts/ssh_host_source.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/run_starter.h"
#include "desktop/runs/mirror_keeper.h"
#include "desktop/runs/run_names.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/consent.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/preferences.h"
#include "desktop/text/qt_text.h"
#include "run/paths.h"
#include "widgets/dialogs.h"

namespace trainyard::desktop {

AppContext::AppContext(Preferences* preferences, const Options& options, QObject* parent)
    : QObject(parent),
      preferences_(preferences),
      sample_asked_(options.sample || options.page == QLatin1String("first-run")),
      store_(new RunStore(this)),
      peaks_(new MachinePeaks(this)),
      engine_(new EngineLink(this)),
      opener_(new Opener(this)),
      starter_(new RunStarter(engine_, this)),
      mirrors_(new MirrorKeeper(this)) {
    starter_->setNamer([this](const QString& name) { return unique_run_name(name, store_->runs()); });
    starter_->setGate([this](const StartLook& look, const QString& checkpoint, std::function<void()> go) {
        start_with_consent(this, look, checkpoint, std::move(go));
    });
    connect(starter_, &RunStarter::started, this, &AppContext::runStarted);
    connect(starter_, &RunStarter::starting, this, [this] { emit said(tr("Launching…")); });
    connect(starter_, &RunStarter::failed, this, [this](const QString& error) {
        emit notified(tr("The run was not started"), error);
        emit said(tr("The run was not started: see Notifications."));
    });
    connect(mirrors_, &MirrorKeeper::failed, this,
            [this](const QString& problem) { emit notified(tr("A run on another host is not followed"), problem); });
    connect(mirrors_, &MirrorKeeper::unconfirmed, this, [this](const QString& name) {
        emit notified(
            tr("A run on another host is not followed"),
            tr("%1 says that it is a copy of a run on another machine, and was not made by this program. Open "
               "it and press Reconnect to see which host it names.")
                .arg(name));
    });
    connect(store_, &RunStore::requestFailed, this, &AppContext::said);
    connect(store_, &RunStore::changed, this, [this] {
        mirrors_->keep(store_->runs(), engine_->program());
        if (!waited_for_.isEmpty())
            openRun(std::exchange(waited_for_, {}));
    });
}

AppContext::~AppContext() = default;

void AppContext::openPath(const QString& path) {
    opener_->open(path);
}

void AppContext::openFolder(const QString& path) {
    QDesktopServices::openUrl(QUrl::fromLocalFile(path));
}

void AppContext::openRun(const QString& run) {
    if (!QDir::isAbsolutePath(run) && !store_->isLoaded() && store_->find(run) == nullptr) {
        waited_for_ = run;
        return;
    }
    open({QStringLiteral("run"), run});
}

QString AppContext::runSubject(const QString& folder) {
    const QFileInfo info(folder);
    const QString root = qt(run::runs_root().string());
    return info.dir() == QDir(root) ? info.fileName() : info.absoluteFilePath();
}

QString AppContext::runFolder(const QString& run) const {
    if (QDir::isAbsolutePath(run))
        return run;
    if (const RunSummary* known = store_->find(run); known != nullptr)
        return known->path;
    return qt((run::runs_root() / run.toStdString()).string());
}

void AppContext::chooseEngine() {
    const auto take = [this](const QString& file) {
        preferences_->setEnginePath(file);
        engine_->locate(file);
    };
    widgets::ask_file(window(), tr("The program trainyard"), {}, take, engine_->program());
}

bool AppContext::wantsFirstRun() const {
    return sample_asked_ || (store_->isLoaded() && store_->runs().isEmpty() && store_->unreadableFolders().isEmpty());
}

void AppContext::setHostSource(std::unique_ptr<HostSource> source) {
    host_source_ = std::move(source);
}

std::unique_ptr<HostSource> AppContext::takeHostSource() {
    if (!host_source_)
        host_source_ = std::make_unique<SshHostSource>(Preferences::stateFolder().toStdString() + "/hosts");
    return std::move(host_source_);
}

}  // namespace trainyard::desktop
