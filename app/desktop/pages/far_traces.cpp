// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/pages/far_traces.h"

#include <filesystem>
#include <memory>
#include <optional>
#include <system_error>

#include <QTemporaryDir>
#include <QWidget>

#include "base/error.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/text/qt_text.h"
#include "observe/traces/rank_set.h"
#include "remote/far_place.h"
#include "remote/trace_copy.h"
#include "run/folder_record.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

/// Where a path lies that is not here: the run of a host that this run's folder is a copy of, which has no traces; or
/// as scp takes it.
std::optional<remote::FarPlace> place_of(const fs::path& path) {
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
        const auto place = place_of(path.toStdString());
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

}  // namespace

FetchTraces far_traces(QWidget* window) {
    const std::shared_ptr<DialogAsker> asker = DialogAsker::make(window);
    QObject::connect(window, &QObject::destroyed, asker.get(), [asker = asker.get()] { asker->close(); });
    return [asker](const QStringList& paths, TraceReading& reading, const widgets::Cancelled& cancelled) {
        return fetch_traces(paths, reading, cancelled, asker.get());
    };
}

}  // namespace trainyard::desktop
