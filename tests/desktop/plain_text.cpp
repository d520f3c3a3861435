// SPDX-License-Identifier: GPL-3.0-or-later
// Text of others is never shown as rich text: names, messages and lines that look like HTML, in every field of the
// window that can show them.

#include "widgets/plain_text.h"

#include <algorithm>
#include <fstream>
#include <span>

#include <QAbstractItemView>
#include <QFontDatabase>
#include <QHeaderView>
#include <QHelpEvent>
#include <QInputDialog>
#include <QLabel>
#include <QLineEdit>
#include <QMessageBox>
#include <QPlainTextEdit>
#include <QPointer>
#include <QPushButton>
#include <QStandardItemModel>
#include <QTableView>
#include <QTest>
#include <QTextEdit>
#include <QToolTip>
#include <QVBoxLayout>
#include <QWhatsThis>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/file.h"
#include "desktop/checkpoints/checkpoints_page.h"
#include "desktop/checkpoints/tensor_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/hosts/host_list.h"
#include "desktop/hosts/hosts_page.h"
#include "desktop/launch/engine_link.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "desktop/sources/log_tree.h"
#include "desktop/traces/traces_page.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "fake_hosts.h"
#include "inspect/saved.h"
#include "remote/host_facts.h"
#include "run/journal.h"
#include "support/child.h"
#include "support/painted_texts.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/dialogs.h"
#include "widgets/theme.h"
#include "widgets/timeline/timeline_view.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

// As Qt::mightBeRichText() takes it for HTML (the device would be read for ever), between a bidirectional override and
// a C1 control character.
const std::string kRich = "\u202e<img src=\"/dev/zero\"><b>x</b>\u0085";
// The same as a name of a file.
const std::string kRichName = "\u202e<img src=x><b>x\u0085";
const QString kMark = QStringLiteral("<img src");

const QString kShown = QStringLiteral("\\u202e<img src=\"/dev/zero\"><b>x</b>\\u0085");

bool hides(const QString& text) {
    return text.contains(QChar(0x202E)) || text.contains(QChar(0x85));
}

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
    EXPECT_FALSE(hides(label->text())) << "in a tip: " << label->text().toStdString();
    return label->text();
}

/// A field keeps what is typed over it as it is.
bool is_edited(QWidget* widget) {
    if (const auto* line = qobject_cast<QLineEdit*>(widget))
        return !line->isReadOnly();
    const auto* text = qobject_cast<QPlainTextEdit*>(widget->parentWidget());
    return text != nullptr && !text->isReadOnly();
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

    /// How often the text is painted or in a tip, after a look at every visible widget and cell: as plain text and
    /// with its control characters as escapes each time.
    int lookOver() {
        int found = 0;
        const auto look_at_labels = [&] {
            for (QWidget* widget : QApplication::allWidgets()) {
                if (const auto* label = qobject_cast<QLabel*>(widget);
                    label != nullptr && label->text().contains(kMark)) {
                    EXPECT_EQ(label->textFormat(), Qt::PlainText)
                        << label->objectName().toStdString() << label->text().toStdString();
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
                }
        }
        look_at_labels();
        for (QWidget* top : QApplication::topLevelWidgets()) {
            if (!top->isVisible() || top->inherits("QTipLabel"))
                continue;
            for (QWidget* widget : top->findChildren<QWidget*>()) {
                if (!widget->isVisible() || is_edited(widget))
                    continue;
                const QString painted = test::painted_texts(widget, false).join(QString());
                EXPECT_FALSE(hides(painted))
                    << "painted by " << widget->metaObject()->className() << " in "
                    << widget->parentWidget()->metaObject()->className() << ": " << painted.toStdString();
                found += static_cast<int>(painted.count(kMark));
            }
        }
        return found;
    }
    bool showsText(int least = 1) {
        int found = 0;
        const bool enough = QTest::qWaitFor([&] { return (found = lookOver()) >= least; }, 20000);
        if (!enough || std::getenv("TRAINYARD_TEST_PICTURES") != nullptr)
            std::fprintf(stderr, "the text was found %d times, expected at least %d\n", found, least);
        return enough;
    }

    test::ViewsFolder views_;
    test::TemporaryFolder home_;
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<MainWindow> window_;
};

}  // namespace

