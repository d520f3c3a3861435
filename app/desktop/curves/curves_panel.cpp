// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/curves_panel.h"

#include <algorithm>
#include <utility>

#include <QDialog>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPointer>
#include <QSplitter>
#include <QStackedWidget>
#include <QUndoCommand>
#include <QUndoStack>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/card_set.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/curves/panel_bar.h"
#include "desktop/curves/panel_dialog.h"
#include "desktop/curves/panel_problems.h"
#include "desktop/curves/panel_report.h"
#include "desktop/curves/stored_zoom.h"
#include "desktop/curves/tag_tree.h"
#include "desktop/shell/action_collection.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/dialogs.h"
#include "widgets/empty_state.h"
#include "widgets/inline_message.h"
#include "widgets/pixels.h"

namespace trainyard::desktop {

using widgets::XUnit;

namespace {
constexpr int kMostUndo = 100;
constexpr qsizetype kMostHistories = 8;  // without a panel
const int& kLeastCurvesWidth = live_px(420);
constexpr int kTagsInterval = 120;    // ms: tags come in bursts while files are read
constexpr int kFilterInterval = 120;  // ms after the last key
const QString kLayout = QStringLiteral("layout");
const QString kFilter = QStringLiteral("filter");
const QString kAnchor = QStringLiteral("anchor");
const QString kOffset = QStringLiteral("offset");

/// Minimum width and height of a card in pixels, in the order of CardSize.
constexpr QSize kCardSizes[] = {{230, 168}, {330, 236}, {560, 360}};

void toggle(QStringList& names, const QString& name) {
    if (names.removeAll(name) == 0)
        names << name;
}

}  // namespace

/// The steps of a panel. A panel that is made again, e.g. in another language or when its run is opened again,
/// continues the history of the one before. The application owns the newest ones.
class CurvesPanel::History : public QUndoStack {
  public:
    /// Returns the history of `panel`, which has its layout already.
    static History* of(CurvesPanel* panel) {
        static QPointer<QObject> kept;
        if (kept == nullptr)
            kept = new QObject(qApp);
        auto* history = kept->findChild<History*>(panel->view_key_, Qt::FindDirectChildrenOnly);
        if (history == nullptr) {
            history = new History;
            history->setObjectName(panel->view_key_);
            history->setUndoLimit(kMostUndo);
        } else if (history->last_ != panel->layout_) {
            history->clear();  // another panel has changed what both show
        }
        history->setParent(nullptr);
        history->setParent(kept);  // as the newest one
        history->panel_ = panel;
        QList<History*> all = kept->findChildren<History*>(QString(), Qt::FindDirectChildrenOnly);
        all.removeIf([](const History* each) { return each->panel_ != nullptr; });
        while (all.size() > kMostHistories)
            delete all.takeFirst();
        return history;
    }
    CurvesPanel* panel() const { return panel_; }
    void setLast(const PanelLayout& layout) { last_ = layout; }

  private:
    QPointer<CurvesPanel> panel_;
    PanelLayout last_;  ///< that the panel shows, or showed at its end
};

/// Exchanges the layout of the panel with another one, in both directions.
class CurvesPanel::LayoutStep : public QUndoCommand {
  public:
    LayoutStep(const History* history, const PanelLayout& layout) : history_(history), other_(layout) {}
    void undo() override { exchange(); }
    void redo() override { exchange(); }

