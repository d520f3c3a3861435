#pragma once
// The rules that views rely on (Qt's QAbstractItemModelTester), watched over a model for as long as it lives: whether what it says of its rows, parents and roles
// agrees, and whether it announces changes as they are. What breaks them fails the test that runs.

#include <QAbstractItemModelTester>
#include <QAbstractItemView>
#include <QAbstractProxyModel>
#include <QByteArray>
#include <QLoggingCategory>

#include <gtest/gtest.h>

namespace trainyard::test {

namespace model_checks {

inline QtMessageHandler& next_handler() {
    static QtMessageHandler handler = nullptr;
    return handler;
}

inline void report(QtMsgType type, const QMessageLogContext& context, const QString& text) {
    if (QByteArray(context.category) == "qt.modeltest")
        ADD_FAILURE() << "a model breaks a rule of views: " << text.toStdString();
    else if (next_handler() != nullptr)
        next_handler()(type, context, text);
}

}  // namespace model_checks

/// Null: nothing. Each model is watched once.
inline void watch_model(QAbstractItemModel* model) {
    if (model == nullptr ||
        model->findChild<QAbstractItemModelTester*>(QString(), Qt::FindDirectChildrenOnly) != nullptr)
        return;
    static const bool installed = [] {
        model_checks::next_handler() = qInstallMessageHandler(model_checks::report);
        return true;
    }();
    (void)installed;
    new QAbstractItemModelTester(model, QAbstractItemModelTester::FailureReportingMode::Warning, model);
}

/// Those of our own that the views under `root` show, with the models behind them.
inline void watch_models(QObject* root) {
    for (QAbstractItemView* view : root->findChildren<QAbstractItemView*>())
        for (QAbstractItemModel* model = view->model(); model != nullptr;) {
            if (QByteArray(model->metaObject()->className()).startsWith("trainyard::"))
                watch_model(model);
            const auto* proxy = qobject_cast<QAbstractProxyModel*>(model);
            model = proxy == nullptr ? nullptr : proxy->sourceModel();
        }
}

}  // namespace trainyard::test
