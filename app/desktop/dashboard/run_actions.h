#pragma once
// What somebody asks of a run from its page: questions first where something cannot be undone or a value is needed, then a request into
// the run's folder, and the way of the answer in words.

#include <QObject>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RunHeader;

class RunActions : public QObject {
    Q_OBJECT
  public:
    /// All but `run` outlive this; `page` is the parent of dialogs, `message` tells what was refused or is not answered.
    RunActions(RunRecord* run, RunHeader* header, widgets::InlineMessage* message, QWidget* page);

    void note(std::int64_t step);  ///< asks for the words
    void profile();
    void changeRate();
    void kill();
    /// K, P, H, X while the run lives. False: the key means nothing here.
    bool key(const QKeyEvent& event);

  private:
    void tell(const RequestNews& news);

    RunRecord* run_;
    RunHeader* header_;
    widgets::InlineMessage* message_;
    QWidget* page_;
};

}  // namespace trainyard::desktop
