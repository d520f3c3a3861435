// SPDX-License-Identifier: GPL-3.0-or-later
// Scripts of the user: interpreters that are found, folder, variables and name, through the real engine.

#include <QComboBox>
#include <QSignalSpy>

#include "desktop/launch/check_table.h"
#include "desktop/launch/launch_page.h"
#include "desktop/wizard/script_page.h"
#include "desktop/wizard_fixture.h"
#include "run/run_labels.h"
#include "run/spec.h"
#include "run/state.h"
#include "support/child.h"
#include "support/patience.h"
#include "support/picture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class OwnScripts : public test::WizardFixture {
  protected:
    void SetUp() override {
        WizardFixture::SetUp();
        ::setenv("HOME", folder_.path().c_str(), 1);
        for (const char* name : {"VIRTUAL_ENV", "CONDA_PREFIX", "PYENV_ROOT", "WORKON_HOME", "TRAINYARD_PYTHON"})
            ::unsetenv(name);
        std::filesystem::create_directories(folder_.path() / "work");
        write("work/train.py",
              "import os, sys\nopen(os.environ['ANSWER'], 'w').write("
              "os.getcwd() + '|' + os.environ['GREETING'] + '|' + sys.argv[1])\n");
    }
    /// An environment whose program is a shell script around the system's Python.
    std::string environment(const char* folder, const char* torch) {
        const std::filesystem::path root = folder_.path() / folder;
        std::filesystem::create_directories(root / "bin");
        std::filesystem::create_directories(root / "lib/python3.11/site-packages");
        if (*torch != '\0')
            std::filesystem::create_directories(root / "lib/python3.11/site-packages" /
                                                (std::string("torch-") + torch + ".dist-info"));
        std::ofstream(root / "pyvenv.cfg") << "home = /usr/bin\nversion = 3.11.9\n";
        const std::filesystem::path program = root / "bin" / "python";
        std::ofstream(program) << "#!/bin/sh\n"
                               << "if [ \"$1\" = --version ]; then echo Python 3.11.9; exit 0; fi\n"
                               << (*torch == '\0'
                                       ? "if [ \"$1\" = -c ]; then echo No module named torch >&2; exit 1; fi\n"
                                       : "if [ \"$1\" = -c ]; then echo 2.5.1; exit 0; fi\n")
                               << "echo used >> '" << (root / "used").string() << "'\nexec /usr/bin/python3 \"$@\"\n";
        std::filesystem::permissions(program, std::filesystem::perms::owner_all);
        return program.string();
    }
    /// In both themes, where TRAINYARD_TEST_PICTURES names a folder.
    void picture(const char* name) {
        using widgets::ThemeChoice;
        if (std::getenv("TRAINYARD_TEST_PICTURES") == nullptr)
            return;
        for (const auto& [choice, suffix] :
             {std::pair(ThemeChoice::Light, "-light-"), std::pair(ThemeChoice::Dark, "-dark-")}) {
            widgets::Theme::instance().setChoice(choice);
            test::take_picture(window_.get(), (suffix + std::string(name)).c_str());
        }
        widgets::Theme::instance().setChoice(ThemeChoice::System);
    }
    ScriptPage* page() { return static_cast<ScriptPage*>(wizard()->page(Step::Script)); }
    const Interpreter* found(const std::string& program) {
        for (const Interpreter& one : page()->interpreters())
            if (one.path.toStdString() == program)
                return &one;
        return nullptr;
    }
    void realEngine() {
        window_->engine()->locate(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard"));
        ASSERT_TRUE(QTest::qWaitFor([this] { return window_->engine()->isReady(); }, kPatience));
    }
};

}  // namespace

TEST_F(OwnScripts, EnvironmentsAreFoundAndListedWithTheirVersions) {
    const std::string near = environment("work/.venv", "2.5.1");
    const std::string conda = environment("miniconda3/envs/deep", "");
    open(cpu());
    draft().setPurpose(Purpose::Script);
    type("script", QString::fromStdString(file("work/train.py")));
    ASSERT_TRUE(QTest::qWaitFor([&] { return found(near) != nullptr && found(conda) != nullptr; }, kPatience));
    EXPECT_EQ(*found(near), (Interpreter{QString::fromStdString(near), "venv", ".venv", "3.11.9", "2.5.1"}));
    EXPECT_EQ(found(conda)->kind, QStringLiteral("conda"));
    EXPECT_EQ(found(conda)->torch, QString());
    EXPECT_FALSE(std::filesystem::exists(folder_.path() / "work/.venv/used")) << "nothing is executed to list it";
    ASSERT_TRUE(wizard()->goToField(QStringLiteral("script_interpreter")));
    auto* box = qobject_cast<QComboBox*>(editor("script_interpreter")->widget());
    ASSERT_NE(box, nullptr);
    const int at = box->findData(QString::fromStdString(near));
    ASSERT_GE(at, 0);
    EXPECT_EQ(box->itemText(at), QStringLiteral(".venv (venv) · Python 3.11.9 · torch 2.5.1"));
    choose("script_interpreter", QString::fromStdString(near));
    EXPECT_EQ(draft().script().interpreter.toStdString(), near);
    picture("script");
}

