#pragma once
// The sources of a folder of logs as a list: tick, colour, name, last value of its main curve, a dot while it grows. Which are ticked is
// kept by their names. A filter of words or /regex/ lets rows through.

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
    /// So many are ticked until somebody chooses.
    static constexpr int kFirstTicks = 12;
    /// More would take the panel's charts beyond what one can tell apart.
    static constexpr int kMostTicks = 500;

    explicit LogListModel(QObject* parent = nullptr);

    void add(const std::vector<LogRecord*>& records);
    int total() const { return static_cast<int>(rows_.size()); }
    LogRecord* record(int row) const;
    /// In their order.
    QVector<LogRecord*> ticked() const;
    /// Somebody's choice, kept by whoever shows the list; nothing chosen: the first ones.
    void setTicks(const QStringList& names);
    QStringList ticks() const;
    void tickOnly(int row);
    void toggle(const QModelIndex& index);
    void tickShown(bool on);
    Qt::CheckState shownState() const;
    /// The sentence when it is wrong.
    QString setFilter(const QString& words);
    /// The tag whose last value stands in the list; empty: the best known one of each source.
    static std::string mainTag(const std::vector<TagInfo>& tags);

    int rowCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    bool setData(const QModelIndex& index, const QVariant& value, int role) override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void ticksChanged();
    void ticksChosen();  ///< by somebody

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
