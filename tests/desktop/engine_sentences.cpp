// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the engine in a German window.
#include <QLabel>
#include <QSignalSpy>

#include "cli/problem_json.h"
#include "desktop/alarms/alarm_service.h"
#include "desktop/dashboard/event_words.h"
#include "desktop/launch/check_table.h"
#include "desktop/launch/launch_page.h"
#include "desktop/text/qt_text.h"
#include "support/shown_words.h"
#include "widgets/languages.h"
#include "wizard_fixture.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {

class EngineSentences : public test::WizardFixture {
  protected:
    void SetUp() override {
        test::WizardFixture::SetUp();
        widgets::Languages::install(*qApp, QStringLiteral("de"));
    }
    void TearDown() override {
        test::WizardFixture::TearDown();
        widgets::Languages::install(*qApp, QStringLiteral("en"));
    }
};

std::string said(const Message& message) {
    return widgets::local_message(message).toStdString();
}

}  // namespace

TEST_F(EngineSentences, AWrongValueOfTheRecipeIsSaidInGerman) {
    open(cpu());
    goodRecipe();
    type("training.steps", QStringLiteral("0"));
    ASSERT_TRUE(waitForProblem("training.steps"));
    EXPECT_EQ(problem("training.steps"), "Muss von 1 bis 1000000000000 sein, nicht 0");
    type("training.steps", QStringLiteral("many"));
    ASSERT_TRUE(QTest::qWaitFor([&] { return problem("training.steps").find("many") != std::string::npos; }, 5000));
    EXPECT_EQ(problem("training.steps"), "Erwartet: eine ganze Zahl, gefunden: 'many'");
}

TEST_F(EngineSentences, SettingsThatContradictEachOtherAreSaidInGerman) {
    open(gpus(4));
    type("num_processes", QStringLiteral("1"));
    ASSERT_TRUE(waitForProblem("num_processes"));
    EXPECT_EQ(problem("num_processes"),
              "MULTI_GPU mit 1 Prozess auf 1 Maschine nutzt nur eine GPU: mindestens 2 nehmen oder "
              "den Maschinentyp NO wählen");
}

TEST_F(EngineSentences, ALaunchThatIsRefusedSaysWhyInGerman) {
    open(cpu());
    fakeEngine("echo '{\"run_id\":\"r1\",\"path\":\"/runs/r1\"}'");
    ::setenv("TRAINYARD_WORKER", "/bin/true", 1);
    LaunchRequest request;
    request.name = QStringLiteral("x");
    request.recipe_file = QString::fromStdString(file("x.yaml"));
    request.words = QStringList{request.recipe_file};
    std::ofstream(request.recipe_file.toStdString())
        << "name: x\nmodel: {n_layer: 2, n_head: 2, n_embd: 32, n_positions: 32}\n"
        << "data: {path: /nowhere/at/all, sequence_length: 32}\ntraining: {steps: 4, batch_size: 2}\n";
    open_launch(window_->context(), request);
    LaunchPage* page = window_->page<LaunchPage>();
    ASSERT_TRUE(QTest::qWaitFor([&] { return page->stage() == LaunchPage::Stage::Checked; }, 10000));
    ::unsetenv("TRAINYARD_WORKER");
    EXPECT_TRUE(test::shown_words(*page).contains(QStringLiteral("Daten lesbar")));
    EXPECT_TRUE(test::shown_words(*page).contains(QStringLiteral("/nowhere/at/all existiert nicht")));
    EXPECT_TRUE(arguments().empty()) << "nothing was started";
    // The engine itself refuses.
    const Message nowhere("{} does not exist", "/nowhere/at/all");
    fakeEngine("echo '" + cli::problems_json(InvalidInput({{"", 0, 0, "data.path", nowhere}})) + "'; exit 2");
    QString refused;
    window_->engine()->start({file("x.yaml").c_str()}, [&](const QString&, const QString& error) { refused = error; });
    ASSERT_TRUE(QTest::qWaitFor([&] { return !refused.isEmpty(); }, 10000));
    EXPECT_EQ(refused, QStringLiteral("data.path: /nowhere/at/all existiert nicht"));
}

TEST_F(EngineSentences, WhatTheJournalSaysIsShownInGermanAndNotesStay) {
    const Message killed("rank {} on {} was killed by {} {}", 1, "vm", Message("signal {} (SIG{})", 9, "KILL"),
                         Message("at step {}", 18));
    const EventWords failed = event_words({0, 18, "failure", 1, killed, {}, 0});
    EXPECT_EQ(failed.title, QStringLiteral("Rank 1 auf vm wurde durch Signal 9 (SIGKILL) beendet, bei Schritt 18"));
    const Message saved("checkpoint {}, {} in {}, training paused for {}", 300, "10.0 MB", "34 ms", "2 ms");
    EXPECT_EQ(event_words({0, 300, "checkpoint", -1, saved, {}, 1e7}).more.toStdString(),
              "10,0 MB in 34 ms, Training für 2 ms pausiert");
    const Message asked("{} asked from the {}", "set", "desktop");
    EXPECT_EQ(event_words({0, 12, "request", -1, asked, {}, 0}).more, QStringLiteral("vom Desktop"));
    const EventWords note = event_words({0, 12, "note", -1, Message::verbatim("No such file or directory"), {}, 0});
    EXPECT_EQ(note.title, QStringLiteral("No such file or directory")) << "what a person wrote";
    const EventWords alarm = event_words({0, 12, "note", -1, Message("alarm: {}", killed), {}, 0});
    EXPECT_TRUE(alarm.title.startsWith(QStringLiteral("Alarm: Rank 1 auf vm"))) << alarm.title.toStdString();
}

TEST_F(EngineSentences, OfTheSystemAndOfTables) {
    const auto failed = [](int error) { return Message("cannot write {}: {}", "/x", system_message(error)); };
    EXPECT_EQ(
        said(Message("rank {} on {} failed {}: {}", 3, "gpu-a", Message("at step {} ({})", 12, "backward"),
                     failed(ENOSPC))),
        "Rank 3 auf gpu-a ist bei Schritt 12 (backward) fehlgeschlagen: /x kann nicht geschrieben werden: Auf dem "
        "Gerät ist kein Speicherplatz mehr verfügbar");
    EXPECT_EQ(said(Message::verbatim("RuntimeError: expected scalar type Float but found Half")),
              "RuntimeError: expected scalar type Float but found Half")
        << "of another program";
    EXPECT_EQ(said(Message("{} has no effect: it counts only when {}", "fsdp_forward_prefetch",
                           Message::table_text("fsdp_version is 1"))),
              "fsdp_forward_prefetch hat keine Wirkung: es zählt nur, wenn fsdp_version 1 ist");
}

TEST_F(EngineSentences, LongTextsAreCutBetweenLetters) {
    const std::string shorter(1499, 'x');
    EXPECT_EQ(qtSentence(Message::verbatim(shorter)), qt(shorter));
    EXPECT_EQ(qtSentence(Message::verbatim(shorter + "\xF0\x9F\x98\x80 and more")), qt(shorter) + QChar(0x2026));
}
