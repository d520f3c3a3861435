// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Requests to a run from its page: asks for confirmation or a value first where needed, writes the request into the
// run's folder, and reports the answer.

#include <QObject>

#include "desktop/dashboard/run_record.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class RunHeader;

class RunActions : public QObject {
    Q_OBJECT
  public:
    /// All but `run` outlive this. `page` is the parent of dialogs; `message` shows requests that were refused or not
    /// answered.
    RunActions(RunRecord* run, RunHeader* header, widgets::InlineMessage* message, QWidget* page);

    void note(std::int64_t step);  ///< asks for the words
    void profile();
    void changeRate();
    void kill();

  signals:
    /// A profile that was asked for here was recorded: the number of its event.
    void profileRecorded(std::size_t event);

  private:
    void addCommands();
    void tell(const RequestNews& news);
    void findProfile();
    static QString offerTitle();
    QString killQuestion() const;
    QString killWords() const;

    RunRecord* run_;
    RunHeader* header_;
    widgets::InlineMessage* message_;
    QWidget* page_;
    std::optional<std::size_t> awaited_;  ///< number of events before the profile that is to be opened
};

}  // namespace trainyard::desktop
