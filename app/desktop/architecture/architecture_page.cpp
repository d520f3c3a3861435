// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/architecture/architecture_page.h"

#include <utility>

#include <QDir>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFileInfo>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QSplitter>
#include <QStackedWidget>
#include <QTreeWidget>
#include <QUrl>

#include "base/text.h"
#include "desktop/shell/ui.h"
#include "desktop/text/qt_text.h"
#include "observe/inspect/compare.h"
#include "observe/inspect/reader.h"
#include "widgets/dialogs.h"
#include "widgets/drag_out.h"
#include "widgets/empty_state.h"
#include "widgets/graph/graph_view.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using widgets::InlineMessage;

namespace {
const int& kArchitectureStackedBelow = live_px(760);  // pixels
const QStringList kModels{QStringLiteral("*.onnx"), QStringLiteral("*.pt2"),      QStringLiteral("*.safetensors"),
                          QStringLiteral("*.gguf"), QStringLiteral("*.bin"),      QStringLiteral("*.pt"),
                          QStringLiteral("*.pth"),  QStringLiteral("*.ckpt"),     QStringLiteral("*.index.json"),
                          QStringLiteral("*.yaml"), QStringLiteral("config.json")};
}  // namespace

ArchitecturePage::ArchitecturePage(QWidget* parent)
    : Page(tr("Architecture"), parent),
      open_(with_look(new QPushButton(tr("Open…")), {.icon = "folder"})),
      compare_(with_look(new QPushButton(tr("Compare with…")), {.icon = "compare"})),
      picture_(with_look(new QPushButton(tr("Export…")), {.icon = "save"})),
      search_(widgets::make_search_field(tr("Search nodes"), tr("Search nodes"), "search")),
      found_(new QLabel),
      view_(new widgets::GraphView(tr("Graph of the model"))),
      details_(new QTreeWidget),
      stack_(new QStackedWidget),
      message_(new InlineMessage),
      reading_(new widgets::EmptyState(QStringLiteral("clock"), tr("Reading the model…"))),
      opening_(this, widgets::Executor::Kind::Waits),
      comparing_(this, widgets::Executor::Kind::Waits) {
    makeHeader();
    makeBody();
    setAcceptDrops(true);
    showArchitecture(nullptr);
}

ArchitecturePage::~ArchitecturePage() = default;

void ArchitecturePage::makeHeader() {
    auto* ways = new QMenu(open_);
    ways->addAction(tr("File…"), this, [this] { askFile([this](const QString& file) { open(file); }); });
    ways->addAction(tr("Folder…"), this, [this] {
        widgets::ask_folder(this, tr("Folder of a checkpoint"), [this](const QString& folder) { open(folder); });
    });
    ways->addAction(tr("From the hub…"), this, [this] { emit hubRequested(false); });
    ways->addAction(tr("On a host, over SSH…"), this, [this] {
        askAddress(tr("A checkpoint on another machine"), [this](const QString& place) { open(place); });
    });
    open_->setMenu(ways);
    auto* others = new QMenu(compare_);
    others->addAction(tr("File…"), this, [this] { askFile([this](const QString& file) { compareWith(file); }); });
    others->addAction(tr("Folder…"), this, [this] {
        widgets::ask_folder(this, tr("Folder of a checkpoint"), [this](const QString& folder) { compareWith(folder); });
    });
    others->addAction(tr("From the hub…"), this, [this] { emit hubRequested(true); });
    others->addAction(tr("On a host, over SSH…"), this, [this] {
        askAddress(tr("Compare with a checkpoint on another machine"),
                   [this](const QString& place) { compareWith(place); });
    });
    compare_->setMenu(others);
    auto* pictures = new QMenu(picture_);
    pictures->addAction(tr("Picture (PNG)…"), this, [this] { savePicture(false); });
    pictures->addAction(tr("Vector graphics (SVG)…"), this, [this] { savePicture(true); });
    picture_->setMenu(pictures);
    for (QPushButton* button : {open_, compare_, picture_})
        actions()->addWidget(button);
}

