#include "widgets/sentences.h"

#include <algorithm>
#include <chrono>

#include <QBuffer>
#include <QFile>

#include <gtest/gtest.h>

using trainyard::widgets::Sentences;

namespace {

std::string in_german(const std::string& english) {
    static const Sentences sentences({
        {QStringLiteral("unknown key '%1'%2"), QStringLiteral("unbekannter Schlüssel '%1'%2")},
        {QStringLiteral(": did you mean '%1'?"), QStringLiteral(": war '%1' gemeint?")},
        {QStringLiteral("cannot read %1: %2"), QStringLiteral("%1 ist nicht lesbar: %2")},
        {QStringLiteral("cannot write %1: %2"), QStringLiteral("%1 ist nicht beschreibbar: %2")},
        {QStringLiteral("No space left on device"), QStringLiteral("Kein Platz mehr")},
        {QStringLiteral("Permission denied"), QStringLiteral("Keine Berechtigung")},
        {QStringLiteral("(%1 free): make room"), QStringLiteral("(%1 frei): Platz schaffen")},
        {QStringLiteral("must be %1, not %2"), QStringLiteral("muss %1 sein, nicht %2")},
        {QStringLiteral("at least %1"), QStringLiteral("mindestens %1")},
        {QStringLiteral("rank %1 on %2 failed %3: %4"), QStringLiteral("auf %2 ist Rank %1 %3 fehlgeschlagen: %4")},
        {QStringLiteral("at step %1"), QStringLiteral("bei Schritt %1")},
        {QStringLiteral("`%1` has no unit: write %1ms"), QStringLiteral("`%1` hat keine Einheit: %1ms schreiben")},
        {QStringLiteral("%1 is missing"), QStringLiteral("fehlt: %1")},
        {QStringLiteral("tensor %1 of %2 is missing"), QStringLiteral("in %2 fehlt der Tensor %1")},
        {QStringLiteral("%1 of %2"), QStringLiteral("%1 von %2")},
        {QStringLiteral("%1 % of %2 are free, 100 % are needed"),
         QStringLiteral("nötig sind 100 %, frei sind %1 % von %2")},
        {QStringLiteral("it is too old"), QString()},
        {QStringLiteral("copy %1 to %2"), QStringLiteral("nach %2 kopieren: %1")},
        {QStringLiteral("; %1 left"), QStringLiteral("; %1 übrig")},
        {QStringLiteral("%1 rank"), QStringLiteral("%1 Rank")},
        {QStringLiteral("killed by %1 %2"), QStringLiteral("beendet %2 durch %1")},
        {QStringLiteral("nothing"), QStringLiteral("nichts")},
    });
    return sentences.translated(QString::fromStdString(english)).toStdString();
}

}  // namespace

TEST(Sentences, ValuesStandWhereTheTranslationHasThem) {
    EXPECT_EQ(in_german("/a/b.txt is missing"), "fehlt: /a/b.txt");
    EXPECT_EQ(in_german("tensor wte of model.safetensors is missing"), "in model.safetensors fehlt der Tensor wte");
    EXPECT_EQ(in_german("`dur>5` has no unit: write dur>5ms"), "`dur>5` hat keine Einheit: dur>5ms schreiben");
    EXPECT_EQ(in_german("`dur>5` has no unit: write dur>6ms"), "`dur>5` has no unit: write dur>6ms")
        << "the same value twice";
}

TEST(Sentences, ASentenceCanHoldOthers) {
    EXPECT_EQ(in_german("cannot read /my data/x: Permission denied"),
              "/my data/x ist nicht lesbar: Keine Berechtigung");
    EXPECT_EQ(in_german("rank 3 on gpu-a failed at step 12: cannot read /x: Permission denied"),
              "auf gpu-a ist Rank 3 bei Schritt 12 fehlgeschlagen: /x ist nicht lesbar: Keine Berechtigung");
    EXPECT_EQ(in_german("unknown key 'stpes': did you mean 'steps'?"),
              "unbekannter Schlüssel 'stpes': war 'steps' gemeint?");
}

TEST(Sentences, ANameMayStandBeforeASentenceThatIsAValue) {
    EXPECT_EQ(in_german("must be x, not steps at least 5"), "muss x sein, nicht steps mindestens 5");
    EXPECT_EQ(in_german("must be x, not two steps at least 5"), "muss x sein, nicht two steps at least 5");
}

