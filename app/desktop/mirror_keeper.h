#pragma once
// A run on another host goes on; who keeps its copy here may have gone with the last session. Starts what follows it again.

#include <QObject>
#include <QSet>

#include "desktop/runs/run_summary.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class MirrorKeeper : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    /// `program`: `trainyard`, empty: the one beside this program.
    void keep(const RunSummaries& runs, const QString& program);
    /// Somebody asks for it, so what was tried before does not count.
    void reconnect(const QString& folder, const QString& program) { follow({folder}, program); }

  signals:
    void failed(const QString& sentence);

  private:
    void follow(const QStringList& folders, const QString& program);
    widgets::Job job_;
    QSet<QString> seen_;
};

}  // namespace trainyard::desktop