void ArchitecturePage::makeBody() {
    auto* empty = new widgets::EmptyState(
        QStringLiteral("ckpt"), tr("The blocks of a model appear here."),
        tr("Open a checkpoint, a recipe, an ONNX file or a file of torch.export, or drop it here."));
    connect(empty->addAction(tr("Open file…"), QStringLiteral("file")), &QPushButton::clicked, this,
            [this] { askFile([this](const QString& file) { open(file); }); });
    connect(empty->addAction(tr("From the hub…"), QStringLiteral("link")), &QPushButton::clicked, this,
            [this] { emit hubRequested(false); });
    stack_->addWidget(empty);

    auto* fold = with_look(new QPushButton(tr("Fold all")), {.icon = "up"});
    auto* unfold = with_look(new QPushButton(tr("Unfold all")), {.icon = "down"});
    auto* whole = with_look(new QPushButton(tr("Show all")), {.icon = "target"});
    connect(fold, &QPushButton::clicked, view_, &widgets::GraphView::foldAll);
    connect(unfold, &QPushButton::clicked, view_, &widgets::GraphView::unfoldAll);
    connect(whole, &QPushButton::clicked, view_, &widgets::GraphView::showWhole);
    connect(search_, &QLineEdit::textChanged, this, &ArchitecturePage::search);
    connect(search_, &QLineEdit::returnPressed, view_, [this] { view_->nextHit(1); });
    QWidget* bar = widgets::make_wrapping_row(8, {search_, found_, fold, unfold, whole});
    search_->setMinimumWidth(200_px);
    found_->hide();

    details_->setAccessibleName(tr("Details of the selected node"));
    details_->setColumnCount(2);
    details_->setHeaderLabels({tr("Property"), tr("Value")});
    details_->setRootIsDecorated(false);
    details_->setUniformRowHeights(true);
    details_->header()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    details_->setMinimumWidth(300_px);
    connect(view_, &widgets::GraphView::selectionChanged, this, &ArchitecturePage::showDetails);

    details_->header()->setFont(Theme::instance().text(12, QFont::Medium));
    QSplitter* split = widgets::make_stacking_splitter(
        kArchitectureStackedBelow, {view_, make_frame("panel", make_column({1, 4, 1, 4}, 0, {details_}))});
    split->setStretchFactor(0, 1);
    split->setStretchFactor(1, 0);
    split->setSizes({780_px, 320_px});
    auto* filled = new QWidget;
    auto* column = widgets::make_column(QMargins(), 10, {bar, split});
    column->setStretch(1, 1);
    filled->setLayout(column);
    stack_->addWidget(filled);
    stack_->addWidget(reading_);
    body()->addWidget(message_);
    body()->addWidget(stack_, 1);
}

void ArchitecturePage::activate(const QString& subject) {
    if (!subject.isEmpty() && subject != path_)
        open(subject);
}

QWidget* ArchitecturePage::firstFocus() {
    return opened_ == nullptr ? static_cast<QWidget*>(open_) : view_;
}

void ArchitecturePage::find() {
    search_->setFocus();
    search_->selectAll();
}

void ArchitecturePage::refresh() {
    if (!recipe_.isEmpty())
        openRecipe(recipe_, path_);
    else if (!path_.isEmpty())
        open(path_);
}

bool ArchitecturePage::isBusy() const {
    return opening_.isRunning() || comparing_.isRunning();
}

std::optional<RemotePlace> ArchitecturePage::farPlace(const QString& path) const {
    return read_far_ == nullptr || QFileInfo::exists(path) ? std::nullopt : remote_place(path);
}

void ArchitecturePage::showReading(const QString& words) {
    showArchitecture(nullptr);
    setFacts(words);
    stack_->setCurrentWidget(reading_);
}

void ArchitecturePage::open(const QString& path) {
    path_ = path;
    recipe_.clear();
    const auto far = farPlace(path);
    showReading(far ? tr("Connecting to %1…").arg(far->host) : tr("Reading %1…").arg(QFileInfo(path).fileName()));
    opening_.submit(
        [path, far, read_far = read_far_](const widgets::Cancelled& cancelled) {
            return far ? architecture_of_checkpoint(read_far(*far, cancelled)) : open_architecture(path);
        },
        [this](const OpenArchitecturePointer& opened) { showArchitecture(opened); },
        [this](const QString& sentence) { complain(sentence); });
}

void ArchitecturePage::openRecipe(const QString& yaml, const QString& file) {
    path_ = file;
    recipe_ = yaml;
    opening_.submit([yaml, file] { return architecture_of_recipe(yaml, file); },
                    [this](const OpenArchitecturePointer& opened) { showArchitecture(opened); },
                    [this](const QString& sentence) { complain(sentence); });
}

void ArchitecturePage::complain(const QString& sentence) {
    showArchitecture(nullptr);
    message_->showMessage(InlineMessage::Kind::Error, tr("It cannot be opened"), sentence);
}

