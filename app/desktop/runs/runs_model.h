// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The run list as a table, and the proxy that filters, groups and sorts it (active runs always on top of their group).
// The fixed columns are followed by those that the user added: keys of run.yaml, or metrics. The rows of the model are
// the runs, then a head for each group; the proxy puts each head above its runs.

#include <optional>

#include <QSet>
#include <QSortFilterProxyModel>

#include "desktop/runs/run_filter.h"
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

class RunsProxy : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    explicit RunsProxy(RunsModel* model, QObject* parent = nullptr);
    /// Returns an empty string on success, else an error message; the list is then unchanged. A name that no run has
    /// is an error once the settings and metrics of all runs are read.
    QString setFilterText(const QString& text);
    /// The error message about a name that no run has; empty if there is none, or the text is not a filter.
    QString unknownName(const QString& text) const;
    const RunFilter& filter() const { return filter_; }
    void setGrouping(const Grouping& grouping);
    const Grouping& grouping() const { return grouping_; }
    /// Keys of the groups whose runs are hidden.
    void setCollapsed(const QSet<QString>& keys);
    const QSet<QString>& collapsed() const { return collapsed_; }
    void toggleGroup(const QString& key);
    /// nullptr: the row is a run.
    const RunGroup* groupAt(const QModelIndex& index) const { return model_->groupAt(mapToSource(index).row()); }
    /// Computes the groups again, after runs have changed. Does nothing while rows are held.
    void regroup();
    /// Shows only these runs (by path); nullopt: no limit.
    void setOnly(const std::optional<QSet<QString>>& paths);
    void setSegment(RunSegment segment);
    RunSegment segment() const { return segment_; }
    /// Whether segment and filter let the run through. The ranges of a sweep (setOnly) are not considered.
    bool accepts(const RunSummary& run) const;
    /// Whether the run is in the list, or would be if its group were not collapsed.
    bool isListed(const RunSummary& run) const { return (!only_ || only_->contains(run.path)) && accepts(run); }
    /// While held, rows stay where they are: new runs are left out, and changed values move no row. Filter, segment and
    /// release() end it.
    void hold();
    void release();
    bool isHeld() const { return held_.has_value(); }
    /// The changes that release() would make.
    struct Waiting {
        int added = 0;       ///< new runs
        bool moved = false;  ///< rows would change their places or leave
    };
    Waiting waiting() const;
    /// Sets the second sort column, used if values of the first are equal; -1: none.
    void setSecondKey(int column, Qt::SortOrder order);
    int secondKey() const { return second_; }
    Qt::SortOrder secondOrder() const { return second_order_; }
    const RunSummary& at(const QModelIndex& index) const;

    // Queued rows can be dragged to another place in the queue.
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override;
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDropActions() const override { return Qt::MoveAction; }
    bool canDropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                         const QModelIndex& parent) const override;
    bool dropMimeData(const QMimeData* data, Qt::DropAction action, int row, int column,
                      const QModelIndex& parent) override;

  signals:
    void queueMoveWanted(const QString& path, int place);

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;
    bool lessThan(const QModelIndex& a, const QModelIndex& b) const override;

  private:
    /// -1, 0, 1 as `order` wants it; runs without a value come last in both orders.
    int compare(int left, int right, int column, Qt::SortOrder order) const;
    /// The place of the group of a row of the model among the groups.
    int groupPlace(int row) const;
    void changeFilter();
    /// Returns the place in the queue for a drop in front of a row; 0 if the drop is not allowed.
    int placeForDrop(const QMimeData* data, int row, const QModelIndex& parent) const;
    RunsModel* model_;
    RunFilter filter_;
    RunSegment segment_ = RunSegment::All;
    std::optional<QSet<QString>> only_;
    std::optional<QSet<QString>> held_;  ///< ids of the runs that were there when the order was held
    int second_ = -1;
    Qt::SortOrder second_order_ = Qt::AscendingOrder;
    Grouping grouping_;
    QSet<QString> collapsed_;
    QHash<QString, QString> groups_;    ///< key of its group, by path of the run
    QHash<QString, int> group_places_;  ///< by key
};

}  // namespace trainyard::desktop
