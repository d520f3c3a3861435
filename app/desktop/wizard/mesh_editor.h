// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The mesh of a draft as a grid of ranks over hosts, coloured by a dimension that is chosen, with what a step on it
// takes: memory of a rank, traffic, time. Suggest writes the fastest layout that fits into the draft.

#include <QFrame>

#include "desktop/wizard/mesh_draft.h"
#include "widgets/cell_table.h"
#include "widgets/forward.h"
#include "widgets/job.h"

namespace trainyard::desktop {

/// A row for each host, a column for each of its ranks.
class MeshModel : public widgets::CellTable {
    Q_OBJECT
  public:
    /// Coordinate in the dimension that is chosen; -1: there is no rank, or the ranks form no mesh.
    static constexpr int CoordinateRole = Qt::UserRole + 1;
    using CellTable::CellTable;
    void setMesh(const DraftMesh& mesh, int dimension);
    const DraftMesh& mesh() const { return mesh_; }
    int rankAt(int row, int column) const;  ///< -1: the host has fewer
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

  protected:
    int rows() const override { return static_cast<int>(mesh_.hosts.size()); }
    int columns() const override;
    QString title(int column) const override { return QString::number(column); }
    widgets::Cell cell(int row, int column) const override;
    QString spoken(int row, int column) const override { return tip(row, column); }
    QString tip(int row, int column) const override;

  private:
    DraftMesh mesh_;
    int dimension_ = 0;
};

class MeshEditor : public QFrame {
    Q_OBJECT
  public:
    explicit MeshEditor(RunDraft* draft, QWidget* parent = nullptr);
    /// Takes the mesh of the draft.
    void refresh();
    MeshModel* model() const { return model_; }
    QTableView* grid() const { return grid_; }
    QLabel* sentence() const { return sentence_; }  ///< the mesh, or why there is none
    QLabel* facts() const { return facts_; }        ///< memory, traffic, step time

  private:
    void showRank(const QModelIndex& index);
    void simulate();
    void suggest();

    RunDraft* draft_;
    MeshModel* model_;
    QTableView* grid_;
    widgets::SegmentedControl* dimensions_;
    QPushButton* suggest_;
    QLabel* sentence_;
    QLabel* chosen_;  ///< the current rank
    QLabel* facts_;
    widgets::Job simulation_, suggestion_;
    std::optional<config::Recipe> recipe_;  ///< of the last report without errors
    std::optional<config::Recipe> simulated_;
    QVector<MeshHost> simulated_hosts_;
    bool dimension_chosen_ = false;
};

}  // namespace trainyard::desktop
