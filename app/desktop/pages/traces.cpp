// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <QTemporaryDir>
#include <QWidget>

#include "base/error.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/text/qt_text.h"
#include "desktop/traces/traces_page.h"
#include "observe/traces/rank_set.h"
#include "remote/far_place.h"
#include "remote/trace_copy.h"
#include "run/folder_record.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

/// Where a path lies that is not here: the run of a host that this run's folder is a copy of, which has no traces; or
/// as scp takes it.
std::optional<remote::FarPlace> far_place_of(const fs::path& path) {
    std::error_code error;
    if (!path.is_absolute())
        return fs::exists(path, error) ? std::nullopt : remote::far_place(path.string());
    const bool is_folder = fs::is_directory(path, error);
    if (is_folder ? !traces::profiles_in(path).empty() : fs::exists(path, error))
        return std::nullopt;
    for (fs::path folder = path; folder.has_relative_path(); folder = folder.parent_path())
        if (const auto source = run::mirror_source(run::RunPaths(folder))) {
            const fs::path inside = path.lexically_relative(folder);
            return remote::FarPlace{source->host, inside == "." ? source->path : (source->path / inside).string()};
        }
    return std::nullopt;
}

FetchedTraces fetch_traces(const QStringList& paths, TraceReading& reading, const widgets::Cancelled& cancelled,
                           remote::Asker* asker) {
    FetchedTraces here;
    std::shared_ptr<QTemporaryDir> folder;
    for (const QString& path : paths) {
        const auto place = far_place_of(path.toStdString());
        if (!place) {
            here.paths << path;
            continue;
        }
        if (folder == nullptr)
            folder = std::make_shared<QTemporaryDir>();
        if (!folder->isValid())
            throw UserError(Message::verbatim(folder->errorString().toStdString()));
        remote::ConnectOptions options;
        options.asker = asker;
        options.cancel = std::make_shared<remote::Cancel>();
        reading.onStop([cancel = options.cancel] { cancel->set(); });
        remote::Session session = remote::Session::connect(place->host, options);
        for (const fs::path& file : remote::copy_traces(session, place->path, folder->path().toStdString(),
                                                        [&](const remote::TraceCopyProgress& progress) {
                                                            reading.bytes = progress.done;
                                                            reading.all_bytes = progress.total;
                                                            reading.file = progress.file;
                                                            reading.files = progress.files;
                                                            return !cancelled && !reading.stop;
                                                        }))
            here.paths << qt(file.string());
        reading.onStop({});
    }
    here.keep = folder;
    return here;
}

/// Copies traces of remote hosts into a temporary folder, with progress. Questions of the connection are dialogs over
/// `window`, until it is destroyed. Local traces are used in place.
FetchTraces far_traces(QWidget* window) {
    const std::shared_ptr<DialogAsker> asker = DialogAsker::make(window);
    QObject::connect(window, &QObject::destroyed, asker.get(), [asker = asker.get()] { asker->close(); });
    return [asker](const QStringList& paths, TraceReading& reading, const widgets::Cancelled& cancelled) {
        return fetch_traces(paths, reading, cancelled, asker.get());
    };
}

QVector<ProfilePlace> places_of(const RunStore* store) {
    QVector<ProfilePlace> places;
    for (const RunSummary& run : store->runs())
        if (!run.archived && run.phase != RunPhase::Missing)
            places.append({run.path, run.name});
    return places;
}

Page* make_traces_page(AppContext* app, const QString&, QWidget* parent) {
    auto* page = new TracesPage(parent);
    page->setFetch(far_traces(page));
    page->setFolderOf([app](const QString& run) { return app->runFolder(run); });
    page->setRuns(places_of(app->store()));
    QObject::connect(app->store(), &RunStore::changed, page, [app, page] { page->setRuns(places_of(app->store())); });
    QObject::connect(page, &TracesPage::runsRequested, app, [app] { app->open({QStringLiteral("runs"), {}}); });
    QObject::connect(page, &TracesPage::said, app, &AppContext::said);
    return page;
}

}  // namespace

PageEntry traces_entry() {
    return {.key = QLatin1String(TracesPage::kKey),
            .icon = QStringLiteral("trace"),
            .title = [] { return TracesPage::tr("Traces"); },
            .rail = RailSection::Top,
            .shortcut = QKeySequence(QStringLiteral("Ctrl+4")),
            .make = make_traces_page};
}

}  // namespace trainyard::desktop
