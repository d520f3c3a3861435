// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What the draft of New run is filled from: the stored draft, the sample, files, a run, an estimate. Files are read in
// another thread. What is requested while the stored draft is being read is done after it. A draft that holds work is
// set aside for another one, or replaced after a question.

#include <functional>

#include <QJsonObject>
#include <QObject>

#include "desktop/wizard/foreign_code.h"
#include "desktop/wizard/steps.h"
#include "widgets/job.h"

namespace trainyard::desktop {

class DraftKeeper;
class WizardMessages;
struct OpenedFile;

class DraftOpener : public QObject {
    Q_OBJECT
  public:
    DraftOpener(RunDraft* draft, DraftKeeper* keeper, WizardMessages* messages, QObject* parent);
    /// Reads the stored draft; without one, opens the sample.
    void start();

    /// Opens settings, a recipe, a run.yaml or a DeepSpeed JSON and reports its problems.
    void load(const QString& file) { load(file, {}); }
    /// Like load(), then sets the checkpoint to resume from and asks where to run.
    void loadToResume(const QString& file, const QString& checkpoint);
    /// Opens a recipe, which may be empty, and its settings, then shows `unsaid`: what neither of them contains.
    void loadRun(const QString& recipe, const QString& settings, const QString& unsaid, bool fits = true);
    /// Like load(), for files opened outside of the page: asks before it replaces a draft that holds work.
    void offerFile(const QString& file);
    void offerData(const QString& path);
    void setDataPath(const QString& path);
    /// Starts a fresh draft in place of this one.
    void beginNew();
    /// "New run": starts a fresh draft. A draft that holds work is set aside, and the first page offers it.
    void newRun();
    /// Opens a draft that was set aside (DraftKeeper::readParked). A draft that holds work is set aside for it.
    void continueDraft(const QString& file);
    /// Starts a draft with the recipe or program of a run and its settings. A draft that holds work is set aside.
    void editAgain(const QString& file);

    bool isReading() const;
    /// Whether the draft is more than the sample: typed, opened or saved.
    bool holdsWork() const;
    QString draftName() const;
    /// File or preset that the draft was filled from.
    QString from() const { return from_; }
    void setFrom(const QString& name);
    const ForeignCode& code() const { return code_; }
    /// The draft was launched as a run, so that the next one begins when the page is shown again.
    void setLaunched();
    bool isLaunched() const { return launched_; }
    /// A page was requested, so that the page of the stored draft is ignored.
    void setPlaceChosen() { place_chosen_ = true; }
    /// What is stored with the draft (DraftKeeper::setPlace) and returns with it.
    QJsonObject place() const;

  signals:
    /// place() is another, or a draft was opened.
    void changed();
    void stepWanted(trainyard::desktop::Step step);
    /// The stored draft is in the form; `place`: where the user was.
    void restored(const QJsonObject& place);
    void fileOpened(const QString& file);

  private:
    /// Steps after a file has been read.
    struct AfterOpening {
        QString resume_from = {};  ///< checkpoint to resume from: set, then the page asks where to run
        QString settings = {};     ///< settings to open after this recipe
        QString unsaid = {};       ///< to show after the last of the files
        bool fits = true;          ///< whether the estimate fits into the memory
        QString set_aside = {};    ///< name of the draft that was set aside for this file
    };
    void load(const QString& file, const AfterOpening& after);
    void opened(const OpenedFile& opened, const AfterOpening& after);
    void takeStored(const QJsonObject& place);
    void takeWaiting();
    bool isLater(std::function<void()> request);
    void clear();
    /// Saves the draft in a separate file if it holds work. Returns its name, or an empty string.
    QString setAside();

    RunDraft& draft_;
    DraftKeeper* keeper_;
    WizardMessages* messages_;
    widgets::Job loading_;
    ForeignCode code_;
    QString from_;
    QString data_wanted_;                 ///< to set after the sample or draft being read
    std::function<void()> waiting_;       ///< to run after the draft being read
    std::function<void()> file_waiting_;  ///< then opens a file, which replaces that draft
    bool read_ = false;                   ///< the stored draft was read, or there is none
    bool restored_ = false;               ///< the draft is of an earlier session, not the sample
    bool launched_ = false;
    bool place_chosen_ = false;
};

}  // namespace trainyard::desktop
