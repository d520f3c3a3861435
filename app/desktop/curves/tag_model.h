// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tags as a tree of their parts between slashes. A branch with one twig is one row with it. Rows know their tag's id and whether it has
// a star.

#include <vector>

#include <QAbstractItemModel>
#include <QStringList>

#include "desktop/curves/tag_index.h"

namespace trainyard::desktop {

/// A tag that is dragged: its id.
inline constexpr const char* kTagMime = "application/x-trainyard-tag";

class TagModel : public QAbstractItemModel {
    Q_OBJECT
  public:
    enum Role { IdRole = Qt::UserRole + 1, PathRole, CountRole, KindRole, StarRole };

    using QAbstractItemModel::QAbstractItemModel;

    /// `entries` may die afterwards.
    void setTags(const std::vector<const TagEntry*>& entries, const QStringList& stars);
    void setStars(const QStringList& stars);
    int tagCount() const { return tags_; }
    QModelIndex indexOf(const QString& id) const;
    /// The first tag at or below a row.
    QString firstTag(const QModelIndex& index) const;

    QModelIndex index(int row, int column, const QModelIndex& parent = {}) const override;
    QModelIndex parent(const QModelIndex& index) const override;
    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex&) const override { return 1; }
    QVariant data(const QModelIndex& index, int role) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;
    QStringList mimeTypes() const override { return {QLatin1String(kTagMime)}; }
    QMimeData* mimeData(const QModelIndexList& indexes) const override;
    Qt::DropActions supportedDragActions() const override { return Qt::CopyAction; }

  private:
    struct Node {
        QString name;
        QString path;
        QString id;  ///< empty: a branch
        TagKind kind = TagKind::Scalar;
        QString description;
        int parent = 0;
        int row = 0;
        int count = 0;  ///< tags at and below it
        std::vector<int> children;
    };
    int addNode(int parent, const QString& name, const QString& path);
    Node& nodeAt(int number) { return nodes_[static_cast<std::size_t>(number)]; }
    const Node& nodeAt(int number) const { return nodes_[static_cast<std::size_t>(number)]; }
    void join(int node);
    int number(int node);
    const Node& node(const QModelIndex& index) const;

    std::vector<Node> nodes_{1};  ///< the first one is the root
    QStringList stars_;
    int tags_ = 0;
};

}  // namespace trainyard::desktop