TEST_F(PlainText, HiddenCharactersAreEscaped) {
    EXPECT_EQ(widgets::visible_text(QString::fromStdString(kRich)), kShown);
    for (const char* plain : {"", "two\nlines\tand a tab", "“quoted” – 3 × 4 …", "\u00fcber \u6570\u636e \u202f%"})
        EXPECT_EQ(widgets::visible_text(QString::fromUtf8(plain)), QString::fromUtf8(plain));
    for (const char32_t hidden : {0x00u, 0x1Bu, 0x7Fu, 0x9Bu, 0x061Cu, 0x200Bu, 0x200Fu, 0x2028u, 0x202Du, 0x2066u,
                                  0x206Fu, 0xFEFFu, 0xFFF9u, 0xE0001u}) {
        const QString text =
            QStringLiteral("a") +
            (hidden < 0x10000 ? QString(QChar(static_cast<char16_t>(hidden))) : QString::fromUcs4(&hidden, 1)) +
            QStringLiteral("b");
        const QString shown = widgets::visible_text(text);
        EXPECT_TRUE(shown.startsWith(QStringLiteral("a\\")) && shown.endsWith(QLatin1Char('b')))
            << std::hex << static_cast<std::uint32_t>(hidden);
    }
}

/// Qt would open all fonts for each such script, for each font and size again.
TEST_F(PlainText, LettersWithoutAFontAreEscapedBeforeTheyAreMeasured) {
    const QString syriac(QChar(0x0710)), devanagari(QChar(0x0905));
    const bool has_fonts = !QFontDatabase::families(QFontDatabase::Syriac).isEmpty();
    const QString shown = has_fonts ? syriac : QStringLiteral("\\u0710");
    EXPECT_EQ(widgets::visible_text(QStringLiteral("a%1b").arg(syriac)), QStringLiteral("a%1b").arg(shown));
    EXPECT_EQ(widgets::visible_text(devanagari) == devanagari,
              !QFontDatabase::families(QFontDatabase::Devanagari).isEmpty());
    // Sinhala digits are outside the basic plane.
    const char32_t digit = 0x111E1;
    EXPECT_EQ(widgets::visible_text(QString::fromUcs4(&digit, 1)).startsWith(QStringLiteral("\\ud8")),
              QFontDatabase::families(QFontDatabase::Sinhala).isEmpty());
    class Measured : public QLabel {
      public:
        using QLabel::QLabel;
        QSize sizeHint() const override {
            measured << text();
            return QLabel::sizeHint();
        }
        mutable QStringList measured;
    };
    QWidget window;
    auto* label = new Measured;
    window.setLayout(new QVBoxLayout);
    window.layout()->addWidget(label);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    label->measured.clear();
    label->setText(syriac);
    QTest::qWait(50);
    ASSERT_FALSE(label->measured.isEmpty());
    EXPECT_EQ(label->measured, QStringList(label->measured.size(), shown));
}

TEST_F(PlainText, OnlyWhatALineCanShowIsLaidOut) {
    const QString endless = QStringLiteral("begin") + QString(5'000'000, QLatin1Char('x')) + QStringLiteral("end");
    const QFontMetrics metrics(qApp->font());
    const QString right = widgets::elided_text(metrics, endless, Qt::ElideRight, 200);
    EXPECT_TRUE(right.startsWith(QStringLiteral("begin")) && right.endsWith(QChar(0x2026))) << right.toStdString();
    const QString middle = widgets::elided_text(metrics, endless, Qt::ElideMiddle, 200);
    EXPECT_TRUE(middle.startsWith(QStringLiteral("begin")) && middle.endsWith(QStringLiteral("end")));
    const QString left = widgets::elided_text(metrics, endless, Qt::ElideLeft, 200);
    EXPECT_TRUE(left.startsWith(QChar(0x2026)) && left.endsWith(QStringLiteral("end")));
    EXPECT_LT(widgets::bounded_line(endless).size(), 2000);
    EXPECT_EQ(widgets::elided_text(metrics, QStringLiteral("short"), Qt::ElideRight, 200), QStringLiteral("short"));
}

