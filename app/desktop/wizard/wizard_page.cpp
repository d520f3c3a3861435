// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/wizard_page.h"

#include <algorithm>

#include <QFileInfo>
#include <QLineEdit>
#include <QScrollArea>
#include <QScrollBar>
#include <QStackedWidget>

#include "desktop/hosts/machine.h"
#include "desktop/hosts/ssh_host_source.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/finder.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/undo_mirror.h"
#include "desktop/shell/view_state.h"
#include "desktop/wizard/draft_fields.h"
#include "desktop/wizard/draft_keeper.h"
#include "desktop/wizard/expert_view.h"
#include "desktop/wizard/fit_panel.h"
#include "desktop/wizard/hardware_page.h"
#include "desktop/wizard/page_list.h"
#include "desktop/wizard/parallelism_page.h"
#include "desktop/wizard/presets_menu.h"
#include "desktop/wizard/read_panel.h"
#include "desktop/wizard/recipe_page.h"
#include "desktop/wizard/review_page.h"
#include "desktop/wizard/script_page.h"
#include "desktop/wizard/start_page.h"
#include "desktop/wizard/written_panel.h"
#include "launch/plan/probe.h"
#include "widgets/chip.h"
#include "widgets/dialogs.h"
#include "widgets/field_row.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {

QPushButton* iconButton(const QString& icon, const QString& name) {
    auto* button = with_look(new QPushButton, {.kind = "ghost", .tip = name});
    button->setIcon(Theme::instance().icon(icon, Token::Text));
    return button;
}

}  // namespace

WizardPage::WizardPage(const std::optional<settings::Machine>& machine, QWidget* parent, KeptDraft* draft)
    : Page(tr("New run"), parent),
      own_draft_(draft == nullptr ? std::make_unique<KeptDraft>() : nullptr),
      draft_((draft == nullptr ? own_draft_.get() : draft)->draft),
      keeper_(&(draft == nullptr ? own_draft_.get() : draft)->keeper),
      pages_(kSteps, nullptr),
      scrolls_(kSteps, nullptr),
      visited_(kSteps, false),
      saved_(new widgets::StateChip),
      messages_(new WizardMessages(this)),
      opener_(new DraftOpener(&draft_, keeper_, messages_, this)) {
    makeHeader();
    makeBody();
    makeActions();
    if (machine)
        draft_.model()->setMachine(*machine);
    connect(&draft_, &RunDraft::changed, this, &WizardPage::draftChanged);
    connect(&draft_, &RunDraft::checked, this, &WizardPage::showAll);
    connect(&draft_, &RunDraft::replaced, this, [this] { visited_.fill(false); });
    connect(keeper_, &DraftKeeper::saved, this, [this](bool all) {
        saved_->setChip(all ? widgets::Chip{tr("draft saved"), QStringLiteral("check"), Token::TextSecondary}
                            : widgets::Chip{tr("draft"), {}, Token::TextSecondary});
    });
    connect(keeper_, &DraftKeeper::complaint, this,
            [this](const QString& words) { messages_->say(InlineMessage::Kind::Warning, tr("The draft"), words); });
    connect(keeper_, &DraftKeeper::parkedChanged, this, &WizardPage::showAll);
    connect(opener_, &DraftOpener::changed, this, [this] {
        keepPlace();
        showAll();
    });
    connect(opener_, &DraftOpener::stepWanted, this, &WizardPage::showStep);
    connect(opener_, &DraftOpener::fileOpened, this, &WizardPage::rememberFile);
    connect(opener_, &DraftOpener::restored, this, [this](const QJsonObject& place) {
        openNamed(place.value(QLatin1String("page")).toString());
        if (place.value(QLatin1String("expert")).toBool())
            setExpert(true);
    });
    showStep(Step::Start);
    opener_->start();
    if (!machine)
        look();
}

WizardPage::~WizardPage() {
    // Everything that uses the draft is deleted before the draft itself.
    qDeleteAll(findChildren<QWidget*>(Qt::FindDirectChildrenOnly));
    delete opener_;
}

void WizardPage::look() {
    struct Seen {
        settings::Machine machine;
        MachineFacts facts;
        HostListing hosts;
    };
    probing_.submit(
        [] {
            SshHostSource hosts(Preferences::stateFolder().toStdString() + "/hosts");
            return Seen{plan::probe_machine(), readMachine(), hosts.list()};
        },
        [this](const Seen& seen) {
            draft_.model()->setMachine(seen.machine);
            fit_->setMemory(seen.facts.memoryBytes);
            setListing(seen.hosts);
        });
}

