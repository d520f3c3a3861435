// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/data/preview_model.h"

#include <algorithm>

#include <QFont>
#include <QImage>
#include <QPixmap>

#include "widgets/plain_text.h"
#include "widgets/theme.h"

namespace trainyard::desktop {

namespace {
QIcon icon_of(const DataPicture& picture, int side) {
    if (picture.width == 0)
        return {};
    const QImage image(reinterpret_cast<const uchar*>(picture.pixels.constData()), picture.width, picture.height,
                       picture.width * 3, QImage::Format_RGB888);
    // Images of a few pixels are enlarged without smoothing, which would hide them.
    const bool tiny = std::max(picture.width, picture.height) < side;
    const QPixmap shown = QPixmap::fromImage(
        image.scaled(side, side, Qt::KeepAspectRatio, tiny ? Qt::FastTransformation : Qt::SmoothTransformation));
    QIcon icon(shown);
    icon.addPixmap(shown, QIcon::Selected);  // without the tint of a selection
    return icon;
}
}  // namespace

void PreviewModel::setLook(const DataLook& look, const QStringList& uses, int side) {
    const bool same_size = look.rows.size() == look_.rows.size() && look.columns.size() == look_.columns.size();
    if (!same_size)
        beginResetModel();
    look_ = look;
    uses_ = uses;
    icons_.clear();
    for (const QVector<DataPicture>& row : look.pictures) {
        QVector<QIcon> icons;
        for (const DataPicture& picture : row)
            icons << icon_of(picture, side);
        icons_ << icons;
    }
    if (!same_size) {
        endResetModel();
    } else if (rowCount() > 0 && columnCount() > 0) {
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
        emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    }
}

int PreviewModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(look_.rows.size());
}

int PreviewModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(look_.columns.size());
}

QVariant PreviewModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const QIcon icon = icons_.value(index.row()).value(index.column());
    const QString problem = look_.pictures.value(index.row()).value(index.column()).problem;
    if (role == Qt::DecorationRole)
        return icon.isNull() ? QVariant() : icon;
    if (role == Qt::ToolTipRole && !problem.isEmpty())
        return problem;
    if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
        return {};
    if (role == Qt::DisplayRole && !icon.isNull())
        return QString();
    if (role == Qt::DisplayRole && !problem.isEmpty())
        return tr("no picture");
    return widgets::visible_text(look_.rows[index.row()].value(index.column()));
}

QVariant PreviewModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || section >= columnCount())
        return {};
    const QString name = widgets::visible_text(look_.columns[section]), use = uses_.value(section);
    switch (role) {
        case Qt::DisplayRole:
            return use.isEmpty() ? name : tr("%1 · %2").arg(name, use);
        case Qt::ToolTipRole:
            return tr("%1: %2").arg(name, look_.column_types.value(section));
        case Qt::FontRole:
            return widgets::Theme::instance().text(12, use.isEmpty() ? QFont::Normal : QFont::DemiBold);
        default:
            return {};
    }
}

}  // namespace trainyard::desktop
