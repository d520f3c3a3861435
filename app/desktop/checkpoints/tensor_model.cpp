// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/checkpoints/tensor_model.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>

#include "base/text.h"
#include "desktop/text/qt_text.h"
#include "widgets/cell.h"
#include "widgets/local_text.h"
#include "widgets/plot/number_text.h"

namespace trainyard::desktop {

using inspect::TensorChange;
using inspect::TensorTree;
using widgets::Cell;
using widgets::Token;

struct TensorModel::Item {
    TensorTree::Node node;
    Item* parent = nullptr;
    int row = 0;
    const Branch* branch = nullptr;
    bool is_title = false;  ///< of a branch
    bool fetched = false;
    std::vector<std::unique_ptr<Item>> children = {};
};

namespace {

QString percentText(double share) {
    if (!std::isfinite(share))
        return QStringLiteral("∞");
    return widgets::short_text(share * 100, 3) + QStringLiteral(" %");
}

QString sectionTitle(inspect::Section section) {
    switch (section) {
        case inspect::Section::weights:
            return TensorModel::tr("Weights");
        case inspect::Section::average:
            return TensorModel::tr("Averaged weights");
        case inspect::Section::optimizer:
            return TensorModel::tr("Optimizer");
        case inspect::Section::state:
            return TensorModel::tr("Training state");
    }
    return {};
}

/// One node for each section, with its title.
std::vector<TensorTree::Node> rootsOf(const TensorTree& tree, const inspect::Contents& contents) {
    std::vector<TensorTree::Node> roots = tree.roots();
    for (TensorTree::Node& node : roots)
        node.label = sectionTitle(contents.tensors[tree.rows()[node.begin]].section).toStdString();
    return roots;
}

QString shapeWords(const std::vector<std::int64_t>& shape) {
    QStringList sizes;
    for (std::int64_t size : shape)
        sizes << QString::number(size);
    return sizes.isEmpty() ? QStringLiteral("1") : sizes.join(QChar(0x00d7));
}

/// Returns type and shape; a quantized weight has its method and the shape of its values.
QString typeWords(const OpenCheckpoint& checkpoint, const inspect::Tensor& tensor) {
    const std::size_t number = checkpoint.reader.number_of(tensor);
    const std::string method = checkpoint.quantized.method(number);
    return qt(method.empty() ? inspect::shown_dtype(tensor.dtype) : method) + QLatin1Char(' ') +
           shapeWords(checkpoint.quantized.shape(number));
}

}  // namespace

TensorModel::TensorModel(QObject* parent) : QAbstractItemModel(parent) {}
TensorModel::~TensorModel() = default;

void TensorModel::setCheckpoint(OpenCheckpointPointer checkpoint) {
    checkpoint_ = std::move(checkpoint);
    comparison_.reset();
    figures_.clear();
    rows_.reset();
    rows_of_other_.clear();
    rebuild();
}

void TensorModel::setComparison(OpenComparisonPointer comparison) {
    comparison_ = std::move(comparison);
    rebuild();
}

void TensorModel::setRows(std::optional<std::vector<std::uint32_t>> rows, std::vector<std::uint32_t> of_other) {
    rows_ = std::move(rows);
    rows_of_other_ = std::move(of_other);
    rebuild();
}

void TensorModel::addBranch(OpenCheckpointPointer checkpoint, std::vector<std::uint32_t> rows, bool of_other,
                            const QString& title) {
    auto branch = std::make_unique<Branch>();
    branch->tree = std::make_unique<TensorTree>(checkpoint->contents, std::move(rows));
    branch->checkpoint = std::move(checkpoint);
    branch->of_other = of_other;
    const auto add = [&](TensorTree::Node node, bool is_title) {
        auto item = std::make_unique<Item>();
        item->node = std::move(node);
        item->parent = root_.get();
        item->row = static_cast<int>(root_->children.size());
        item->branch = branch.get();
        item->is_title = is_title;
        root_->children.push_back(std::move(item));
    };
    const std::vector<TensorTree::Node> roots = rootsOf(*branch->tree, branch->checkpoint->contents);
    if (title.isEmpty()) {
        for (const TensorTree::Node& node : roots)
            add(node, false);
    } else {
        TensorTree::Node all = roots.front();
        all.label = title.toStdString();
        all.end = roots.back().end;
        for (std::size_t i = 1; i < roots.size(); ++i) {
            all.bytes += roots[i].bytes;
            all.elements += roots[i].elements;
        }
        add(std::move(all), true);
    }
    tree_ = branch->tree.get();
    branches_.push_back(std::move(branch));
}

void TensorModel::rebuild() {
    beginResetModel();
    root_.reset();
    branches_.clear();
    tree_ = nullptr;
    squares_.clear();
    base_.clear();
    if (checkpoint_ != nullptr) {
        root_ = std::make_unique<Item>();
        root_->fetched = true;
        std::vector<std::uint32_t> rows(checkpoint_->contents.tensors.size());
        std::iota(rows.begin(), rows.end(), 0u);
        if (rows_)
            rows = *rows_;
        if (comparison_ != nullptr) {
            std::vector<std::uint32_t> gone;
            for (const TensorChange& row : comparison_->comparison.rows)
                if (row.kind == TensorChange::Kind::removed)
                    gone.push_back(row.before);
            std::ranges::sort(gone);
            if (rows_)
                std::erase_if(gone,
                              [this](std::uint32_t row) { return !std::ranges::binary_search(rows_of_other_, row); });
            std::vector<std::uint32_t> fresh;
            std::erase_if(rows, [&](std::uint32_t row) {
                const TensorChange* one = change(row);
                if (one == nullptr || one->kind != TensorChange::Kind::added)
                    return false;
                fresh.push_back(row);
                return true;
            });
            if (!gone.empty())
                addBranch(comparison_->before, std::move(gone), true, tr("Only in %1").arg(comparison_->before_name));
            if (!fresh.empty())
                addBranch(checkpoint_, std::move(fresh), false, tr("Only in this one"));
        }
        addBranch(checkpoint_, std::move(rows), false, {});
        if (comparison_ != nullptr) {
            squares_.push_back(0);
            base_.push_back(0);
            for (std::uint32_t row : tree_->rows()) {
                const TensorChange* one = change(row);
                squares_.push_back(squares_.back() + (one == nullptr ? 0 : one->squares));
                base_.push_back(base_.back() + (one == nullptr ? 0 : one->base));
            }
        }
        arrangeSections();
    }
    endResetModel();
}

void TensorModel::addFigures(const std::vector<std::pair<std::size_t, inspect::Statistics>>& figures) {
    if (figures.empty())
        return;
    for (const auto& [tensor, one] : figures)
        figures_.insert_or_assign(static_cast<std::uint32_t>(tensor), one);
    // Only what is open can be seen: all of it is painted again, whichever tensors came.
    if (root_ != nullptr)
        tellOfFigures(*root_);
}

void TensorModel::tellOfFigures(const Item& item) {
    if (item.children.empty())
        return;
    emit dataChanged(
        createIndex(0, 0, item.children.front().get()),
        createIndex(static_cast<int>(item.children.size()) - 1, ColumnCount - 1, item.children.back().get()));
    for (const std::unique_ptr<Item>& child : item.children)
        tellOfFigures(*child);
}

std::optional<std::uint32_t> TensorModel::tensorAt(const QModelIndex& index) const {
    const Item* item = itemOf(index);
    if (!index.isValid() || item == nullptr || !item->node.leaf || item->branch->of_other)
        return std::nullopt;
    return item->branch->tree->rows()[item->node.begin];
}

std::optional<std::uint32_t> TensorModel::otherAt(const QModelIndex& index) const {
    const Item* item = itemOf(index);
    if (!index.isValid() || item == nullptr || !item->node.leaf || !item->branch->of_other)
        return std::nullopt;
    return item->branch->tree->rows()[item->node.begin];
}

bool TensorModel::isTitle(const QModelIndex& index) const {
    return index.isValid() && itemOf(index)->is_title;
}

bool TensorModel::holds(const QModelIndex& index, std::uint32_t tensor) const {
    const Item* item = index.isValid() ? itemOf(index) : nullptr;
    if (item == nullptr || item->node.leaf || item->branch->of_other)
        return false;
    const std::vector<std::uint32_t>& rows = item->branch->tree->rows();
    const auto begin = rows.begin() + static_cast<std::ptrdiff_t>(item->node.begin),
               end = rows.begin() + static_cast<std::ptrdiff_t>(item->node.end);
    return std::binary_search(begin, end, tensor);
}

const inspect::Tensor& TensorModel::tensorOf(const Item& item) const {
    return item.branch->checkpoint->contents.tensors[item.branch->tree->rows()[item.node.begin]];
}

const inspect::Statistics* TensorModel::figures(std::uint32_t tensor) const {
    const auto found = figures_.find(tensor);
    return found == figures_.end() ? nullptr : &found->second;
}

const TensorChange* TensorModel::change(std::uint32_t tensor) const {
    // Of a tensor of which the other checkpoint may have a counterpart that cannot be read there is no row.
    return comparison_ == nullptr || tensor >= comparison_->row_of.size() ||
                   comparison_->row_of[tensor] >= comparison_->comparison.rows.size()
               ? nullptr
               : &comparison_->comparison.rows[comparison_->row_of[tensor]];
}

const inspect::Statistics* TensorModel::figuresOf(const Item& item) const {
    return item.node.leaf && !item.branch->of_other ? figures(item.branch->tree->rows()[item.node.begin]) : nullptr;
}

bool TensorModel::hasNan(std::uint32_t tensor) const {
    const inspect::Statistics* one = figures(tensor);
    return one != nullptr && one->nan + one->infinite > 0;
}

std::size_t TensorModel::shown() const {
    std::size_t count = 0;
    for (const std::unique_ptr<Branch>& branch : branches_)
        count += branch->of_other ? 0 : branch->tree->rows().size();
    return count;
}

TensorModel::Item* TensorModel::itemOf(const QModelIndex& index) const {
    return index.isValid() ? static_cast<Item*>(index.internalPointer()) : root_.get();
}

QModelIndex TensorModel::index(int row, int column, const QModelIndex& parent) const {
    const Item* item = itemOf(parent);
    if (item == nullptr || row < 0 || row >= static_cast<int>(item->children.size()) || column < 0 ||
        column >= ColumnCount)
        return {};
    return createIndex(row, column, item->children[static_cast<std::size_t>(row)].get());
}

QModelIndex TensorModel::parent(const QModelIndex& child) const {
    const Item* item = child.isValid() ? static_cast<const Item*>(child.internalPointer())->parent : nullptr;
    if (item == nullptr || item == root_.get())
        return {};
    return createIndex(item->row, 0, item);
}

int TensorModel::rowCount(const QModelIndex& parent) const {
    const Item* item = itemOf(parent);
    return item == nullptr || parent.column() > 0 ? 0 : static_cast<int>(item->children.size());
}

int TensorModel::columnCount(const QModelIndex&) const {
    return ColumnCount;
}

bool TensorModel::hasChildren(const QModelIndex& parent) const {
    const Item* item = itemOf(parent);
    return item != nullptr && parent.column() <= 0 &&
           (item == root_.get() ? !item->children.empty() : !item->node.leaf);
}

bool TensorModel::canFetchMore(const QModelIndex& parent) const {
    const Item* item = itemOf(parent);
    return item != nullptr && !item->fetched && !item->node.leaf;
}

void TensorModel::fetchMore(const QModelIndex& parent) {
    Item* item = itemOf(parent);
    if (item == nullptr || item->fetched)
        return;
    item->fetched = true;
    const TensorTree& tree = *item->branch->tree;
    std::vector<TensorTree::Node> nodes =
        item->is_title ? rootsOf(tree, item->branch->checkpoint->contents) : tree.children(item->node);
    if (item->is_title && nodes.size() == 1)
        nodes = tree.children(nodes.front());
    if (nodes.empty())
        return;
    beginInsertRows(parent, 0, static_cast<int>(nodes.size()) - 1);
    for (TensorTree::Node& node : nodes)
        item->children.push_back(std::make_unique<Item>(Item{std::move(node), item, 0, item->branch}));
    arrange(*item);
    endInsertRows();
}

double TensorModel::changeOf(const Item& item) const {
    if (comparison_ == nullptr || squares_.empty() || item.branch->tree.get() != tree_)
        return 0;
    double relative = 0;
    if (item.node.leaf) {
        const TensorChange* one = change(tree_->rows()[item.node.begin]);
        if (one == nullptr || one->kind == TensorChange::Kind::same || one->kind == TensorChange::Kind::renamed)
            return 0;
        relative = one->compared ? one->relative : INFINITY;
    } else {
        const double squares = squares_[item.node.end] - squares_[item.node.begin],
                     base = base_[item.node.end] - base_[item.node.begin];
        relative = squares <= 0 ? 0 : base > 0 ? std::sqrt(squares / base) : INFINITY;
    }
    return std::isnan(relative) ? INFINITY : relative;
}

void TensorModel::arrangeSections() {
    const auto of_both = std::ranges::find_if(
        root_->children, [this](const auto& section) { return section->branch->tree.get() == tree_; });
    arrange(*root_, static_cast<std::size_t>(of_both - root_->children.begin()));
}

void TensorModel::arrange(Item& item, std::size_t first) {
    const auto key_of = [this](const Item& one) {
        return sorted_by_ == Size     ? static_cast<double>(one.node.bytes)
               : sorted_by_ == Change ? changeOf(one)
                                      : static_cast<double>(one.node.begin);
    };
    std::vector<std::pair<double, std::unique_ptr<Item>>> keyed;
    for (std::size_t i = first; i < item.children.size(); ++i) {
        const double key = key_of(*item.children[i]);
        keyed.emplace_back(key, std::move(item.children[i]));
    }
    // Equal ones are in the order of their names.
    std::ranges::sort(keyed, [this](const auto& a, const auto& b) {
        return a.first != b.first ? (descending_ ? b.first < a.first : a.first < b.first)
                                  : a.second->node.begin < b.second->node.begin;
    });
    for (std::size_t i = 0; i < keyed.size(); ++i) {
        item.children[first + i] = std::move(keyed[i].second);
        item.children[first + i]->row = static_cast<int>(first + i);
    }
}

void TensorModel::sort(int column, Qt::SortOrder order) {
    emit layoutAboutToBeChanged({}, QAbstractItemModel::VerticalSortHint);
    sorted_by_ = column == Size || column == Change ? column : Name;
    descending_ = order == Qt::DescendingOrder;
    const std::function<void(Item&)> arrange_all = [&](Item& item) {
        arrange(item);
        for (const std::unique_ptr<Item>& child : item.children)
            arrange_all(*child);
    };
    if (root_ != nullptr) {
        arrangeSections();
        for (const std::unique_ptr<Item>& section : root_->children)
            arrange_all(*section);
    }
    const QModelIndexList before = persistentIndexList();
    QModelIndexList after;
    for (const QModelIndex& index : before)
        after << createIndex(itemOf(index)->row, index.column(), itemOf(index));
    changePersistentIndexList(before, after);
    emit layoutChanged({}, QAbstractItemModel::VerticalSortHint);
}

QString TensorModel::changeTip(const Item& item) const {
    if (comparison_ == nullptr || squares_.empty() || item.branch->tree.get() != tree_)
        return {};
    if (!item.node.leaf)
        return tr("Norm of the difference: %1")
            .arg(widgets::value_number(std::sqrt(std::max(0.0, squares_[item.node.end] - squares_[item.node.begin]))));
    const TensorChange* one = change(tree_->rows()[item.node.begin]);
    return one == nullptr || !one->compared
               ? QString()
               : tr("Norm of the difference: %1, largest of an element: %2")
                     .arg(widgets::value_number(one->norm()), widgets::value_number(one->largest));
}

QString TensorModel::changeText(const Item& item) const {
    const TensorTree::Node& node = item.node;
    if (comparison_ == nullptr || squares_.empty())
        return {};
    if (item.branch->of_other)
        return node.leaf ? tr("removed") : QString();
    if (item.branch->tree.get() != tree_)
        return node.leaf ? tr("new") : QString();
    if (node.leaf) {
        const TensorChange* one = change(tree_->rows()[node.begin]);
        if (one == nullptr)
            return {};
        switch (one->kind) {
            case TensorChange::Kind::renamed:
                return tr("renamed");
            case TensorChange::Kind::reshaped:
                return tr("reshaped");
            default:
                return one->compared                           ? percentText(one->relative)
                       : one->kind == TensorChange::Kind::same ? QStringLiteral("0 %")
                                                               : tr("changed");
        }
    }
    const double relative = changeOf(item);
    return relative == 0 ? QStringLiteral("0 %") : percentText(relative);
}

QVariant TensorModel::cellOf(const Item& item, int column) const {
    const TensorTree::Node& node = item.node;
    const inspect::Tensor* tensor = node.leaf ? &tensorOf(item) : nullptr;
    const inspect::Statistics* known = figuresOf(item);
    Cell cell;
    cell.mono = column != Name;
    cell.alignment = isNumber(column) ? Qt::AlignRight : Qt::AlignLeft;
    switch (column) {
        case Name:
            cell.text = qt(node.label);
            cell.strong = !node.leaf;
            cell.ink = item.is_title ? Token::Warn : Token::Text;
            break;
        case Kind:
            cell.ink = Token::TextSecondary;
            cell.text = node.leaf ? typeWords(*item.branch->checkpoint, *tensor)
                                  : qt(item.branch->tree->dtype_of(node)) + QLatin1Char(' ') +
                                        tr("%Ln tensors", nullptr, static_cast<int>(node.tensors()));
            break;
        case Size:
            cell.text = qtNumber(text::file_size(node.bytes));
            break;
        case Norm:
            if (known != nullptr && known->nan + known->infinite > 0) {
                cell.text = QStringLiteral("NaN");
                cell.ink = Token::Error;
            } else if (known != nullptr) {
                cell.text = widgets::value_number(known->norm());
            }
            break;
        case Change:
            cell.text = changeText(item);
            cell.ink = Token::TextSecondary;
            break;
        default:
            break;
    }
    return QVariant::fromValue(cell);
}

QVariant TensorModel::data(const QModelIndex& index, int role) const {
    const Item* item = index.isValid() ? itemOf(index) : nullptr;
    if (item == nullptr)
        return {};
    if (role == widgets::CellRole && index.column() != Values)
        return cellOf(*item, index.column());
    if (role == FiguresRole && item->node.leaf)
        return QVariant::fromValue(static_cast<const void*>(figuresOf(*item)));
    if (role == Qt::ToolTipRole && index.column() == Name)
        return item->node.leaf ? qt(tensorOf(*item).name) : item->is_title ? qt(item->node.label) : QString();
    if (role == Qt::ToolTipRole && index.column() == Change)
        return changeTip(*item);
    if (role == Qt::DisplayRole || role == Qt::AccessibleTextRole)
        return index.column() == Values ? QVariant() : QVariant(cellOf(*item, index.column()).value<Cell>().text);
    return {};
}

QVariant TensorModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal)
        return {};
    if (role == Qt::TextAlignmentRole)
        return static_cast<int>((isNumber(section) ? Qt::AlignRight : Qt::AlignLeft) | Qt::AlignVCenter);
    if (role == Qt::InitialSortOrderRole)
        return section == Size || section == Change ? Qt::DescendingOrder : Qt::AscendingOrder;
    if (role != Qt::DisplayRole)
        return {};
    // In the order of Column.
    static constexpr const char* titles[]{QT_TR_NOOP("Tensor"), QT_TR_NOOP("Type, shape"), QT_TR_NOOP("Size"),
                                          QT_TR_NOOP("Norm"),   QT_TR_NOOP("Values"),      QT_TR_NOOP("Change")};
    return tr(titles[section]);
}

}  // namespace trainyard::desktop
