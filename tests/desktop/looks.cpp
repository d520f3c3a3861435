// SPDX-License-Identifier: GPL-3.0-or-later
// Checks every page and state of the window at the smallest and at a very large size, in both themes, with
// support/accessibility_checks.h, and takes pictures if TRAINYARD_TEST_PICTURES is set. $TRAINYARD_LOOKS selects
// further checks, each registered with CTest: `language`: no text lacks its translation; `longer-words`: there is room
// for texts that are 35 % longer than the English ones; `right-to-left`: English in a mirrored window; `size-...`,
// `german-...` and `chinese-...` (needs its fonts, not registered): there is room for texts of that size, also on a
// screen of 1280x800 pixels.

#include <fstream>

#include <QApplication>
#include <QCheckBox>
#include <QDialog>
#include <QHeaderView>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenuBar>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QScrollArea>
#include <QScrollBar>
#include <QSplitter>
#include <QTableView>
#include <QTest>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "desktop/alarms/alarm_settings.h"
#include "desktop/alarms/target_dialog.h"
#include "desktop/alarms/target_list.h"
#include "desktop/architecture/architecture_page.h"
#include "desktop/compare/compare_drawer.h"
#include "desktop/curves/curves_panel.h"
#include "desktop/curves/log_page.h"
#include "desktop/curves/panel_dialog.h"
#include "desktop/dashboard/classes_panel.h"
#include "desktop/dashboard/config_diff.h"
#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/data/data_dialog.h"
#include "desktop/data/data_panel.h"
#include "desktop/estimator/estimator_page.h"
#include "desktop/estimator/measured_table.h"
#include "desktop/hub/hub_dialog.h"
#include "desktop/hub/hub_field.h"
#include "desktop/launch/engine_link.h"
#include "desktop/launch/more_steps_dialog.h"
#include "desktop/pages/pages.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_model.h"
#include "desktop/runs/runs_page.h"
#include "desktop/shell/about_dialog.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/notifications_page.h"
#include "desktop/shell/opener.h"
#include "desktop/shell/preferences.h"
#include "desktop/shell/shortcut_editor.h"
#include "desktop/sources/log_tree.h"
#include "desktop/sweeps/sweep_dialog.h"
#include "desktop/sweeps/sweeps_page.h"
#include "desktop/sweeps/trials_model.h"
#include "desktop/text/engine_words.h"
#include "desktop/traces/rank_pair_dialog.h"
#include "desktop/traces/selection_panel.h"
#include "desktop/traces/share_panel.h"
#include "desktop/traces/step_picker.h"
#include "desktop/traces/traces_page.h"
#include "desktop/wizard/presets_menu.h"
#include "desktop/wizard/run_draft.h"
#include "desktop/wizard/wizard_page.h"
#include "estimate/estimate_file.h"
#include "fabricated_runs.h"
#include "fabricated_sweep.h"
#include "run/paths.h"
#include "run/spec.h"
#include "support/accessibility_checks.h"
#include "support/child.h"
#include "support/draw_charts.h"
#include "support/golden.h"
#include "support/pseudo_language.h"
#include "support/settle.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/field_row.h"
#include "widgets/graph/graph_view.h"
#include "widgets/languages.h"
#include "widgets/pixels.h"
#include "widgets/scroll_area.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"
#include "widgets/timeline/timeline_view.h"

using namespace trainyard;
using namespace trainyard::desktop;
using widgets::Theme;
using widgets::ThemeChoice;