TEST_F(PlainText, APathIsElidedInItsMiddleAndKeepsItsLastPart) {
    const QFontMetrics metrics(qApp->font());
    const auto elided = [&metrics](const char* text, int width) {
        return widgets::elided_text(metrics, QLatin1String(text), Qt::ElideMiddle, width);
    };
    const char* path = "/home/someone/experiments/of-the-last-year/settings-with-quite-a-long-name.yaml";
    const QString last = QStringLiteral("/settings-with-quite-a-long-name.yaml");
    const int needed = metrics.horizontalAdvance(last);
    for (const int width : {needed + 60, needed + 120, needed + 200}) {
        const QString shown = elided(path, width);
        EXPECT_TRUE(shown.endsWith(QChar(0x2026) + last)) << shown.toStdString();
        EXPECT_TRUE(shown.startsWith(QStringLiteral("/hom"))) << shown.toStdString();
        EXPECT_LE(metrics.horizontalAdvance(shown), width);
        EXPECT_GT(metrics.horizontalAdvance(shown), width - 20) << "as much of the start as fits";
    }
    EXPECT_EQ(elided(path, 10 * needed), QLatin1String(path));
    EXPECT_TRUE(elided("/home/someone/experiments/", needed / 2).endsWith(QStringLiteral("/experiments/")));
    const QString narrow = elided(path, needed / 2);
    EXPECT_TRUE(narrow.endsWith(QStringLiteral(".yaml")) && narrow.startsWith(QLatin1Char('/')))
        << narrow.toStdString();
}

TEST_F(PlainText, LabelsTipsAndQuestions) {
    const QString rich = QString::fromStdString(kRich);
    ASSERT_TRUE(Qt::mightBeRichText(rich));
    QWidget window;
    auto* label = new QLabel(rich, &window);
    auto* meant = new QLabel(&window);
    meant->setTextFormat(Qt::RichText);
    auto* button = new QPushButton(rich, &window);
    button->move(0, 200);
    QStandardItemModel model(1, 1);
    model.setData(model.index(0, 0), rich, Qt::ToolTipRole);
    model.setData(model.index(0, 0), rich, Qt::DisplayRole);
    model.setHeaderData(0, Qt::Horizontal, rich);
    model.setHeaderData(0, Qt::Vertical, rich);
    auto* table = new QTableView(&window);
    table->setModel(&model);
    table->setColumnWidth(0, 380);
    table->setGeometry(0, 60, 400, 100);
    window.setToolTip(rich);
    window.resize(400, 300);
    window.show();
    const QSize room = button->sizeHint();  // control characters are wider when they are shown
    button->resize(room);
    EXPECT_EQ(label->textFormat(), Qt::PlainText);
    EXPECT_EQ(meant->textFormat(), Qt::RichText) << "a label may ask for it";
    EXPECT_EQ(test::painted_texts(label).join(QString()), kShown);
    EXPECT_EQ(test::painted_texts(button).join(QString()), kShown);
    EXPECT_EQ(button->sizeHint(), room) << "there is room for the text that is shown before it is";
    EXPECT_EQ(test::painted_texts(table->viewport()).join(QString()), kShown);
    for (QHeaderView* header : {table->horizontalHeader(), table->verticalHeader()}) {
        header->resizeSection(0, 380);
        const QString painted = test::painted_texts(header->viewport(), false).join(QString());
        EXPECT_TRUE(painted.contains(QStringLiteral("\\u202e<img src")) && !hides(painted)) << painted.toStdString();
    }
    EXPECT_EQ(tip_at(&window, {300, 20}), kShown);
    EXPECT_EQ(tip_at(table->viewport(), table->visualRect(model.index(0, 0)).center()), kShown);
    QToolTip::hideText();
    QToolTip::showText({10, 10}, rich + rich, &window);
    ASSERT_NE(tip_label(), nullptr);
    EXPECT_EQ(tip_label()->textFormat(), Qt::PlainText);
    EXPECT_EQ(test::painted_texts(tip_label()).join(QString()), kShown + kShown);

    const QString endless(5'000'000, QLatin1Char('x'));
    window.setToolTip(endless);
    EXPECT_LT(tip_at(&window, {300, 20}).size(), 3000);
    model.setData(model.index(0, 0), endless, Qt::ToolTipRole);
    EXPECT_LT(tip_at(table->viewport(), table->visualRect(model.index(0, 0)).center()).size(), 3000);

    window.setWhatsThis(rich);
    QHelpEvent help(QEvent::WhatsThis, {300, 20}, window.mapToGlobal(QPoint(300, 20)));
    QApplication::sendEvent(&window, &help);
    QWidget* explained = nullptr;
    for (QWidget* widget : QApplication::topLevelWidgets())
        if (widget->inherits("QWhatsThat") && widget->isVisible())
            explained = widget;
    ASSERT_NE(explained, nullptr);
    EXPECT_EQ(test::painted_texts(explained).join(QString()).replace(QChar(0xA0), QLatin1Char(' ')), kShown);
    QWhatsThis::hideText();

    widgets::ask_before_loss(&window, {rich, rich, rich, rich}, [] {});
    auto* box = window.findChild<QMessageBox*>();
    ASSERT_NE(box, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(box));
    EXPECT_GE(test::painted_texts(box).join(QString()).count(kShown), 2) << "the question and the words below it";
    for (const QLabel* each : box->findChildren<QLabel*>())
        EXPECT_EQ(each->textFormat(), Qt::PlainText);
    delete box;
    widgets::ask_text(&window, rich, rich, {}, 300, &window, [](const QString&) {});
    auto* input = window.findChild<QInputDialog*>();
    ASSERT_NE(input, nullptr);
    ASSERT_TRUE(QTest::qWaitForWindowExposed(input));
    EXPECT_GE(test::painted_texts(input).join(QString()).count(kShown), 1);
    for (const QLabel* each : input->findChildren<QLabel*>())
        EXPECT_EQ(each->textFormat(), Qt::PlainText);
    delete input;
}