TEST(Sentences, WordsOfTheTablesComeBeforeWhatTheyAreMadeOf) {
    const Sentences sentences({{QStringLiteral("it counts when %1"), QStringLiteral("es zählt, wenn %1")},
                               {QStringLiteral(", or %1"), QStringLiteral(", oder %1")}},
                              [](const QString& english) {
                                  return english == QStringLiteral("a is b, or c") ? QStringLiteral("a b oder c ist")
                                                                                   : QString();
                              });
    EXPECT_EQ(sentences.translated(QStringLiteral("it counts when a is b, or c")).toStdString(),
              "es zählt, wenn a b oder c ist");
    EXPECT_EQ(sentences.translated(QStringLiteral("it counts when x is b, or c")).toStdString(),
              "es zählt, wenn x is b, oder c");
}

TEST(Sentences, FiguresHaveTheirUnit) {
    EXPECT_EQ(in_german("copy 1 rank to b"), "nach b kopieren: 1 Rank");
    EXPECT_EQ(in_german("copy 14.9 GB to b"), "nach b kopieren: 14.9 GB");
}

TEST(Sentences, PlacesStandBeforeASentenceAndMoreBehindIt) {
    EXPECT_EQ(in_german("run.yaml:3:5: training.steps: must be at least 1, not 0"),
              "run.yaml:3:5: training.steps: muss mindestens 1 sein, nicht 0");
    EXPECT_EQ(in_german("cannot write /a/b: No space left on device (3.2 GB free): make room"),
              "/a/b ist nicht beschreibbar: Kein Platz mehr (3.2 GB frei): Platz schaffen");
    EXPECT_EQ(in_german("run.yaml:3: a key: the text \"x\" is missing"), "run.yaml:3: a key: fehlt: the text \"x\"")
        << "a place is no value";
    EXPECT_EQ(in_german("killed by signal 9 at step 18; 3 left"), "beendet bei Schritt 18 durch signal 9; 3 übrig");
    EXPECT_EQ(in_german("  x is missing\ncannot read y: it broke\n"), "  fehlt: x\ny ist nicht lesbar: it broke\n");
}

TEST(Sentences, WhatNoFormFitsStaysEnglish) {
    EXPECT_EQ(in_german(""), "");
    EXPECT_EQ(in_german("a sentence of another version"), "a sentence of another version");
    EXPECT_EQ(in_german("it is too old"), "it is too old") << "not translated yet";
    EXPECT_EQ(in_german("3 of 5"), "3 von 5");
    EXPECT_EQ(in_german("the rank of the last machine has left"), "the rank of the last machine has left")
        << "a form of one short word is no sentence about any text";
}

TEST(Sentences, WhatIsQuotedIsNeverChanged) {
    EXPECT_EQ(in_german("unknown key 'Permission denied'"), "unbekannter Schlüssel 'Permission denied'");
    EXPECT_EQ(in_german("unknown key 'x is missing': did you mean 'y is missing'?"),
              "unbekannter Schlüssel 'x is missing': war 'y is missing' gemeint?");
    EXPECT_EQ(in_german("cannot read /data/no%20%1/%2: Permission denied"),
              "/data/no%20%1/%2 ist nicht lesbar: Keine Berechtigung");
}

TEST(Sentences, TheFormWithTheMostWordsCounts) {
    EXPECT_EQ(in_german("cannot read x: tensor a of b is missing"), "x ist nicht lesbar: in b fehlt der Tensor a");
}

TEST(Sentences, WhereAFormFitsInSeveralWaysItDoesNotCount) {
    EXPECT_EQ(in_german("copy a to b"), "nach b kopieren: a");
    EXPECT_EQ(in_german("copy my way to a to b"), "copy my way to a to b");
}

TEST(Sentences, SignsBetweenValuesStandWhereMostIsUnderstood) {
    EXPECT_EQ(in_german("killed by signal 9 (KILL) at step 18"), "beendet bei Schritt 18 durch signal 9 (KILL)");
    EXPECT_EQ(in_german("cannot read /a: b: Permission denied"), "/a ist nicht lesbar: b: Keine Berechtigung");
}

TEST(Sentences, PercentSignsArePercentSigns) {
    EXPECT_EQ(in_german("5 % of 3 GB are free, 100 % are needed"), "nötig sind 100 %, frei sind 5 % von 3 GB");
}

