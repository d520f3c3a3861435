#pragma once
// The hyper-parameters of several sources as a table. Answers widgets::CellRole.

#include <QAbstractTableModel>
#include <QStringList>
#include <QVector>

#include "desktop/curves/curve_source.h"

namespace trainyard::desktop {

class ParametersModel : public QAbstractTableModel {
    Q_OBJECT
  public:
    using QAbstractTableModel::QAbstractTableModel;
    void setSources(const QVector<CurveSource*>& sources);
    int differing() const { return differing_; }
    /// Tab-separated, with the names of the sources on top.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override;
    QVariant data(const QModelIndex& index, int role) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role) const override;

  private:
    struct Row {
        QString name;
        QStringList values;
        bool differs = false;
        bool operator==(const Row&) const = default;
    };
    QVector<Row> rows_;
    QStringList names_;
    int differing_ = 0;
};

}  // namespace trainyard::desktop
