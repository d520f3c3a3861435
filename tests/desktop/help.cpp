// SPDX-License-Identifier: GPL-3.0-or-later
// The manual in the window: F1 on each page, every link, search, differences in colours, columns, addresses.
#include <QApplication>
#include <QDir>
#include <QFileInfo>
#include <QLineEdit>
#include <QListWidget>
#include <QMessageBox>
#include <QPushButton>
#include <QScrollBar>
#include <QSet>
#include <QTest>
#include <QTextBlock>
#include <QTextBrowser>
#include <QTextTable>

#include <gtest/gtest.h>

#include "desktop/dashboard/profile_dialog.h"
#include "desktop/dashboard/run_page.h"
#include "desktop/help/help_page.h"
#include "desktop/pages/pages.h"
#include "desktop/shell/command_palette.h"
#include "desktop/shell/first_run_page.h"
#include "desktop/shell/side_window.h"
#include "desktop/wizard/wizard_page.h"
#include "fabricated_runs.h"
#include "support/child.h"
#include "support/picture.h"
#include "support/settle.h"
#include "support/window_fixture.h"
#include "widgets/dialogs.h"
#include "widgets/inline_message.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class HelpTest : public test::WindowFixture {
  protected:
    void TearDown() override {
        WindowFixture::TearDown();
        ::unsetenv("TRAINYARD_MANUAL");
    }
    /// Presses F1 in the main window. Returns the manual once it shows a page.
    HelpPage* help() {
        window_->activateWindow();
        if (!QTest::qWaitForWindowActive(window_.get()))
            return nullptr;
        QTest::keyClick(window_.get(), Qt::Key_F1);
        return shownHelp();
    }
    HelpPage* shownHelp() {
        SideWindow* side = window_->side({QLatin1String(HelpPage::kKey), {}});
        if (side == nullptr)
            return nullptr;
        auto* page = qobject_cast<HelpPage*>(side->page());
        return QTest::qWaitFor([page] { return !page->isReading() && !page->shown().isEmpty(); }) ? page : nullptr;
    }
    static QTextBrowser* browser(HelpPage* page) { return test::child<QTextBrowser>(*page); }
};

}  // namespace

TEST_F(HelpTest, F1OpensThePageThatBelongsToWhatIsShown) {
    test::fabricate(folder_.path(), {.name = "one"});
    const auto failed = test::fabricate(folder_.path(), {.name = "broken", .status = run::Status::failed});
    open();
    const std::pair<const char*, const char*> pages[] = {{"runs", "runs"},
                                                         {"hosts", "several-machines"},
                                                         {"estimator", "estimator"},
                                                         {"traces", "traces"},
                                                         {"checkpoints", "checkpoints"},
                                                         {"settings", "settings"},
                                                         {"new", "recipes"},
                                                         {"tryit", "generation"},
                                                         {"sweeps", "sweeps"},
                                                         {"notifications", "desktop"}};
    for (const auto& [key, manual] : pages) {
        if (find_page(QLatin1String(key)) == nullptr)
            ADD_FAILURE() << key << " is not a page";
        window_->open({QLatin1String(key), {}});
        window_->currentPage();
        HelpPage* page = help();
        ASSERT_NE(page, nullptr) << key;
        EXPECT_EQ(page->shown().toStdString(), manual) << key;
    }
    window_->context()->openRun(QString::fromStdString(failed.filename().string()));
    auto* run = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(run, nullptr);
    ASSERT_TRUE(QTest::qWaitFor([run] { return run->record()->state().has_value(); }));
    HelpPage* page = help();
    ASSERT_NE(page, nullptr);
    EXPECT_EQ(page->shown().toStdString(), "troubleshooting");

    // Back and forward belong to the manual while its window is active.
    const Page* before = window_->currentPage();
    ASSERT_TRUE(QTest::qWaitForWindowActive(page->window()));
    QTest::keyClick(page->window(), Qt::Key_Left, Qt::AltModifier);
    EXPECT_EQ(page->shown().toStdString(), std::rbegin(pages)->second);
    QTest::keyClick(page->window(), Qt::Key_Right, Qt::AltModifier);
    EXPECT_EQ(page->shown().toStdString(), "troubleshooting");
    EXPECT_EQ(window_->currentPage(), before);
}