namespace {

constexpr QSize kSmallest(1100, 700);
constexpr QSize kUsual(1440, 900);
constexpr QSize kLargest(3840, 2160);
constexpr QSize kScreen(1280, 800);  // pixels of a laptop
constexpr int kEdge = 20;            // of a page

class LooksTest : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("TRAINYARD_SAMPLE", "/nowhere/sample.yaml", 1);
        std::filesystem::create_directories(runs());
        Theme::instance().setChoice(ThemeChoice::Dark);
        Theme::instance().install(*qApp);
        const QByteArray variant = qgetenv("TRAINYARD_LOOKS");
        plain_ = variant.isEmpty();
        if (variant == "language") {
            language_ = std::make_unique<test::PseudoLanguage>();
            QApplication::installTranslator(language_.get());
        }
        if (variant == "longer-words") {
            longer_ = std::make_unique<test::PseudoLanguage>(false);
            QApplication::installTranslator(longer_.get());
        }
        for (const auto& [name, code] : {std::pair("german", "de"), {"chinese", "zh_CN"}})
            if (variant.startsWith(name)) {
                other_language_ = true;
                widgets::Languages::install(*qApp, QLatin1String(code));
            }
        if (const int dash = variant.indexOf('-'); variant.startsWith("size") || other_language_)
            Theme::instance().setTextSize(static_cast<int>(100 * variant.mid(dash + 1).toDouble()));
        if (variant == "right-to-left")
            QGuiApplication::setLayoutDirection(Qt::RightToLeft);
        if (!plain_)
            variant_ = QLatin1Char('-') + QLatin1String(variant);
    }
    void TearDown() override {
        window_.reset();
        Theme::instance().setTextSize(100);
        QGuiApplication::setLayoutDirection(Qt::LeftToRight);
        if (other_language_)
            widgets::Languages::install(*qApp, QStringLiteral("en"));
        if (language_ != nullptr)
            expectNone(language_->missingInCatalogues(), "no catalogue has");
    }
    std::filesystem::path runs() const { return home_.path() / "runs"; }
    static std::filesystem::path golden() {
        const char* given = std::getenv("TRAINYARD_GOLDEN");
        return std::filesystem::path(given != nullptr ? given : TRAINYARD_SOURCE_DIR "/tests/golden") / "tb_events";
    }

    void open() {
        Options options;
        options.size = smallest().boundedTo(kScreen);
        preferences_ = std::make_unique<Preferences>();
        window_ = std::make_unique<MainWindow>(preferences_.get(), options);
        settings::Machine machine;
        machine.physical_cores = 8;
        window_->context()->setMachine(machine);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        window_->begin();
        const std::filesystem::path engine = home_.path() / "trainyard";
        std::ofstream(engine) << "#!/bin/sh\necho trainyard 0.1.0\n";
        std::filesystem::permissions(engine, std::filesystem::perms::owner_all);
        window_->engine()->locate(QString::fromStdString(engine.string()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->store()->isLoaded() && window_->engine()->isReady(); }));
    }

    /// The smallest window has room for the page without scroll bars around it.
    void expectPageFits() {
        for (QWidget* at = window_->currentPage(); at != nullptr; at = at->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(at)) {
                EXPECT_EQ(scroll->horizontalScrollBar()->maximum(), 0);
                EXPECT_EQ(scroll->verticalScrollBar()->maximum(), 0) << tallParts(scroll->viewport()->height() / 2);
            }
    }
    /// The widgets that need more than `height` pixels, each in a line.
    std::string tallParts(int height) const {
        std::string parts;
        for (const QWidget* widget : window_->currentPage()->findChildren<const QWidget*>())
            if (const int needed = std::max(widget->minimumHeight(), widget->minimumSizeHint().height());
                needed > height)
                parts += fmt::format("{} {} needs {}\n", widget->metaObject()->className(),
                                     widget->accessibleName().toStdString(), needed);
        return parts;
    }

    /// The smallest window, and a usual one, of the text size.
    static QSize smallest() { return kSmallest * TextSize::instance().factor(); }
    static QSize usual() { return kUsual * TextSize::instance().factor(); }

    /// On a small screen, a page scrolls rather than that a text is cut or covered.
    void lookOverSmallScreen(const char* name) {
        const std::string where = fmt::format("{}x{}", kScreen.width(), kScreen.height());
        resize(kScreen);
        for (QWidget* at = window_->currentPage(); at != nullptr; at = at->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(at)) {
                const auto fits = [scroll] { return scroll->horizontalScrollBar()->maximum() == 0; };
                EXPECT_TRUE(QTest::qWaitFor(fits, 2000))
                    << where << ", sideways: " << window_->currentPage()->minimumSizeHint().width() << " of "
                    << scroll->viewport()->width() << "; "
                    << test::wide_parts(window_->currentPage(), scroll->viewport()->width() - 2 * kEdge)
                           .join(QStringLiteral("; "))
                           .toStdString();
            }
        for (const auto* segments : window_->findChildren<widgets::SegmentedControl*>())
            EXPECT_TRUE(!segments->isVisible() || segments->width() >= segments->sizeHint().width())
                << where << ", words of " << segments->accessibleName().toStdString() << " are cut";
        expectNoneSqueezed(where);
        expectNone(test::clipped_texts(window_.get()), where.c_str());
        expectNone(test::overlapping_texts(window_.get()), where.c_str());
        expectNone(test::covered_texts(window_.get()), where.c_str());
        expectNone(test::unreachable_texts(window_.get()), where.c_str());
        picture(name, "screen", kScreen);
        if (other_language_) {
            Theme::instance().setChoice(ThemeChoice::Light);
            picture(name, "screen-light", kScreen);
            Theme::instance().setChoice(ThemeChoice::Dark);
        }
        resize(smallest());
    }

    void resize(const QSize& size) {
        window_->resize(size);
        test::settle();
        ASSERT_EQ(window_->size(), size);
    }

    /// The state that is on the screen, in every size and theme.
    void lookOver(const char* name) {
        SCOPED_TRACE(name);
        while (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        if (other_language_)
            return lookOverSmallScreen(name);
        picture(name, "dark", usual());
        resize(smallest());
        if (language_ != nullptr) {
            expectNone(test::untranslated_texts(window_.get(), data_), "not translated");
            return;
        }
        expectNoneSqueezed("1100x700");
        if (plain_)
            expectPageFits();
        if (longer_ != nullptr) {
            expectNone(test::clipped_texts(window_.get()), "1100x700, longer words");
            expectNone(test::overlapping_texts(window_.get()), "1100x700, longer words");
            picture(name, "small-dark", smallest());
            // Some widgets have a maximum size, so their texts may be cut in a large window, too.
            resize(kLargest);
            expectNone(test::clipped_texts(window_.get()), "3840x2160, longer words");
            expectNone(test::overlapping_texts(window_.get()), "3840x2160, longer words");
            resize(smallest());
            return;
        }
        if (QGuiApplication::isRightToLeft())
            expectNone(test::jumping_focus(window_.get()), "Tab");
        expectNone(test::overlapping_texts(window_.get()), "1100x700");
        expectNone(test::covered_texts(window_.get()), "1100x700");
        expectNone(test::clipped_texts(window_.get()), "1100x700");
        if (!plain_) {
            resize(kLargest);
            expectNone(test::clipped_texts(window_.get()), "the largest window");
            resize(smallest());
            if (kScreen.width() < smallest().width())
                lookOverSmallScreen(name);
            return;
        }
        expectNone(test::nameless_controls(window_.get()), "names");
        expectNone(test::jumping_focus(window_.get()), "Tab");
        expectNone(test::unseen_focus(window_->currentPage()), "dark");
        picture(name, "small-dark", smallest());
        Theme::instance().setChoice(ThemeChoice::Light);
        QApplication::processEvents();
        // The same rings in other colours: once for each kind of page.
        if (!std::exchange(seen_in_light_, true))
            expectNone(test::unseen_focus(window_->currentPage()), "light");
        picture(name, "light", usual());
        resize(kLargest);
        expectNone(test::clipped_texts(window_.get()), "3840x2160");
        picture(name, "large-light", kLargest);
        Theme::instance().setChoice(ThemeChoice::Dark);
        QApplication::processEvents();
        resize(smallest());
    }

    /// Checks a dialog at its default size.
    void lookAt(QDialog* dialog, const char* name) {
        SCOPED_TRACE(name);
        dialog->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
        if (language_ != nullptr)
            expectNone(test::untranslated_texts(dialog, data_), "not translated");
        expectNone(test::clipped_texts(dialog), "cut");
        expectNone(test::overlapping_texts(dialog), "overlap");
        expectNone(test::nameless_controls(dialog), "names");
        expectNone(test::jumping_focus(dialog), "Tab");
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            Theme::instance().setChoice(theme);
            QApplication::processEvents();
            save(dialog, name, theme == ThemeChoice::Light ? "light" : "dark");
        }
        dialog->hide();
    }

    /// Checks a popup panel over the page.
    void lookAtPopup(QWidget* popup, const char* name) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(popup));
        if (language_ != nullptr)
            expectNone(test::untranslated_texts(popup, data_), "not translated");
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            Theme::instance().setChoice(theme);
            test::settle();
            expectNone(test::clipped_texts(popup), "cut");
            expectNone(test::overlapping_texts(popup), "overlap");
            expectNone(test::nameless_controls(popup), "names");
            save(popup, name, theme == ThemeChoice::Light ? "light" : "dark");
        }
    }

    /// The first state of a dialog, before answers of other threads are delivered.
    void lookAtFirst(QDialog* dialog, const char* name) {
        SCOPED_TRACE(name);
        dialog->show();
        if (language_ != nullptr)
            expectNone(test::untranslated_texts(dialog, data_), "not translated");
        expectNone(test::clipped_texts(dialog), "cut");
        expectNone(test::overlapping_texts(dialog), "overlap");
        if (const char* folder = std::getenv("TRAINYARD_TEST_PICTURES"))  // a change of the theme takes events
            dialog->grab().save(
                QStringLiteral("%1/looks-%2%3.png").arg(QLatin1String(folder), QLatin1String(name), variant_));
    }

    void showRun(const std::filesystem::path& folder) {
        window_->context()->openRun(QString::fromStdString(folder.filename().string()));
        ASSERT_TRUE(QTest::qWaitFor([this] {
            auto* page = qobject_cast<RunPage*>(window_->currentPage());
            return page != nullptr && page->record()->isCaughtUp();
        }));
        test::draw_charts(window_.get());
    }

    LogPage* showLogs(const std::filesystem::path& place) {
        window_->context()->openPath(QString::fromStdString(place.string()));
        const QString wanted = QString::fromStdString(place.string());
        if (!QTest::qWaitFor(
                [&] {
                    auto* page = qobject_cast<LogPage*>(window_->currentPage());
                    return page != nullptr && page->place() == wanted;
                },
                10000))
            ADD_FAILURE() << place << " was not opened";
        return qobject_cast<LogPage*>(window_->currentPage());
    }

    test::ViewsFolder views_;
    test::TemporaryFolder home_;
    std::unique_ptr<Preferences> preferences_;
    std::unique_ptr<MainWindow> window_;
    std::unique_ptr<test::PseudoLanguage> language_, longer_;
    /// Names given by users and product names, which are not translated; regular expressions.
    QStringList data_{QStringLiteral("perldoc"),  QStringLiteral("books"),     QStringLiteral("notes"),
                      QStringLiteral("large"),    QStringLiteral("overnight"), QStringLiteral("best of the sweep"),
                      QStringLiteral("Trainyard")};

  protected:
    bool plain_ = true, other_language_ = false;
    QString variant_;  ///< in names of pictures
    std::size_t run_count_ = 0;
    bool seen_in_light_ = false;
    /// A row that wraps gets its height after its width.
    void expectNoneSqueezed(const std::string& where) {
        const auto settled = [this] {
            return test::squeezed_panels(window_.get()).isEmpty() && test::covered_texts(window_.get()).isEmpty();
        };
        if (!QTest::qWaitFor(settled, 1000))
            expectNone(test::squeezed_panels(window_.get()), (where + ", squeezed").c_str());
    }
    static void expectNone(const QStringList& faults, const char* what) {
        for (const QString& fault : faults)
            ADD_FAILURE() << what << ": " << fault.toStdString();
    }
    void picture(const char* name, const char* suffix, const QSize& size) {
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        resize(size);
        save(window_.get(), name, suffix);
    }
    void save(QWidget* what, const char* name, const char* suffix) {
        if (const char* folder = std::getenv("TRAINYARD_TEST_PICTURES")) {
            test::settle();
            what->grab().save(QStringLiteral("%1/looks-%2-%3%4.png")
                                  .arg(QLatin1String(folder), QLatin1String(name), QLatin1String(suffix), variant_));
        }
    }
};

}  // namespace

