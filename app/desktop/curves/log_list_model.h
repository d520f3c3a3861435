// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The sources of a folder of logs as a list: selection, colour, name, last value of the main curve, and a dot while the
// log grows. The selection is saved by name. A filter of words or /regex/ hides rows.

#include <QAbstractListModel>
#include <QSet>
#include <QTimer>

#include "desktop/curves/tag_index.h"

namespace trainyard::desktop {

class LogRecord;

class LogListModel : public QAbstractListModel {
    Q_OBJECT
  public:
    enum Role { ColorRole = Qt::UserRole + 1, ValueRole, LiveRole, WarnRole };
    /// Number of logs that are selected until the user chooses.
    static constexpr int kFirstTicks = 12;
    /// Maximum number of selected logs; a chart with more curves is not readable.
    static constexpr int kMostTicks = 500;

    explicit LogListModel(QObject* parent = nullptr);

    void add(const std::vector<LogRecord*>& records);
    int total() const { return static_cast<int>(rows_.size()); }
    LogRecord* record(int row) const;
    /// In their order.
    QVector<LogRecord*> ticked() const;
    /// Sets the user's selection, which the view saves. Until this is called, the first logs are selected.
    void setTicks(const QStringList& names);
    QStringList ticks() const;
    void tickOnly(int row);
    void toggle(const QModelIndex& index);
    void tickShown(bool on);
    Qt::CheckState shownState() const;
    /// Returns an error message if the filter is invalid.
    QString setFilter(const QString& words);
    /// Returns the tag whose last value the list shows: a usual name of the loss if possible, else the first curve.
    /// Empty without curves.
    static std::string mainTag(const std::vector<TagInfo>& tags);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void ticksChanged();
    void ticksChosen();  ///< by the user

  private:
    struct Row {
        LogRecord* record = nullptr;
        bool ticked = false;
        std::string tag;  ///< whose last value is shown
        std::size_t tags_seen = 0;
    };
    void show();
    void choose(Row& row, bool on);
    void findTail();
    void tellChosen();
    Row& rowAt(int row) const { return rows_[static_cast<std::size_t>(shown_[static_cast<std::size_t>(row)])]; }
    int tickCount() const;

    mutable std::vector<Row> rows_;
    std::vector<int> shown_;
    TagFilter filter_;
    QString tail_;          ///< `/metrics.csv` when all names end so: it tells nothing
    QSet<QString> wanted_;  ///< names that were ticked when this was last looked at
    bool chosen_ = false;
    QTimer due_;
};

}  // namespace trainyard::desktop