TEST_F(HelpTest, F1FollowsTheStepOfTheWizardAndWorksInDialogs) {
    const auto run = test::fabricate(folder_.path(), {.name = "one", .status = run::Status::running});
    open();
    const Manual manual = Manual::read(Manual::folder());
    const auto shows = [&](HelpPage* page, const QString& subject) {
        const ManualTarget target{subject.section(QLatin1Char('#'), 0, 0), subject.section(QLatin1Char('#'), 1)};
        EXPECT_TRUE(manual.has(target)) << subject.toStdString();
        return page != nullptr && QTest::qWaitFor([&] { return page->shown() == subject; });
    };
    auto* wizard = window_->context()->show<WizardPage>();
    QSet<QString> subjects;
    for (int step = 0; step < kSteps; ++step) {
        wizard->showStep(static_cast<Step>(step));
        if (static_cast<int>(wizard->currentStep()) != step)
            continue;  // skipped for this draft
        const QString subject = HelpPage::subjectOf(wizard);
        EXPECT_TRUE(shows(help(), subject)) << step << " " << subject.toStdString();
        subjects.insert(subject);
    }
    EXPECT_GE(subjects.size(), 7) << "each step has its own page or section";
    wizard->showStep(Step::Data);
    EXPECT_EQ(HelpPage::subjectOf(wizard), QStringLiteral("recipes#data"));
    wizard->setExpert(true);
    EXPECT_TRUE(shows(help(), QStringLiteral("reference/recipe-keys")));

    window_->context()->openRun(QString::fromStdString(run.filename().string()));
    auto* page = qobject_cast<RunPage*>(window_->currentPage());
    ASSERT_NE(page, nullptr);
    const auto in_dialog = [&](QDialog* dialog, const QString& subject) {
        widgets::opened(dialog);
        ASSERT_TRUE(QTest::qWaitForWindowActive(dialog));
        QWidget* focus = dialog->focusWidget() != nullptr ? dialog->focusWidget() : dialog;
        QTest::keyClick(focus, Qt::Key_F1);
        EXPECT_TRUE(shows(shownHelp(), subject)) << subject.toStdString();
        EXPECT_TRUE(dialog->isVisible());
        dialog->reject();
    };
    in_dialog(new ProfileDialog(10, page), QStringLiteral("traces#record"));
    in_dialog(new QDialog(page), QStringLiteral("runs"));  // that of its page
    in_dialog(new QDialog(window_.get()), QStringLiteral("runs"));
}

TEST_F(HelpTest, ThePaletteAndTheFirstPageLeadToTheManual) {
    open();
    auto* first = window_->page<FirstRunPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return window_->currentPage() == first; }));
    test::settle();
    QTest::mouseClick(test::child<QPushButton>(*first, QStringLiteral("Start here: features beside a plain loop")),
                      Qt::LeftButton);
    HelpPage* page = shownHelp();
    ASSERT_NE(page, nullptr);
    EXPECT_EQ(page->shown().toStdString(), "start-here");
    window_->openPalette(QStringLiteral("?"));
    QListWidget* list = window_->palette()->list();
    ASSERT_EQ(list->findItems(QStringLiteral("Manual"), Qt::MatchExactly).size(), 1) << "in the list of keys";
    window_->palette()->field()->setText(QStringLiteral("Manual: Several"));
    ASSERT_TRUE(QTest::qWaitFor(
        [list] { return list->count() > 0 && list->item(0)->text() == QLatin1String("Manual: Several machines"); }));
    QTest::keyClick(window_->palette()->field(), Qt::Key_Return);
    EXPECT_EQ(page->shown().toStdString(), "several-machines");
}

TEST_F(HelpTest, EveryLinkAndPictureOfEveryPageLeadsSomewhere) {
    const QString folder = Manual::folder();
    const Manual manual = Manual::read(folder);
    ASSERT_GT(manual.pages().size(), 20);
    int links = 0;
    for (const ManualPage& page : manual.pages()) {
        QTextDocument document;
        show_manual_page(&document, page);
        QSet<QString> anchors;
        for (QTextBlock block = document.begin(); block.isValid(); block = block.next())
            for (auto it = block.begin(); !it.atEnd(); ++it) {
                const QTextCharFormat format = it.fragment().charFormat();
                for (const QString& name : format.anchorNames())
                    anchors << name;
                if (format.anchorHref().isEmpty())
                    continue;
                const ManualTarget target = manual.resolve(page.name, format.anchorHref());
                EXPECT_TRUE(target.outside ? target.page.startsWith(QLatin1String("https://")) : manual.has(target))
                    << page.name.toStdString() << ": " << format.anchorHref().toStdString();
                ++links;
            }
        for (const ManualHeading& heading : page.headings)
            EXPECT_TRUE(anchors.contains(heading.anchor))
                << page.name.toStdString() << " #" << heading.anchor.toStdString();
        for (const QString& name : page.pictures)
            EXPECT_TRUE(QFileInfo::exists(
                QDir::cleanPath(folder + QLatin1Char('/') + page.name + QStringLiteral("/../") + name)))
                << page.name.toStdString() << ": " << name.toStdString();
        EXPECT_FALSE(document.toPlainText().contains(QLatin1String("trainyard:panel"))) << page.name.toStdString();
    }
    EXPECT_GT(links, 100);
}

