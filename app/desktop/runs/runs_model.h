// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The runs as a table. The fixed columns are followed by those that the user added: keys of run.yaml, or metrics. The
// rows are the runs, then a head for each group; runs_proxy.h puts each head above its runs.

#include <optional>

#include <QSet>

#include "desktop/runs/run_groups.h"
#include "desktop/runs/run_summary.h"
#include "widgets/cell_table.h"

namespace trainyard::desktop {

class RunsModel : public widgets::CellTable {
    Q_OBJECT
  public:
    enum Column {
        Name,
        State,
        Curve,
        Train,
        Validation,
        Rate,
        Step,
        Hosts,
        Ranks,
        Gpus,
        Started,
        Duration,
        Note,
        ColumnCount
    };
    /// Role of the value that a column is sorted by.
    static constexpr int SortRole = Qt::UserRole + 1;

    using CellTable::CellTable;
    /// Rows are kept by id, so selection and scroll position survive an update.
    void setRuns(const RunSummaries& runs);
    /// The run of a row. For the head of a group: its title, and nothing else.
    const RunSummary& at(int row) const { return isGroup(row) ? heads_[row - runs_.size()].shown : runs_[row]; }
    const RunSummaries& runs() const { return runs_; }
    const RunSummary* find(const QString& path) const;

    /// The heads of groups, with the statistics of the runs in them.
    void setGroups(const QVector<RunGroup>& groups);
    bool isGroup(int row) const { return row >= runs_.size(); }
    /// nullptr: the row is a run.
    const RunGroup* groupAt(int row) const { return isGroup(row) ? &heads_[row - runs_.size()].group : nullptr; }
    /// Statistics of a column over the runs of the group; nullopt: no run of it has a number there.
    std::optional<Spread> spread(int row, int column) const;

    /// Names as the filter writes them: `optimizer.lr`, `eval/loss.best`.
    void setExtraColumns(const QStringList& names);
    const QStringList& extraColumns() const { return extra_; }
    /// Identifies a column in saved settings and in the headers of an export; not translated.
    QString columnKey(int column) const;
    int columnOf(const QString& key) const;  ///< -1: none

    /// Runs selected for the comparison, by path, in the order of selection.
    void setTicked(const QStringList& paths);
    const QStringList& ticked() const { return ticked_; }
    void tick(const QStringList& paths, bool on);

    /// For the headers: the column sorted by after the first; -1: none.
    void setSecondKey(int column, Qt::SortOrder order);

    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    /// Returns a cell for other programs: numbers with full precision, times as ISO 8601, no line breaks.
    QString fullText(const RunSummary& run, int column) const;
    QString title(int column) const override;

  signals:
    void tickedChanged();
    void renamed(const QString& path, const QString& name);

  protected:
    int rows() const override { return static_cast<int>(runs_.size() + heads_.size()); }
    int columns() const override { return ColumnCount + static_cast<int>(extra_.size()); }
    bool isNumber(int column) const override;
    widgets::Cell cell(int row, int column) const override;
    QString words(int row, int column) const override {
        return isGroup(row) ? groupText(row, column) : plainText(runs_[row], column);
    }
    QString spoken(int row, int column) const override;
    QString tip(int row, int column) const override;

  private:
    QString plainText(const RunSummary& run, int column) const;
    QVariant sortValue(const RunSummary& run, int column) const;
    /// The head of a group as the list shows it.
    struct Head {
        RunGroup group;
        RunSummary shown;
        QVector<std::optional<Spread>> spreads;  ///< by column
        QString states;                          ///< "2 Running, 1 Failed"
        bool operator==(const Head&) const = default;
    };
    Head headOf(const RunGroup& group, const QHash<QString, const RunSummary*>& runs) const;
    QString groupText(int row, int column) const;
    QString groupTip(int row, int column) const;
    widgets::Cell groupCell(int row, int column) const;
    RunSummaries runs_;
    QVector<Head> heads_;
    QSet<QString> repeated_;  ///< names that several runs have: the id is shown, too
    QStringList extra_;
    QStringList ticked_;
    QSet<QString> ticked_set_;
    int second_ = -1;
    Qt::SortOrder second_order_ = Qt::AscendingOrder;
};

}  // namespace trainyard::desktop
