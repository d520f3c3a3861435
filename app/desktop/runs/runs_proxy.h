// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The list of runs as it is shown: filtered, in groups, sorted (active runs always on top of their group), held still
// while the user acts, with queued runs that can be dragged to another place.

#include <optional>

#include <QSet>
#include <QSortFilterProxyModel>

#include "desktop/runs/run_filter.h"
#include "desktop/runs/runs_model.h"

namespace trainyard::desktop {

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
