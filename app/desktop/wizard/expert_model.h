// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rows of expert mode: every key of the recipe, every key of the schema of settings, and every key of the draft that
// the schema does not know, in two levels: groups (column 0 only) and keys. Follows the draft; changes go through it.

#include <QAbstractItemModel>
#include <QSortFilterProxyModel>
#include <QStringList>

#include "config/accelerate/schema.h"
#include "config/recipe/recipe.h"

namespace trainyard::settings {
struct Finding;
}

namespace trainyard::desktop {

class DraftModel;
class RunDraft;

/// A key of the table. The fields up to `only_flag` never change, the others follow the draft.
struct ExpertRow {
    QString path;
    QString name;  ///< display name, without the name of its table
    QString search;
    const settings::Key* key = nullptr;         ///< nullptr: unknown to this version
    const settings::Key* cloud = nullptr;       ///< the key with that name in a SageMaker file
    const config::RecipeKey* recipe = nullptr;  ///< a key of the recipe, then `key` is nullptr
    bool only_flag = false;                     ///< command line only, never in a file

    bool set = false;
    QString value;     ///< current value as text; empty if not set
    QString standard;  ///< default value
    QString problem;
    bool error = false;  ///< else the problem is a warning
    bool has_fix = false;
    QString fix;  ///< `Use 8`, `Remove`
    bool changed = false;
    bool applies = true;
    bool hidden = false;  ///< of the recipe: no recipe is written, or the model's family does not have the key
    bool operator==(const ExpertRow&) const = default;
};

/// Kind of editor for a value.
enum class ExpertEditor { none, truth, segments, choices, line };
ExpertEditor editor_of(const ExpertRow& row);
/// The options of segments and choices, spelled as in the file.
QStringList options_of(const ExpertRow& row);

class ExpertModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    /// Role of the meaning column: the problem without the name of the key, which the same row already shows.
    static constexpr int ShortRole = Qt::UserRole;
    enum Column { KeyColumn, ValueColumn, DefaultColumn, MeaningColumn, ReadByColumn, ColumnCount };

    /// `run`: the draft whose settings `draft` are, for the keys of its recipe; nullptr: settings alone.
    explicit ExpertModel(DraftModel* draft, RunDraft* run = nullptr, QObject* parent = nullptr);

    bool isGroup(const QModelIndex& index) const { return index.isValid() && index.internalId() == 0; }
    /// nullptr for groups.
    const ExpertRow* at(const QModelIndex& index) const;
    QString groupTitle(int group) const { return groups_[static_cast<std::size_t>(group)].title; }
    int setCount(int group) const;
    /// Whether the group is unfolded at first.
    bool isUsual(int group) const;
    /// Column 0 of this key (aliases too); invalid if it has no row.
    QModelIndex find(const QString& path) const;
    DraftModel* draft() const { return draft_; }

    struct Counts {
        int all = 0, set = 0, changed = 0, invalid = 0;
    };
    Counts counts() const;

    /// Sets a value from typed text; an empty text removes the key.
    void setTyped(const QModelIndex& index, const QString& text);
    /// Sets the key to its default if `on` (booleans without one: true), else removes it. Returns false and changes
    /// nothing if another key has no default: it needs a value first.
    bool setTicked(const QModelIndex& index, bool on);
    /// Inverts a truth value.
    void toggle(const QModelIndex& index);
    void useFix(const QModelIndex& index);
    /// The next change is an undo step of its own.
    void endEdit();

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
    void buildRecipe();
    void refresh();
    void refreshUnknown();
    /// Returns the row with its state (`set` and everything after it) recomputed.
    ExpertRow computed(const ExpertRow& row) const;
    void computeRecipe(ExpertRow& row) const;
    /// The key of the current file format; SageMaker has different keys.
    const settings::Key* keyOf(const ExpertRow& row) const;
    QString meaning(const ExpertRow& row) const;
    QString toolTip(const ExpertRow& row) const;

    DraftModel* draft_;
    RunDraft* run_;
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
    /// This key stays visible while it is edited, regardless of the filter; empty: none.
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
