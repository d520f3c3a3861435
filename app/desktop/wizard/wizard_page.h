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
#include "desktop/wizard/draft_opener.h"
#include "desktop/wizard/wizard_messages.h"
#include "widgets/forward.h"

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

    void save(const QString& file);

    RunDraft* draft() { return &draft_; }
    const RunDraft* draft() const { return &draft_; }
    /// Fills the draft: with files, a run, a draft that was set aside, nothing.
    DraftOpener* opener() { return opener_; }
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
    const DraftKeeper* keeper() const { return keeper_; }
    /// Shows a message at the top.
    void tell(const QString& title, const QString& words = {}) {
        messages_->say(widgets::InlineMessage::Kind::Note, title, words);
    }
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
    widgets::InlineMessage* message() const { return messages_->message(); }
    widgets::InlineMessage* question() const { return messages_->question(); }
    QPushButton* answerButton() const { return messages_->answerButton(); }
    QPushButton* launchButton() const { return launch_; }
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
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;

  private:
    void makeHeader();
    void makeBody();
    void makeActions();
    QWidget* makeFooter();
    void placeFooter();
    void look();
    void draftChanged();
    void showAll();
    void showWritten();
    void showFacts();
    void keepPlace();
    void openRecent();
    void rememberFile(const QString& file);
    void discardDraft(const QString& file);
    void chooseFile();
    void saveAs();
    void saveAgain();
    void launch();
    void askAboutCode(const QStringList& code, std::function<void()> then);
    void setLaunching(bool launching);
    QString primaryWords() const;
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
    HostListing hosts_;

    widgets::StateChip* saved_;
    QPushButton* undo_ = nullptr;
    QPushButton* redo_ = nullptr;
    QPushButton* open_ = nullptr;
    QPushButton* presets_ = nullptr;
    widgets::SegmentedControl* modes_ = nullptr;
    WizardMessages* messages_;
    DraftOpener* opener_;
    QHBoxLayout* columns_ = nullptr;
    QBoxLayout* parts_ = nullptr;  ///< the columns, and the panels at the right or, with large text, below them
    PageList* list_ = nullptr;
    QScrollArea* list_scroll_ = nullptr;
    QStackedWidget* middle_ = nullptr;
    QWidget* footer_ = nullptr;
    bool stacked_ = false;  ///< the side panels are below the fields
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
    widgets::Job probing_;
    widgets::Job writing_;
    widgets::Job launching_;  ///< separate, because saving a file meanwhile would cancel its completion
    bool launch_when_checked_ = false;
    bool sweep_when_checked_ = false;
    Namer namer_;
};

}  // namespace trainyard::desktop