TEST(LookOverTest, ALabelWithoutRoomIsFound) {
    QWidget window;
    auto* label = new QLabel(QStringLiteral("quite a long sentence"), &window);
    label->resize(30, 20);
    auto* button = new QPushButton(QStringLiteral("a button with words"), &window);
    button->setGeometry(0, 40, 20, 24);
    auto* outside = new QPushButton(QStringLiteral("far"), &window);
    outside->setGeometry(380, 80, 80, 24);
    window.resize(400, 200);
    window.show();
    EXPECT_EQ(test::clipped_texts(&window).size(), 3) << test::clipped_texts(&window).join('\n').toStdString();
    label->setToolTip(label->text());
    button->resize(300, 24);
    outside->move(200, 80);
    EXPECT_TRUE(test::clipped_texts(&window).isEmpty()) << test::clipped_texts(&window).join('\n').toStdString();
}

TEST(LookOverTest, TextsOverEachOtherAreFound) {
    QWidget window;
    auto* label = new QLabel(QStringLiteral("a sentence"), &window);
    label->setGeometry(0, 0, 100, 20);
    auto* button = new QPushButton(QStringLiteral("a button"), &window);
    button->setGeometry(80, 4, 100, 24);
    window.resize(400, 200);
    window.show();
    EXPECT_EQ(test::overlapping_texts(&window).size(), 1);
    button->move(101, 4);
    EXPECT_TRUE(test::overlapping_texts(&window).isEmpty());
}

TEST(LookOverTest, APanelOverAnotherAndWhatIsOutsideAreFound) {
    QWidget window;
    window.resize(300, 200);
    auto* split = new QSplitter(&window);
    split->setGeometry(0, 0, 300, 200);
    for (const char* words : {"left", "right"}) {
        auto* panel = new QFrame;
        auto* label = new QLabel(QLatin1String(words), panel);
        label->setGeometry(0, 0, 160, 20);
        split->addWidget(panel);
    }
    split->setSizes({150, 150});
    window.show();
    EXPECT_EQ(test::unreachable_texts(&window).size(), 2) << test::unreachable_texts(&window).join('\n').toStdString();
    EXPECT_TRUE(test::covered_texts(&window).isEmpty()) << "what is cut covers nothing";
    split->widget(1)->setGeometry(100, 0, 200, 200);
    EXPECT_EQ(test::covered_texts(&window).size(), 1);
    auto* message = new QLabel(QStringLiteral("over all"), &window);
    message->setGeometry(0, 0, 300, 20);
    message->show();
    EXPECT_EQ(test::covered_texts(&window).size(), 1) << "a message over a page is meant";
}