TEST_F(HelpTest, SearchFindsLinesOfAllPages) {
    open();
    HelpPage* page = help();
    ASSERT_NE(page, nullptr);
    page->find();
    auto* field = test::child<QLineEdit>(*page);
    QTest::keyClicks(field, QStringLiteral("arXiv:1910.02054"));
    auto* hits = test::child<QListWidget>(*page);
    ASSERT_GT(hits->count(), 1);
    EXPECT_TRUE(hits->item(0)->text().contains(QLatin1String("1910.02054"))) << hits->item(0)->text().toStdString();
    field->setText(QStringLiteral("start-here zero"));
    EXPECT_EQ(hits->item(0)->data(Qt::UserRole).toString(), QString()) << "no page has these words";
    field->setText(QStringLiteral("local sgd"));
    QTest::keyClick(field, Qt::Key_Return);
    EXPECT_EQ(page->shown().toStdString(), "start-here#local-sgd");
    EXPECT_TRUE(QTest::qWaitFor([page] { return browser(page)->verticalScrollBar()->value() > 0; }));
}

TEST_F(HelpTest, ADifferenceIsColouredAndAScriptStandsBesideItsCounterpart) {
    open();
    help();
    window_->showSide({QLatin1String(HelpPage::kKey), QStringLiteral("start-here#mixed-precision")});
    HelpPage* page = shownHelp();
    ASSERT_NE(page, nullptr);
    const auto& theme = widgets::Theme::instance();
    for (const auto choice : {widgets::ThemeChoice::Dark, widgets::ThemeChoice::Light}) {
        widgets::Theme::instance().setChoice(choice);
        int added = 0, removed = 0;
        for (QTextBlock block = browser(page)->document()->begin(); block.isValid(); block = block.next()) {
            added += block.text().startsWith(QLatin1Char('+')) &&
                     block.blockFormat().background().color() == theme.tint(widgets::Token::Ok);
            removed += block.text().startsWith(QLatin1Char('-')) &&
                       block.blockFormat().background().color() == theme.tint(widgets::Token::Error);
        }
        EXPECT_GT(added, 15);
        EXPECT_GT(removed, 2);
        test::take_picture(page->window(), choice == widgets::ThemeChoice::Dark ? "-dark" : "-light");
    }
    window_->showSide({QLatin1String(HelpPage::kKey), QStringLiteral("migration#a-program-and-its-counterpart")});
    EXPECT_EQ(page->shown().toStdString(), "migration#a-program-and-its-counterpart");
    int columns = 0;
    for (QTextFrame* frame : browser(page)->document()->rootFrame()->childFrames())
        if (auto* table = qobject_cast<QTextTable*>(frame); table != nullptr && table->rows() == 1)
            columns += table->columns() == 2;
    EXPECT_GE(columns, 4);
    test::take_picture(page->window(), "-columns");
    widgets::Theme::instance().setChoice(widgets::ThemeChoice::Dark);
    test::take_picture(page->window(), "-columns-dark");
    page->activate(QStringLiteral("desktop"));
    ASSERT_TRUE(QTest::qWaitFor([page] { return !page->isReading(); }));
    test::take_picture(page->window(), "-pictures");
}

TEST_F(HelpTest, AnAddressIsShownBeforeItIsOpened) {
    open();
    help();
    window_->showSide({QLatin1String(HelpPage::kKey), QStringLiteral("papers")});
    HelpPage* page = shownHelp();
    ASSERT_NE(page, nullptr);
    emit browser(page)->anchorClicked(QUrl(QStringLiteral("https://arxiv.org/abs/1710.03740")));
    auto* box = test::child<QMessageBox>(*page);
    ASSERT_NE(box, nullptr);
    EXPECT_EQ(box->informativeText(), QLatin1String("https://arxiv.org/abs/1710.03740"));
    box->reject();
    emit browser(page)->anchorClicked(QUrl(QStringLiteral("index.md")));
    EXPECT_EQ(page->shown().toStdString(), "index");
}

TEST_F(HelpTest, AMissingManualIsASentence) {
    ::setenv("TRAINYARD_MANUAL", (folder_.path() / "nothing").c_str(), 1);
    open();
    QTest::keyClick(window_.get(), Qt::Key_F1);
    SideWindow* side = window_->side({QLatin1String(HelpPage::kKey), {}});
    ASSERT_NE(side, nullptr);
    auto* message = test::child<widgets::InlineMessage>(*side->page());
    ASSERT_TRUE(QTest::qWaitFor([message] { return message->isVisible(); }));
    EXPECT_EQ(message->title(), QLatin1String("The manual is not installed"));
    EXPECT_TRUE(message->text().contains(Manual::installedFolder()));
}
