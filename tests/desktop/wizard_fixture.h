// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Test fixture with the wizard in the real main window, controlled by simulated mouse and keyboard input. The test
// describes the machine; all folders are temporary.

#include <fstream>
#include <memory>
#include <sstream>

#include <QAbstractItemView>
#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTest>

#include <gtest/gtest.h>

#include "config/accelerate/questionnaire.h"
#include "desktop/launch/engine_link.h"
#include "desktop/shell/main_window.h"
#include "desktop/shell/preferences.h"
#include "desktop/wizard/choice_card.h"
#include "desktop/wizard/field_editor.h"
#include "desktop/wizard/page_list.h"
#include "desktop/wizard/parallelism_page.h"
#include "desktop/wizard/step_page.h"
#include "desktop/wizard/wizard_page.h"
#include "desktop/wizard/written_panel.h"
#include "support/patience.h"
#include "support/temporary_folder.h"
#include "support/views_folder.h"
#include "widgets/field_row.h"
#include "widgets/segmented_control.h"
#include "widgets/theme.h"

namespace trainyard::test {

class WizardFixture : public testing::Test {
  protected:
    void SetUp() override {
        for (const char* name :
             {"XDG_STATE_HOME", "XDG_CONFIG_HOME", "XDG_DATA_HOME", "XDG_CACHE_HOME", "HF_HOME", "TRAINYARD_RUNS"})
            ::setenv(name, (folder_.path() / name).c_str(), 1);
        ::setenv("TRAINYARD_SAMPLE", "/nowhere/sample.yaml", 1);
        ::unsetenv("TRAINYARD_CONFIG");
        std::ofstream(folder_.path() / "text.txt") << std::string(200000, 'a');
        widgets::Theme::instance().install(*qApp);
    }
    void TearDown() override { window_.reset(); }

