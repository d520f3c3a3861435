#pragma once
// New run: the wizard. Left the pages, in the middle the one that is open (or, in Expert, one table of all keys), at the right what
// it needs and what will be written; below Back, Next, Launch. Nothing is written before Launch or Save, besides the draft
// itself, which survives restarts. Launch never disables: it goes to the first wrong field.

#include <functional>
#include <optional>

#include "config/accelerate/machine.h"
#include "desktop/hosts/host_source.h"
#include "desktop/launch/launch_request.h"
#include "desktop/page.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/steps.h"
#include "widgets/forward.h"
#include "widgets/inline_message.h"

namespace trainyard::desktop {

class DraftKeeper;
class ExpertView;
class Finder;
class FitPanel;
class PageList;
class PresetsMenu;
class ReadPanel;
class StepPage;
class WrittenPanel;
struct OpenedFile;

class WizardPage : public Page {
    Q_OBJECT
  public:
    static constexpr const char* kKey = "new";  ///< in the registry of pages
    /// Without a machine this one is looked at, in another thread.
    explicit WizardPage(const std::optional<settings::Machine>& machine = {}, QWidget* parent = nullptr);
    ~WizardPage() override;
    QWidget* firstFocus() override;
    void primaryAction() override;
    void find() override;
    /// Alt+Left and Alt+Right; false when there is no such page.
    bool step(int by) override;

    /// Opens settings, a recipe, a run.yaml or a DeepSpeed JSON (read in another thread); says what is wrong with it.
    void load(const QString& file);
    /// The same; then it goes on from that checkpoint, and the question is where.
    void loadToResume(const QString& file, const QString& checkpoint);
    /// Opens a recipe, which may be empty, and its settings; then it shows what neither of them says.
    void loadRun(const QString& recipe, const QString& settings, const QString& unsaid, bool fits = true);
    /// The same for what was opened outside of the page: a draft that holds work changes after a question only.
    void offerFile(const QString& file);
    void offerData(const QString& path);
    void setDataPath(const QString& path);
    void save(const QString& file);

    RunDraft* draft() { return &draft_; }
    Step currentStep() const { return step_; }
    void showStep(Step step);
    bool isExpert() const { return expert_on_; }
    void setExpert(bool on);
    /// Opens the page with that field and puts the keyboard there; says why when it is not asked now.
    bool goToField(const QString& key);
    /// Half the micro-batch with twice the accumulation: a step sees the same tokens. False: it is 1 already.
    bool halveBatch();
    /// Hosts that may be ticked; they are looked for by the page itself where no machine was given.
    void setListing(const HostListing& listing);
    /// Gives a name like this one that no run has yet, by what the recipe says.
    using Namer = std::function<QString(const QString& name, const QMap<QString, QString>& values)>;
    void setNamer(Namer namer) { namer_ = std::move(namer); }
    /// What is known of the speed of runs has changed.
    void speedsChanged() { showAll(); }
    /// The draft became a run: the next time the page is opened it begins anew.
    void draftLaunched();
    void beginNew();
    /// "New run": a fresh draft. One that holds work is set aside, and the first page offers it.
    void newRun();
    /// A fresh draft with the recipe or program of a run, and its settings; one that holds work is set aside.
    void editAgain(const QString& file);
    const DraftKeeper* keeper() const { return keeper_; }
    /// A sentence at the top.
    void tell(const QString& title, const QString& words);
    void goToFirstProblem();
    void useOwnScript();
    /// The page, made when it is first wanted.
    StepPage* page(Step step);
    /// Of the pages made so far; nullptr: none has it.
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
    /// Nothing is being read, judged or written.
    bool isChecked() const;
    /// `start`, `model` ..., `expert`; false: no such page.
    bool openNamed(const QString& name);
    void activate(const QString& step) override {
        if (!step.isEmpty())
            openNamed(step);
    }

  signals:
    /// All is well and the files are written: prove that it will start, then start it.
    void launchRequested(const trainyard::desktop::LaunchRequest& request);
    void hostsRequested();

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
    /// More than the sample: it was typed, opened or saved.
    bool holdsWork() const;
    /// Keeps the draft in a file of its own if it holds work. Returns whether it did.
    bool setAside();
    QString draftName() const;
    void continueDraft(const QString& file);
    void discardDraft(const QString& file);
    void ask(const QString& title, const QString& words, const QString& verb, std::function<void()> then);
    void opened(const OpenedFile& opened);
    void chooseFile();
    void saveAs();
    void saveAgain();
    void launch();
    void showProgram(const OpenedFile& read);
    /// Programs and libraries of the draft that a file from elsewhere named and that the user has not agreed to.
    QStringList foreignCode() const;
    void askAboutCode(const QStringList& code);
    void takeWaiting();
    LaunchRequest request(const QString& settingsFile, const QString& recipeFile) const;
    void setLaunching(bool launching);
    QString primaryWords() const;
    void say(widgets::InlineMessage::Kind kind, const QString& title, const QString& words = {},
             const QString& details = {});
    Step nextStep(int by) const;
    QString commandLine() const;
    void presetApplied(const QString& name);
    StepPage* make(Step step);

    RunDraft draft_;
    DraftKeeper* keeper_;
    QVector<FieldProblem> problems_;
    QVector<StepPage*> pages_;
    QVector<QScrollArea*> scrolls_;
    QVector<bool> visited_;
    Step step_ = Step::Start;
    bool expert_on_ = false;
    bool place_chosen_ = false;  ///< a page was asked for; the one of the kept draft no longer counts
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
    std::function<void()> asked_;  ///< what the question is about
    QHBoxLayout* columns_ = nullptr;
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
    QPushButton* problem_count_ = nullptr;
    widgets::Job loading_;
    widgets::Job probing_;
    widgets::Job writing_;
    widgets::Job launching_;  ///< its own: a file that is saved meanwhile must not take its end away
    bool launch_when_checked_ = false;
    QString resume_from_;            ///< for the file that is being read
    QString settings_after_;         ///< to open after the recipe that is being read
    QString unsaid_;                 ///< to show after the last of the files that are being read
    bool fits_ = true;               ///< the estimate that is being read
    QString data_wanted_;            ///< for the sample or the draft that is being read
    QString file_wanted_;            ///< opened while the draft is being read
    std::function<void()> waiting_;  ///< what asks about the draft while it is being read
    bool draft_read_ = false;
    bool draft_restored_ = false;  ///< the draft is of an earlier session, not the sample
    /// Parts of opened files that lead to execution (code_of_draft), with the file that names each. A part stays when
    /// the draft is filled from another file: Undo brings it back.
    QMap<QString, QString> code_;
    Namer namer_;
    bool launched_ = false;
    QString set_aside_;  ///< name of the draft that gave way to the file that is being read
};

}  // namespace trainyard::desktop