TEST_F(OwnScripts, AWrongLineOfVariablesIsSaidAtItsField) {
    open(cpu());
    draft().setPurpose(Purpose::Script);
    type("script", QString::fromStdString(file("work/train.py")));
    ScriptChoice script = draft().script();
    script.variables = QStringLiteral("A=1\nno value");
    draft().setScript(script);
    settle();
    wizard()->showStep(Step::Script);
    ASSERT_TRUE(waitForProblem("script_variables"));
    picture("wrong");
    EXPECT_NE(problem("script_variables").find("no value"), std::string::npos) << problem("script_variables");
}

TEST_F(OwnScripts, AScriptRunsWithItsInterpreterFolderVariablesAndName) {
    const std::string python = environment("work/.venv", "2.5.1");
    open(cpu());
    ASSERT_NO_FATAL_FAILURE(realEngine());
    draft().setPurpose(Purpose::Script);
    std::filesystem::create_directories(folder_.path() / "place");
    ScriptChoice script;
    script.path = QString::fromStdString(file("work/train.py"));
    script.arguments = QStringLiteral("\"two words\"");
    script.interpreter = QString::fromStdString(python);
    script.folder = QString::fromStdString(file("place"));
    script.variables = QString::fromStdString("ANSWER=" + file("answer") + "\nGREETING=hello there");
    script.name = QStringLiteral("my script");
    draft().setScript(script);
    settle();
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    wizard()->primaryAction();
    ASSERT_TRUE(QTest::qWaitFor([&] { return launched.count() == 1; }, kPatience))
        << test::child<CheckTable>(*window_->page<LaunchPage>())->report().toStdString()
        << window_->page<LaunchPage>()->message()->text().toStdString();
    ASSERT_TRUE(QTest::qWaitFor([&] { return content(file("answer")).ends_with("words"); }, kPatience));
    EXPECT_EQ(content(file("answer")), file("place") + "|hello there|two words");
    EXPECT_TRUE(std::filesystem::exists(folder_.path() / "work/.venv/used"));
    const std::filesystem::path run = std::filesystem::directory_iterator(folder_.path() / "TRAINYARD_RUNS")->path();
    const run::RunSpec spec = run::read_spec(run / "run.yaml");
    EXPECT_EQ(spec.recipe.name, "my script");
    EXPECT_EQ(spec.program->directory, file("place"));
    EXPECT_EQ(spec.program->environment.at("GREETING"), "hello there");

    // Edited and run again: all of it is in the form.
    wizard()->opener()->editAgain(QString::fromStdString((run / "run.yaml").string()));
    ASSERT_TRUE(QTest::qWaitFor([&] { return draft().script().interpreter.toStdString() == python; }, kPatience));
    EXPECT_EQ(draft().script().kind, ScriptChoice::Kind::File);
    EXPECT_EQ(draft().script().path.toStdString(), file("work/train.py"));
    EXPECT_EQ(draft().script().folder.toStdString(), file("place"));
    EXPECT_EQ(draft().script().arguments, QStringLiteral("\"two words\""));
    EXPECT_TRUE(draft().script().variables.contains(QStringLiteral("GREETING=hello there")));
    EXPECT_FALSE(draft().script().variables.contains(QStringLiteral("ACCELERATE_"))) << "the settings set these";
}

TEST_F(OwnScripts, AnInterpreterWithoutTorchFailsTheCheck) {
    const std::string python = environment("work/.venv", "");
    open(cpu());
    ASSERT_NO_FATAL_FAILURE(realEngine());
    draft().setPurpose(Purpose::Script);
    ScriptChoice script;
    script.path = QString::fromStdString(file("work/train.py"));
    script.interpreter = QString::fromStdString(python);
    draft().setScript(script);
    settle();
    QSignalSpy launched(window_.get(), &MainWindow::runLaunched);
    wizard()->primaryAction();
    auto* table = [this] { return test::child<CheckTable>(*window_->page<LaunchPage>()); }();
    ASSERT_TRUE(QTest::qWaitFor([&] { return table->all() > 0 && table->done() == table->all(); }, kPatience));
    EXPECT_EQ(table->count(remote::CheckResult::State::failed), 1) << table->report().toStdString();
    EXPECT_TRUE(table->report().contains(QStringLiteral("torch cannot be imported"))) << table->report().toStdString();
    EXPECT_EQ(launched.count(), 0);
}