void WizardPage::setListing(const HostListing& listing) {
    hosts_ = listing;
    std::map<std::string, remote::HostFacts> facts;
    for (const auto& [host, answer] : listing.last)
        if (answer.result.facts)
            facts.emplace(host, *answer.result.facts);
    draft_.setHostFacts(std::move(facts));
    if (auto* hardware = qobject_cast<HardwarePage*>(pages_[static_cast<int>(Step::Hardware)]))
        hardware->setListing(hosts_);
    showAll();
}

void WizardPage::makeHeader() {
    saved_->setChip({tr("draft"), {}, Token::TextSecondary});
    titleLine()->insertWidget(1, saved_);
    undo_ = iconButton(QStringLiteral("undo"), tr("Undo"));
    redo_ = iconButton(QStringLiteral("redo"), tr("Redo"));
    ActionCollection::instance().describe(undo_, "edit.undo", tr("Undo"));
    ActionCollection::instance().describe(redo_, "edit.redo", tr("Redo"));
    open_ = with_look(new QPushButton(tr("Open YAML…")), {.icon = "folder"});
    presets_ = with_look(new QPushButton(tr("Presets")), {.icon = "wand"});
    modes_ = new widgets::SegmentedControl({tr("Guided"), tr("Expert")});
    add_items(actions(), {undo_, redo_, open_, presets_, modes_});
    connect(undo_, &QPushButton::clicked, draft_.history(), &EditHistory::undo);
    connect(redo_, &QPushButton::clicked, draft_.history(), &EditHistory::redo);
    connect(open_, &QPushButton::clicked, this, &WizardPage::openRecent);
    connect(modes_, &widgets::SegmentedControl::currentChanged, this, [this](int mode) { setExpert(mode == 1); });
    connect(presets_, &QPushButton::clicked, this, [this] {
        if (presets_menu_ == nullptr) {
            presets_menu_ = new PresetsMenu(&draft_, this);
            connect(presets_menu_, &PresetsMenu::applied, this, &WizardPage::presetApplied);
            connect(presets_menu_, &PresetsMenu::programPasted, this,
                    [this](const QString& program, const QStringList& arguments) {
                        draft_.beginStep();
                        draft_.setPurpose(Purpose::Script);
                        draft_.setScript({ScriptChoice::Kind::File, program, shellLine(arguments)});
                        draft_.endStep();
                    });
        }
        presets_menu_->popup(presets_);
    });
}

void WizardPage::presetApplied(const QString& name) {
    opener_->setFrom(tr("preset “%1”").arg(name));
}

void WizardPage::makeBody() {
    body()->addWidget(message());
    body()->addWidget(question());
    columns_ = new QHBoxLayout;
    parts_ = new QBoxLayout(QBoxLayout::LeftToRight);
    parts_->addLayout(columns_, 1);
    body()->addLayout(parts_, 1);

    list_ = new PageList;
    list_scroll_ = widgets::make_upright_scroll(list_);
    columns_->addWidget(list_scroll_);
    connect(list_, &PageList::chosen, this, [this](Step step) {
        showStep(step);
        page(step)->focusFirst();
    });
    connect(list_, &PageList::showsAllChanged, this, &WizardPage::showAll);

    middle_ = widgets::make_stack();
    auto* line = new QFrame;
    line->setProperty("surface", QStringLiteral("line"));
    footer_ = makeFooter();
    columns_->addLayout(make_column(kBesideFooter, {{middle_, 1}, line, footer_}), 1);
    for (QWidget* part : {static_cast<QWidget*>(list_), static_cast<QWidget*>(middle_), footer_})
        part->setProperty("region", true);
    middle_->installEventFilter(this);
    footer_->installEventFilter(this);

    fit_ = new FitPanel(draft_.model());
    read_ = new ReadPanel(draft_.model());
    written_ = new WrittenPanel(draft_.model());
    right_ = widgets::make_panel_scroll(make_column({0, 0, 0, 0}, 8, {fit_, read_, {written_, 1}}));
    parts_->addWidget(right_);
    connect(fit_, &FitPanel::batchWanted, this, [this](qint64 batch) {
        draft_.setRecipeValue(QStringLiteral("training.batch_size"), QString::number(batch));
    });
    connect(fit_, &FitPanel::architectureWanted, this,
            [this] { emit architectureRequested(QString::fromStdString(draft_.recipeYaml())); });
    connect(written_, &WrittenPanel::keyActivated, this, &WizardPage::goToField);
    connect(read_, &ReadPanel::keyActivated, this, &WizardPage::goToField);
    connect(written_, &WrittenPanel::saveRequested, this, &WizardPage::saveAs);
}

