// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Restarts the mirrors of runs on other hosts: such a run continues, but the process that updated its local copy may
// have ended with the last session.

#include <functional>
#include <optional>
#include <string>

#include <QObject>
#include <QSet>

#include "desktop/runs/run_summary.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class MirrorKeeper : public QObject {
    Q_OBJECT
  public:
    using QObject::QObject;
    /// `program`: `trainyard`, empty: the one beside this program.
    void keep(const RunSummaries& runs, const QString& program);
    /// Connects again on the user's request, regardless of earlier attempts.
    void reconnect(const QString& folder, const QString& program) { follow({folder}, program); }
    /// Source of a mirror: recorded by this program, or claimed by the folder, which the user has to confirm.
    struct Source {
        bool recorded = false;
        std::string host, path;
    };
    /// `then` gets nothing where the folder names no usable source.
    void look(const QString& folder, std::function<void(const std::optional<Source>&)> then);
    /// The user agreed: logs in to the host, finds or installs `trainyard` there, and records the source. The folder
    /// names no program.
    void adopt(const QString& folder, const Source& source, QWidget* window, std::function<void()> then);

  signals:
    void failed(const QString& sentence);
    /// The folder says that it is a copy, but this program knows nothing of its source: it is not followed before the
    /// user agrees.
    void unconfirmed(const QString& name);

  private:
    void follow(const QStringList& folders, const QString& program);
    widgets::Job job_, look_;
    widgets::Job adoption_{nullptr, widgets::Executor::Kind::Waits};
    QSet<QString> seen_;
};

}  // namespace trainyard::desktop
