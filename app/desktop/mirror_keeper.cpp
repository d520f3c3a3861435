#include "desktop/mirror_keeper.h"

#include "desktop/qt_text.h"
#include "remote/mirror.h"
#include "run/paths.h"

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

void MirrorKeeper::follow(const QStringList& folders, const QString& program) {
    job_.submit(
        [folders, words = program.toStdString()] {
            QStringList problems;
            for (const QString& path : folders)
                try {
                    remote::ensure_mirror(run::RunPaths(path.toStdString()), words);
                } catch (const std::exception& error) {
                    problems << qtSentence(error.what());
                }
            return problems;
        },
        [this](const QStringList& problems) {
            for (const QString& problem : problems)
                emit failed(problem);
        });
}

}  // namespace trainyard::desktop
