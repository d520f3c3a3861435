#include "desktop/curves/curves_panel.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QSplitter>
#include <QStackedWidget>

#include "desktop/curves/card_grid.h"
#include "desktop/curves/card_set.h"
#include "desktop/curves/curve_card.h"
#include "desktop/curves/kept_zoom.h"
#include "desktop/curves/named_layouts.h"
#include "desktop/curves/panel_bar.h"
#include "desktop/curves/tag_tree.h"
#include "desktop/ui.h"
#include "desktop/view_state.h"
#include "widgets/empty_state.h"

namespace trainyard::desktop {

using widgets::XUnit;

namespace {
constexpr int kMostUndo = 100;
constexpr int kTagsInterval = 120;    // ms: tags come in bursts while files are read
constexpr int kFilterInterval = 120;  // ms after the last key
const QString kLayout = QStringLiteral("layout");
const QString kFilter = QStringLiteral("filter");
const QString kAnchor = QStringLiteral("anchor");
const QString kOffset = QStringLiteral("offset");

struct SizeOf {
    int width, height;  // pixels; the width is the smallest
};
SizeOf sizeOf(CardSize size) {
    switch (size) {
        case CardSize::Small:
            return {230, 168};
        case CardSize::Medium:
            return {330, 236};
        default:
            return {560, 360};
    }
}

}  // namespace

CurvesPanel::CurvesPanel(const QString& layoutKey, const QString& viewKey, QWidget* parent)
    : QWidget(parent),
      layout_key_(QStringLiteral("curves/") + layoutKey),
      view_key_(QStringLiteral("view/") + viewKey),
      axis_(new SharedAxis(this)),
      cards_(new CardSet(&context_, this)) {
    context_ = {&sources_, &index_, &layout_, axis_, &markers_, &notes_};
    empty_sentence_ = tr("Curves appear here as soon as there are any.");
    build();
    act_after(tags_due_, kTagsInterval, this, &CurvesPanel::rebuild);
    act_after(filter_due_, kFilterInterval, this, [this] { setFilter(bar_->field()->text()); });
    layout_ = PanelLayout::fromJson(ViewState::instance().value(layout_key_, kLayout).toObject());
    restoreView();
    showLook();
    say();
}

CurvesPanel::~CurvesPanel() {
    // The grid gives its cards back to the set, and cards leave the axis.
    delete large_;
    delete grid_;
}

void CurvesPanel::build() {
    layouts_ = new NamedLayouts(
        layout_key_, [this] { return layout_.toJson(); }, this);
    bar_ = new PanelBar(layouts_);
    splitter_ = new QSplitter(Qt::Horizontal);
    splitter_->setChildrenCollapsible(false);
    splitter_->setProperty("surface", QStringLiteral("gap"));
    splitter_->setHandleWidth(8);
    tree_ = new TagTree;
    auto* side = make_frame("panel", make_column({1, 4, 1, 4}, {tree_}));
    side->setMinimumWidth(140);
    splitter_->addWidget(side);
    stack_ = new QStackedWidget;
    auto* right = make_holder(make_row({0, 0, 0, 0}, {stack_}));
    grid_ = new CardGrid(cards_);
    stack_->addWidget(grid_);
    alone_ = new QWidget;
    alone_->setLayout(make_column({0, 0, 0, 0}, {}));
    stack_->addWidget(alone_);
    none_ = new QWidget;
    none_->setLayout(make_column({0, 0, 0, 0}, {}));
    stack_->addWidget(none_);
    splitter_->addWidget(right);
    splitter_->setStretchFactor(1, 1);
    setLayout(make_column({0, 0, 0, 0}, 8, {bar_, {splitter_, 1}}));

    connect(cards_, &CardSet::made, this, &CurvesPanel::connectCard);
    connect(bar_, &PanelBar::layoutChosen, this, [this](const PanelLayout& layout, bool undoable) {
        undoable ? changeLayout(layout) : setLayoutTo(layout);
    });
    connect(bar_, &PanelBar::filterChanged, this, [this] { filter_due_.start(); });
    connect(bar_, &PanelBar::fitRequested, this, [this] { axis_->link()->setRange({}); });
    connect(bar_, &PanelBar::treeToggled, this, &CurvesPanel::toggleTree);
    connect(layouts_, &NamedLayouts::chosen, this,
            [this](const QJsonObject& layout) { changeLayout(PanelLayout::fromJson(layout)); });
    connect(bar_, &PanelBar::resetRequested, this, [this] { changeLayout({}); });
    connect(splitter_, &QSplitter::splitterMoved, this, [this](int at) {
        if (restoring_)
            return;
        layout_.tree_width = at;
        ViewState::instance().set(layout_key_, kLayout, layout_.toJson());
    });
    connect(tree_, &TagTree::tagRequested, this, &CurvesPanel::showTag);
    connect(tree_, &TagTree::starRequested, this, &CurvesPanel::toggleStar);
    connect(tree_, &TagTree::pinRequested, this, [this](const QString& tag) { pin({tag}); });
    connect(tree_, &TagTree::overlayRequested, this, &CurvesPanel::overlay);
    connect(grid_, &CardGrid::tagDropped, this, [this](const QString& tag) { pin({tag}); });
    connect(grid_, &CardGrid::looked, this, &CurvesPanel::keepView);
    connect(grid_, &CardGrid::foldRequested, this, [this](const QString& section) {
        PanelLayout layout = layout_;
        if (layout.folded.removeAll(section) == 0)
            layout.folded << section;
        changeLayout(layout);
    });
    connect(axis_->link(), &widgets::ChartLink::rangeChanged, this, &CurvesPanel::keepView);
    connect(axis_, &SharedAxis::lookChosen, this, [this](const SharedAxis::Look& look) {
        PanelLayout layout = layout_;
        layout.smoothing = look.smoothing;
        layout.log_x = look.log_x;
        layout.log_y = look.log_y;
        layout.clip = look.clip;
        changeLayout(layout);
    });
}

void CurvesPanel::connectCard(PanelCard* card) {
    connect(card, &PanelCard::starRequested, this, &CurvesPanel::toggleStar);
    connect(card, &PanelCard::pinRequested, this, &CurvesPanel::pin);
    connect(card, &PanelCard::overlayRequested, this, &CurvesPanel::overlay);
    connect(card, &PanelCard::unpinRequested, this, [this](const QString& id) {
        PanelLayout layout = layout_;
        if (const int at = layout.pinOf(id); at >= 0) {
            layout.pins.removeAt(at);
            changeLayout(layout);
        }
    });
    connect(card, &PanelCard::withoutRequested, this, [this](const QString& id, const QString& tag) {
        PanelLayout layout = layout_;
        if (const int at = layout.pinOf(id); at >= 0 && layout.pins[at].tags.size() > 1) {
            layout.pins[at].tags.removeAll(tag);
            changeLayout(layout);
        }
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
    // What is on the screen belongs to the old ones, which may die now.
    cards_->releaseAll();
    if (large_ != nullptr)
        large_->release();
    sources_ = sources;
    for (CurveSource* source : std::as_const(sources_)) {
        connect(source, &CurveSource::tagsChanged, this, [this] {
            if (!tags_due_.isActive())
                tags_due_.start();
        });
        connect(source, &CurveSource::curvesChanged, this, [this, source] { refresh(source); });
        connect(source, &CurveSource::mediaChanged, this, [this, source] { refresh(source); });
        connect(source, &QObject::destroyed, this, &CurvesPanel::dropSource);
    }
    rebuild();
}

void CurvesPanel::dropSource(QObject* source) {
    QVector<CurveSource*> left = sources_;
    left.removeIf([source](CurveSource* other) { return static_cast<QObject*>(other) == source; });
    cards_->releaseAll();
    if (large_ != nullptr)
        large_->release();
    sources_ = left;
    rebuild();
}

void CurvesPanel::setMarkers(const QVector<widgets::Marker>& markers) {
    markers_ = markers;
    for (PanelCard* card : cards_->live())
        if (auto* curves = qobject_cast<CurveCard*>(card))
            curves->chart()->setMarkers(markers_);
    if (auto* curves = qobject_cast<CurveCard*>(large_))
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
    if (large_ != nullptr)
        large_->bind(large_->spec());
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
        return card->kind() == CardKind::Parameters;
    };
    for (PanelCard* card : cards_->live())
        if (concerns(card))
            card->refresh();
    if (large_ != nullptr && concerns(large_))
        large_->refresh();
}

void CurvesPanel::say() {
    QString sentence, more;
    if (!index_.entries().empty() && grid_->sections().empty()) {
        sentence = tr("No tag matches “%1”.").arg(filter_.words());
        more = tr("Words must all occur in the name; /…/ is a regular expression.");
    } else if (index_.entries().empty()) {
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
    if (const QString section = QStringLiteral("g:") + entry->group; layout_.folded.contains(section)) {
        PanelLayout layout = layout_;
        layout.folded.removeAll(section);
        changeLayout(layout);
    }
    const auto [section, item] = cards_->placeOf(tag);
    grid_->scrollTo(section, item);
}

void CurvesPanel::toggleStar(const QString& tag) {
    PanelLayout layout = layout_;
    if (layout.stars.removeAll(tag) == 0)
        layout.stars << tag;
    changeLayout(layout);
}

void CurvesPanel::pin(const QStringList& tags) {
    if (tags.isEmpty())
        return;
    PanelLayout layout = layout_;
    layout.pins.append({layout.freshPinId(), tags});
    layout.folded.removeAll(QStringLiteral("*pins"));
    changeLayout(layout);
}

void CurvesPanel::overlay(const QString& cardId, const QString& tag) {
    PanelLayout layout = layout_;
    if (const int at = layout.pinOf(cardId); at >= 0) {
        if (!layout.pins[at].tags.contains(tag))
            layout.pins[at].tags << tag;
        changeLayout(layout);
        return;
    }
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

void CurvesPanel::changeLayout(const PanelLayout& layout) {
    if (layout == layout_)
        return;
    undo_ << layout_;
    if (undo_.size() > kMostUndo)
        undo_.removeFirst();
    redo_.clear();
    setLayoutTo(layout);
}

void CurvesPanel::undo() {
    if (undo_.isEmpty())
        return;
    redo_ << layout_;
    setLayoutTo(undo_.takeLast());
}

void CurvesPanel::redo() {
    if (redo_.isEmpty())
        return;
    undo_ << layout_;
    setLayoutTo(redo_.takeLast());
}

void CurvesPanel::setLayoutTo(const PanelLayout& layout) {
    const PanelLayout before = layout_;
    layout_ = layout;
    ViewState::instance().set(layout_key_, kLayout, layout_.toJson());
    showLook();
    if (before.stars != layout_.stars || before.pins != layout_.pins || before.folded != layout_.folded)
        rebuild();
    keepView();
}

void CurvesPanel::showLook() {
    restoring_ = true;
    const SharedAxis::Look look{layout_.unit, layout_.smoothing, layout_.log_x, layout_.log_y, layout_.clip};
    const bool other = look != axis_->look();
    axis_->setLook(look);
    bar_->setLayoutShown(layout_);
    const SizeOf size = sizeOf(layout_.size);
    grid_->setCardSize(size.width, size.height);
    if (other) {
        for (PanelCard* card : cards_->live())
            card->applyLook();
        if (large_ != nullptr)
            large_->applyLook();
    }
    splitter_->widget(0)->setVisible(layout_.tree);
    splitter_->setSizes({layout_.tree_width, std::max(400, width() - layout_.tree_width)});
    restoring_ = false;
}

void CurvesPanel::toggleTree() {
    PanelLayout layout = layout_;
    layout.tree = !layout.tree;
    changeLayout(layout);
}

QStringList CurvesPanel::layoutNames() const {
    return layouts_->names();
}

void CurvesPanel::saveLayoutAs(const QString& name) {
    layouts_->save(name);
}

void CurvesPanel::showLayout(const QString& name) {
    if (const QJsonObject layout = layouts_->layout(name); !layout.isEmpty())
        changeLayout(PanelLayout::fromJson(layout));
}

void CurvesPanel::restoreView() {
    const QJsonObject view = ViewState::instance().view(view_key_);
    if (const QString words = view.value(kFilter).toString(); !words.isEmpty()) {
        filter_.setWords(words);
        const QSignalBlocker quiet(bar_->field());
        bar_->field()->setText(words);
    }
    axis_->setLook({layout_.unit, layout_.smoothing, layout_.log_x, layout_.log_y, layout_.clip});
    if (const auto zoom = kept_zoom(view, layout_.unit))
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

void CurvesPanel::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Undo)) {
        undo();
        return;
    }
    if (event->matches(QKeySequence::Redo)) {
        redo();
        return;
    }
    if (event->key() == Qt::Key_S && event->modifiers() == (Qt::ControlModifier | Qt::ShiftModifier)) {
        layouts_->ask();
        return;
    }
    if (event->key() == Qt::Key_Escape) {
        if (large_ != nullptr) {
            enlarge({});
            return;
        }
        if (bar_->field()->hasFocus() && !bar_->field()->text().isEmpty()) {
            setFilter({});
            return;
        }
    }
    if (event->key() == Qt::Key_T && event->modifiers() == Qt::NoModifier && !bar_->field()->hasFocus()) {
        toggleTree();
        return;
    }
    QWidget::keyPressEvent(event);
}

}  // namespace trainyard::desktop