void ArchitecturePage::showArchitecture(const OpenArchitecturePointer& opened) {
    comparing_.cancel();
    opened_ = opened;
    changes_.clear();
    message_->dismiss();
    search_->clear();
    stack_->setCurrentIndex(opened == nullptr ? 0 : 1);
    compare_->setEnabled(opened != nullptr && opened->checkpoint != nullptr);
    picture_->setEnabled(opened != nullptr);
    if (opened == nullptr) {
        view_->setData({});
        details_->clear();
        return setFacts({});
    }
    const graph::Graph& graph = opened->graph;
    QStringList facts{qt(graph.title), kind_words(graph)};
    if (graph.parameters > 0)
        facts << tr("%1 parameters").arg(qtNumber(text::quantity(static_cast<double>(graph.parameters))))
              << qtNumber(text::file_size(graph.bytes));
    facts.removeAll(QString());
    setFacts(facts.join(QStringLiteral("  ·  ")));
    view_->setData(drawn_graph(graph));
    view_->setToolTip(graph.notes.empty() ? QString() : qtSentence(graph.notes.front()));
    showDetails(-1);
    compareWhenOpened(std::exchange(other_, {}));
}

void ArchitecturePage::showDetails(int node) {
    details_->clear();
    if (opened_ == nullptr)
        return;
    QVector<std::pair<QString, QString>> details = node_details(opened_->graph, node, changes_);
    for (const Message& note : opened_->graph.notes)
        if (node < 0)
            details.append({tr("Note"), qtSentence(note)});
    for (const auto& [key, value] : details) {
        auto* item = new QTreeWidgetItem(details_, {key, value});
        item->setToolTip(0, key.toHtmlEscaped());
        item->setToolTip(1, value.toHtmlEscaped());
    }
}

void ArchitecturePage::search(const QString& words) {
    const int count = view_->search(words);
    found_->setText(words.trimmed().isEmpty() ? QString() : tr("%Ln nodes", nullptr, count));
    found_->setVisible(!found_->text().isEmpty());
}

void ArchitecturePage::compareWith(const QString& path) {
    if (opened_ == nullptr || opened_->checkpoint == nullptr)
        return;
    message_->showMessage(InlineMessage::Kind::Note, tr("Comparing with %1…").arg(QFileInfo(path).fileName()));
    comparing_.submit(
        [path, far = farPlace(path), read_far = read_far_, opened = opened_](const widgets::Cancelled& cancelled) {
            const OpenCheckpointPointer other =
                far ? read_far(*far, cancelled) : std::make_shared<const OpenCheckpoint>(path.toStdString());
            Progress progress([&cancelled](std::uint64_t, std::uint64_t) { return !cancelled; });
            return changes_by_node(opened->graph,
                                   inspect::compare(other->reader, opened->checkpoint->reader, progress));
        },
        [this](const std::vector<double>& changes) {
            changes_ = changes;
            message_->dismiss();
            view_->setHeat(heat_of(changes));
            showDetails(view_->selected());
        },
        [this](const QString& sentence) {
            message_->showMessage(InlineMessage::Kind::Error, tr("These checkpoints cannot be compared"), sentence);
        });
}

void ArchitecturePage::compareWhenOpened(const QString& path) {
    if (path.isEmpty())
        return;
    if (opening_.isRunning())
        other_ = path;
    else
        compareWith(path);
}

void ArchitecturePage::askAddress(const QString& title, const std::function<void(const QString&)>& then) {
    widgets::ask_text(this, title,
                      tr("Host and folder, for example gpu-a:runs/today/checkpoints/checkpoint_500.\nNames, types and "
                         "shapes are downloaded; of a comparison, the tensors that both have."),
                      {}, 460, this, [then](const QString& words) {
                          if (!words.trimmed().isEmpty())
                              then(words.trimmed());
                      });
}

void ArchitecturePage::askFile(const std::function<void(const QString&)>& then) {
    widgets::ask_file(this, tr("A model"), tr("Models (%1);;All files (*)").arg(kModels.join(QLatin1Char(' '))), then);
}

void ArchitecturePage::savePicture(bool vector) {
    const QString name =
        QFileInfo(path_).completeBaseName() + (vector ? QStringLiteral(".svg") : QStringLiteral(".png"));
    widgets::ask_save_file(this, tr("Save the picture"), name,
                           vector ? tr("Vector graphics (*.svg)") : tr("Pictures (*.png)"),
                           [this, vector](const QString& file) {
                               const QString problem = vector ? view_->saveSvg(file) : view_->savePng(file);
                               if (!problem.isEmpty())
                                   message_->showMessage(InlineMessage::Kind::Error, problem);
                           });
}

/// Only here, weights and settings are opened as models. The window finds the place of other files.
void ArchitecturePage::dragEnterEvent(QDragEnterEvent* event) {
    const QList<QUrl> urls = event->mimeData()->urls();
    if (urls.size() == 1 && urls.first().isLocalFile() &&
        (is_named_like_weights(urls.first().path()) || QDir::match(kModels, urls.first().fileName())))
        widgets::accept_as_copy(event);
}

void ArchitecturePage::dropEvent(QDropEvent* event) {
    open(event->mimeData()->urls().first().toLocalFile());
    widgets::accept_as_copy(event);
}

}  // namespace trainyard::desktop
