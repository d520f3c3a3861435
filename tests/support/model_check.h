#pragma once
// The rules of Qt's item models, checked while a test fills and changes a model.

#include <type_traits>

#include <QAbstractItemModel>
#include <QAbstractItemModelTester>

namespace trainyard::test {

/// Checks the model now and at each of its signals, as long as it lives. A rule that is broken ends the program with Qt's message, because a
/// view over such a model would read rows that are not there. Called with the class, check_model<RunsModel>(model): that is how
/// tests/view_models/completeness.cpp knows which classes are checked.
template <class Model>
void check_model(std::type_identity_t<Model>& model) {
    static_assert(std::is_base_of_v<QAbstractItemModel, Model>);
    auto* tester = new QAbstractItemModelTester(&model, QAbstractItemModelTester::FailureReportingMode::Fatal, &model);
    // It would fetch rows while it is told of a reset, which it takes for a fault of the model: tests fetch by themselves.
    tester->setUseFetchMore(false);
}

/// Asks every cell and every header for each role that a view or an aid to reading may ask for. Returns the number of cells.
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