TEST_F(PlainText, RunsTheirPagesAndNotifications) {
    test::FabricatedRunSpec spec;
    spec.name = "plain";
    spec.status = run::Status::failed;
    spec.failure = Message::verbatim("the rank said " + kRich);
    const std::filesystem::path folder = test::fabricate(runs(), spec);
    // As a host or a packed folder may have written it.
    nlohmann::json state = nlohmann::json::parse(read_file(folder / "state.json", 1 << 20));
    state["name"] = kRich;
    state["message"] = kRich;
    state["supervisor"]["host"] = kRich;
    for (nlohmann::json& rank : state["ranks"])
        for (const char* key : {"host", "state", "phase", "message"})
            rank[key] = kRich;
    write_file_atomically(folder / "state.json", state.dump(), false);
    write_file_atomically(folder / "labels.json", nlohmann::json{{"tags", {kRich}}, {"note", kRich}}.dump(), false);
    std::ofstream(folder / "logs" / "rank-00000.log") << kRich << "\n";
    for (const char* kind : {"note", "straggler", "checkpoint", kRich.c_str()})
        run::append_event(run::RunPaths(folder), {wall_seconds(), 10, kind, 0, Message::verbatim(kRich), kRichName, 0});
    std::string text = read_file(folder / "run.yaml", 1 << 20);
    const std::size_t name = text.find("name: plain");
    ASSERT_NE(name, std::string::npos);
    text.replace(name, 11, "name: " + nlohmann::json(kRich).dump(-1, ' ', true));
    write_file_atomically(folder / "run.yaml", text, false);
    open();
    window_->open({QStringLiteral("runs"), {}});
    EXPECT_TRUE(showsText()) << "the list of runs";
    window_->context()->openRun(QString::fromStdString(folder.filename().string()));
    EXPECT_TRUE(showsText(5)) << "the dashboard: name, message, log, events, ranks";
    emit window_->context()->notified(QString::fromStdString(kRich), QString::fromStdString(kRich));
    emit window_->context()->said(QString::fromStdString(kRich));
    window_->open({QStringLiteral("notifications"), {}});
    EXPECT_TRUE(showsText()) << "notifications";
}

TEST_F(PlainText, ARunThatCannotBeRead) {
    const std::filesystem::path folder = test::fabricate(runs(), {.name = "odd"});
    nlohmann::json state = nlohmann::json::parse(read_file(folder / "state.json", 1 << 20));
    state["status"] = kRich;
    write_file_atomically(folder / "state.json", state.dump(), false);
    open();
    window_->open({QStringLiteral("runs"), {}});
    EXPECT_TRUE(showsText()) << "the list of runs";
}

