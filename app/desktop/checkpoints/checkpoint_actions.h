// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the page of checkpoints does to them: verify, write, remove with undo, pin. One after the other in another
// thread; questions and results are shown in the message of the page.

#include <memory>

#include <QObject>

#include "desktop/checkpoints/open_checkpoint.h"
#include "observe/inspect/conversion.h"
#include "observe/inspect/prune.h"
#include "observe/inspect/verify.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class CheckpointActions : public QObject {
    Q_OBJECT
  public:
    CheckpointActions(const QString& runsRoot, widgets::InlineMessage* message, QObject* parent);
    ~CheckpointActions() override;

    bool isRunning() const;
    /// Of what takes long; nullptr: nothing does.
    const PassFeed* feed() const { return feed_.get(); }
    QString words() const { return words_; }
    double since() const { return since_; }  ///< monotonic_seconds() of its begin
    void cancel();

    void verify(const inspect::CheckpointEntry& item);
    void write(const inspect::Conversion& conversion);
    /// Asks, then removes what the plan says.
    void removeByPlan(const inspect::CheckpointList& checkpoint_list, const inspect::PrunePlan& plan);
    void removeOne(const inspect::CheckpointList& checkpoint_list, int item);
    void pin(const inspect::CheckpointEntry& item);

  signals:
    void begun();  ///< there is a feed()
    void ended();
    void verified(const inspect::Verdict& verdict);
    void shelfChanged();

  private:
    std::shared_ptr<PassFeed> begin(const QString& words);
    bool end();
    std::function<void(const QString&)> failed(const QString& title);
    void ask(const QString& title, const QString& text, const inspect::CheckpointList& checkpoint_list,
             const inspect::PrunePlan& plan);
    void remove(const inspect::CheckpointList& checkpoint_list, const inspect::PrunePlan& plan);
    void complain(const QString& title, const QString& sentence);

    QString runs_root_, words_;
    std::shared_ptr<PassFeed> feed_;
    double since_ = 0;
    widgets::InlineMessage* message_;
    widgets::Job* job_;
};

}  // namespace trainyard::desktop
