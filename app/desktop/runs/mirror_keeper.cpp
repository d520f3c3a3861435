// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/runs/mirror_keeper.h"

#include <utility>

#include "base/printable.h"
#include "base/untrusted.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/text/qt_text.h"
#include "remote/bundle.h"
#include "remote/host_store.h"
#include "remote/mirror.h"
#include "run/folder_record.h"
#include "run/mirror.h"

namespace trainyard::desktop {

void MirrorKeeper::keep(const RunSummaries& runs, const QString& program) {
    if (job_.isRunning())
        return;  // the list comes again
    QStringList fresh;
    for (const RunSummary& run : runs)
        if (run.isLive() && !seen_.contains(run.id)) {
            seen_.insert(run.id);
            fresh << run.path;
        }
    if (!fresh.isEmpty())
        follow(fresh, program);
}

void MirrorKeeper::look(const QString& folder, std::function<void(const std::optional<Source>&)> then) {
    look_.submit(
        [run = run::RunPaths(folder.toStdString())]() -> std::optional<Source> {
            if (const auto source = run::mirror_source(run))
                return Source{true, source->host, source->path};
            const auto mirror = run::read_mirror(run);
            if (!mirror || mirror->host.empty() || mirror->host.starts_with('-') || !HostPath::parse(mirror->path))
                return std::nullopt;
            return Source{false, mirror->host, mirror->path};
        },
        std::move(then));
}

void MirrorKeeper::adopt(const QString& folder, const Source& source, QWidget* window, std::function<void()> then) {
    const std::shared_ptr<DialogAsker> asker = DialogAsker::make(window);
    connect(window, &QObject::destroyed, asker.get(), [asker = asker.get()] { asker->close(); });
    adoption_.inOrder(
        adoption_.key(),
        [run = run::RunPaths(folder.toStdString()), source, asker](const widgets::Operation& operation) {
            const HangUp hang_up(operation);
            remote::ConnectOptions options;
            options.asker = asker.get();
            options.cancel = hang_up.cancel();
            const remote::HostStore store = remote::HostStore::load();
            const remote::StoredHost* stored = store.find(source.host);
            remote::Session session = remote::Session::connect(source.host, options);
            const std::string program = stored != nullptr && !stored->engine.empty()
                                            ? stored->engine
                                            : remote::install(session, remote::this_bundle()).program;
            run::record_mirror_source(run, {source.host, source.path, program});
        },
        std::move(then), [this](const QString& sentence) { emit failed(sentence); });
}

void MirrorKeeper::follow(const QStringList& folders, const QString& program) {
    struct Followed {
        QStringList problems, unconfirmed;
    };
    job_.submit(
        [folders, words = program.toStdString()] {
            Followed followed;
            for (const QString& path : folders)
                try {
                    const run::RunPaths run(path.toStdString());
                    if (run::origin_of(run) == run::RunOrigin::mirror && !run::mirror_source(run))
                        followed.unconfirmed << qt(text::printable(run.id()));
                    else
                        remote::ensure_mirror(run, words);
                } catch (const std::exception& error) {
                    followed.problems << qtSentence(message_of(error));
                }
            return followed;
        },
        [this](const Followed& followed) {
            for (const QString& problem : followed.problems)
                emit failed(problem);
            for (const QString& name : followed.unconfirmed)
                emit unconfirmed(name);
        });
}

}  // namespace trainyard::desktop
