// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/tag_model.h"

#include <utility>

#include <QMimeData>

namespace trainyard::desktop {

void TagModel::setTags(const std::vector<const TagEntry*>& entries, const QStringList& stars) {
    beginResetModel();
    stars_ = stars;
    tags_ = static_cast<int>(entries.size());
    nodes_.assign(1, {});
    QHash<QString, int> branches;
    for (const TagEntry* entry : entries) {
        int at = 0;
        qsizetype from = 0;
        for (qsizetype slash = entry->name.indexOf(QLatin1Char('/'), 1); slash > 0;
             slash = entry->name.indexOf(QLatin1Char('/'), from)) {
            const QString path = entry->name.left(slash);
            const auto found = branches.constFind(path);
            if (found != branches.cend()) {
                at = *found;
            } else {
                at = addNode(at, entry->name.mid(from, slash - from), path);
                branches.insert(path, at);
            }
            from = slash + 1;
        }
        Node& leaf = nodeAt(addNode(at, entry->name.mid(from), entry->name));
        leaf.id = entry->id;
        leaf.kind = entry->kind;
        leaf.description = entry->description;
    }
    join(0);
    number(0);
    endResetModel();
}

int TagModel::addNode(int parent, const QString& name, const QString& path) {
    const auto made = static_cast<int>(nodes_.size());
    Node& node = nodes_.emplace_back();
    node.name = name;
    node.path = path;
    node.parent = parent;
    nodeAt(parent).children.push_back(made);
    return made;
}

void TagModel::join(int at) {
    for (std::size_t i = 0; i < nodeAt(at).children.size(); ++i) {
        int child = nodeAt(at).children[i];
        QString name = nodeAt(child).name;
        while (nodeAt(child).id.isEmpty() && nodeAt(child).children.size() == 1) {
            child = nodeAt(child).children.front();
            name += QLatin1Char('/') + nodeAt(child).name;
        }
        nodeAt(child).name = name;
        nodeAt(child).parent = at;
        nodeAt(at).children[i] = child;
        join(child);
    }
}

int TagModel::number(int at) {
    int count = nodeAt(at).id.isEmpty() ? 0 : 1;
    int row = 0;
    for (const int child : nodeAt(at).children) {
        nodeAt(child).row = row++;
        count += number(child);
    }
    return nodeAt(at).count = count;
}

void TagModel::setStars(const QStringList& stars) {
    if (stars == stars_)
        return;
    const QStringList before = std::exchange(stars_, stars);
    for (const QString& id : before + stars)
        if (const QModelIndex at = indexOf(id); at.isValid() && before.contains(id) != stars.contains(id))
            emit dataChanged(at, at, {StarRole});
}

const TagModel::Node& TagModel::node(const QModelIndex& index) const {
    return nodes_[index.isValid() ? static_cast<std::size_t>(index.internalId()) : 0];
}

QModelIndex TagModel::indexOf(const QString& id) const {
    for (std::size_t i = 1; i < nodes_.size(); ++i)
        if (nodes_[i].id == id)
            return createIndex(nodes_[i].row, 0, static_cast<quintptr>(i));
    return {};
}

QString TagModel::firstTag(const QModelIndex& index) const {
    const Node* at = &node(index);
    while (at->id.isEmpty() && !at->children.empty())
        at = &nodeAt(at->children.front());
    return at->id;
}

QModelIndex TagModel::index(int row, int column, const QModelIndex& parent) const {
    const Node& above = node(parent);
    if (column != 0 || row < 0 || row >= static_cast<int>(above.children.size()))
        return {};
    return createIndex(row, 0, static_cast<quintptr>(above.children[static_cast<std::size_t>(row)]));
}

QModelIndex TagModel::parent(const QModelIndex& index) const {
    const int above = node(index).parent;
    if (!index.isValid() || above == 0)
        return {};
    return createIndex(nodeAt(above).row, 0, static_cast<quintptr>(above));
}

int TagModel::rowCount(const QModelIndex& parent) const {
    return static_cast<int>(node(parent).children.size());
}

QVariant TagModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const Node& at = node(index);
    switch (role) {
        case Qt::DisplayRole:
            return at.name;
        case Qt::ToolTipRole:
            return at.description.isEmpty() ? at.path : at.path + QLatin1Char('\n') + at.description;
        case Qt::AccessibleTextRole:
            return at.path;
        case IdRole:
            return at.id;
        case PathRole:
            return at.path;
        case CountRole:
            return at.id.isEmpty() ? at.count : 0;
        case KindRole:
            return static_cast<int>(at.kind);
        case StarRole:
            return !at.id.isEmpty() && stars_.contains(at.id);
        default:
            return {};
    }
}

Qt::ItemFlags TagModel::flags(const QModelIndex& index) const {
    if (!index.isValid())
        return Qt::NoItemFlags;
    Qt::ItemFlags flags = Qt::ItemIsEnabled | Qt::ItemIsSelectable;
    if (!node(index).id.isEmpty())
        flags |= Qt::ItemIsDragEnabled;
    return flags;
}

QMimeData* TagModel::mimeData(const QModelIndexList& indexes) const {
    if (indexes.isEmpty())
        return nullptr;
    auto* data = new QMimeData;
    data->setData(QLatin1String(kTagMime), node(indexes.first()).id.toUtf8());
    return data;
}

}  // namespace trainyard::desktop
