// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Looks over states of the window at the smallest and at a very large size, in both themes, with
// support/accessibility_checks.h, and takes pictures if TRAINYARD_TEST_PICTURES is set. $TRAINYARD_LOOKS selects
// further checks, each registered with CTest: `language`: no text lacks its translation; `longer-words`: there is room
// for texts that are 35 % longer than the English ones; `right-to-left`: English in a mirrored window; `size-...`,
// `german-...` and `chinese-...`: there is room for texts of that size, also on a screen of 1280x800 pixels.

#include <fstream>

#include <QApplication>
#include <QDialog>
#include <QPointer>
#include <QScrollArea>
#include <QScrollBar>
#include <QTest>

#include <fmt/format.h>
#include <gtest/gtest.h>

#include "desktop/curves/log_page.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/launch/engine_link.h"
#include "desktop/runs/run_store.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "support/accessibility_checks.h"
#include "support/draw_charts.h"
#include "support/pseudo_language.h"
#include "support/settle.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/languages.h"
#include "widgets/pixels.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::test {

class LooksTest : public testing::Test {
  protected:
    static constexpr QSize kSmallest{1100, 700};
    static constexpr QSize kUsual{1440, 900};
    static constexpr QSize kLargest{3840, 2160};
    static constexpr QSize kScreen{1280, 800};  ///< pixels of a laptop
    static constexpr int kEdge = 20;            ///< of a page

    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        ::setenv("TRAINYARD_SAMPLE", "/nowhere/sample.yaml", 1);
        std::filesystem::create_directories(runs());
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
        widgets::Theme::instance().install(*qApp);
        const QByteArray variant = qgetenv("TRAINYARD_LOOKS");
        plain_ = variant.isEmpty();
        if (variant == "language") {
            language_ = std::make_unique<PseudoLanguage>();
            QApplication::installTranslator(language_.get());
        }
        if (variant == "longer-words") {
            longer_ = std::make_unique<PseudoLanguage>(false);
            QApplication::installTranslator(longer_.get());
        }
        for (const auto& [name, code] : {std::pair("german", "de"), {"chinese", "zh_CN"}})
            if (variant.startsWith(name)) {
                other_language_ = true;
                widgets::Languages::install(*qApp, QLatin1String(code));
            }
        if (const int dash = variant.indexOf('-'); variant.startsWith("size") || other_language_)
            widgets::Theme::instance().setTextSize(static_cast<int>(100 * variant.mid(dash + 1).toDouble()));
        if (variant == "right-to-left")
            QGuiApplication::setLayoutDirection(Qt::RightToLeft);
        if (!plain_)
            variant_ = QLatin1Char('-') + QLatin1String(variant);
    }
    void TearDown() override {
        window_.reset();
        widgets::Theme::instance().setTextSize(100);
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
        desktop::Options options;
        options.size = smallest().boundedTo(kScreen);
        window_.reset();  // before the preferences that it uses
        preferences_ = std::make_unique<desktop::Preferences>();
        window_ = std::make_unique<desktop::MainWindow>(preferences_.get(), options);
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
                EXPECT_TRUE(QTest::qWaitFor([scroll] { return scroll->verticalScrollBar()->maximum() == 0; }, 2000))
                    << tallParts(scroll->viewport()->height() / 2);
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
                    << wide_parts(window_->currentPage(), scroll->viewport()->width() - 2 * kEdge)
                           .join(QStringLiteral("; "))
                           .toStdString();
            }
        for (const auto* segments : window_->findChildren<widgets::SegmentedControl*>())
            EXPECT_TRUE(!segments->isVisible() || segments->width() >= segments->sizeHint().width())
                << where << ", words of " << segments->accessibleName().toStdString() << " are cut";
        expectNoneSqueezed(where);
        expectNone(stretched_icons(window_.get()), where.c_str());
        expectNone(clipped_texts(window_.get()), where.c_str());
        expectNone(overlapping_texts(window_.get()), where.c_str());
        expectNone(covered_texts(window_.get()), where.c_str());
        expectNone(unreachable_texts(window_.get()), where.c_str());
        picture(name, "screen", kScreen);
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
        picture(name, "screen-light", kScreen);
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
        resize(smallest());
    }

    void resize(const QSize& size) {
        window_->resize(size);
        settle();
        ASSERT_EQ(window_->size(), size);
    }

    /// The state that is on the screen, in every size and theme. `part`: shown in the pictures if a page scrolls.
    void lookOver(const char* name, QWidget* part = nullptr) {
        SCOPED_TRACE(name);
        part_ = part;
        while (QWidget* popup = QApplication::activePopupWidget())
            popup->close();
        window_->activateWindow();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        if (other_language_)
            return lookOverSmallScreen(name);
        picture(name, "dark", usual());
        resize(smallest());
        if (language_ != nullptr) {
            expectNone(untranslated_texts(window_.get(), data_), "not translated");
            return;
        }
        expectNoneSqueezed("1100x700");
        if (plain_ && !may_scroll_)
            expectPageFits();
        if (longer_ != nullptr) {
            expectNone(clipped_texts(window_.get()), "1100x700, longer words");
            expectNone(overlapping_texts(window_.get()), "1100x700, longer words");
            picture(name, "small-dark", smallest());
            // Some widgets have a maximum size, so their texts may be cut in a large window, too.
            resize(kLargest);
            expectNone(clipped_texts(window_.get()), "3840x2160, longer words");
            expectNone(overlapping_texts(window_.get()), "3840x2160, longer words");
            resize(smallest());
            return;
        }
        if (QGuiApplication::isRightToLeft())
            expectNone(jumping_focus(window_.get()), "Tab");
        expectNone(overlapping_texts(window_.get()), "1100x700");
        expectNone(covered_texts(window_.get()), "1100x700");
        expectNone(clipped_texts(window_.get()), "1100x700");
        if (!plain_) {
            resize(kLargest);
            expectNone(clipped_texts(window_.get()), "the largest window");
            resize(smallest());
            if (kScreen.width() < smallest().width())
                lookOverSmallScreen(name);
            return;
        }
        expectNone(misaligned_titles(window_.get()), "titles");
        expectNone(shifted_links(window_.get()), "links");
        expectNone(blank_ends(window_.get()), "1100x700");
        expectNone(needlessly_cut_columns(window_.get()), "1100x700");
        expectNone(controls_at_edges(window_.get()), "1100x700");
        expectNone(nameless_controls(window_.get()), "names");
        expectNone(jumping_focus(window_.get()), "Tab");
        expectNone(unseen_focus(window_->currentPage()), "dark");
        picture(name, "small-dark", smallest());
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Light);
        QApplication::processEvents();
        // The same rings in other colours: once for each kind of page.
        if (!std::exchange(seen_in_light_, true))
            expectNone(unseen_focus(window_->currentPage()), "light");
        picture(name, "light", usual());
        resize(usual());
        expectNone(blank_ends(window_.get()), "1440x900");
        expectNone(needlessly_cut_columns(window_.get()), "1440x900");
        expectNone(controls_at_edges(window_.get()), "1440x900");
        expectNone(stretched_icons(window_.get()), "1440x900");
        resize(kLargest);
        expectNone(clipped_texts(window_.get()), "3840x2160");
        picture(name, "large-light", kLargest);
        widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
        QApplication::processEvents();
        resize(smallest());
    }

    /// Checks a dialog at its default size.
    void lookAt(QDialog* dialog, const char* name) {
        SCOPED_TRACE(name);
        dialog->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
        QApplication::setActiveWindow(dialog);  // the platform reports no change if it was the last active window
        settle();
        if (language_ != nullptr)
            expectNone(untranslated_texts(dialog, data_), "not translated");
        expectNone(clipped_texts(dialog), "cut");
        expectNone(overlapping_texts(dialog), "overlap");
        expectNone(squeezed_panels(dialog), "squeezed");
        if (plain_)
            expectNone(needlessly_cut_columns(dialog), "columns");
        expectNone(misaligned_titles(dialog), "titles");
        expectNone(shifted_links(dialog), "links");
        expectNone(blank_gaps(dialog), "gaps");
        expectNone(nameless_controls(dialog), "names");
        expectNone(jumping_focus(dialog), "Tab");
        for (const widgets::ThemeChoice theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            widgets::Theme::instance().setChoice(theme);
            QApplication::processEvents();
            if (plain_)
                expectNone(unseen_focus(dialog), "focus");
            save(dialog, name, theme == widgets::ThemeChoice::Light ? "light" : "dark");
        }
        dialog->hide();
    }

    /// Checks a popup panel over the page.
    void lookAtPopup(QWidget* popup, const char* name) {
        SCOPED_TRACE(name);
        ASSERT_TRUE(QTest::qWaitForWindowExposed(popup));
        if (language_ != nullptr)
            expectNone(untranslated_texts(popup, data_), "not translated");
        for (const widgets::ThemeChoice theme : {widgets::ThemeChoice::Light, widgets::ThemeChoice::Dark}) {
            widgets::Theme::instance().setChoice(theme);
            settle();
            expectNone(clipped_texts(popup), "cut");
            expectNone(overlapping_texts(popup), "overlap");
            if (plain_)
                expectNone(needlessly_cut_columns(popup), "columns");
            expectNone(misaligned_titles(popup), "titles");
            expectNone(nameless_controls(popup), "names");
            save(popup, name, theme == widgets::ThemeChoice::Light ? "light" : "dark");
        }
    }

    /// The first state of a dialog, before answers of other threads are delivered.
    void lookAtFirst(QDialog* dialog, const char* name) {
        SCOPED_TRACE(name);
        dialog->show();
        if (language_ != nullptr)
            expectNone(untranslated_texts(dialog, data_), "not translated");
        expectNone(clipped_texts(dialog), "cut");
        expectNone(overlapping_texts(dialog), "overlap");
        if (const char* folder = std::getenv("TRAINYARD_TEST_PICTURES"))  // a change of the theme takes events
            dialog->grab().save(
                QStringLiteral("%1/looks-%2%3.png").arg(QLatin1String(folder), QLatin1String(name), variant_));
    }

    void showRun(const std::filesystem::path& folder) {
        window_->context()->openRun(QString::fromStdString(folder.filename().string()));
        ASSERT_TRUE(QTest::qWaitFor([this] {
            auto* page = qobject_cast<desktop::RunPage*>(window_->currentPage());
            return page != nullptr && page->record()->isCaughtUp();
        }));
        draw_charts(window_.get());
    }

    desktop::LogPage* showLogs(const std::filesystem::path& place) {
        window_->context()->openPath(QString::fromStdString(place.string()));
        const QString wanted = QString::fromStdString(place.string());
        if (!QTest::qWaitFor(
                [&] {
                    auto* page = qobject_cast<desktop::LogPage*>(window_->currentPage());
                    return page != nullptr && page->place() == wanted;
                },
                10000))
            ADD_FAILURE() << place << " was not opened";
        return qobject_cast<desktop::LogPage*>(window_->currentPage());
    }

    ViewsFolder views_;
    TemporaryFolder home_;
    std::unique_ptr<desktop::Preferences> preferences_;
    std::unique_ptr<desktop::MainWindow> window_;
    std::unique_ptr<PseudoLanguage> language_, longer_;
    /// Names given by users and product names, which are not translated; regular expressions.
    QStringList data_{QStringLiteral("perldoc"),  QStringLiteral("books"),     QStringLiteral("notes"),
                      QStringLiteral("large"),    QStringLiteral("overnight"), QStringLiteral("best of the sweep"),
                      QStringLiteral("Trainyard")};
    bool plain_ = true, other_language_ = false;
    QString variant_;  ///< in names of pictures
    std::size_t run_count_ = 0;
    bool seen_in_light_ = false;
    QPointer<QWidget> part_;
    bool may_scroll_ = false;  ///< the page has a message, for which the smallest window may lack room
    /// A row that wraps gets its height after its width.
    void expectNoneSqueezed(const std::string& where) {
        const auto settled = [this] {
            return squeezed_panels(window_.get()).isEmpty() && covered_texts(window_.get()).isEmpty() &&
                   clipped_texts(window_.get()).isEmpty();
        };
        if (!QTest::qWaitFor(settled, 1000))
            expectNone(squeezed_panels(window_.get()), (where + ", squeezed").c_str());
    }
    static void expectNone(const QStringList& faults, const char* what) {
        for (const QString& fault : faults)
            ADD_FAILURE() << what << ": " << fault.toStdString();
    }
    void picture(const char* name, const char* suffix, const QSize& size) {
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        resize(size);
        for (QWidget* at = part_; at != nullptr; at = at->parentWidget())
            if (auto* scroll = qobject_cast<QScrollArea*>(at))
                scroll->ensureWidgetVisible(part_);
        save(window_.get(), name, suffix);
    }
    void save(QWidget* what, const char* name, const char* suffix) {
        if (const char* folder = std::getenv("TRAINYARD_TEST_PICTURES")) {
            draw_charts(what);
            what->grab().save(QStringLiteral("%1/looks-%2-%3%4.png")
                                  .arg(QLatin1String(folder), QLatin1String(name), QLatin1String(suffix), variant_));
        }
    }
};

}  // namespace trainyard::test