TEST_F(PlainText, Checkpoints) {
    const std::filesystem::path run = test::fabricate(runs(), {.name = "llama", .step = 20, .of = 20});
    std::filesystem::remove_all(run / "checkpoints");
    nlohmann::json state = nlohmann::json::parse(read_file(run / "state.json", 1 << 20));
    state["name"] = kRich;  // in the list of runs
    write_file_atomically(run / "state.json", state.dump(), false);
    for (int step : {3, 6}) {
        const std::filesystem::path folder = run / "checkpoints" / ("checkpoint_" + std::to_string(step));
        test::write_checkpoint(folder, step, {{kRich + ".weight", {1, 2, 3}}, {"plain", {1}}}, 3.0);
        const std::vector<float> values{1, 2};
        weights::write_safetensors(folder / (kRichName + ".safetensors"),
                                   {{kRich, "F32", {2}, std::as_bytes(std::span(values))}},
                                   {{kRich, kRich}, {"format", kRich}});
    }
    open();
    auto* page = window_->context()->show<CheckpointsPage>(QString::fromStdString(run.string()));
    auto* tensors = test::child<TensorPanel>(*page);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy() && tensors->model()->checkpoint() != nullptr; }, 20000));
    const auto& all = tensors->model()->checkpoint()->contents.tensors;
    const auto rich = std::ranges::find_if(all, [](const auto& tensor) { return tensor.name.starts_with(kRich); });
    ASSERT_NE(rich, all.end());
    tensors->choose(static_cast<std::uint32_t>(rich - all.begin()));
    EXPECT_TRUE(showsText(3)) << "tree, inspector, files";
    // A file of others, opened alone.
    window_->context()->show<CheckpointsPage>(
        QString::fromStdString((run / "checkpoints" / "checkpoint_6" / (kRichName + ".safetensors")).string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, 20000));
    EXPECT_TRUE(showsText(2)) << "name of the file, names of its tensors";
    std::ofstream(run / "checkpoints" / "checkpoint_6" / (kRichName + ".safetensors")) << "no safetensors";
    window_->context()->show<CheckpointsPage>(
        QString::fromStdString((run / "checkpoints" / "checkpoint_6" / (kRichName + ".safetensors")).string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isBusy(); }, 20000));
    EXPECT_TRUE(showsText()) << "why the file cannot be read";
}

TEST_F(PlainText, Traces) {
    nlohmann::json events = nlohmann::json::array();
    events.push_back({{"ph", "M"}, {"name", "process_name"}, {"pid", 1}, {"args", {{"name", kRich}}}});
    events.push_back({{"ph", "M"}, {"name", "thread_name"}, {"pid", 1}, {"tid", 1}, {"args", {{"name", kRich}}}});
    for (int i = 0; i < 4; ++i)
        events.push_back({{"ph", "X"},
                          {"cat", i % 2 == 0 ? "cpu_op" : kRich},
                          {"name", kRich + std::to_string(i % 2)},
                          {"pid", 1},
                          {"tid", 1},
                          {"ts", 1000 * i},
                          {"dur", 900},
                          {"args", {{kRich, kRich}}}});
    const std::filesystem::path file = home_.path() / (kRichName + ".json");
    std::ofstream(file) << nlohmann::json{{"traceEvents", events}}.dump();
    open();
    auto* page = window_->context()->show<TracesPage>();
    page->openPaths({QString::fromStdString(file.string())});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isReading() && page->trace() != nullptr; }, 20000));
    EXPECT_TRUE(showsText(3)) << "names of the process, the thread and the slices";
    QTest::keyClick(test::child<widgets::TimelineView>(*page), Qt::Key_Right);
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isSelecting(); }, 20000));
    EXPECT_TRUE(showsText(5)) << "the chosen slice with its arguments, the table";
    std::ofstream(file) << "no trace";
    page->openPaths({QString::fromStdString(file.string())});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !page->isReading(); }, 20000));
    EXPECT_TRUE(showsText()) << "why the file cannot be read";
}

TEST_F(PlainText, CurvesOfLogs) {
    const std::filesystem::path folder = home_.path() / "logs";
    for (const std::string& log : {kRichName, std::string("two")}) {
        std::filesystem::create_directories(folder / log);
        std::string quoted;
        for (const char c : kRich)
            quoted += c == '"' ? "\"\"" : std::string(1, c);
        std::ofstream out(folder / log / "metrics.csv");
        out << "step,loss,\"" << quoted << "\"\n";
        for (int step = 0; step < 50; ++step)
            out << step << ',' << 50 - step << ',' << step << '\n';
    }
    open();
    window_->context()->openPath(QString::fromStdString(folder.string()));
    LogPage* page = nullptr;
    ASSERT_TRUE(QTest::qWaitFor(
        [&] {
            page = qobject_cast<LogPage*>(window_->currentPage());
            return page != nullptr && page->tree() != nullptr && page->tree()->isCaughtUp();
        },
        20000));
    // The rows of the tree have room for the ends of such a name only.
    EXPECT_TRUE(showsText(3)) << "the log, the tag on its card and in the legend";
}

