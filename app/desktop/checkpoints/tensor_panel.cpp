// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/tensor_panel.h"

#include <algorithm>
#include <functional>

#include <QComboBox>
#include <QHeaderView>
#include <QLineEdit>
#include <QMenu>
#include <QProgressBar>
#include <QTreeView>

#include "base/text.h"
#include "desktop/checkpoints/painted.h"
#include "desktop/shell/ui.h"
#include "desktop/shell/view_state.h"
#include "widgets/cell_delegate.h"
#include "widgets/job.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"

namespace trainyard::desktop {

namespace {
constexpr int kFilterWaitsMs = 120;
const QString kViewKey = QStringLiteral("checkpoints");
const QString kColumnsKey = QStringLiteral("columns");
constexpr std::uint64_t kOpenUpTo = 40;  ///< most children of a root that is expanded automatically
}  // namespace

TensorPanel::TensorPanel(QWidget* parent)
    : QFrame(parent),
      model_(new TensorModel(this)),
      tree_(named(new QTreeView, tr("Tensors"))),
      title_(make_elided(tr("Tensors"), Theme::instance().text(13, QFont::DemiBold), Tone::Text, Qt::ElideMiddle)),
      compare_menu_(new QMenu(this)),
      compare_(with_look(new QPushButton(tr("Compare with…")), {.icon = "compare", .elides = true})),
      against_(named(new QComboBox, tr("Checkpoint to compare with"))),
      which_(new widgets::SegmentedControl({tr("All"), tr("Changed"), tr("NaN")})),
      filter_(make_search_field(tr("Filter tensors"), tr("Filter"), "search")),
      complaint_(make_note({}, Tone::Error)),
      footer_(make_elided({}, Theme::instance().text(12), Tone::Secondary)),
      bar_(new QProgressBar),
      cancel_(with_look(new QPushButton(tr("Cancel")), {.kind = "link"})),
      due_(new QTimer(this)),
      filtering_(new widgets::Job(this)) {
    setProperty("surface", QStringLiteral("panel"));
    against_->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    const int kLeastLetters = 4;  // capitals, and the room of an icon that no entry has
    against_->setMinimumContentsLength(kLeastLetters);
    against_->setMaximumWidth(400_px);
    title_->setMaximumWidth(260_px);
    compare_->setMenu(compare_menu_);
    // The filter has a line of its own: the window may be 1100 pixels wide.
    filter_->setToolTip(tr("Words of the name, a type (bf16), size>1GB, nan, changed"));
    filter_->setMinimumWidth(90_px);
    filter_->setMaximumWidth(170_px);
    complaint_->setContentsMargins(12, 0, 12, 0);
    complaint_->hide();
    tree_->setModel(model_);
    tree_->setItemDelegate(new widgets::CellDelegate(tree_));
    tree_->setItemDelegateForColumn(TensorModel::Values, new HistogramDelegate(tree_));
    tree_->setUniformRowHeights(true);
    tree_->setFrameShape(QFrame::NoFrame);
    tree_->setIndentation(14);
    tree_->setTextElideMode(Qt::ElideMiddle);
    QHeaderView* header = tree_->header();
    header->setStretchLastSection(false);
    header->setFont(Theme::instance().text(12, QFont::Medium));
    header->setSectionResizeMode(TensorModel::Name, QHeaderView::Stretch);
    header->setMinimumSectionSize(48_px);
    const QByteArray kept = ViewState::instance().value(kViewKey, kColumnsKey).toString().toLatin1();
    tree_->setSortingEnabled(true);
    tree_->sortByColumn(TensorModel::Name, Qt::AscendingOrder);
    widgets::set_column_widths(header, {{TensorModel::Kind, 140},
                                        {TensorModel::Size, 76},
                                        {TensorModel::Norm, 64},
                                        {TensorModel::Values, 62},
                                        {TensorModel::Change, 72}});
    header->restoreState(QByteArray::fromBase64(kept));
    header->setSectionHidden(TensorModel::Change, true);
    connect(header, &QHeaderView::sectionResized, this, [header] {
        ViewState::instance().set(kViewKey, kColumnsKey, QString::fromLatin1(header->saveState().toBase64()));
    });
    bar_->setTextVisible(false);
    bar_->setFixedSize(120_px, 6_px);
    auto* column =
        make_column({1, 8, 1, 8}, 6,
                    {widgets::make_wrapping_row({12, 0, 10, 0}, 8, {title_, compare_, {against_, 1}, stretch()}),
                     widgets::make_wrapping_row({12, 0, 10, 0}, 8, {which_, stretch(), filter_}),
                     complaint_,
                     {tree_, 1},
                     make_row({12, 0, 12, 0}, {{footer_, 1}, bar_, cancel_})});
    column->addStrut(312_px);
    setLayout(column);
    act_after(*due_, kFilterWaitsMs, this, &TensorPanel::applyFilter);
    connect(filter_, &QLineEdit::textChanged, due_, qOverload<>(&QTimer::start));
    connect(which_, &widgets::SegmentedControl::currentChanged, this, &TensorPanel::applyFilter);
    connect(cancel_, &QPushButton::clicked, this, &TensorPanel::cancelRequested);
    connect(against_, &QComboBox::activated, this,
            [this](int index) { emit otherChosen(against_->itemData(index).toInt()); });
    connect(tree_->selectionModel(), &QItemSelectionModel::currentRowChanged, this, [this] { emit tensorChosen(); });
    setProgress({});
}

/// The names need the room; the figures are those of the chosen tensor, too.
void TensorPanel::resizeEvent(QResizeEvent* event) {
    QFrame::resizeEvent(event);
    const int kRoomForValues = 520_px, kRoomForNorm = 440_px;
    tree_->header()->setSectionHidden(TensorModel::Values, width() < kRoomForValues);
    tree_->header()->setSectionHidden(TensorModel::Norm, width() < kRoomForNorm);
}

std::optional<std::uint32_t> TensorPanel::current() const {
    return model_->tensorAt(tree_->currentIndex().siblingAtColumn(0));
}

std::optional<std::uint32_t> TensorPanel::currentOfOther() const {
    return model_->otherAt(tree_->currentIndex().siblingAtColumn(0));
}

/// Their names, with those above them.
QStringList TensorPanel::openNodes() const {
    QStringList found;
    const std::function<void(const QModelIndex&, const QString&)> look = [&](const QModelIndex& parent,
                                                                             const QString& above) {
        for (int row = 0; row < model_->rowCount(parent); ++row)
            if (const QModelIndex index = model_->index(row, 0, parent); tree_->isExpanded(index)) {
                found << above + index.data().toString();
                look(index, found.last() + QLatin1Char('\n'));
            }
    };
    look({}, {});
    return found;
}

void TensorPanel::openAgain(const QStringList& nodes) {
    const std::function<void(const QModelIndex&, const QString&)> look = [&](const QModelIndex& parent,
                                                                             const QString& above) {
        if (model_->canFetchMore(parent))
            model_->fetchMore(parent);
        for (int row = 0; row < model_->rowCount(parent); ++row) {
            const QModelIndex index = model_->index(row, 0, parent);
            if (const QString name = above + index.data().toString(); nodes.contains(name)) {
                tree_->expand(index);
                look(index, name + QLatin1Char('\n'));
            }
        }
    };
    look({}, {});
}

void TensorPanel::setCheckpoint(const OpenCheckpointPointer& checkpoint, const QString& name) {
    const QStringList open = openNodes();
    filtering_->cancel();
    title_->setFullText(name.isEmpty() ? tr("Tensors") : tr("Tensors %1").arg(name));
    model_->setCheckpoint(checkpoint);
    if (!filter_->text().isEmpty() || which_->current() != 0)
        applyFilter();
    // The weights are open, as far as that is not a long list.
    const QModelIndex first = model_->index(0, 0);
    if (first.isValid() && model_->canFetchMore(first))
        model_->fetchMore(first);
    if (first.isValid() && model_->rowCount(first) <= static_cast<int>(kOpenUpTo))
        tree_->expand(first);
    openAgain(open);
}

void TensorPanel::setComparison(const OpenComparisonPointer& comparison) {
    const std::optional<std::uint32_t> chosen = current();
    const QStringList open = openNodes();
    model_->setComparison(comparison);
    // The column would be empty without a comparison, and names need the room.
    tree_->header()->setSectionHidden(TensorModel::Change, comparison == nullptr);
    tree_->sortByColumn(comparison == nullptr ? TensorModel::Name : TensorModel::Change,
                        comparison == nullptr ? Qt::AscendingOrder : Qt::DescendingOrder);
    // Expands the tensors that only one checkpoint has, and the weights.
    for (int row = 0; row < model_->rowCount(); ++row)
        if (row == 0 || model_->isTitle(model_->index(row - 1, 0)))
            tree_->expand(model_->index(row, 0));
    openAgain(open);
    if (chosen)
        choose(*chosen);
    if (!filter_->text().isEmpty() || which_->current() != 0)
        applyFilter();
}

void TensorPanel::setOthers(const QList<std::pair<QString, int>>& others, int chosen) {
    const QSignalBlocker quiet(against_);
    against_->clear();
    against_->addItem(tr("nothing"), -1);
    for (const auto& [text, item] : others)
        against_->addItem(text, item);
    against_->setCurrentIndex(std::max(0, against_->findData(chosen)));
}

void TensorPanel::applyFilter() {
    due_->stop();
    const OpenCheckpointPointer checkpoint = model_->checkpoint();
    if (checkpoint == nullptr)
        return;
    inspect::TensorQuery query;
    try {
        query = inspect::parse_query(filter_->text().toStdString());
        complaint_->hide();
    } catch (const std::exception& error) {
        complaint_->setText(qtSentence(message_of(error)));
        complaint_->show();
        return;
    }
    query.changed = query.changed || which_->current() == 1;
    query.nan = query.nan || which_->current() == 2;
    if (query.empty()) {
        filtering_->cancel();
        model_->setRows({});
        tree_->expand(model_->index(0, 0));
        return;
    }
    // Figures and changes belong to this thread: what is asked of them is copied before.
    std::vector<bool> nan, changed;
    if (query.nan || query.changed) {
        const std::size_t count = checkpoint->contents.tensors.size();
        nan.resize(count);
        changed.resize(count);
        for (std::uint32_t i = 0; i < count; ++i) {
            nan[i] = model_->hasNan(i);
            const inspect::TensorChange* one = model_->change(i);
            changed[i] = one != nullptr && one->kind != inspect::TensorChange::Kind::same;
        }
    }
    struct Found {
        std::vector<std::uint32_t> rows, of_other;
    };
    filtering_->submit(
        [checkpoint, query, nan, changed, comparison = model_->comparison()] {
            Found found;
            found.rows = checkpoint->names.find(
                query, [&](std::uint32_t row) { return nan[row]; }, [&](std::uint32_t row) { return changed[row]; });
            // Of the other checkpoint, only tensors that are missing here are shown: they are changes, and their
            // figures are not known.
            if (comparison != nullptr)
                found.of_other = comparison->before->names.find(
                    query, [](std::uint32_t) { return false; }, [](std::uint32_t) { return true; });
            return found;
        },
        [this](const Found& found) {
            constexpr std::size_t kOpened = 200;
            model_->setRows(found.rows, found.of_other);
            found.rows.size() + found.of_other.size() <= kOpened ? tree_->expandAll()
                                                                 : tree_->expand(model_->index(0, 0));
        });
}

void TensorPanel::choose(std::uint32_t tensor) {
    QModelIndex parent;
    for (bool deeper = true; deeper;) {
        deeper = false;
        if (model_->canFetchMore(parent))
            model_->fetchMore(parent);
        for (int row = 0; row < model_->rowCount(parent); ++row) {
            const QModelIndex index = model_->index(row, 0, parent);
            if (model_->tensorAt(index) == tensor) {
                tree_->setCurrentIndex(index);
                tree_->scrollTo(index);
                return;
            }
            if (model_->holds(index, tensor)) {
                tree_->expand(index);
                parent = index;
                deeper = true;
                break;
            }
        }
    }
}

void TensorPanel::setProgress(const QString& words, quint64 done, quint64 total) {
    footer_->setFullText(words);
    bar_->setVisible(total > 0);
    cancel_->setVisible(total > 0);
    if (total > 0) {
        bar_->setRange(0, 1000);
        bar_->setValue(static_cast<int>(static_cast<double>(done) / static_cast<double>(total) * 1000));
    }
}

}  // namespace trainyard::desktop
