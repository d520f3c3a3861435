// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rules of Qt's item models, checked while a test fills and changes a model.

#include <type_traits>

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>

namespace trainyard::test {

/// Checks the model now and at each of its signals during its lifetime. A violated rule ends the program with Qt's
/// message, because a view of such a model would read rows that do not exist. Name the class in the call,
/// check_model<RunsModel>(model), because tests/view_models/completeness.cpp searches for it.
template <class Model>
void check_model(std::type_identity_t<Model>& model) {
    static_assert(std::is_base_of_v<QAbstractItemModel, Model>);
    auto* tester = new QAbstractItemModelTester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal, &model);
    // The tester would fetch rows from within modelReset() and report that as an error of the model. Tests call
    // fetchMore().
    tester->setUseFetchMore(false);
}

/// Reads each role that a view or a screen reader may request of every cell and header. Returns the number of cells.
inline int read_all(const QAbstractItemModel& model, const QModelIndex& parent = {}) {
    int cells = 0;
    for (int row = 0; row < model.rowCount(parent); ++row) {
        for (int column = 0; column < model.columnCount(parent); ++column) {
            const QModelIndex index = model.index(row, column, parent);
            for (int role = 0; role < Qt::UserRole + 10; ++role)
                model.data(index, role);
            model.flags(index);
            ++cells;
        }
        cells += read_all(model, model.index(row, 0, parent));
    }
    if (!parent.isValid())
        for (int column = 0; column < model.columnCount(); ++column)
            for (int role = 0; role <= Qt::UserRole; ++role)
                model.headerData(column, Qt::Horizontal, role);
    return cells;
}

}  // namespace trainyard::test