TEST(LookOverTest, APageThatIsLargerThanTheWindowScrolls) {
    QWidget window;
    auto* page = new QWidget;
    auto* row = new QHBoxLayout(page);
    for (const char* words : {"a button with words", "another button with words", "a third one"})
        row->addWidget(new QPushButton(QLatin1String(words)));
    const int least = row->totalMinimumSize().width();
    QScrollArea* scroll = widgets::make_page_scroll(page, {2000, 2000});
    scroll->setParent(&window);
    window.resize(least / 2, 100);
    scroll->setGeometry(window.rect());
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_TRUE(QTest::qWaitFor([&] { return scroll->horizontalScrollBar()->maximum() > 0; }));
    EXPECT_TRUE(test::clipped_texts(&window).isEmpty()) << test::clipped_texts(&window).join('\n').toStdString();
    EXPECT_TRUE(test::unreachable_texts(&window).isEmpty());
    scroll->resize(least + 100, 100);
    EXPECT_TRUE(QTest::qWaitFor([&] { return scroll->horizontalScrollBar()->maximum() == 0; }));
    EXPECT_EQ(page->width(), least + 100);
}

TEST(LookOverTest, ASqueezedPanelIsFoundAndAColumnOfPanelsScrolls) {
    QWidget window;
    window.resize(300, 120);
    const auto panel = [](const QString& text) {
        auto* label = new QLabel(text);
        label->setWordWrap(true);
        auto* rows = new QVBoxLayout;
        rows->addWidget(label);
        rows->addWidget(new QPushButton(QStringLiteral("Apply")));
        auto* frame = new QFrame;
        frame->setLayout(rows);
        return frame;
    };
    const auto panels = [&] {
        auto* column = new QVBoxLayout;
        for (int i = 0; i < 2; ++i)
            column->addWidget(panel(QStringLiteral("a sentence of many words, ").repeated(8)));
        return column;
    };
    auto* squeezed = new QWidget(&window);
    squeezed->setLayout(panels());
    squeezed->setGeometry(window.rect());
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowExposed(&window));
    EXPECT_FALSE(test::squeezed_panels(&window).isEmpty());
    delete squeezed;

    QScrollArea* scroll = widgets::make_panel_scroll(panels());
    scroll->setParent(&window);
    scroll->setGeometry(window.rect());
    scroll->show();
    test::settle();
    EXPECT_TRUE(test::squeezed_panels(&window).isEmpty()) << test::squeezed_panels(&window).join('\n').toStdString();
    EXPECT_GT(scroll->verticalScrollBar()->maximum(), 0);
    scroll->resize(300, 900);
    test::settle();
    EXPECT_EQ(scroll->verticalScrollBar()->maximum(), 0);
    EXPECT_EQ(scroll->widget()->height(), scroll->viewport()->height()) << "panels share the height";
}

TEST(LookOverTest, AControlWithoutANameIsFound) {
    QWidget window;
    auto* field = new QLineEdit(&window);
    window.show();
    EXPECT_EQ(test::nameless_controls(&window).size(), 1);
    field->setAccessibleName(QStringLiteral("Host"));
    EXPECT_TRUE(test::nameless_controls(&window).isEmpty());
}

TEST(LookOverTest, AFocusThatJumpsOrIsNotSeenIsFound) {
    Theme::instance().install(*qApp);
    QWidget window;
    auto* first = new QPushButton(QStringLiteral("first"), &window);
    auto* lower = new QPushButton(QStringLiteral("lower"), &window);
    auto* upper = new QPushButton(QStringLiteral("upper"), &window);
    first->setGeometry(10, 5, 60, 20);
    lower->setGeometry(10, 60, 100, 30);
    upper->setGeometry(10, 28, 100, 30);
    window.show();
    ASSERT_TRUE(QTest::qWaitForWindowActive(&window));
    EXPECT_EQ(test::jumping_focus(&window).size(), 1);
    QWidget::setTabOrder(upper, lower);
    EXPECT_TRUE(test::jumping_focus(&window).isEmpty()) << test::jumping_focus(&window).join('\n').toStdString();
    EXPECT_TRUE(test::unseen_focus(&window).isEmpty());
    lower->setStyleSheet(QStringLiteral("QPushButton, QPushButton:focus { border: 1px solid gray; outline: none; }"));
    EXPECT_EQ(test::unseen_focus(&window).size(), 1);
}

TEST_F(LooksTest, FirstRun) {
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    lookOver("first-run");
    // Logs that were opened have a row in the list of runs; a file of settings has none.
    for (const char* name : {"eight-gpus.yaml", "a-file-of-settings-with-quite-a-long-name.yaml", "cpu.yaml"}) {
        std::ofstream(home_.path() / name)
            << "compute_environment: LOCAL_MACHINE\ndistributed_type: 'NO'\nuse_cpu: true\n";
        window_->context()->openPath(QString::fromStdString((home_.path() / name).string()));
        ASSERT_TRUE(QTest::qWaitFor([&] { return Opener::recents().value(0).endsWith(QLatin1String(name)); }, 10000));
    }
    window_->open({QStringLiteral("runs"), {}});
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<FirstRunPage>(); }));
    lookOver("first-run-recents");
}

TEST_F(LooksTest, Runs) {
    const auto folders = test::fabricate_gallery(runs());
    open();
    ASSERT_TRUE(QTest::qWaitFor([this] { return window_->currentPage() == window_->page<RunsPage>(); }));
    ASSERT_TRUE(QTest::qWaitFor([this] {
        for (const RunSummary& run : window_->store()->runs())
            if (run.metrics == nullptr || run.config == nullptr)
                return false;
        return window_->store()->runs().size() == 9;
    }));
    window_->page<RunsPage>()->model()->setTicked({QString::fromStdString(folders[2].string()),
                                                   QString::fromStdString(folders[3].string()),
                                                   QString::fromStdString(folders[4].string())});
    CompareDrawer* drawer = window_->page<RunsPage>()->drawer();
    ASSERT_TRUE(QTest::qWaitFor([&] { return drawer->isVisible() && drawer->runs().size() == 3; }));
    test::draw_charts(window_.get());
    using Show = CompareDrawer::Show;
    for (const auto& [what, name] : {std::pair{Show::Curves, "compare-curves"},
                                     {Show::Differences, "compare-differences"},
                                     {Show::All, "compare-all"},
                                     {Show::Sweep, "compare-sweep"}}) {
        drawer->show(what);
        test::draw_charts(window_.get());
        lookOver(name);
    }
    window_->page<RunsPage>()->model()->setTicked({});
    ASSERT_TRUE(QTest::qWaitFor([&] { return !drawer->isVisible(); }));
    lookOver("runs");
    resize(kScreen.boundedTo(smallest()));
    constexpr int kRoomForName = 200;
    const QHeaderView* header = window_->page<RunsPage>()->table()->horizontalHeader();
    EXPECT_GE(header->sectionSize(RunsModel::Name), kRoomForName);
    EXPECT_FALSE(header->isSectionHidden(RunsModel::State));
    resize(smallest());
    window_->page<RunsPage>()->setGrouping({GroupKind::Name});
    lookOver("runs-groups");
    window_->page<RunsPage>()->setGrouping({});
    QTest::keyClicks(window_->page<RunsPage>()->filter(), QStringLiteral("lr>>1"));
    test::draw_charts(window_.get());
    lookOver("runs-bad-filter");
}