QWidget* WizardPage::makeFooter() {
    back_ = new QPushButton(tr("Back"));
    next_ = with_look(new QPushButton, {.elides = true});
    launch_ = with_look(new QPushButton(tr("Launch")), {.kind = "primary", .icon = "play", .elides = true});
    problem_count_ = with_look(new QPushButton, {.kind = "link"});
    problem_count_->setProperty("tone", QStringLiteral("error"));
    problem_count_->setToolTip(tr("Go to the first"));
    back_->setToolTip(tr("Alt+Left"));
    next_->setToolTip(tr("Alt+Right"));
    launch_->setMinimumWidth(96_px);
    sweep_ = with_look(new QPushButton(tr("Sweep…")),
                       {.icon = "target",
                        .tip = tr("Many runs of this draft with other values, and the best of them"),
                        .elides = true});
    auto* footer = widgets::make_wrapping_row({kBesideFields, 2, 0, 0}, 10,
                                              {back_, stretch(), problem_count_, next_, sweep_, launch_});
    connect(sweep_, &QPushButton::clicked, this, &WizardPage::openSweep);
    connect(back_, &QPushButton::clicked, this, [this] { step(-1); });
    connect(next_, &QPushButton::clicked, this, [this] { step(1); });
    connect(launch_, &QPushButton::clicked, this, &WizardPage::primaryAction);
    connect(problem_count_, &QPushButton::clicked, this, &WizardPage::goToFirstProblem);
    return footer;
}

void WizardPage::makeActions() {
    ActionCollection::instance().addUndo(this, new UndoMirror(draft_.history(), this));
    addCommand("new.save", [this] { saveAgain(); });
    addCommand("new.expert", [this] { setExpert(!expert_on_); });
    addCommand("new.go_to_field", [this] { openFinder(); });
    addCommand("new.sweep", [this] { openSweep(); });
    addCommand("new.start_over", [this] { opener_->newRun(); });
}

void WizardPage::discardDraft(const QString& file) {
    const auto found = std::ranges::find(keeper_->parked(), file, &ParkedDraft::file);
    if (found == keeper_->parked().end())
        return;
    widgets::ask_before_loss(this,
                             {tr("Discard the draft"), tr("Discard the draft “%1”?").arg(found->name),
                              tr("It cannot be restored."), tr("Discard")},
                             [this, file] { keeper_->discard(file); });
}

void WizardPage::showEvent(QShowEvent* event) {
    Page::showEvent(event);
    if (opener_->isLaunched())
        opener_->beginNew();
}

Finder* WizardPage::finder() {
    if (finder_ == nullptr)
        finder_ = new Finder(tr("Go to field"), tr("Field or key, e.g. main_process_port"), this);
    return finder_;
}

void WizardPage::openFinder() {
    finder()->open(draftFields(draft_, [this](const QString& id) { goToField(id); }));
}

void WizardPage::find() {
    if (expert_on_)
        expert()->searchField()->setFocus(Qt::ShortcutFocusReason);
    else
        openFinder();
}