TEST_F(PlainText, Hosts) {
    auto hosts = std::make_unique<test::FakeHosts>();
    test::FakeHosts::Host& host = hosts->add("gpu-a", 0);
    // The answer of the script on a host that lies, and on which another user runs a process of that name.
    const std::string answer =
        "@clock\n1700000010.25\n@uname\n" + kRich + "\n" + kRich + "\nx86_64\nLinux\n@system\n\"" + kRich +
        "\"\n@libc\nglibc 2.35\n@cpu\nmodel name\t: " + kRich +
        "\n@cores\n3\n@memory\nMemTotal: 1000000 kB\nMemAvailable: 900000 kB\n@account\n" + kRich + "\n/home/" +
        kRichName + "\n@engine\ntrainyard " + kRich + "\n@nvidia\n0, " + kRich +
        ", GPU-1111, 00000000:18:00.0, 81559, 1024, 41, 120.50, 97, 580.95.05, 9.0\nstatus 0\n"
        "@nvidia_cuda\nCUDA Version: 13.0\n@nvidia_processes\nGPU-1111, 4242, 1000, /usr/bin/" +
        kRichName + "\n@nvidia_owners\n 4242 " + kRichName + " 1-02:03:04\n@infiniband\n@addresses\n@python\n3.11.2\n" +
        kRich + "\n@clock_after\n1700000010.5\n@end\n";
    host.facts = remote::parse_host_script(answer, "gpu-a", 1700000000.0, 1700000000.4);
    ASSERT_EQ(host.facts.gpus.size(), 1u);
    ASSERT_EQ(host.facts.gpus[0].processes.size(), 1u);
    test::FakeHosts::Host& silent = hosts->add("gpu-b", 0);
    silent.cause = "unreachable";
    silent.problem = Message::verbatim(kRich);
    silent.command = "ssh " + kRichName;
    open(std::move(hosts));
    auto* page = window_->context()->show<HostsPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->isLoaded() && page->hosts()->asking() == 0; }, 20000));
    for (const auto& [name, least] : {std::pair{"gpu-a", 4}, std::pair{"gpu-b", 1}}) {
        page->choose(QLatin1String(name));
        page->hosts()->probe(QLatin1String(name));
        ASSERT_TRUE(QTest::qWaitFor([&] { return page->hosts()->asking() == 0; }, 20000));
        EXPECT_TRUE(showsText(least)) << name;
    }
}

TEST_F(PlainText, RecipesWithErrors) {
    const std::filesystem::path file = home_.path() / (kRichName + ".yaml");
    const std::string text = nlohmann::json(kRich).dump(-1, ' ', true);
    const auto load = [&](const std::string& recipe) {
        std::ofstream(file) << recipe;
        auto* wizard = window_->context()->show<WizardPage>();
        wizard->opener()->load(QString::fromStdString(file.string()));
        return QTest::qWaitFor([&] { return wizard->isChecked(); }, 20000);
    };
    open();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->context()->show<WizardPage>()->isChecked(); }, 20000));
    ASSERT_TRUE(load("name: x\nmodel: {" + text + ": 1}\ntraining: {steps: " + text + "}\n"));
    EXPECT_TRUE(showsText()) << "a recipe with an unknown key and a wrong value";
    ASSERT_TRUE(load("name: [" + kRich + "\n"));
    EXPECT_TRUE(showsText()) << "a file that is not YAML";
    ASSERT_TRUE(load("mixed_precision: " + text + "\n" + text + ": 1\n"));
    EXPECT_TRUE(showsText()) << "settings with an unknown key and a wrong value";
    ASSERT_TRUE(load("name: " + text + "\ndata: {path: " + text + "}\ntraining: {steps: 5}\n"));
    for (const char* page : {"data", "training", "review", "expert"}) {
        ASSERT_TRUE(window_->context()->page<WizardPage>()->openNamed(QLatin1String(page)));
        EXPECT_TRUE(showsText()) << page;
    }
}