    static settings::Machine cpu() {
        settings::Machine machine;
        machine.physical_cores = 8;
        return machine;
    }
    static settings::Machine gpus(int count) {
        settings::Machine machine;
        machine.device = "cuda";
        machine.device_count = count;
        machine.physical_cores = 32;
        machine.deepspeed = "0.16.4";
        machine.fp8 = true;
        machine.device_names.assign(static_cast<std::size_t>(count), "NVIDIA H100");
        return machine;
    }
    void open(const settings::Machine& machine, const QSize& size = {1440, 900}) {
        machine_ = machine;
        desktop::Options options;
        options.size = size;
        window_.reset();  // before the preferences that it uses
        preferences_ = std::make_unique<desktop::Preferences>();
        window_ = std::make_unique<desktop::MainWindow>(preferences_.get(), options);
        window_->context()->setMachine(machine);
        window_->show();
        ASSERT_TRUE(QTest::qWaitForWindowActive(window_.get()));
        window_->open({QStringLiteral("new"), {}});
        settle();
    }
    desktop::WizardPage* wizard() { return window_->page<desktop::WizardPage>(); }
    desktop::RunDraft& draft() { return *wizard()->draft(); }
    void settle() {
        ASSERT_TRUE(QTest::qWaitFor([this] { return wizard()->isChecked(); }, 10000));
    }
    void press(Qt::Key key, Qt::KeyboardModifiers modifiers = Qt::NoModifier) {
        QWidget* focus = QApplication::focusWidget();
        QTest::keyClick(focus != nullptr ? focus : window_.get(), key, modifiers);
    }
    desktop::FieldEditor* editor(const char* key) {
        for (int i = 0; i < desktop::kSteps; ++i)
            if (auto* found = wizard()->page(static_cast<desktop::Step>(i))->editor(QLatin1String(key)))
                return found;
        return nullptr;
    }
    /// A window that becomes active again after a dialog gives its widget the focus in a later turn of events.
    static void waitForFocus(QWidget* widget, const char* key) {
        ASSERT_TRUE(QTest::qWaitFor([widget] { return widget->hasFocus(); }, kPatience)) << key;
    }
    /// Goes to the field and replaces its text.
    void type(const char* key, const QString& text) {
        ASSERT_TRUE(wizard()->goToField(QLatin1String(key))) << key;
        auto* field = qobject_cast<QLineEdit*>(editor(key)->widget());
        ASSERT_NE(field, nullptr) << key;
        waitForFocus(field, key);
        press(Qt::Key_A, Qt::ControlModifier);
        if (text.isEmpty())
            press(Qt::Key_Delete);
        QTest::keyClicks(field, text);
    }
    /// Selects a value with the mouse in a segmented control, otherwise with the keyboard.
    void choose(const char* key, const QString& value) {
        ASSERT_TRUE(wizard()->goToField(QLatin1String(key))) << key;
        desktop::FieldEditor* field = editor(key);
        if (auto* box = qobject_cast<QCheckBox*>(field->widget())) {
            if (field->value() != value)
                press(Qt::Key_Space);
            ASSERT_EQ(field->value(), value) << key;
            waitForFocus(box, key);
            return;
        }
        int index = -1;
        for (int i = 0; i < field->options().size(); ++i)
            if (field->options()[i].value == value)
                index = i;
        ASSERT_GE(index, 0) << key << " has no option " << value.toStdString();
        if (auto* segments = qobject_cast<widgets::SegmentedControl*>(field->widget())) {
            QTest::mouseClick(segments->button(index), Qt::LeftButton);
        } else {
            press(Qt::Key_Home);
            for (int i = 0; i < index; ++i)
                press(Qt::Key_Down);
        }
        ASSERT_EQ(editor(key)->value(), value) << key;
    }
    void clickCard(desktop::Layout layout) {
        wizard()->showStep(desktop::Step::Parallelism);
        auto* page = static_cast<desktop::ParallelismPage*>(wizard()->page(desktop::Step::Parallelism));
        QTest::mouseClick(page->card(layout), Qt::LeftButton);
        ASSERT_EQ(desktop::layoutOf(draft()), layout);
    }
    std::string problem(const char* key) {
        widgets::FieldRow* row = wizard()->row(QLatin1String(key));
        return row == nullptr ? "no such row" : row->problem().toStdString();
    }
    bool waitForProblem(const char* key) {
        return QTest::qWaitFor([&] { return !problem(key).empty(); }, 5000);
    }
    std::string yaml() { return draft().draft().text(); }
    /// Returns the YAML that the question tree writes for these answers, as the text questionnaire does.
    std::string expected(const settings::Answers& answers) {
        const settings::Questionnaire tree(machine_);
        return settings::to_text(tree.settings(answers), settings::Format::yaml);
    }
    std::string file(const char* name) const { return (folder_.path() / name).string(); }
    std::string content(const std::string& path) const {
        std::ifstream in(path);
        std::stringstream all;
        all << in.rdbuf();
        return all.str();
    }
    void write(const char* name, const std::string& text) const { std::ofstream(folder_.path() / name) << text; }
    void load(const char* name) {
        wizard()->opener()->load(QString::fromStdString(file(name)));
        settle();
    }
    /// Installs a fake engine, a shell script that records its arguments.
    void fakeEngine(const std::string& script) {
        const std::filesystem::path program = folder_.path() / "trainyard";
        std::ofstream(program) << "#!/bin/sh\n"
                               << "if [ \"$1\" = --version ]; then echo trainyard 9.9; exit 0; fi\n"
                               << "for a in \"$@\"; do echo \"$a\"; done > '" << file("arguments") << "'\n"
                               << script << "\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        window_->engine()->locate(QString::fromStdString(program.string()));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }));
    }
    std::vector<std::string> arguments() const {
        std::ifstream in(file("arguments"));
        std::vector<std::string> words;
        for (std::string line; std::getline(in, line);)
            words.push_back(line);
        return words;
    }
    void goodRecipe() {
        type("data.path", QString::fromStdString(file("text.txt")));
        type("data.pattern", QStringLiteral("*"));
        settle();
    }

    ViewsFolder views_;
    TemporaryFolder folder_;
    settings::Machine machine_;
    std::unique_ptr<desktop::Preferences> preferences_;
    std::unique_ptr<desktop::MainWindow> window_;
};

}  // namespace trainyard::test