  private:
    void exchange() {
        CurvesPanel* panel = history_->panel();
        if (panel == nullptr)
            return;
        const PanelLayout before = panel->layout_;
        panel->setLayoutTo(other_);
        other_ = before;
    }
    const History* history_;
    PanelLayout other_;
};

CurvesPanel::CurvesPanel(const QString& layoutKey, const QString& viewKey, QWidget* parent)
    : QWidget(parent),
      layout_key_(QStringLiteral("curves/") + layoutKey),
      view_key_(QStringLiteral("view/") + viewKey),
      axis_(new SharedAxis(this)),
      cards_(new CardSet(&context_, this)) {
    context_ = {&sources_, &index_, &layout_, axis_, &markers_, &notes_};
    empty_sentence_ = tr("Curves appear here as soon as there are any.");
    setMinimumWidth(kLeastCurvesWidth);  // the line above the cards leaves out what has no room
    build();
    act_after(tags_due_, kTagsInterval, this, &CurvesPanel::rebuild);
    act_after(filter_due_, kFilterInterval, this, [this] { setFilter(bar_->field()->text()); });
    layout_ = PanelLayout::fromJson(ViewState::instance().value(layout_key_, kLayout).toObject());
    history_ = History::of(this);
    history_->setLast(layout_);
    addActions();
    restoreView();
    showLook();
    say();
}

CurvesPanel::~CurvesPanel() {
    // Destroying the grid returns its cards to the set, and cards deregister from the axis.
    delete large_;
    delete grid_;
}

void CurvesPanel::build() {
    layouts_ = new NamedLayouts(
        layout_key_, [this] { return layout_.toJson(); }, this);
    bar_ = new PanelBar(layouts_);
    message_ = new widgets::InlineMessage(this);
    tree_ = new TagTree;
    auto* side = make_frame("panel", make_column({1, 4, 1, 4}, {tree_}));
    side->setMinimumWidth(140_px);
    stack_ = new QStackedWidget;
    grid_ = new CardGrid(cards_);
    alone_ = make_holder(make_column({0, 0, 0, 0}, {}));
    none_ = make_holder(make_column({0, 0, 0, 0}, {}));
    for (QWidget* shown : std::initializer_list<QWidget*>{grid_, alone_, none_})
        stack_->addWidget(shown);
    splitter_ = make_splitter(Qt::Horizontal, {side, make_holder(make_row({0, 0, 0, 0}, {stack_}))});
    splitter_->setStretchFactor(1, 1);
    setLayout(make_column({0, 0, 0, 0}, 8, {bar_, message_, {splitter_, 1}}));

    connect(cards_, &CardSet::cardCreated, this, &CurvesPanel::connectCard);
    connect(bar_, &PanelBar::layoutChosen, this, [this](const PanelLayout& layout, bool undoable) {
        undoable ? changeLayout(layout) : setLayoutTo(layout);
    });
    connect(bar_, &PanelBar::filterChanged, this, [this] { filter_due_.start(); });
    connect(bar_, &PanelBar::fitRequested, this, [this] { axis_->link()->setRange({}); });
    connect(bar_, &PanelBar::treeToggled, this, &CurvesPanel::toggleTree);
    connect(layouts_, &NamedLayouts::chosen, this,
            [this](const QJsonObject& layout) { changeLayout(PanelLayout::fromJson(layout)); });
    connect(layouts_, &NamedLayouts::failed, this, [this](const QString& sentence) {
        message_->showMessage(widgets::InlineMessage::Kind::Error, tr("The layout"), sentence);
    });
    connect(bar_, &PanelBar::reportRequested, this, [this] {
        widgets::ask_save_file(this, tr("Write a report"), QStringLiteral("report.html"), tr("HTML files (*.html)"),
                               [this](const QString& file) { writeReport(file); });
    });
    connect(bar_, &PanelBar::panelRequested, this, &CurvesPanel::askForPanel);
    connect(bar_, &PanelBar::resetRequested, this, [this] { changeLayout({}); });
    connect(splitter_, &QSplitter::splitterMoved, this, [this](int at) {
        if (restoring_)
            return;
        layout_.tree_width = at;
        history_->setLast(layout_);
        ViewState::instance().set(layout_key_, kLayout, layout_.toJson());
    });
    connect(tree_, &TagTree::tagRequested, this, &CurvesPanel::showTag);
    connect(tree_, &TagTree::starRequested, this, &CurvesPanel::toggleStar);
    connect(tree_, &TagTree::pinRequested, this, [this](const QString& tag) { pin({tag}); });
    connect(tree_, &TagTree::overlayRequested, this, &CurvesPanel::overlay);
    connect(grid_, &CardGrid::tagDropped, this, [this](const QString& tag) { pin({tag}); });
    connect(grid_, &CardGrid::looked, this, &CurvesPanel::keepView);
    connect(grid_, &CardGrid::foldRequested, this,
            [this](const QString& section) { edit([&](PanelLayout& layout) { toggle(layout.folded, section); }); });
    connect(axis_->link(), &widgets::ChartLink::rangeChanged, this, &CurvesPanel::keepView);
    connect(axis_, &SharedAxis::lookChosen, this, [this](const AxisLook& look) {
        edit([&](PanelLayout& layout) { static_cast<AxisLook&>(layout) = look; });
    });
}

void CurvesPanel::connectCard(PanelCard* card) {
    connect(card, &PanelCard::starRequested, this, &CurvesPanel::toggleStar);
    connect(card, &PanelCard::pinRequested, this, &CurvesPanel::pin);
    connect(card, &PanelCard::overlayRequested, this, &CurvesPanel::overlay);
    connect(card, &PanelCard::unpinRequested, this, [this](const QString& id) {
        edit([&](PanelLayout& layout) {
            if (const int at = layout.pinOf(id); at >= 0)
                layout.pins.removeAt(at);
        });
    });
    connect(card, &PanelCard::withoutRequested, this, [this](const QString& id, const QString& tag) {
        edit([&](PanelLayout& layout) {
            if (const int at = layout.pinOf(id); at >= 0 && layout.pins[at].tags.size() > 1)
                layout.pins[at].tags.removeAll(tag);
        });
    });
    connect(card, &PanelCard::editRequested, this, &CurvesPanel::editPanel);
    connect(card, &PanelCard::duplicateRequested, this, [this](const QString& id) {
        if (const int at = layout_.pinOf(id); at >= 0 && layout_.pins[at].panel)
            addPanel(*layout_.pins[at].panel);
    });
    connect(card, &PanelCard::enlargeRequested, this,
            [this, card](const QString& id) { enlarge(card == large_ ? QString() : id); });
    if (auto* curves = qobject_cast<CurveCard*>(card)) {
        connect(curves, &CurveCard::markerActivated, this, &CurvesPanel::markerActivated);
        connect(curves, &CurveCard::noteRequested, this, &CurvesPanel::noteRequested);
    }
}

void CurvesPanel::setSources(const QVector<CurveSource*>& sources) {
    for (CurveSource* source : std::as_const(sources_))
        disconnect(source, nullptr, this, nullptr);
    // The visible cards refer to the old sources, which may be deleted after this call.
    for (PanelCard* card : shownCards())
        card->release();
    sources_ = sources;
    for (CurveSource* source : std::as_const(sources_)) {
        connect(source, &CurveSource::tagsChanged, this, [this] { start_unless_active(tags_due_); });
        connect(source, &CurveSource::curvesChanged, this, [this, source] { refresh(source); });
        connect(source, &CurveSource::mediaChanged, this, [this, source] { refresh(source); });
        connect(source, &QObject::destroyed, this, &CurvesPanel::dropSource);
    }
    rebuild();
}

void CurvesPanel::dropSource(QObject* source) {
    QVector<CurveSource*> left = sources_;
    left.removeIf([source](CurveSource* other) { return static_cast<QObject*>(other) == source; });
    for (PanelCard* card : shownCards())
        card->release();
    sources_ = left;
    rebuild();
}

QList<PanelCard*> CurvesPanel::shownCards() const {
    return large_ == nullptr ? cards_->live() : cards_->live() << large_;
}

void CurvesPanel::setMarkers(const QVector<widgets::Marker>& markers) {
    markers_ = markers;
    for (PanelCard* card : shownCards())
        if (auto* curves = qobject_cast<CurveCard*>(card))
            curves->chart()->setMarkers(markers_);
}

void CurvesPanel::setNotesOffered(bool offered) {
    if (notes_ == offered)
        return;
    notes_ = offered;
    cards_->rebind();
}

void CurvesPanel::rebuild() {
    tags_due_.stop();
    index_.build(sources_);
    std::vector<const TagEntry*> passing;
    for (const TagEntry& entry : index_.entries())
        if (filter_.matches(entry.name))
            passing.push_back(&entry);
    tree_->setTags(passing, layout_.stars, !filter_.isEmpty());
    tree_->setPins(layout_.pins);
    grid_->setSections(cards_->plan(filter_));
    cards_->rebind();
    if (large_ != nullptr) {
        const CardSpec now = cards_->specOf(large_->spec().id);
        large_->bind(now.id.isEmpty() ? large_->spec() : now);
    }
    bar_->setCount(static_cast<int>(passing.size()), static_cast<int>(index_.entries().size()));
    bool tokens = false, epochs = false;
    for (const CurveSource* source : std::as_const(sources_)) {
        tokens = tokens || source->scale(XUnit::Tokens).tokens_per_step != 1;
        epochs = epochs || source->scale(XUnit::Epoch).steps_per_epoch != 1;
    }
    bar_->setUnits(tokens || layout_.unit == XUnit::Tokens, epochs || layout_.unit == XUnit::Epoch);
    say();
}

void CurvesPanel::refresh(CurveSource* source) {
    const qsizetype number = sources_.indexOf(source);
    auto concerns = [&](const PanelCard* card) {
        for (const QString& tag : card->spec().tags)
            if (const TagEntry* entry = index_.find(tag))
                for (const TagHolder& holder : entry->holders)
                    if (holder.source == number)
                        return true;
        return card->kind() == CardKind::Parameters || card->spec().panel.has_value();
    };
    for (PanelCard* card : shownCards())
        if (concerns(card))
            card->refresh();
}

void CurvesPanel::say() {
    QString sentence, more;
    if (!index_.entries().empty() && grid_->sections().empty()) {
        sentence = tr("No tag matches “%1”.").arg(filter_.words());
        more = tr("Words must all occur in the name; /…/ is a regular expression.");
    } else if (index_.entries().empty() && !tags_due_.isActive()) {
        sentence = empty_sentence_;
        more = empty_more_;
    }
    if (sentence.isEmpty()) {
        stack_->setCurrentWidget(large_ != nullptr ? alone_ : static_cast<QWidget*>(grid_));
        return;
    }
    delete empty_;
    empty_ = new widgets::EmptyState(QStringLiteral("runs"), sentence, more);
    none_->layout()->addWidget(empty_);
    stack_->setCurrentWidget(none_);
}

void CurvesPanel::setEmptyWords(const QString& sentence, const QString& more) {
    if (sentence == empty_sentence_ && more == empty_more_)
        return;
    empty_sentence_ = sentence;
    empty_more_ = more;
    say();
}

void CurvesPanel::find() {
    bar_->field()->setFocus(Qt::ShortcutFocusReason);
    bar_->field()->selectAll();
}

void CurvesPanel::setFilter(const QString& words) {
    filter_due_.stop();
    TagFilter filter = filter_;
    filter.setWords(words);
    bar_->setProblem(filter.problem());
    if (bar_->field()->text() != words) {
        const QSignalBlocker quiet(bar_->field());
        bar_->field()->setText(words);
    }
    if (!filter.problem().isEmpty() || filter.words() == filter_.words())
        return;
    filter_ = filter;
    rebuild();
    ViewState::instance().set(view_key_, kFilter, words.isEmpty() ? QJsonValue() : QJsonValue(words));
}

void CurvesPanel::showTag(const QString& tag) {
    enlarge({});
    const TagEntry* entry = index_.find(tag);
    if (entry == nullptr)
        return;
    edit([&](PanelLayout& layout) { layout.folded.removeAll(QStringLiteral("g:") + entry->group); });
    const auto [section, item] = cards_->placeOf(tag);
    grid_->scrollTo(section, item);
}

void CurvesPanel::toggleStar(const QString& tag) {
    edit([&](PanelLayout& layout) { toggle(layout.stars, tag); });
}

void CurvesPanel::pin(const QStringList& tags) {
    if (tags.isEmpty())
        return;
    edit([&](PanelLayout& layout) {
        layout.pins.append({layout.freshPinId(), tags});
        layout.folded.removeAll(QStringLiteral("*pins"));
    });
}

void CurvesPanel::openEditor(const report::Panel& panel, std::function<void(const report::Panel&)> then) {
    auto* dialog = new PanelDialog(panel, &context_, this);
    connect(dialog, &QDialog::accepted, this, [dialog, then = std::move(then)] { then(dialog->panel()); });
    widgets::opened(dialog);
}

void CurvesPanel::askForPanel(report::PanelKind kind) {
    report::Panel panel;
    panel.kind = kind;
    openEditor(panel, [this](const report::Panel& made) { addPanel(made); });
}

void CurvesPanel::editPanel(const QString& cardId) {
    const int at = layout_.pinOf(cardId);
    if (at < 0 || !layout_.pins[at].panel)
        return;
    openEditor(*layout_.pins[at].panel, [this, cardId](const report::Panel& made) {
        edit([&](PanelLayout& layout) {
            if (const int place = layout.pinOf(cardId); place >= 0)
                layout.pins[place].panel = made;
        });
    });
}

void CurvesPanel::addPanel(const report::Panel& panel) {
    edit([&](PanelLayout& layout) {
        layout.pins.append({layout.freshPinId(), {}, panel});
        layout.folded.removeAll(QStringLiteral("*pins"));
    });
    grid_->scrollTo(0, static_cast<int>(layout_.pins.size()) - 1);
}

void CurvesPanel::writeReport(const QString& file) {
    writing_.submit(
        [made = report_of_panel(context_), file] { return write_report(made, file); },
        [this, file](const QString& problem) {
            if (problem.isEmpty())
                message_->showMessage(widgets::InlineMessage::Kind::Note, tr("The report was written."), file);
            else
                message_->showMessage(widgets::InlineMessage::Kind::Error, tr("The report was not written."), problem);
            emit reportWritten(file, problem);
        },
        [this, file](const QString& problem) {
            message_->showMessage(widgets::InlineMessage::Kind::Error, tr("The report was not written."), problem);
            emit reportWritten(file, problem);
        });
}

void CurvesPanel::overlay(const QString& cardId, const QString& tag) {
    if (const int at = layout_.pinOf(cardId); at >= 0)
        return edit([&](PanelLayout& layout) {
            PinnedCard& pin = layout.pins[at];
            if (pin.panel) {
                const std::string formula = report::Formula::quoted(tag.mid(2).toStdString());
                if (tag_kind(tag) == TagKind::Scalar && std::ranges::count(pin.panel->lines, formula) == 0)
                    pin.panel->lines.push_back(formula);
            } else if (!pin.tags.contains(tag)) {
                pin.tags << tag;
            }
        });
    QStringList tags = cards_->specOf(cardId).tags;
    if (!tags.isEmpty() && !tags.contains(tag))
        pin(tags << tag);
}

void CurvesPanel::enlarge(const QString& cardId) {
    const CardSpec spec = cardId.isEmpty() ? CardSpec() : cards_->specOf(cardId);
    if (large_ != nullptr) {
        large_->release();
        large_->hide();
        large_->deleteLater();
        large_ = nullptr;
    }
    if (!spec.id.isEmpty()) {
        large_ = cards_->make(spec.kind, alone_);
        large_->setLarge(true);
        large_->bind(spec);
        alone_->layout()->addWidget(large_);
        large_->setVisible(true);
        if (auto* curves = qobject_cast<CurveCard*>(large_))
            curves->chart()->setFocus(Qt::OtherFocusReason);
    }
    say();
}

QUndoStack* CurvesPanel::history() const {
    return history_;
}

void CurvesPanel::edit(const std::function<void(PanelLayout&)>& change) {
    PanelLayout layout = layout_;
    change(layout);
    changeLayout(layout);
}

void CurvesPanel::changeLayout(const PanelLayout& layout) {
    if (layout != layout_)
        history_->push(new LayoutStep(history_, layout));
}

void CurvesPanel::setLayoutTo(const PanelLayout& layout) {
    const PanelLayout before = layout_;
    layout_ = layout;
    history_->setLast(layout_);
    ViewState::instance().set(layout_key_, kLayout, layout_.toJson());
    showLook();
    if (before.stars != layout_.stars || before.pins != layout_.pins || before.folded != layout_.folded)
        rebuild();
    keepView();
}

void CurvesPanel::showLook() {
    restoring_ = true;
    const bool other = static_cast<const AxisLook&>(layout_) != axis_->look();
    axis_->setLook(layout_);
    bar_->setLayoutShown(layout_);
    const QSize size = kCardSizes[static_cast<std::size_t>(layout_.size)] * TextSize::instance().factor();
    grid_->setCardSize(size.width(), size.height());
    for (PanelCard* card : other ? shownCards() : QList<PanelCard*>())
        card->applyLook();
    splitter_->widget(0)->setVisible(layout_.tree);
    splitter_->setSizes({layout_.tree_width, std::max(400, width() - layout_.tree_width)});
    restoring_ = false;
}

void CurvesPanel::toggleTree() {
    edit([](PanelLayout& layout) { layout.tree = !layout.tree; });
}

void CurvesPanel::restoreView() {
    const QJsonObject view = ViewState::instance().view(view_key_);
    if (const QString words = view.value(kFilter).toString(); !words.isEmpty()) {
        filter_.setWords(words);
        const QSignalBlocker quiet(bar_->field());
        bar_->field()->setText(words);
    }
    axis_->setLook(layout_);
    if (const auto zoom = stored_zoom(view, layout_.unit))
        axis_->link()->setRange(*zoom);
    grid_->setAnchor({view.value(kAnchor).toString(), view.value(kOffset).toInt()});
}

void CurvesPanel::keepView() {
    if (restoring_ || sources_.isEmpty())
        return;
    QJsonObject view = ViewState::instance().view(view_key_);
    keep_zoom(view, axis_->link()->range(), layout_.unit);
    const CardGrid::Anchor anchor = grid_->keptAnchor();
    view.remove(kAnchor);
    view.remove(kOffset);
    if (!anchor.card.isEmpty()) {
        view.insert(kAnchor, anchor.card);
        view.insert(kOffset, anchor.offset);
    }
    ViewState::instance().setView(view_key_, view);
}

void CurvesPanel::addActions() {
    ActionCollection& commands = ActionCollection::instance();
    commands.addUndo(this, history_);
    commands.add("curves.save_layout", this, [this] { layouts_->ask(); });
    commands.add("curves.tree", this, [this] { toggleTree(); });
}

void CurvesPanel::keyPressEvent(QKeyEvent* event) {
    if (event->key() == Qt::Key_Escape && large_ != nullptr)
        enlarge({});
    else if (event->key() == Qt::Key_Escape && bar_->field()->hasFocus() && !bar_->field()->text().isEmpty())
        setFilter({});
    else
        QWidget::keyPressEvent(event);
}

}  // namespace trainyard::desktop