TEST_F(LooksTest, Dashboard) {
    const auto folders = test::fabricate_gallery(runs());
    run::write_class_report(run::RunPaths(folders[0]), {.step = 12,
                                                        .classes = {"cat", "dog"},
                                                        .counts = {{0, 0, 8}, {0, 1, 2}, {1, 1, 5}},
                                                        .worst = {{3, "a cat on a roof", 0, 1, 0.02, 3.9}}});
    data_ << QStringLiteral("cat") << QStringLiteral("dog") << QStringLiteral("a cat on a roof");
    open();
    showRun(folders[0]);
    lookOver("dashboard");
    for (int part : {1, 2}) {
        window_->currentPage()->findChild<ClassesPanel*>()->show(part);
        lookOver(part == 1 ? "dashboard-classes" : "dashboard-worst-samples");
    }
    showRun(folders[3]);
    qobject_cast<RunPage*>(window_->currentPage())->showCurves(true);
    test::draw_charts(window_.get());
    lookOver("dashboard-curves");
    auto* curves = window_->currentPage()->findChild<CurvesPanel*>();
    data_ << QStringLiteral("exp\\(train/loss\\)");
    curves->addPanel({.lines = {"exp(train/loss)", "train/loss +"}, .right = {"train/lr"}});
    curves->addPanel({.kind = report::PanelKind::table, .lines = {"train/loss"}});
    test::draw_charts(window_.get());
    lookOver("dashboard-panels");
    curves->editPanel(QStringLiteral("pin:1"));
    auto* editor = curves->findChild<PanelDialog*>();
    lookAt(editor, "dialog-panel");
    editor->reject();
    showRun(folders[5]);
    lookOver("dashboard-failed");
    showRun(folders[8]);
    lookOver("dashboard-lost");
}

TEST_F(LooksTest, Logs) {
    test::fabricate(runs(), {.name = "one"});
    open();
    LogPage* page = showLogs(golden() / "runs");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->tree()->isCaughtUp(); }, 30000));
    test::draw_charts(window_.get());
    lookOver("logs");
    page = showLogs(golden() / "damaged");
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->tree()->isCaughtUp(); }, 30000));
    test::draw_charts(window_.get());
    lookOver("logs-damaged");
    std::filesystem::create_directories(home_.path() / "nothing-here");
    std::ofstream(home_.path() / "nothing-here" / "readme.txt") << "no log\n";
    window_->context()->openPath(QString::fromStdString((home_.path() / "nothing-here").string()));
    test::draw_charts(window_.get());
    lookOver("logs-refused");
}

TEST_F(LooksTest, Wizard) {
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    auto settled = [&] { return QTest::qWaitFor([&] { return wizard->isChecked(); }, 10000); };
    ASSERT_TRUE(settled());
    for (const char* name : {"start", "data", "hardware", "training", "review", "expert"}) {
        ASSERT_TRUE(wizard->openNamed(QLatin1String(name)));
        ASSERT_TRUE(settled());
        test::draw_charts(window_.get());
        lookOver((std::string("wizard-") + name).c_str());
    }
    wizard->setExpert(false);
    wizard->draft()->setRecipeValue(QStringLiteral("data.path"), QStringLiteral("/nowhere/at/all"));
    ASSERT_TRUE(wizard->openNamed(QStringLiteral("data")));
    ASSERT_TRUE(settled());
    ASSERT_TRUE(QTest::qWaitFor([&] {
        widgets::FieldRow* path = wizard->row(QStringLiteral("data.path"));
        return path != nullptr && !path->problem().isEmpty();
    }));
    lookOver("wizard-bad-data");
    ASSERT_TRUE(wizard->openNamed(QStringLiteral("review")));
    ASSERT_TRUE(settled());
    lookOver("wizard-bad-review");
}

