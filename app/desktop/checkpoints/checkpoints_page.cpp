// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/checkpoints_page.h"

#include <QAction>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QFileInfo>
#include <QLineEdit>
#include <QMenu>
#include <QScrollArea>
#include <QSplitter>
#include <QStackedWidget>
#include <QStorageInfo>
#include <QTableView>
#include <QTreeView>

#include "base/clock.h"
#include "base/error.h"
#include "base/text.h"
#include "desktop/checkpoints/checkpoint_actions.h"
#include "desktop/checkpoints/export_menu.h"
#include "desktop/checkpoints/inspector.h"
#include "desktop/checkpoints/tensor_panel.h"
#include "desktop/hosts/dialog_asker.h"
#include "desktop/hosts/hang_up.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/ui.h"
#include "run/paths.h"
#include "widgets/dialogs.h"
#include "widgets/drag_out.h"
#include "widgets/empty_state.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"

namespace trainyard::desktop {

using inspect::CheckpointEntry;
using inspect::CheckpointState;
using widgets::InlineMessage;

namespace {

constexpr int kLookMs = 150;
/// Pixels: narrower, what a tensor has is below the tensors, and then these are below the checkpoints.
const int &kInspectorBelow = live_px(760), &kCheckpointsStackedBelow = live_px(640);
constexpr double kRunsEvery = 5;       ///< seconds between two looks for checkpoints of all runs
constexpr qsizetype kMostInMenu = 20;  ///< runs

QString sizeWords(std::uint64_t bytes) {
    return qtNumber(text::file_size(bytes));
}

/// Leaves folders in the middle of a path out; the header has space for about forty characters next to its buttons.
QString shortPath(const QString& path) {
    constexpr qsizetype kMost = 36;
    const QString home = QDir::homePath();
    QStringList parts = (path.startsWith(home + QLatin1Char('/')) ? QLatin1Char('~') + path.mid(home.size()) : path)
                            .split(QLatin1Char('/'));
    const qsizetype first = parts.front().isEmpty() ? 2 : 1;
    const auto length = [&parts] { return parts.join(QLatin1Char('/')).size(); };
    for (bool cut = false; length() > kMost && parts.size() > first + (cut ? 2 : 1); cut = true) {
        if (cut)
            parts.removeAt(first);
        parts[first] = QStringLiteral("…");
    }
    return parts.join(QLatin1Char('/'));
}

/// The name of a checkpoint that is not in the list. Files, which are named by their endings, often have the same name
/// in each folder.
QString placeName(const QString& place) {
    const QFileInfo info(place);
    return !info.isAbsolute()        ? place
           : info.suffix().isEmpty() ? info.fileName()
                                     : info.dir().dirName() + QLatin1Char('/') + info.fileName();
}

QString weightFiles() {
    return CheckpointsPage::tr("Weights (*.safetensors *.gguf *.bin *.pt *.pth *.ckpt *.index.json);;All files (*)");
}

}  // namespace

CheckpointsPage::CheckpointsPage(const QString& runsRoot, QWidget* parent)
    : Page(tr("Checkpoints"), parent),
      runs_root_(runsRoot),
      asker_(DialogAsker::make(this)),
      run_box_(new QComboBox),
      open_folder_(with_look(new QPushButton(tr("Open…")), {.icon = "folder", .elides = true})),
      verify_(with_look(new QPushButton(tr("Verify")), {.icon = "shield", .elides = true})),
      export_(with_look(new QPushButton(tr("Export…")), {.icon = "merge", .elides = true})),
      resume_(with_look(new QPushButton(tr("Resume")), {.kind = "primary", .icon = "resume", .elides = true})),
      try_(with_look(new QPushButton,
                     {.tip = tr("Try it: a prompt, and how this checkpoint continues it"), .name = tr("Try it")})),
      architecture_(with_look(new QPushButton, {.tip = tr("Architecture: the blocks of the model as a graph"),
                                                .name = tr("Architecture")})),
      export_menu_(new ExportMenu(this)),
      stack_(widgets::make_stack()),
      message_(new InlineMessage),
      acting_(new CheckpointActions(runsRoot, message_, this)),
      checkpoint_list_(new CheckpointListPanel),
      tensors_(new TensorPanel),
      inspector_(new Inspector),
      reaching_(nullptr, widgets::Executor::Kind::Waits),
      reaching_other_(nullptr, widgets::Executor::Kind::Waits) {
    makeHeader();
    makeBody();
    addActions();
    act_every(look_, kLookMs, this, &CheckpointsPage::takeFigures);
    connect(checkpoint_list_, &CheckpointListPanel::chosen, this, &CheckpointsPage::choose);
    connect(checkpoint_list_, &CheckpointListPanel::otherChosen, this, &CheckpointsPage::compareWith);
    connect(checkpoint_list_, &CheckpointListPanel::pruneRequested, this, &CheckpointsPage::pruneByPolicy);
    connect(tensors_, &TensorPanel::otherChosen, this, &CheckpointsPage::compareWith);
    connect(tensors_->compareMenu(), &QMenu::aboutToShow, this, &CheckpointsPage::fillCompareMenu);
    connect(tensors_, &TensorPanel::tensorChosen, this, &CheckpointsPage::showTensor);
    connect(tensors_, &TensorPanel::cancelRequested, this, [this] {
        acting_->cancel();
        cancelPasses();
    });
    connect(export_menu_, &ExportMenu::writeRequested, acting_, &CheckpointActions::write);
    connect(export_menu_, &ExportMenu::refused, this, &CheckpointsPage::complain);
    connect(acting_, &CheckpointActions::begun, &look_, qOverload<>(&QTimer::start));
    connect(acting_, &CheckpointActions::ended, this, &CheckpointsPage::takeFigures);
    connect(acting_, &CheckpointActions::verified, checkpoint_list_, &CheckpointListPanel::setVerdict);
    connect(acting_, &CheckpointActions::shelfChanged, this, &CheckpointsPage::refresh);
    connect(inspector_, &Inspector::tensorRequested, this, [this](quint32 tensor) { tensors_->choose(tensor); });
    showFacts();
}

CheckpointsPage::~CheckpointsPage() {
    // A pending connection asks no more questions and ends immediately.
    asker_->close();
    cancelPasses();
}

void CheckpointsPage::cancelPasses() {
    for (const auto& feed : {pass_, compared_})
        if (feed != nullptr)
            feed->cancelled = true;
}

void CheckpointsPage::makeHeader() {
    run_box_->setAccessibleName(tr("Run"));
    run_box_->setPlaceholderText(tr("Run"));
    run_box_->setMaximumWidth(280_px);
    titleLine()->insertWidget(1, run_box_);
    connect(run_box_, &QComboBox::activated, this, [this](int index) { open(run_box_->itemData(index).toString()); });
    export_->setMenu(export_menu_);
    try_->setIcon(Theme::instance().icon(QStringLiteral("play"), Token::Text));
    for (QPushButton* button : {open_folder_, verify_, export_, architecture_, try_, resume_})
        actions()->addWidget(button);
    connect(try_, &QPushButton::clicked, this, [this] {
        if (const CheckpointEntry* item = chosenItem(); item != nullptr)
            emit tryRequested(qt(item->folder.string()));
    });
    architecture_->setIcon(Theme::instance().icon(QStringLiteral("graph"), Token::Text));
    connect(architecture_, &QPushButton::clicked, this, [this] {
        const auto& items = checkpoint_list_->checkpoint_list().items;
        const bool is_of_list = other_ >= 0 && other_ < static_cast<int>(items.size());
        if (const CheckpointEntry* item = chosenItem(); item != nullptr)
            emit architectureRequested(
                remote_ != nullptr ? place_ : qt(item->folder.string()),
                is_of_list ? qt(items[static_cast<std::size_t>(other_)].folder.string()) : other_place_);
    });
    auto* ways = new QMenu(open_folder_);
    ways->addAction(tr("File…"), this, &CheckpointsPage::askFile);
    ways->addAction(tr("Folder…"), this, &CheckpointsPage::askFolder);
    ways->addAction(tr("From the hub…"), this, &CheckpointsPage::askHub);
    ways->addAction(tr("On a host, over SSH…"), this, &CheckpointsPage::askAddress);
    open_folder_->setMenu(ways);
    setAcceptDrops(true);
    ActionCollection::instance().describe(verify_, "checkpoints.verify", tr("Files, lengths, hashes, index, NaN"));
    connect(verify_, &QPushButton::clicked, this, &CheckpointsPage::verifyChosen);
    connect(resume_, &QPushButton::clicked, this, &CheckpointsPage::resumeChosen);
}

void CheckpointsPage::makeBody() {
    body()->addWidget(message_);
    auto* empty = new widgets::EmptyState(
        QStringLiteral("ckpt"), tr("Checkpoints of your runs appear here."),
        tr("Any folder or file of weights can be opened: safetensors, torch, distributed checkpoints, ZeRO, GGUF."));
    connect(empty->addAction(tr("Open folder…"), QStringLiteral("folder")), &QPushButton::clicked, this,
            &CheckpointsPage::askFolder);
    connect(empty->addAction(tr("Open file…"), QStringLiteral("file")), &QPushButton::clicked, this,
            &CheckpointsPage::askFile);
    connect(empty->addAction(tr("From the hub…"), QStringLiteral("link")), &QPushButton::clicked, this,
            &CheckpointsPage::askHub);
    stack_->addWidget(empty);
    QScrollArea* side = widgets::make_scroll_area(inspector_);
    side->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    side->setMinimumWidth(216_px);
    QScrollArea* list = widgets::make_panel_scroll(make_column({0, 0, 0, 0}, 0, {checkpoint_list_}));
    QSplitter* content = widgets::make_stacking_splitter(kInspectorBelow, {tensors_, side});
    content->setStretchFactor(0, 1);
    // Below the tensors it has its share of the height; next to them it keeps its width.
    QSizePolicy beside = side->sizePolicy();
    beside.setVerticalStretch(1);
    side->setSizePolicy(beside);
    content->setSizes({556_px, 250_px});
    QSplitter* split = widgets::make_stacking_splitter(kCheckpointsStackedBelow, {list, content});
    split->setStretchFactor(0, 0);
    split->setStretchFactor(1, 1);
    split->setSizes({372_px, 794_px});
    stack_->addWidget(split);
    body()->addWidget(stack_, 1);
}

void CheckpointsPage::activate(const QString& subject) {
    findRuns();
    if (!subject.isEmpty() && subject != place_)
        open(subject);
}

QWidget* CheckpointsPage::firstFocus() {
    return stack_->currentIndex() == 0 ? static_cast<QWidget*>(open_folder_) : checkpoint_list_->table();
}

void CheckpointsPage::find() {
    tensors_->filterLine()->setFocus(Qt::ShortcutFocusReason);
    tensors_->filterLine()->selectAll();
}

void CheckpointsPage::refresh() {
    runs_found_s_ = -1e9;
    findRuns();
    if (!place_.isEmpty())
        open(place_);
}

bool CheckpointsPage::isBusy() const {
    return listing_.isRunning() || finding_.isRunning() || reaching_.isRunning() || reaching_other_.isRunning() ||
           opening_.isRunning() || passing_.isRunning() || comparing_.isRunning() || acting_->isRunning();
}

void CheckpointsPage::complain(const QString& title, const QString& sentence) {
    message_->showMessage(InlineMessage::Kind::Error, title, sentence);
}

void CheckpointsPage::setRuns(const QList<Run>& runs) {
    if (runs != runs_) {
        runs_ = runs;
        runs_found_s_ = -1e9;
    }
    findRuns();
}

/// Lists the runs that have checkpoints.
void CheckpointsPage::findRuns() {
    // A page that is not visible looks when it is opened.
    if (monotonic_seconds() - runs_found_s_ < kRunsEvery || (!isVisible() && !place_.isEmpty()))
        return;
    runs_found_s_ = monotonic_seconds();
    finding_.submit(
        [runs = runs_](const widgets::Cancelled& cancelled) {
            QList<Run> found;
            for (const Run& one : runs) {
                if (cancelled)
                    break;
                // The curves of another program may be a file next to its checkpoints.
                inspect::fs::path place = one.path.toStdString();
                std::error_code error;
                QString name = one.name;
                if (!inspect::fs::is_directory(place, error)) {
                    place = place.parent_path();
                    name = qt(place.filename().string());
                    if (std::ranges::any_of(found, [&](const Run& other) { return other.path == qt(place.string()); }))
                        continue;
                }
                const run::RunPaths run(place);
                const bool is_run = inspect::fs::exists(run.spec(), error) || inspect::fs::exists(run.state(), error);
                if (!inspect::numbered_folders(is_run ? run.checkpoints() : place).empty())
                    found.append({qt(place.string()), name});
            }
            return found;
        },
        [this](const QList<Run>& found) {
            if (found != listed_runs_) {
                listed_runs_ = found;
                const QSignalBlocker quiet(run_box_);
                run_box_->clear();
                for (const Run& one : found)
                    run_box_->addItem(one.name, one.path);
                run_box_->setCurrentIndex(run_box_->findData(place_));
            }
            run_box_->setVisible(!found.isEmpty());
            if (place_.isEmpty() && !found.isEmpty() && !listing_.isRunning())
                list(found.front().path);
        });
}

void CheckpointsPage::open(const QString& path) {
    // Opening the same place again keeps the selected checkpoint.
    wanted_ = path == place_ && chosenItem() != nullptr ? qt(chosenItem()->folder.string()) : QString();
    place_ = path;
    const QSignalBlocker quiet(run_box_);
    run_box_->setCurrentIndex(run_box_->findData(path));
    reaching_.cancel();
    const auto far = QFileInfo::exists(path) ? std::nullopt : remote_place(path);
    far ? reach(*far) : list(path);
}

void CheckpointsPage::askFile() {
    widgets::ask_file(
        this, tr("Open a file of weights"), weightFiles(), [this](const QString& path) { open(path); }, place_);
}

void CheckpointsPage::askFolder() {
    widgets::ask_folder(
        this, tr("Open a checkpoint"), [this](const QString& path) { open(path); }, place_);
}

void CheckpointsPage::askHub() {
    ask_hub(this, HubItem::Model, [this](const QString&, const QString& folder) { open(folder); });
}

void CheckpointsPage::askAddress() {
    widgets::ask_text(this, tr("Checkpoint on another machine"),
                      tr("Host and folder, for example gpu-a:runs/today/checkpoints/checkpoint_500.\nOnly headers and "
                         "the tensors you view are downloaded."),
                      {}, 460, this, [this](const QString& words) {
                          if (!words.trimmed().isEmpty())
                              open(words.trimmed());
                      });
}

void CheckpointsPage::fillCompareMenu() {
    QMenu* menu = tensors_->compareMenu();
    menu->clear();
    const auto take = [this](const QString& place) {
        if (!place.trimmed().isEmpty())
            compareWithPlace(place);
    };
    menu->addAction(tr("File…"), this, [this, take] {
        widgets::ask_file(this, tr("Compare with a file of weights"), weightFiles(), take, place_);
    });
    menu->addAction(tr("Folder…"), this,
                    [this, take] { widgets::ask_folder(this, tr("Compare with a checkpoint"), take, place_); });
    menu->addAction(tr("From the hub…"), this, [this, take] {
        ask_hub(this, HubItem::Model, [take](const QString&, const QString& folder) { take(folder); });
    });
    QMenu* runs = menu->addMenu(tr("Newest of a run"));
    for (const Run& one : listed_runs_.first(std::min(listed_runs_.size(), kMostInMenu)))
        if (one.path != place_)
            runs->addAction(one.name, this, [take, path = one.path] { take(path); });
    runs->setEnabled(!runs->isEmpty());
    menu->addAction(tr("Run and step…"), this, [this, take] {
        widgets::ask_text(this, tr("Compare with a step of a run"),
                          tr("Name or folder of the run and the step, for example llama@18000.\nWithout a step, the "
                             "newest complete checkpoint is used."),
                          {}, 460, this, take);
    });
    menu->addAction(tr("On a host, over SSH…"), this, [this, take] {
        widgets::ask_text(this, tr("Compare with a checkpoint on another machine"),
                          tr("Host and folder, for example gpu-a:runs/today/checkpoints/checkpoint_500.\nThe tensors "
                             "that both have are downloaded."),
                          {}, 460, this, take);
    });
}

void CheckpointsPage::list(const QString& place) {
    listing_.submit([place, root = runs_root_.toStdString()] { return list_checkpoints(place.toStdString(), root); },
                    [this, place](const CheckpointListing& listing) { showListing(place, listing); },
                    [this](const QString& sentence) { refuse(sentence); });
}

/// Nothing was opened: what was shown before remains.
void CheckpointsPage::refuse(const QString& sentence) {
    const QSignalBlocker quiet(run_box_);
    run_box_->setCurrentIndex(run_box_->findData(listed_));
    complain(tr("It cannot be opened"), sentence);
}

void CheckpointsPage::reach(const RemotePlace& place) {
    listing_.cancel();
    setFacts(tr("Connecting to %1…").arg(place.host));
    const double start = monotonic_seconds();
    reaching_.submit(
        [place, asker = asker_](const widgets::Cancelled& cancelled) {
            return list_far_checkpoint(place, asker, HangUp(cancelled).cancel());
        },
        [this, place, start](const CheckpointListing& listing) {
            opened_s_ = monotonic_seconds() - start;
            showListing(place.text(), listing);
        },
        [this](const QString& sentence) {
            showFacts();
            refuse(sentence);
        });
}

void CheckpointsPage::showListing(const QString& place, const CheckpointListing& listing) {
    place_ = listed_ = place;
    remote_ = listing.far;
    const QSignalBlocker quiet(run_box_);
    run_box_->setCurrentIndex(run_box_->findData(place_));
    chosen_ = other_ = -1;
    const inspect::CheckpointList& checkpoint_list = listing.checkpoint_list;
    checkpoint_list_->setShelf(checkpoint_list, listing.in_use, listing.curves);
    stack_->setCurrentIndex(checkpoint_list.items.empty() ? 0 : 1);
    int next = checkpoint_list.newest() >= 0 ? checkpoint_list.newest() : checkpoint_list.items.empty() ? -1 : 0;
    for (std::size_t i = 0; i < checkpoint_list.items.size(); ++i)
        if (qt(checkpoint_list.items[i].folder.string()) == wanted_)
            next = static_cast<int>(i);
    showFacts();
    if (next >= 0)
        choose(next);
    else
        showChosen(nullptr);
}

void CheckpointsPage::showFacts() {
    const inspect::CheckpointList& checkpoint_list = checkpoint_list_->checkpoint_list();
    const bool any = !checkpoint_list.items.empty();
    const CheckpointEntry* item = chosenItem();
    const bool here = remote_ == nullptr && !(item != nullptr && item->state == CheckpointState::remote);
    for (QPushButton* button : {verify_, export_})
        button->setEnabled(any && here);
    export_menu_->setShelf(checkpoint_list, chosen_);
    resume_->setEnabled(item != nullptr && !checkpoint_list.run.empty() && item->trainyard &&
                        item->state == CheckpointState::whole);
    resume_->setText(item != nullptr && item->step >= 0 ? tr("Resume from %1").arg(stepText(item->step))
                                                        : tr("Resume"));
    architecture_->setEnabled(item != nullptr && (here || remote_ != nullptr));
    try_->setEnabled(item != nullptr && remote_ == nullptr && item->state == CheckpointState::whole);
    if (!any)
        return setFacts(place_.isEmpty() ? QString() : tr("No checkpoint in %1 yet").arg(shortPath(place_)));
    run_box_->setToolTip(qt(checkpoint_list.folder.string()));
    if (remote_ != nullptr)
        return setFacts(shortPath(qt(checkpoint_list.folder.string())) + QStringLiteral("  ·  ") +
                        sizeWords(checkpoint_list.bytes()) + QStringLiteral("  ·  ") +
                        tr("%1 downloaded").arg(sizeWords(remote_->far->received())));
    const QStorageInfo disk(qt(checkpoint_list.folder.string()));
    QString facts = shortPath(qt(checkpoint_list.folder.string())) + QStringLiteral("  ·  ") +
                    tr("%Ln checkpoints", nullptr, static_cast<int>(checkpoint_list.items.size())) +
                    QStringLiteral("  ·  ") + sizeWords(checkpoint_list.bytes());
    if (disk.isValid())
        facts += QStringLiteral("  ·  ") +
                 tr("disk %1 free").arg(sizeWords(static_cast<std::uint64_t>(disk.bytesAvailable())));
    setFacts(facts);
}

const CheckpointEntry* CheckpointsPage::chosenItem() const {
    const auto& items = checkpoint_list_->checkpoint_list().items;
    return chosen_ >= 0 && chosen_ < static_cast<int>(items.size()) ? &items[static_cast<std::size_t>(chosen_)]
                                                                    : nullptr;
}

void CheckpointsPage::choose(int item) {
    if (item < 0 || item >= static_cast<int>(checkpoint_list_->checkpoint_list().items.size()))
        return;
    chosen_ = item;
    if (other_ == item)
        other_ = -1;
    checkpoint_list_->setChosen(chosen_, other_);
    showFacts();
    endPass();
    endComparing();
    if (remote_ != nullptr || chosenItem()->state == CheckpointState::remote)
        return showChosen(remote_);
    tensors_->setProgress(tr("Reading headers…"));
    const double start = monotonic_seconds();
    opening_.submit(
        [path = chosenItem()->folder.string()]() -> OpenCheckpointPointer {
            return std::make_shared<const OpenCheckpoint>(path);
        },
        [this, start](const OpenCheckpointPointer& checkpoint) {
            opened_s_ = monotonic_seconds() - start;
            showChosen(checkpoint);
        },
        [this](const QString& sentence) {
            showChosen(nullptr);
            complain(tr("It cannot be opened"), sentence);
        });
}

void CheckpointsPage::showChosen(const OpenCheckpointPointer& checkpoint) {
    checkpoint_ = checkpoint;
    comparison_.reset();
    const CheckpointEntry* item = chosenItem();
    tensors_->setCheckpoint(checkpoint, item == nullptr ? QString() : stepWords(*item));
    inspector_->setCheckpoint(checkpoint);
    checkpoint_list_->setFiles(checkpoint == nullptr ? nullptr : &checkpoint->contents);
    showOthers();
    if (item != nullptr && item->state == CheckpointState::remote)
        showRemote(*item);
    if (checkpoint == nullptr || item == nullptr)
        return tensors_->setProgress({});
    if (!checkpoint->contents.problems.empty()) {
        const int newest = checkpoint_list_->checkpoint_list().newest();
        complain(item->state == CheckpointState::being_written ? tr("The run is still writing it")
                                                               : tr("The checkpoint is incomplete"),
                 newest >= 0 && newest != chosen_
                     ? tr("%1. Resume from %2 instead.")
                           .arg(qtSentence(checkpoint->contents.problems.front()),
                                stepWords(checkpoint_list_->checkpoint_list().items[static_cast<std::size_t>(newest)]))
                     : qtSentence(checkpoint->contents.problems.front()));
        told_of_contents_ = true;
    } else if (std::exchange(told_of_contents_, false)) {
        message_->dismiss();
    }
    beginPass();
    if (other_ != -1)
        compareWith(other_);
}

/// The files are on another machine: offers to copy them.
void CheckpointsPage::showRemote(const CheckpointEntry& item) {
    message_->showMessage(InlineMessage::Kind::Note, tr("It is on %1").arg(qt(item.host)), qtSentence(item.problem));
    const QString run = qt(checkpoint_list_->checkpoint_list().run.string());
    connect(message_->addAction(tr("Copy to this machine")), &QPushButton::clicked, this,
            [this, run, name = qt(item.name)] { emit copyRequested(run, name); });
    told_of_contents_ = true;
}

void CheckpointsPage::showOthers() {
    QList<std::pair<QString, int>> others;
    const std::vector<CheckpointEntry>& items = checkpoint_list_->checkpoint_list().items;
    for (std::size_t i = 0; i < items.size(); ++i)
        if (static_cast<int>(i) != chosen_ && items[i].state == CheckpointState::whole)
            others.append({stepWords(items[i]), static_cast<int>(i)});
    if (!other_place_.isEmpty())
        others.append({placeName(other_place_), TensorPanel::kOtherPlace});
    tensors_->setOthers(others, other_);
}

void CheckpointsPage::verifyChosen() {
    if (const CheckpointEntry* item = chosenItem())
        acting_->verify(*item);
}

void CheckpointsPage::write(inspect::Conversion conversion) {
    const CheckpointEntry* item = chosenItem();
    if (item == nullptr)
        return;
    if (conversion.sources.empty())
        conversion.sources = {item->folder};
    acting_->write(conversion);
}

void CheckpointsPage::pruneByPolicy() {
    acting_->removeByPlan(checkpoint_list_->checkpoint_list(), checkpoint_list_->plan());
}

void CheckpointsPage::removeChosen() {
    if (chosenItem() != nullptr)
        acting_->removeOne(checkpoint_list_->checkpoint_list(), chosen_);
}

void CheckpointsPage::pinChosen() {
    if (const CheckpointEntry* item = chosenItem(); item != nullptr)
        acting_->pin(*item);
}

void CheckpointsPage::resumeChosen() {
    const CheckpointEntry* item = chosenItem();
    if (item == nullptr || !resume_->isEnabled())
        return;
    const inspect::fs::path run = checkpoint_list_->checkpoint_list().run;
    emit resumeRequested(run.empty() ? QString() : qt(run::RunPaths(run).spec().string()), qt(item->folder.string()));
}

void CheckpointsPage::addActions() {
    const auto add = [this](const char* id, auto&& run) {
        QAction* action = addCommand(id, [this, run] {
            if (stack_->currentIndex() == 1)
                run();
        });
        // List and tree would search for a row that begins with the letter.
        checkpoint_list_->table()->addAction(action);
        tensors_->tree()->addAction(action);
    };
    add("checkpoints.resume", [this] { resumeChosen(); });
    add("checkpoints.verify", [this] { verifyChosen(); });
    add("checkpoints.pin", [this] { pinChosen(); });
    add("checkpoints.compare", [this] {
        const auto count = static_cast<int>(checkpoint_list_->checkpoint_list().items.size());
        compareWith(chosen_ + 1 < count ? chosen_ + 1 : -1);
    });
    add("checkpoints.remove", [this] { removeChosen(); });
}

/// Only here, an address or a run is opened for its checkpoints. The window finds the place of other files.
void CheckpointsPage::dragEnterEvent(QDragEnterEvent* event) {
    const QString words = Opener::dropped(event->mimeData()).words;
    if (!words.isEmpty() && (remote_place(words) || is_named_like_weights(words)))
        widgets::accept_as_copy(event);
}

void CheckpointsPage::dropEvent(QDropEvent* event) {
    open(Opener::dropped(event->mimeData()).words);
    widgets::accept_as_copy(event);
}

}  // namespace trainyard::desktop