StepPage* WizardPage::make(Step step) {
    switch (step) {
        case Step::Start: {
            auto* start = new StartPage(&draft_);
            connect(start, &StartPage::presetApplied, this, &WizardPage::presetApplied);
            connect(start, &StartPage::continueRequested, opener_, &DraftOpener::continueDraft);
            connect(start, &StartPage::discardRequested, this, &WizardPage::discardDraft);
            connect(start, &StartPage::startOverRequested, opener_, &DraftOpener::newRun);
            return start;
        }
        case Step::Model:
            return new ModelPage(&draft_);
        case Step::Data:
            return new DataPage(&draft_);
        case Step::Script:
            return new ScriptPage(&draft_);
        case Step::Hardware: {
            auto* hardware = new HardwarePage(&draft_);
            hardware->setListing(hosts_);
            connect(hardware, &HardwarePage::hostsRequested, this, &WizardPage::hostsRequested);
            return hardware;
        }
        case Step::Parallelism: {
            auto* parallelism = new ParallelismPage(&draft_);
            connect(parallelism, &ParallelismPage::ownScriptWanted, this, &WizardPage::useOwnScript);
            return parallelism;
        }
        case Step::Precision:
            return new QuestionPage(&draft_, settings::Topic::precision);
        case Step::Training:
            return new TrainingPage(&draft_);
        case Step::Output:
            return new RecipePage(&draft_, Step::Output, RecipePage::tr("Output"),
                                  RecipePage::tr("Everything is saved in the run folder."));
        case Step::Cloud:
            return new QuestionPage(&draft_, settings::Topic::cloud);
        case Step::Review: {
            auto* review = new ReviewPage(&draft_);
            connect(review, &ReviewPage::fieldWanted, this, &WizardPage::goToField);
            connect(review, &ReviewPage::saveRequested, this, &WizardPage::saveAs);
            connect(review, &ReviewPage::ownScriptWanted, this, &WizardPage::useOwnScript);
            connect(review, &ReviewPage::dataParallelWanted, this,
                    [this] { static_cast<ParallelismPage*>(page(Step::Parallelism))->choose(Layout::Replicate); });
            return review;
        }
    }
    return nullptr;
}

StepPage* WizardPage::page(Step step) {
    const int index = static_cast<int>(step);
    if (pages_[index] != nullptr)
        return pages_[index];
    StepPage* made = make(step);
    QScrollArea* scroll = widgets::make_upright_scroll(made);
    scroll->setObjectName(stepName(step));
    middle_->addWidget(scroll);
    connect(made, &StepPage::seen, this, [scroll](QWidget* widget) {
        QTimer::singleShot(0, scroll, [scroll, widget] { scroll->ensureWidgetVisible(widget, 20, 40); });
    });
    pages_[index] = made;
    scrolls_[index] = scroll;
    return made;
}

widgets::FieldRow* WizardPage::row(const QString& key) const {
    for (StepPage* each : pages_)
        if (each != nullptr)
            if (widgets::FieldRow* found = each->row(key))
                return found;
    return nullptr;
}

ExpertView* WizardPage::expert() {
    if (expert_ == nullptr) {
        expert_ = new ExpertView(draft_.model(), &draft_);
        middle_->addWidget(expert_);
    }
    return expert_;
}

void WizardPage::setExpert(bool on) {
    modes_->setCurrent(on ? 1 : 0);
    if (on == expert_on_)
        return;
    expert_on_ = on;
    if (on)
        middle_->setCurrentWidget(expert());
    list_scroll_->setVisible(!on);
    if (!on)
        showStep(step_);
    else
        showAll();
    keepPlace();
    (on ? static_cast<QWidget*>(expert()->searchField()) : firstFocus())->setFocus(Qt::OtherFocusReason);
}

void WizardPage::showStep(Step step) {
    page(step);
    step_ = step;
    if (expert_on_) {
        expert_on_ = false;
        modes_->setCurrent(0);
        list_scroll_->show();
    }
    visited_[static_cast<int>(step)] = true;
    showAll();
    middle_->setCurrentWidget(scrolls_[static_cast<int>(step)]);
    scrolls_[static_cast<int>(step)]->verticalScrollBar()->setValue(0);
    keepPlace();
}

bool WizardPage::openNamed(const QString& name) {
    opener_->setPlaceChosen();
    if (name == QLatin1String("expert")) {
        setExpert(true);
        return true;
    }
    const std::optional<Step> step = stepNamed(name);
    if (!step)
        return false;
    if (!list_->shownSteps().contains(*step))
        list_->setShowsAll(true);
    showStep(*step);
    return true;
}

Step WizardPage::nextStep(int by) const {
    const QVector<Step> shown = list_->shownSteps();
    Step to = step_;
    for (Step each : shown) {
        if (by > 0 && each > step_)
            return each;
        if (by < 0 && each < step_)
            to = each;
    }
    return to;
}

bool WizardPage::step(int by) {
    const Step to = nextStep(by);
    if (expert_on_ || to == step_)
        return false;
    showStep(to);
    page(to)->focusFirst();
    return true;
}

QWidget* WizardPage::firstFocus() {
    // A keyboard user who opens the page starts in its first field; Shift+Tab leads to the list of pages.
    if (expert_on_)
        return expert()->searchField();
    page(step_)->focusFirst();
    QWidget* focus = page(step_)->focusWidget();
    return focus != nullptr ? focus : next_;
}

}  // namespace trainyard::desktop
