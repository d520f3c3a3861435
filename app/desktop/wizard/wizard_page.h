// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// New run: the wizard. The pages are listed at the left, the current page (or, in Expert, one table of all keys) is in
// the middle, and the memory estimate and the files to be written are at the right; Back, Next and Launch are below.
// Nothing is written before Launch or Save, except the draft itself, which survives restarts. Launch is never disabled:
// it goes to the first invalid field.

#include <functional>
#include <memory>
#include <optional>

#include "config/accelerate/machine.h"
#include "desktop/hosts/host_source.h"
#include "desktop/launch/launch_request.h"
#include "desktop/shell/page.h"
#include "desktop/wizard/foreign_code.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/steps.h"
#include "widgets/forward.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

class DraftKeeper;
class ExpertView;
class Finder;
class KeptDraft;
class FitPanel;
class PageList;
class PresetsMenu;
class ReadPanel;
class StepPage;
class WrittenPanel;
struct OpenedFile;
struct SweepBase;

class WizardPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "new";  ///< in the registry of pages
    /// If no machine is given, this machine is inspected in another thread. `draft`: one that outlives the page; null:
    /// one of its own.
    explicit WizardPage(const std::optional<settings::Machine>& machine = {}, QWidget* parent = nullptr,
                        KeptDraft* draft = nullptr);
    ~WizardPage() override;
    QWidget* firstFocus() override;
    void primaryAction() override;
    void find() override;
    bool isBusy() const override;
    /// Alt+Left and Alt+Right. Returns false if there is no such page.
    bool step(int by) override;

    /// Opens settings, a recipe, a run.yaml or a DeepSpeed JSON (read in another thread) and reports its problems.
    void load(const QString& file) { load(file, {}); }
    /// Like load(), then sets the checkpoint to resume from and asks where to run.
    void loadToResume(const QString& file, const QString& checkpoint);
    /// Opens a recipe, which may be empty, and its settings, then shows `unsaid`: what neither of them contains.
    void loadRun(const QString& recipe, const QString& settings, const QString& unsaid, bool fits = true);
    /// Like load(), for files opened outside of the page: asks before it replaces a draft that holds work.
    void offerFile(const QString& file);
    void offerData(const QString& path);
    void setDataPath(const QString& path);
    void save(const QString& file);

    RunDraft* draft() { return &draft_; }
    const RunDraft* draft() const { return &draft_; }
    Step currentStep() const { return step_; }
    void showStep(Step step);
    bool isExpert() const { return expert_on_; }
    void setExpert(bool on);
    /// Opens the page with this field and focuses it; reports why if the field is not asked now.
    bool goToField(const QString& key);
    /// Halves the micro-batch and doubles the accumulation, so that a step sees the same number of tokens. Returns
    /// false if the micro-batch is already 1.
    bool halveBatch();
    /// Sets the selectable hosts. The page looks for them itself if no machine was given.
    void setListing(const HostListing& listing);
    /// Returns a name like this one that is not used by any run, according to the recipe.
    using Namer = std::function<QString(const QString& name, const QMap<QString, QString>& values)>;
    void setNamer(Namer namer) { namer_ = std::move(namer); }
    /// The known speeds of runs have changed.
    void speedsChanged() { showAll(); }
    /// The draft was launched as a run: the page is reset the next time it is shown.
    void draftLaunched();
    void beginNew();
    /// "New run": starts a fresh draft. A draft that holds work is set aside, and the first page offers it.
    void newRun();
    /// Shows a draft that was set aside (DraftKeeper::readParked). A draft that holds work is set aside for it.
    void continueDraft(const QString& file);
    /// Starts a draft with the recipe or program of a run and its settings. A draft that holds work is set aside.
    void editAgain(const QString& file);
    const DraftKeeper* keeper() const { return keeper_; }
    /// Shows a message at the top.
    void tell(const QString& title, const QString& words);
    void goToFirstProblem();
    void useOwnScript();
    /// The page; created on first use.
    StepPage* page(Step step);
    /// Searches the pages created so far; nullptr: not found.
    widgets::FieldRow* row(const QString& key) const;
    QVector<FieldProblem> problems() const { return problems_; }
    ExpertView* expert();
    Finder* finder();
    /// Ctrl+G: any field by part of label, id, key or flag.
    void openFinder();
    widgets::InlineMessage* message() const { return message_; }
    widgets::InlineMessage* question() const { return question_; }
    QPushButton* answerButton() const { return answer_; }
    QPushButton* launchButton() const { return launch_; }
    QPushButton* problemsButton() const { return problem_count_; }
    QPushButton* sweepButton() const { return sweep_; }
    /// Asks for a sweep of the draft, or says what is missing for one.
    void openSweep();
    /// Whether nothing is being read, checked or written.
    bool isChecked() const;
    /// Opens `start`, `model` ... or `expert`. Returns false if there is no such page.
    bool openNamed(const QString& name);
    void activate(const QString& step) override {
        if (!step.isEmpty())
            openNamed(step);
    }

  signals:
    /// The draft is valid and its files are written: check that the run can start, then start it.
    void launchRequested(const trainyard::desktop::LaunchRequest& request);
    void hostsRequested();
    /// The model of the draft as a graph.
    void architectureRequested(const QString& recipe);
    /// Many runs of the draft with other values.
    void sweepRequested(const trainyard::desktop::SweepBase& base);

  protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    void makeActions();
    QWidget* makeFooter();
    void look();
    void draftChanged();
    void showAll();
    void showWritten();
    void showFacts();
    void keepPlace();
    void openRecent();
    void rememberFile(const QString& file);
    /// Whether the draft is more than the sample: typed, opened or saved.
    bool holdsWork() const;
    /// Saves the draft in a separate file if it holds work. Returns its name, or an empty string.
    QString setAside();
    QString draftName() const;
    void discardDraft(const QString& file);
    void ask(const QString& title, const QString& words, const QString& verb, std::function<void()> then);
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
    void chooseFile();
    void saveAs();
    void saveAgain();
    void launch();
    void askAboutCode(const QStringList& code, std::function<void()> then);
    void takeWaiting();
    void setLaunching(bool launching);
    QString primaryWords() const;
    void say(widgets::InlineMessage::Kind kind, const QString& title, const QString& words = {},
             const QString& details = {});
    Step nextStep(int by) const;
    QString commandLine() const;
    void presetApplied(const QString& name);
    StepPage* make(Step step);

    std::unique_ptr<KeptDraft> own_draft_;
    RunDraft& draft_;
    DraftKeeper* keeper_;
    QVector<FieldProblem> problems_;
    QVector<StepPage*> pages_;
    QVector<QScrollArea*> scrolls_;
    QVector<bool> visited_;
    Step step_ = Step::Start;
    bool expert_on_ = false;
    bool place_chosen_ = false;  ///< a page was requested, so the page of the stored draft is ignored
    HostListing hosts_;
    QString from_;  ///< file or preset the form was filled from

    widgets::StateChip* saved_;
    QPushButton* undo_ = nullptr;
    QPushButton* redo_ = nullptr;
    QPushButton* open_ = nullptr;
    QPushButton* presets_ = nullptr;
    widgets::SegmentedControl* modes_ = nullptr;
    widgets::InlineMessage *message_, *question_;
    QPushButton* answer_;
    std::function<void()> asked_;  ///< action to run when the question is confirmed
    QHBoxLayout* columns_ = nullptr;
    QBoxLayout* parts_ = nullptr;  ///< the columns, and the panels at the right or, with large text, below them
    PageList* list_ = nullptr;
    QScrollArea* list_scroll_ = nullptr;
    QStackedWidget* middle_ = nullptr;
    QWidget* right_ = nullptr;
    FitPanel* fit_ = nullptr;
    ReadPanel* read_ = nullptr;
    WrittenPanel* written_ = nullptr;
    ExpertView* expert_ = nullptr;
    PresetsMenu* presets_menu_ = nullptr;
    Finder* finder_ = nullptr;
    QPushButton* back_ = nullptr;
    QPushButton* next_ = nullptr;
    QPushButton* launch_ = nullptr;
    QPushButton* sweep_ = nullptr;
    QPushButton* problem_count_ = nullptr;
    widgets::Job loading_;
    widgets::Job probing_;
    widgets::Job writing_;
    widgets::Job launching_;  ///< separate, because saving a file meanwhile would cancel its completion
    bool launch_when_checked_ = false;
    bool sweep_when_checked_ = false;
    QString data_wanted_;                 ///< to set after the sample or draft being read
    std::function<void()> waiting_;       ///< to run after the draft being read
    std::function<void()> file_waiting_;  ///< then opens a file, which replaces that draft
    bool draft_read_ = false;
    bool draft_restored_ = false;  ///< the draft is of an earlier session, not the sample
    ForeignCode code_;
    Namer namer_;
    bool launched_ = false;
};

}  // namespace trainyard::desktop
