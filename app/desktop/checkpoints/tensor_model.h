// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The tensors of a checkpoint as a tree for a view. Modules are filled when they are expanded, so that a million
// tensors cost nothing before. Norms, histograms and changes arrive later.

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
    /// Shows only these rows; nullopt shows all.
    void setRows(std::optional<std::vector<std::uint32_t>> rows);
    void addFigures(const std::vector<std::pair<std::size_t, inspect::Statistics>>& figures);

    const OpenCheckpointPointer& checkpoint() const { return checkpoint_; }
    /// Index in Contents::tensors; nothing for a module.
    std::optional<std::uint32_t> tensorAt(const QModelIndex& index) const;
    /// Returns whether the module or one of its submodules has this tensor.
    bool holds(const QModelIndex& index, std::uint32_t tensor) const;
    const inspect::Statistics* figures(std::uint32_t tensor) const;
    const inspect::TensorChange* change(std::uint32_t tensor) const;
    bool hasNan(std::uint32_t tensor) const;
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

  private:
    struct Item;
    Item* itemOf(const QModelIndex& index) const;
    void rebuild();
    void tellOfFigures(const Item& item);
    QString changeText(const inspect::TensorTree::Node& node) const;
    QVariant cellOf(const Item& item, int column) const;
    static bool isNumber(int column) { return column == Size || column == Norm || column == Change; }

    OpenCheckpointPointer checkpoint_;
    OpenComparisonPointer comparison_;
    std::optional<std::vector<std::uint32_t>> rows_;
    std::unique_ptr<inspect::TensorTree> tree_;
    std::unique_ptr<Item> root_;
    std::unordered_map<std::uint32_t, inspect::Statistics> figures_;
    std::vector<double> squares_, base_;  ///< sums of the changes up to each row of the tree
};

}  // namespace trainyard::desktop
