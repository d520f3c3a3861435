// Text of others is never shown as rich text: names, messages and lines that look like HTML, in every field of the
// window that can show them.

#include <fstream>

#include <QAbstractItemView>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPointer>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QTextEdit>
#include <QToolTip>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "desktop/app_context.h"
#include "desktop/engine_link.h"
#include "desktop/main_window.h"
#include "desktop/preferences.h"
#include "desktop/runs/run_store.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "fake_hosts.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/dialogs.h"
#include "widgets/theme.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

// As Qt::mightBeRichText() takes it for HTML. The device would be read for ever.
const std::string kRich = "<b>forged</b><img src=\"/dev/zero\">";
const QString kMark = QStringLiteral("<img");

QLabel* tip_label() {
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QTipLabel") && widget->isVisible())
            return qobject_cast<QLabel*>(widget);
    return nullptr;
}

/// What asking for the tip at this place shows; empty: nothing.
QString tip_at(QWidget* widget, const QPoint& at) {
    QToolTip::hideText();
    if (QLabel* old = tip_label())
        old->hide();
    QHelpEvent ask(QEvent::ToolTip, at, widget->mapToGlobal(at));
    QApplication::sendEvent(widget, &ask);
    QLabel* label = tip_label();
    if (label == nullptr)
        return {};
    EXPECT_EQ(label->textFormat(), Qt::PlainText) << label->text().toStdString();
    return label->text();
}

class PlainText : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name : {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME"})
            ::setenv(name, (home_.path() / name).c_str(), 1);
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("TRAINYARD_SAMPLE", "/nowhere/sample.yaml", 1);
        std::filesystem::create_directories(runs());
        widgets::Theme::instance().install(*qApp);
    }
    void TearDown() override {
        QToolTip::hideText();
        window_.reset();
    }
    std::filesystem::path runs() const { return home_.path() / "runs"; }

    void open(std::unique_ptr<test::FakeHosts> hosts = {}) {
        Options options;
        options.size = {1440, 900};
        preferences_ = std::make_unique<Preferences>();
        window_ = std::make_unique<MainWindow>(preferences_.get(), options);
        settings::Machine machine;
        machine.physical_cores = 8;
        window_->context()->setMachine(machine);
        if (hosts)
            window_->context()->setHostSource(std::move(hosts));
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        window_->begin();
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->isLoaded(); }));
    }

    /// How often the text is on the screen or in a tip, after a look at every visible widget and cell: as plain text
    /// each time.
    int lookOver() {
        int found = 0;
        const auto look_at_labels = [&] {
            for (QWidget* widget : QApplication::allWidgets()) {
                if (const auto* label = qobject_cast<QLabel*>(widget);
                    label != nullptr && label->text().contains(kMark)) {
                    EXPECT_EQ(label->textFormat(), Qt::PlainText)
                        << label->objectName().toStdString() << label->text().toStdString();
                    ++found;
                }
                if (const auto* text = qobject_cast<QTextEdit*>(widget)) {
                    const bool has_image = text->toPlainText().contains(QChar::ObjectReplacementCharacter);
                    EXPECT_FALSE(has_image) << "an image was made of a text";
                }
            }
        };
        // A tip may delete what it replaces.
        QList<QPointer<QWidget>> widgets;
        for (QWidget* widget : window_->findChildren<QWidget*>())
            widgets << widget;
        for (const QPointer<QWidget>& widget : std::as_const(widgets)) {
            if (widget.isNull() || !widget->isVisible())
                continue;
            auto* view = qobject_cast<QAbstractItemView*>(widget.data());
            if (view == nullptr) {
                found += tip_at(widget, widget->rect().center()).contains(kMark) ? 1 : 0;
                continue;
            }
            const QAbstractItemModel* model = view->model();
            for (int row = 0; model != nullptr && row < std::min(model->rowCount(view->rootIndex()), 20); ++row)
                for (int column = 0; column < model->columnCount(view->rootIndex()); ++column) {
                    const QModelIndex index = model->index(row, column, view->rootIndex());
                    const QRect cell = view->visualRect(index);
                    if (!cell.isEmpty())
                        found += tip_at(view->viewport(), cell.center()).contains(kMark) ? 1 : 0;
                    for (const int role : {Qt::DisplayRole, Qt::EditRole, Qt::AccessibleTextRole})
                        found += index.data(role).toString().contains(kMark) ? 1 : 0;
                }
        }
        look_at_labels();
        return found;
    }
    bool showsText() {
        return QTest::qWaitFor([this] { return lookOver() > 0; }, 20000);
    }

    test::ViewsFolder views_;
    test::TemporaryFolder home_;
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace

TEST_F(PlainText, LabelsTipsAndQuestions) {
    const QString rich = QString::fromStdString(kRich);
    ASSERT_TRUE(Qt::mightBeRichText(rich));
    QWidget window;
    auto* label = new QLabel(rich, &window);
    auto* meant = new QLabel(&window);
    meant->setTextFormat(Qt::RichText);
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), rich, Qt::ToolTipRole);
    auto* table = new QTableView(&window);
    table->setModel(&model);
    table->move(0, 60);
    window.setToolTip(rich);
    window.resize(400, 300);
    window.show();
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    EXPECT_EQ(meant->textFormat(), Qt::RichText) << "a label may ask for it";
    EXPECT_EQ(tip_at(&window, {300, 20}), rich);
    EXPECT_EQ(tip_at(table->viewport(), table->visualRect(model.index(0, 0)).center()), rich);
    QToolTip::hideText();
    QToolTip::showText({10, 10}, rich + rich, &window);
    ASSERT_NE(tip_label(), nullptr);
    EXPECT_EQ(tip_label()->textFormat(), Qt::PlainText);

    const QString endless(5'000'000, QLatin1Char('x'));
    window.setToolTip(endless);
    EXPECT_LT(tip_at(&window, {300, 20}).size(), 3000);
    model.setData(model.index(0, 0), endless, Qt::ToolTipRole);
    EXPECT_LT(tip_at(table->viewport(), table->visualRect(model.index(0, 0)).center()).size(), 3000);

    widgets::ask_before_loss(&window, {rich, rich, rich, rich}, [] {});
    auto* box = window.findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(box));
    int labels = 0;
    for (const QLabel* each : box->findChildren<QLabel*>())
        if (each->text() == rich) {
            EXPECT_EQ(each->textFormat(), Qt::PlainText);
            ++labels;
        }
    EXPECT_EQ(labels, 2) << "the question and the words below it";
    delete box;
    widgets::ask_text(&window, rich, rich, {}, 300, &window, [](const QString&) {});
    auto* input = window.findChild<QInputDialog*>();
    ASSERT_NE(input, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(input));
    for (const QLabel* each : input->findChildren<QLabel*>())
        EXPECT_EQ(each->textFormat(), Qt::PlainText);
    delete input;
}

TEST_F(PlainText, RunsTheirPagesAndNotifications) {
    test::FabricatedRunSpec spec;
    spec.name = "plain";
    spec.status = run::Status::failed;
    spec.failure = "the rank said " + kRich;
    const std::filesystem::path folder = test::fabricate(runs(), spec);
    // As a host or a packed folder may have written it.
    nlohmann::json state = nlohmann::json::parse(read_file(folder / "state.json", 1 << 20));
    state["name"] = kRich;
    state["message"] = kRich;
    write_file_atomically(folder / "state.json", state.dump(), false);
    write_file_atomically(folder / "labels.json", nlohmann::json{{"tags", {kRich}}, {"note", kRich}}.dump(), false);
    std::ofstream(folder / "logs" / "rank-00000.log") << kRich << "\n";
    open();
    window_->open({QStringLiteral("runs"), {}});
    EXPECT_TRUE(showsText()) << "the list of runs";
    window_->context()->openRun(QString::fromStdString(folder.filename().string()));
    EXPECT_TRUE(showsText()) << "the dashboard";
    emit window_->context()->notified(QString::fromStdString(kRich), QString::fromStdString(kRich));
    emit window_->context()->said(QString::fromStdString(kRich));
    window_->open({QStringLiteral("notifications"), {}});
    EXPECT_TRUE(showsText()) << "notifications";
}
