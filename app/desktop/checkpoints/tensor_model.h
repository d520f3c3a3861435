// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensors of a checkpoint as a tree for a view. Modules are filled when they are expanded, so that a million
// tensors cost nothing before. Norms, histograms and changes arrive later. Of two checkpoints, the tensors that only
// one of them has are listed first. Rows of a module are in the order of their names, or sorted by size or change.

#include <memory>
#include <optional>
#include <unordered_map>
#include <vector>

#include <QAbstractItemModel>

#include "desktop/checkpoints/open_checkpoint.h"

namespace trainyard::desktop {

class TensorModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Column { Name, Kind, Size, Norm, Values, Change, ColumnCount };
    /// inspect::Statistics of a leaf as a pointer (QVariant of const void*), for the column of histograms.
    static constexpr int FiguresRole = Qt::UserRole + 200;

    explicit TensorModel(QObject* parent = nullptr);
    ~TensorModel() override;

    void setCheckpoint(OpenCheckpointPointer checkpoint);
    void setComparison(OpenComparisonPointer comparison);
    /// Shows only these rows; nullopt shows all. `of_other`: of the checkpoint that it is compared with.
    void setRows(std::optional<std::vector<std::uint32_t>> rows, std::vector<std::uint32_t> of_other = {});
    void addFigures(const std::vector<std::pair<std::size_t, inspect::Statistics>>& figures);

    const OpenCheckpointPointer& checkpoint() const { return checkpoint_; }
    const OpenComparisonPointer& comparison() const { return comparison_; }
    /// Index in Contents::tensors; nothing for a module, and for a tensor that only the other checkpoint has.
    std::optional<std::uint32_t> tensorAt(const QModelIndex& index) const;
    /// Index in Contents::tensors of the other checkpoint for a tensor that only that one has.
    std::optional<std::uint32_t> otherAt(const QModelIndex& index) const;
    /// Whether the row is the title of the tensors that only one of the checkpoints has.
    bool isTitle(const QModelIndex& index) const;
    /// Returns whether the module or one of its submodules has this tensor.
    bool holds(const QModelIndex& index, std::uint32_t tensor) const;
    const inspect::Statistics* figures(std::uint32_t tensor) const;
    const inspect::TensorChange* change(std::uint32_t tensor) const;
    bool hasNan(std::uint32_t tensor) const;
    /// Number of tensors of the checkpoint that are shown.
    std::size_t shown() const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    bool hasChildren(const QModelIndex& parent = {}) const override;
    bool canFetchMore(const QModelIndex& parent) const override;
    void fetchMore(const QModelIndex& parent) override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// By Size or Change; any other column: by name. Sections keep their order.
    void sort(int column, Qt::SortOrder order) override;

  private:
    struct Item;
    /// A part of the tree: the tensors that both checkpoints have, or those that only one has.
    struct Branch {
        OpenCheckpointPointer checkpoint;
        bool of_other = false;
        std::unique_ptr<inspect::TensorTree> tree;
    };
    const inspect::Tensor& tensorOf(const Item& item) const;
    void addBranch(OpenCheckpointPointer checkpoint, std::vector<std::uint32_t> rows, bool of_other,
                   const QString& title);
    Item* itemOf(const QModelIndex& index) const;
    void rebuild();
    void tellOfFigures(const Item& item);
    const inspect::Statistics* figuresOf(const Item& item) const;
    QString changeText(const Item& item) const;
    /// |b - a| / |a|; infinite where it is not known but there is a change.
    double changeOf(const Item& item) const;
    QString changeTip(const Item& item) const;
    /// Sorts the children of an item from `first` on.
    void arrange(Item& item, std::size_t first = 0);
    /// Sorts the sections; what exists on one side only stays before them.
    void arrangeSections();
    QVariant cellOf(const Item& item, int column) const;
    static bool isNumber(int column) { return column == Size || column == Norm || column == Change; }

    OpenCheckpointPointer checkpoint_;
    OpenComparisonPointer comparison_;
    std::optional<std::vector<std::uint32_t>> rows_;
    std::vector<std::uint32_t> rows_of_other_;
    std::vector<std::unique_ptr<Branch>> branches_;
    const inspect::TensorTree* tree_ = nullptr;  ///< of the last branch, the tensors of both
    std::unique_ptr<Item> root_;
    std::unordered_map<std::uint32_t, inspect::Statistics> figures_;
    std::vector<double> squares_, base_;  ///< sums of the changes up to each row of the tree
    int sorted_by_ = Name;
    bool descending_ = false;
};

}  // namespace trainyard::desktop