TEST(Sentences, MarkedWordsAreTranslatedWhereTheyAreAValue) {
    EXPECT_EQ(in_german("must be nothing, not x"), "muss nichts sein, nicht x");
    EXPECT_EQ(in_german("unknown key 'nothing'"), "unbekannter Schlüssel 'nothing'");
    EXPECT_EQ(in_german("nothing"), "nothing") << "alone it may be a name";
}

TEST(Sentences, BlanksBesideAValueAreThoseOfItsScript) {
    const Sentences sentences({
        {QStringLiteral("must be %1, not %2"), QStringLiteral("必须是%1，而不是 %2")},
        {QStringLiteral("at least %1"), QStringLiteral("至少 %1")},
        {QStringLiteral("%1 to %2"), QStringLiteral("%1 到 %2")},
        {QStringLiteral("nothing"), QStringLiteral("空")},
        {QStringLiteral("cannot read %1 (%2): %3"), QStringLiteral("无法读取 %1 的 %2 行：%3")},
        {QStringLiteral("'%1' is unknown"), QStringLiteral("'%1' 未知")},
    });
    const auto in_chinese = [&](const char* english) {
        return sentences.translated(QString::fromLatin1(english)).toStdString();
    };
    EXPECT_EQ(in_chinese("must be 1 to 5, not x"), "必须是 1 到 5，而不是 x");
    EXPECT_EQ(in_chinese("must be at least 1, not nothing"), "必须是至少 1，而不是空");
    EXPECT_EQ(in_chinese("must be 'a', not 'b'"), "必须是'a'，而不是 'b'") << "as the translation has it";
    EXPECT_EQ(in_chinese("' a ' is unknown"), "' a ' 未知");
    EXPECT_EQ(in_chinese("cannot read /a (): 'b' is unknown"), "无法读取 /a 的行：'b' 未知")
        << "without the second value";
}

TEST(Sentences, AreReadFromACatalogue) {
    QByteArray text(
        "<TS><context><name>engine/base</name><message><source>a &lt; %1</source><translation>%1 &gt; "
        "a</translation></message><message><source>b</source><translation type=\"unfinished\"/>"
        "</message></context></TS>");
    QBuffer file(&text);
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    const auto forms = Sentences::formsOf(file);
    ASSERT_EQ(forms.size(), 2u);
    EXPECT_EQ(forms[0].source, QStringLiteral("a < %1"));
    EXPECT_EQ(forms[0].translation, QStringLiteral("%1 > a"));
    EXPECT_TRUE(forms[1].translation.isEmpty());
}

/// Every sentence of the engine, behind a place and with values, is found, and in far less time than a frame of the window has.
TEST(Sentences, AllOfTheEnginesAreFoundFast) {
    QFile file(QStringLiteral(TRAINYARD_SOURCE_DIR "/resources/translations/sentences_de.ts"));
    ASSERT_TRUE(file.open(QIODevice::ReadOnly));
    std::vector<Sentences::Form> forms = Sentences::formsOf(file);
    ASSERT_GT(forms.size(), 2500u);
    for (Sentences::Form& form : forms)
        form.translation = QStringLiteral("found ") + form.source;
    const Sentences sentences(forms);
    int lost = 0;
    std::vector<double> milliseconds;
    for (const Sentences::Form& form : forms) {
        // A single word counts as a value.
        const bool is_word = !form.source.contains(u' ');
        QString text = is_word ? QStringLiteral("expected v1, got ") + form.source : form.source;
        for (int i = 9; i > 0; --i)
            text.replace(QStringLiteral("%%1").arg(i), QStringLiteral("v%1").arg(i));
        text.prepend(QStringLiteral("/some where/run.yaml:3:5: "));
        const auto began = std::chrono::steady_clock::now();
        const QString translated = sentences.translated(text);
        milliseconds.push_back(
            std::chrono::duration<double, std::milli>(std::chrono::steady_clock::now() - began).count());
        lost += translated == text || (is_word && !translated.contains(form.translation)) ? 1 : 0;
    }
    EXPECT_EQ(lost, 0);
    std::sort(milliseconds.begin(), milliseconds.end());
    // Of a machine that does other things, too.
    EXPECT_LT(milliseconds[milliseconds.size() * 95 / 100], 1);
}
