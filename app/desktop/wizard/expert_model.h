#pragma once
// The rows of expert mode: every key of the schema and every key of the draft that the schema does not know, in groups. Two levels:
// groups (column 0 only), keys. Follows the draft; changes go through it.

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include "config/accelerate/schema.h"

namespace trainyard::settings {
struct Finding;
}

namespace trainyard::desktop {

class DraftModel;

/// A key of the table. The upper half never changes, the lower half follows the draft.
struct ExpertRow {
    QString path;
    QString name;  ///< as shown: without its table
    QString search;
    const settings::Key* key = nullptr;    ///< nullptr: not known to this version
    const settings::Key* cloud = nullptr;  ///< the key of that name in a SageMaker file
    bool only_flag = false;                ///< never in a file

    bool set = false;
    QString value;     ///< what stands there; empty when not set
    QString standard;  ///< in its absence
    QString problem;
    bool error = false;  ///< else the problem is a warning
    bool has_fix = false;
    QString fix;  ///< `Use 8`, `Remove`
    bool changed = false;
    bool applies = true;
    bool operator==(const ExpertRow&) const = default;
};

/// What a value is edited with.
enum class ExpertEditor { none, truth, segments, choices, line };
ExpertEditor editor_of(const ExpertRow& row);
/// Of segments and choices, as they stand in the file.
QStringList options_of(const ExpertRow& row);

class ExpertModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    /// Of the meaning: the problem without the key's name, which stands in the same row.
    static constexpr int ShortRole = Qt::UserRole;
    enum Column { KeyColumn, ValueColumn, DefaultColumn, MeaningColumn, ReadByColumn, ColumnCount };

    explicit ExpertModel(DraftModel* draft, QObject* parent = nullptr);

    bool isGroup(const QModelIndex& index) const { return index.isValid() && index.internalId() == 0; }
    /// nullptr for groups.
    const ExpertRow* at(const QModelIndex& index) const;
    QString groupTitle(int group) const { return groups_[static_cast<std::size_t>(group)].title; }
    int setCount(int group) const;
    /// Column 0 of that key (aliases too); invalid when there is none.
    QModelIndex find(const QString& path) const;
    DraftModel* draft() const { return draft_; }

    struct Counts {
        int all = 0, set = 0, changed = 0, invalid = 0;
    };
    Counts counts() const;

    /// Text as typed; empty takes the key back.
    void setTyped(const QModelIndex& index, const QString& text);
    /// Ticked: the default is written. A key without a default stays as it is and false is returned: it needs a value first.
    bool setTicked(const QModelIndex& index, bool on);
    void useFix(const QModelIndex& index);

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& child) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  signals:
    void refreshed();

  private:
    struct Group {
        QString title;
        std::vector<ExpertRow> rows;
    };
    void build();
    void refresh();
    void refreshUnknown();
    /// The row with its lower half computed anew.
    ExpertRow computed(const ExpertRow& row) const;
    /// Of the file that is written: another one for SageMaker.
    const settings::Key* keyOf(const ExpertRow& row) const;
    QString meaning(const ExpertRow& row) const;
    QString toolTip(const ExpertRow& row) const;

    DraftModel* draft_;
    std::vector<Group> groups_;  ///< the last one holds unknown keys
};

/// Search over key, label, help and flag (all words must be there; `-` counts as `_`), and the filters.
class ExpertFilter : public QSortFilterProxyModel {
    Q_OBJECT
  public:
    enum Show { All, Set, Changed, Invalid };

    explicit ExpertFilter(ExpertModel* model, QObject* parent = nullptr);
    void setSearch(const QString& text);
    void setShow(Show show);
    bool isNarrowed() const { return !words_.isEmpty() || show_ != All; }
    /// This key stays while it is edited, whatever becomes of it; empty: none.
    void setPinned(const QString& path);
    ExpertModel* model() const { return model_; }

  protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override;

  private:
    ExpertModel* model_;
    QStringList words_;
    Show show_ = All;
    QString pinned_;
};

}  // namespace trainyard::desktop