/// Built-in presets, one with keys that the engine does not support, a saved one, and text that is not a preset.
TEST_F(LooksTest, Presets) {
    const QByteArray former = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", (home_.path() / "config").c_str());
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return wizard->isChecked(); }, 10'000));
    data_ << QStringLiteral("a box with two GPUs") << QStringLiteral("[a-z_]+(\\.[a-z_]+)*");
    PresetsMenu menu(wizard->draft());
    menu.popup(wizard->launchButton());
    const auto rests = [&] { return QTest::qWaitFor([&] { return menu.isReady(); }, 10'000); };
    auto* list = test::child<QListWidget>(menu);
    ASSERT_TRUE(rests());
    lookAtPopup(&menu, "presets");
    list->setCurrentRow(list->count() - 1);
    for (int row = 0; row < list->count(); ++row)
        if (list->item(row)->text() == engineWords("ZeRO-3 with offload"))
            list->setCurrentRow(row);
    lookAtPopup(&menu, "presets-left-out");
    menu.importText(QStringLiteral("accelerate launch --num_processes 2 --mixed_precision bf16 train.py --lr 3e-4"));
    lookAtPopup(&menu, "presets-pasted");
    menu.importText(QStringLiteral("not a command"));
    lookAtPopup(&menu, "presets-refused");
    menu.saveAsPreset(QStringLiteral("a box with two GPUs"));
    ASSERT_TRUE(rests());
    ASSERT_TRUE(QTest::qWaitFor([&] { return menu.deleteButton()->isVisible(); }, 10'000));
    lookAtPopup(&menu, "presets-own");
    menu.close();
    qputenv("XDG_CONFIG_HOME", former);
}

/// The row of recomputation below "More settings".
TEST_F(LooksTest, WizardMoreSettings) {
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    const auto settled = [&] { return QTest::qWaitFor([&] { return wizard->isChecked(); }, 10'000); };
    ASSERT_TRUE(settled());
    const QString key = QStringLiteral("training.activation_checkpointing");
    for (const char* value : {"no", "selective", "full"}) {
        wizard->draft()->setRecipeValue(key, QLatin1String(value));
        ASSERT_TRUE(wizard->goToField(key));
        ASSERT_TRUE(settled());
        lookOver((std::string("wizard-recomputation-") + value).c_str());
    }
}

/// Runs beside their estimates, and none.
TEST_F(LooksTest, EstimateAgainstMeasured) {
    const auto folders = test::fabricate_gallery(runs());
    open();
    window_->open({QStringLiteral("estimator"), {}});
    auto* page = qobject_cast<EstimatorPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    test::settle();
    lookOver("measured-none");
    estimate::EstimateFile file = estimate::estimate_file(config::Recipe{}, 1, "cpu");
    QVector<MeasuredTable::Run> measured;
    for (std::size_t i = 0; i < folders.size(); ++i) {
        file.measured = {.peak_resident = file.predicted_total * (98 + 3 * i) / 100, .parts = {}, .step_seconds = 0};
        std::ofstream(folders[i] / "estimate.json") << estimate::to_json(file);
        measured.push_back({QStringLiteral("perldoc"), QString::fromStdString(folders[i].string())});
    }
    page->setRuns(measured);
    const auto* table = test::child<MeasuredTable>(*page)->findChild<QTableView*>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->model()->rowCount() == measured.size(); }, 10'000));
    for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
        Theme::instance().setChoice(theme);
        resize(usual());
        expectNone(test::clipped_texts(window_.get()), "cut");
        expectNone(test::overlapping_texts(window_.get()), "overlap");
        picture("measured", theme == ThemeChoice::Light ? "light" : "dark", usual());
    }
}

/// The settings of a run beside those of an earlier one with the same name: other values, and none.
TEST_F(LooksTest, SettingsDifferences) {
    test::fabricate(runs(), {.name = "books", .age_s = 9000, .lr = 1e-3, .bf16 = true});
    const auto other = test::fabricate(runs(), {.name = "books", .ranks = 2, .age_s = 6000});
    const auto same = test::fabricate(runs(), {.name = "books", .ranks = 2, .age_s = 3000});
    open();
    for (const auto& [folder, name] : {std::pair(other, "differences-some"), {same, "differences-none"}}) {
        showRun(folder);
        auto* panel = test::child<ConfigDiffPanel>(*window_->currentPage());
        ASSERT_TRUE(QTest::qWaitFor([&] { return panel->isVisible(); }, 10'000));
        lookOver(name);
    }
}

TEST_F(LooksTest, WizardDataOfRecordings) {
    test::fabricate(runs(), {.name = "one"});
    open();
    window_->open({QStringLiteral("new"), {}});
    WizardPage* wizard = window_->page<WizardPage>();
    const auto settled = [&] { return QTest::qWaitFor([&] { return wizard->isChecked(); }, 10000); };
    ASSERT_TRUE(settled());
    data_ << QStringLiteral(".*\\.wav") << QStringLiteral("speech_pretraining");
    for (const auto& [key, value] : {std::pair("model.task", "speech_pretraining"),
                                     {"model.model_type", "wav2vec2"},
                                     {"data.format", "audio"},
                                     {"data.path", TRAINYARD_SOURCE_DIR "/resources/samples/data/tones"}})
        wizard->draft()->setRecipeValue(QLatin1String(key), QLatin1String(value));
    ASSERT_TRUE(wizard->openNamed(QStringLiteral("data")));
    ASSERT_TRUE(settled());
    ASSERT_TRUE(QTest::qWaitFor([&] { return !wizard->draft()->report().data.rows.isEmpty(); }, 10000));
    lookOver("wizard-recordings");
}

/// Loading, empty, full and failing.
TEST_F(LooksTest, StatesOfTheHub) {
    const auto cache = home_.path() / "hub";
    for (const auto& [name, value] : {std::pair("HF_HUB_CACHE", cache.string()),
                                      {"HF_ENDPOINT", std::string("http://127.0.0.1:1")},
                                      {"no_proxy", std::string("*")}})
        ::setenv(name, value.c_str(), 1);
    data_ << QStringLiteral("org/.*") << QStringLiteral(".*127\\.0\\.0\\.1.*") << QStringLiteral(".*/hub");
    {
        HubDialog first(HubItem::Model);
        lookAtFirst(&first, "dialog-hub-loading");
        ASSERT_TRUE(QTest::qWaitFor([&] { return first.isListed(); }));
        lookAt(&first, "dialog-hub-empty");
        first.show();
        first.field()->name()->setText(QStringLiteral("org/a-model-with-a-long-name"));
        QTest::keyClick(first.field()->name(), Qt::Key_Return);
        ASSERT_TRUE(QTest::qWaitFor([&] { return !first.field()->isAsking(); }, 10'000));
        lookAt(&first, "dialog-hub-failing");
    }
    for (int i = 0; i < 12; ++i) {
        const auto repo = cache / fmt::format("models--org--a-model-with-a-long-name-{}", i);
        std::filesystem::create_directories(repo / "refs");
        std::filesystem::create_directories(repo / "snapshots" / "abc");
        std::ofstream(repo / "refs" / "main") << "abc";
        std::ofstream(repo / "snapshots" / "abc" / "config.json") << R"({"model_type": "gpt2"})";
        std::ofstream(repo / "snapshots" / "abc" / "model.safetensors") << std::string(1000, ' ');
    }
    HubDialog full(HubItem::Model);
    ASSERT_TRUE(QTest::qWaitFor([&] { return full.isListed(); }));
    EXPECT_GT(full.list()->model()->rowCount(), 0);
    lookAt(&full, "dialog-hub-full");
    for (const char* name : {"HF_HUB_CACHE", "HF_ENDPOINT", "no_proxy"})
        ::unsetenv(name);
}

TEST_F(LooksTest, StatesOfTheDataOfARun) {
    std::ofstream config(home_.path() / "ssh_config");
    config << "Host gpu-a\n  HostName 127.0.0.1\n  Port 1\n";
    config.close();
    ::setenv("TRAINYARD_SSH_CONFIG", (home_.path() / "ssh_config").c_str(), 1);
    const std::string file = (home_.path() / "chats.jsonl").string();
    {
        std::ofstream chats(file);
        for (int i = 0; i < 30; ++i)
            chats << R"({"messages": [{"role": "user", "content": "Who wrote it?"}, )"
                  << R"({"role": "assistant", "content": "A person with a long name, as the record says."}], "n": )"
                  << i << "}\n";
    }
    const auto run_with = [&](const std::vector<std::string>& paths) {
        const run::RunPaths paths_of_run =
            run::create_run_directory_at(home_.path() / fmt::format("run-{}", run_count_++));
        run::RunSpec spec;
        spec.recipe.name = "talks";
        spec.recipe.data.paths = paths;
        spec.recipe.data.format = config::DataFormat::jsonl;
        spec.recipe.data.chat = config::ChatFormat::automatic;
        spec.recipe.data.sequence_length = spec.recipe.model.n_positions = 256;
        run::write_spec(paths_of_run, spec);
        return paths_of_run;
    };
    const auto rests = [](DataDialog& dialog) { return QTest::qWaitFor([&] { return !dialog.isReading(); }, 20'000); };
    data_ << QStringLiteral("talks") << QStringLiteral("messages.*") << QStringLiteral("n") << QStringLiteral("/.*")
          << QStringLiteral("gpu-a.*") << QStringLiteral(".*chats\\.jsonl.*");
    DataDialog full(run_with({file}), QStringLiteral("talks"), {});
    lookAtFirst(&full, "dialog-data-loading");
    ASSERT_TRUE(rests(full));
    EXPECT_EQ(full.panel()->preview()->model()->rowCount(), 20);
    lookAt(&full, "dialog-data-full");
    DataDialog empty(run_with({}), QStringLiteral("talks"), {});
    ASSERT_TRUE(rests(empty));
    lookAt(&empty, "dialog-data-empty");
    DataDialog missing(run_with({file + ".gone"}), QStringLiteral("talks"), {});
    ASSERT_TRUE(rests(missing));
    lookAt(&missing, "dialog-data-failing");
    DataDialog far(run_with({file}), QStringLiteral("talks"), QStringLiteral("gpu-a"));
    lookAtFirst(&far, "dialog-data-host-loading");
    ASSERT_TRUE(rests(far));
    EXPECT_TRUE(far.panel()->readHost()->isVisible());
    lookAt(&far, "dialog-data-host-failing");
    ::unsetenv("TRAINYARD_SSH_CONFIG");
}

TEST_F(LooksTest, Traces) {
    open();
    window_->open({QLatin1String(TracesPage::kKey), {}});
    auto* page = window_->page<TracesPage>();
    const std::filesystem::path folder = golden().parent_path() / "traces" / "real" / "ranks2";
    page->openPaths({QString::fromStdString((folder / "rank0.json.gz").string()),
                     QString::fromStdString((folder / "rank1.json.gz").string())});
    const auto calculated = [&] {
        return QTest::qWaitFor([&] { return !page->isReading() && !test::child<SharePanel>(*page)->words().isEmpty(); },
                               20'000);
    };
    ASSERT_TRUE(calculated());
    lookOver("traces-selection");
    test::child<StepPicker>(*page)->step(1);
    ASSERT_TRUE(calculated());
    test::child<SelectionPanel>(*page)->showTable(TraceTable::Flame);
    test::draw_charts(window_.get());
    lookOver("traces-flame");
    page->compareRanks(0, 1);
    ASSERT_TRUE(QTest::qWaitFor(
        [&] { return test::child<SelectionPanel>(*page)->shownTable() == TraceTable::Compared; }, 10'000));
    test::draw_charts(window_.get());
    lookOver("traces-compared");
    test::child<SelectionPanel>(*page)->showTable(TraceTable::Operations);
    QTest::keyClick(test::child<widgets::TimelineView>(*page), Qt::Key_Right);
    test::draw_charts(window_.get());
    lookOver("traces-slice");
}

TEST_F(LooksTest, Sweeps) {
    test::fabricate_sweep(runs(), "learning-rate-4f2a", 40, 30);
    test::fabricate_sweep(runs(), "depth-and-width-91cc", 16, 16);
    data_ << QStringLiteral("learning-rate-4f2a") << QStringLiteral("depth-and-width-91cc")
          << QStringLiteral("random, eval/loss") << QStringLiteral("[a-z]+[./][a-z_]+");
    open();
    window_->open({QLatin1String(SweepsPage::kKey), QStringLiteral("learning-rate-4f2a")});
    auto* page = qobject_cast<SweepsPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->trials()->rowCount() == 30; }, 10'000));
    test::draw_charts(window_.get());
    lookOver("sweeps-one");
    test::child<widgets::SegmentedControl>(*page)->setCurrent(1);
    test::draw_charts(window_.get());
    lookOver("sweeps-parallel");
}

TEST_F(LooksTest, Dialogs) {
    ProfileDialog profile(120);
    lookAt(&profile, "dialog-profile");
    RankPairDialog ranks({QStringLiteral("Rank 0"), QStringLiteral("Rank 1")}, 0, 1, QStringLiteral("step 3, 318 ms"));
    lookAt(&ranks, "dialog-ranks");
    launch::Continuation run{run::RunPaths(runs() / "perldoc"), {}, 120, 1000, 1000};
    data_ << QStringLiteral("perldoc") << QStringLiteral("Slack, Mattermost");
    MoreStepsDialog more(run, QStringLiteral("perldoc"), nullptr);
    lookAt(&more, "dialog-more-steps");
    alarms::Target target;
    for (const alarms::TargetKind kind :
         {alarms::TargetKind::command, alarms::TargetKind::webhook, alarms::TargetKind::mail}) {
        target.kind = kind;
        TargetDialog alarm(target, {}, nullptr);
        lookAt(&alarm, (std::string("dialog-alarm-") + alarms::kind_name(kind)).c_str());
    }
    SweepBase base;
    base.name = QStringLiteral("perldoc");
    base.recipe = "model: {n_layer: 2}\n";
    base.learning_rate = 1e-3;
    data_ << QStringLiteral("[a-z]+([./_][a-z_]+)+") << QStringLiteral("gpu-a.*") << QStringLiteral("8, 16, 32");
    SweepDialog sweep(base);
    lookAt(&sweep, "dialog-sweep");
}

/// The targets of alarms, a test message that fails, a target with the name of another, and a limit that cannot be
/// read.
TEST_F(LooksTest, StatesOfAlarms) {
    const QByteArray former = qgetenv("XDG_CONFIG_HOME");
    qputenv("XDG_CONFIG_HOME", (home_.path() / "config").c_str());
    data_ << QStringLiteral("Slack, Mattermost") << QStringLiteral("pager.*") << QStringLiteral("/nowhere.*")
          << QStringLiteral("http.*") << QStringLiteral("me@example\\.org") << QStringLiteral("eval/loss.*")
          << QStringLiteral("a-team.*") << QStringLiteral("mail of the team") << QStringLiteral(".*/nowhere/.*");
    alarms::Settings settings;
    settings.targets.resize(3);
    alarms::Target& command = settings.targets[0];
    command.name = "pager";
    command.kind = alarms::TargetKind::command;
    command.command = {"/nowhere/page", "--title", "{title}"};
    alarms::Target& webhook = settings.targets[1];
    webhook.name = "a-team-with-a-name-of-many-letters";
    webhook.address = "http://127.0.0.1:1/hooks/of-a-server-with-a-long-path/and-more-of-it/and-more";
    webhook.format = alarms::WebhookFormat::custom;
    webhook.body = R"({"text": "{title}"})";
    alarms::Target& mail = settings.targets[2];
    mail.name = "mail of the team";
    mail.kind = alarms::TargetKind::mail;
    mail.from = "me@example.org";
    mail.to = {"me@example.org"};
    mail.enabled = false;
    alarms::save_settings(settings);
    {
        QDialog dialog;
        auto* list = new TargetList;
        dialog.setLayout(new QVBoxLayout);
        dialog.layout()->addWidget(list);
        dialog.resize(640_px, 280_px);
        ASSERT_TRUE(QTest::qWaitFor([&] { return list->settings().targets.size() == 3; }))
            << list->note()->text().toStdString();
        // The state of a test message is in the list, which both themes show.
        const auto look = [&](const std::string& name) {
            for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
                Theme::instance().setChoice(theme);
                QApplication::processEvents();
                lookAtFirst(&dialog, (name + (theme == ThemeChoice::Light ? "-light" : "-dark")).c_str());
                expectNone(test::nameless_controls(&dialog), "names");
            }
        };
        look("alarm-targets");
        const QList<QPushButton*> buttons = list->findChildren<QPushButton*>();
        const auto test = [&](const std::string& name) {
            const auto found = std::ranges::find_if(buttons, [&](const QPushButton* button) {
                return button->toolTip().contains(QString::fromStdString(name)) && !button->text().isEmpty();
            });
            ASSERT_NE(found, buttons.end());
            dialog.show();
            (*found)->click();
            ASSERT_TRUE(QTest::qWaitFor(
                [&] { return !list->note()->text().isEmpty() && !list->note()->text().endsWith(QChar(0x2026)); },
                20'000));
            look(fmt::format("alarm-test-failing-{}", alarms::kind_name(settings.find(name)->kind)));
        };
        test(command.name);
        test(webhook.name);
    }
    TargetDialog nameless(webhook, {QString::fromStdString(webhook.name)}, nullptr);
    nameless.show();
    nameless.saveButton()->click();
    EXPECT_FALSE(nameless.problem()->text().isEmpty());
    lookAt(&nameless, "dialog-alarm-taken-name");
    QDialog dialog;
    auto* rules = new AlarmSettings(AlarmRules{});
    dialog.setLayout(new QVBoxLayout);
    dialog.layout()->addWidget(rules);
    dialog.resize(640_px, 10_px);
    dialog.show();
    for (auto* field : rules->findChildren<QLineEdit*>()) {
        field->setText(QStringLiteral("eval/loss is 3"));
        emit field->editingFinished();
    }
    lookAt(&dialog, "dialog-alarm-limits");
    qputenv("XDG_CONFIG_HOME", former);
}

TEST_F(LooksTest, ShortcutsAboutAndMenus) {
    open();
    ShortcutEditor shortcuts(window_.get());
    lookAt(&shortcuts, "dialog-shortcuts");
    // The rows show their texts: a painted row has other pixels than an empty one.
    shortcuts.show();
    const QRect cell = shortcuts.table()->visualRect(shortcuts.table()->model()->index(1, 0));
    const QImage row = shortcuts.table()->viewport()->grab(cell.adjusted(2, 2, -2, -2)).toImage();
    QSet<QRgb> colours;
    for (int x = 0; x < row.width(); ++x)
        for (int y = 0; y < row.height(); ++y)
            colours.insert(row.pixel(x, y));
    EXPECT_GT(colours.size(), 4);
    shortcuts.hide();
    data_ << QStringLiteral("Trainyard  ·  GPL-3\\.0-or-later");
    AboutDialog about(window_->engine(), window_.get());
    ASSERT_TRUE(QTest::qWaitFor([&about] { return !about.licence()->toPlainText().isEmpty(); }));
    lookAt(&about, "dialog-about");
    window_->setMenuBarShown(true);
    for (QAction* title : window_->menuBar()->actions())
        for (const ThemeChoice theme : {ThemeChoice::Light, ThemeChoice::Dark}) {
            Theme::instance().setChoice(theme);
            QMenu* menu = title->menu();
            menu->popup(window_->mapToGlobal(QPoint(8, 30)));
            ASSERT_TRUE(QTest::qWaitForWindowExposed(menu));
            for (const QAction* entry : menu->actions()) {
                if (entry->isSeparator())
                    continue;
                EXPECT_FALSE(entry->text().isEmpty());
                if (language_ != nullptr) {
                    EXPECT_TRUE(entry->text().contains(QStringLiteral("⟦"))) << entry->text().toStdString();
                }
            }
            EXPECT_LE(menu->width(), smallest().width());
            save(menu, QStringLiteral("menu-%1").arg(window_->menuBar()->actions().indexOf(title)).toLatin1(),
                 theme == ThemeChoice::Light ? "light" : "dark");
            menu->close();
        }
}

TEST_F(LooksTest, OtherPlaces) {
    test::fabricate_gallery(runs());
    open();
    for (const PageEntry& entry : all_pages()) {
        if (entry.rail == RailSection::None || entry.key == QLatin1String("runs"))
            continue;
        window_->open({entry.key, {}});
        test::draw_charts(window_.get());
        lookOver(entry.key.toLatin1().constData());
    }
    const auto model = test::own_golden("models") / "llama_gqa" / "model.safetensors";
    window_->open({QLatin1String(ArchitecturePage::kKey), QString::fromStdString(model.string())});
    const auto* architecture = window_->page<ArchitecturePage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return !architecture->view()->data().nodes.empty(); }));
    lookOver("architecture");
    QTest::keyClick(window_.get(), Qt::Key_K, Qt::ControlModifier);
    test::draw_charts(window_.get());
    lookOver("palette");
}
