// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Connections between hosts, each from the host of its row to that of its column.

#include <vector>

#include <QAbstractTableModel>
#include <QStringList>

#include "launch/supervisor/connection_test.h"

namespace trainyard::desktop {

class ConnectionTable : public QAbstractTableModel {
    Q_OBJECT
  public:
    /// `titles`: the names of the hosts as the user reads them.
    ConnectionTable(const QStringList& names, const QStringList& titles, QObject* parent = nullptr);
    /// Tests of other hosts are left out. Pairs without a test have empty cells.
    void setTests(const std::vector<launch::ConnectionTest>& tests);
    /// Number of tested pairs, and how many of them are connected.
    int tested() const;
    int connected() const;
    /// A sentence for each pair that is not connected.
    QStringList problems() const;
    /// A line for each tested pair: both names and a sentence, with tabs between.
    QString text() const;

    int rowCount(const QModelIndex& parent = {}) const override;
    int columnCount(const QModelIndex& parent = {}) const override { return rowCount(parent); }
    QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
    QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;
    Qt::ItemFlags flags(const QModelIndex& index) const override;

  private:
    struct Pair {
        int from, to;
        launch::ConnectionTest test;
    };
    const Pair* find(int from, int to) const;
    QString sentence(const Pair& pair) const;
    QStringList names_, titles_;
    std::vector<Pair> pairs_;
};

}  // namespace trainyard::desktop
