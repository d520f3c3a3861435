// SPDX-License-Identifier: GPL-3.0-or-later
// Messages of the engine in a language: the literal is looked up, and values stand where the translation has them.

#include <QApplication>
#include <QLocale>
#include <QTranslator>

#include <gtest/gtest.h>

#include "base/error.h"
#include "support/catalogue.h"
#include "widgets/languages.h"
#include "widgets/local_text.h"

using trainyard::Message;
using trainyard::widgets::local_message;

namespace {

/// Knows what the test says, in the context of the engine.
class Translations : public QTranslator {
  public:
    explicit Translations(std::map<QString, QString> all) : all_(std::move(all)) {
        QCoreApplication::installTranslator(this);
    }
    ~Translations() override { QCoreApplication::removeTranslator(this); }
    QString translate(const char* context, const char* text, const char*, int) const override {
        const auto found = all_.find(QString::fromUtf8(text));
        return QString::fromUtf8(context) == QStringLiteral("trainyard::engine") && found != all_.end() ? found->second
                                                                                                        : QString();
    }
    bool isEmpty() const override { return false; }

  private:
    std::map<QString, QString> all_;
};

const std::map<QString, QString> kGerman{
    {QStringLiteral("cannot read {}: {}"), QStringLiteral("{} ist nicht lesbar: {}")},
    {QStringLiteral("Permission denied"), QStringLiteral("Keine Berechtigung")},
    {QStringLiteral("rank {} on {} failed {}: {}"), QStringLiteral("auf {1} ist Rank {0} {2} fehlgeschlagen: {3}")},
    {QStringLiteral("at step {}"), QStringLiteral("bei Schritt {}")},
    {QStringLiteral("`{0}` has no unit: write {0}ms"), QStringLiteral("{0}ms statt `{0}` schreiben")},
    {QStringLiteral("{:.1f} % of {} are free"), QStringLiteral("von {1} sind {0} % frei")},
    {QStringLiteral("give its type (types: {{{}: text}})"), QStringLiteral("den Typ angeben (types: {{{}: text}})")},
    {QStringLiteral("{} entries"), QStringLiteral("Einträge: {}")},
};

std::string said(const Message& message) {
    return local_message(message).toStdString();
}

}  // namespace

TEST(LocalMessage, ValuesStandWhereTheTranslationHasThem) {
    const Translations german(kGerman);
    EXPECT_EQ(said(Message("`{0}` has no unit: write {0}ms", "dur>5")), "dur>5ms statt `dur>5` schreiben");
    EXPECT_EQ(said(Message("{:.1f} % of {} are free", 12.34, "3 GB")), "von 3 GB sind 12.3 % frei");
    EXPECT_EQ(said(Message("give its type (types: {{{}: text}})", "a")), "den Typ angeben (types: {a: text})");
}

TEST(LocalMessage, NumbersThatTheEngineFormattedHaveTheSeparatorsOfTheLanguage) {
    const Translations german(kGerman);
    const QLocale before;
    QLocale::setDefault(QLocale(QLocale::German));
    EXPECT_EQ(said(Message("{:.1f} % of {} are free", 12.34, "1.5 GiB")), "von 1,5 GiB sind 12,3 % frei");
    EXPECT_EQ(said(Message("{} entries", "2,097,152")), "Einträge: 2.097.152");
    // Numbers that are typed with a point, and texts that are not quantities.
    EXPECT_EQ(said(Message("{} entries", "0.1")), "Einträge: 0.1");
    EXPECT_EQ(said(Message("{} entries", "torch 2.4")), "Einträge: torch 2.4");
    QLocale::setDefault(QLocale(QLocale::Chinese));
    EXPECT_EQ(said(Message("{:.1f} % of {} are free", 12.34, "1.5 GiB")), "von 1.5 GiB sind 12.3 % frei");
    QLocale::setDefault(before);
}

TEST(LocalMessage, AMessageCanHoldOthers) {
    const Translations german(kGerman);
    const Message denied("cannot read {}: {}", "/my data/x", trainyard::system_message(EACCES));
    EXPECT_EQ(said(denied), "/my data/x ist nicht lesbar: Keine Berechtigung");
    EXPECT_EQ(said(Message("rank {} on {} failed {}: {}", 3, "gpu-a", Message("at step {}", 12), denied)),
              "auf gpu-a ist Rank 3 bei Schritt 12 fehlgeschlagen: /my data/x ist nicht lesbar: Keine Berechtigung");
    EXPECT_EQ(said(Message::joined({denied, Message("{} entries", 5)})),
              "/my data/x ist nicht lesbar: Keine Berechtigung; Einträge: 5");
    EXPECT_EQ(said(trainyard::Problem{"run.yaml", 3, 5, "data.path", denied}.text()),
              "run.yaml:3:5: data.path: /my data/x ist nicht lesbar: Keine Berechtigung");
}

TEST(LocalMessage, WhatTheCatalogueDoesNotHaveStaysEnglish) {
    const Translations german(kGerman);
    EXPECT_EQ(said(Message()), "");
    EXPECT_EQ(said(Message("a text of another version")), "a text of another version");
    EXPECT_EQ(said(Message("{} of another version", Message("at step {}", 5))), "bei Schritt 5 of another version");
    EXPECT_EQ(said(Message::verbatim("Permission denied")), "Permission denied") << "a name, or of another program";
    EXPECT_EQ(said(Message("cannot read {}: {}", "Permission denied", "{}")), "Permission denied ist nicht lesbar: {}");
    EXPECT_EQ(said(Message::from_parts("rank {} on {} failed {}: {}", {Message::verbatim("1")})),
              "auf ist Rank 1 fehlgeschlagen: ")
        << "values that are missing";
}

TEST(LocalMessage, BlanksBesideAValueAreThoseOfItsScript) {
    const Translations chinese({
        {QStringLiteral("must be {}, not {}"), QStringLiteral("必须是{}，而不是 {}")},
        {QStringLiteral("at least {}"), QStringLiteral("至少 {}")},
        {QStringLiteral("{} to {}"), QStringLiteral("{} 到 {}")},
        {QStringLiteral("nothing"), QStringLiteral("空")},
        {QStringLiteral("cannot read {} ({}): {}"), QStringLiteral("无法读取 {} 的 {} 行：{}")},
        {QStringLiteral("'{}' is unknown"), QStringLiteral("'{}' 未知")},
    });
    EXPECT_EQ(said(Message("must be {}, not {}", Message("{} to {}", 1, 5), "x")), "必须是 1 到 5，而不是 x");
    EXPECT_EQ(said(Message("must be {}, not {}", Message("at least {}", 1), Message("nothing"))),
              "必须是至少 1，而不是空");
    EXPECT_EQ(said(Message("must be {}, not {}", "'a'", "'b'")), "必须是'a'，而不是 'b'")
        << "as the translation has it";
    EXPECT_EQ(said(Message("'{}' is unknown", " a ")), "' a ' 未知");
    EXPECT_EQ(said(Message("cannot read {} ({}): {}", "/a", "", Message("'{}' is unknown", "b"))),
              "无法读取 /a 的行：'b' 未知")
        << "without the second value";
    EXPECT_EQ(said(Message::joined({Message("nothing"), Message("at least {}", 2)}, "; ")), "空；至少 2")
        << "a sign between two texts is as wide as they are";
}

TEST(LocalText, AValueAndASentenceHaveTheBlanksOfTheirScript) {
    using trainyard::widgets::append_text;
    using trainyard::widgets::filled_text;
    const QString go = QStringLiteral("转到 %1");
    EXPECT_EQ(filled_text(go, QStringLiteral("运行")), QStringLiteral("转到运行"));
    EXPECT_EQ(filled_text(go, QStringLiteral("trace")), QStringLiteral("转到 trace"));
    EXPECT_EQ(filled_text(QStringLiteral("Go to %1"), QStringLiteral("Runs")), QStringLiteral("Go to Runs"));
    QString chinese = QStringLiteral("已连接。 "), english = QStringLiteral("It is connected. ");
    append_text(chinese, QStringLiteral("请比较。"));
    EXPECT_EQ(chinese, QStringLiteral("已连接。请比较。"));
    append_text(english, QStringLiteral("Compare."));
    EXPECT_EQ(english, QStringLiteral("It is connected. Compare."));
    EXPECT_EQ(trainyard::widgets::list_text({QStringLiteral("a"), QStringLiteral("b")}), QStringLiteral("a, b"));
    EXPECT_EQ(trainyard::widgets::list_text({}), QString());
}

TEST(LocalSentence, BeginsWithACapitalUnlessItBeginsWithAValueAKeyOrAName) {
    const auto sentence = [](const Message& message) {
        return trainyard::widgets::local_sentence(message).toStdString();
    };
    EXPECT_EQ(sentence(Message("expected a number, got '{}'", "x")), "Expected a number, got 'x'");
    EXPECT_EQ(sentence(Message("{} has no header", "books")), "books has no header") << "a name";
    EXPECT_EQ(sentence(Message("{} in {} is lost", Message("the state of rank {}", 2), "/a")),
              "The state of rank 2 in /a is lost")
        << "a part of the sentence";
    EXPECT_EQ(sentence(Message("batch_size must be positive")), "batch_size must be positive");
    EXPECT_EQ(sentence(Message("fp16: the device has none")), "fp16: the device has none");
    EXPECT_EQ(sentence(Message("data.path is missing")), "data.path is missing");
    EXPECT_EQ(sentence(Message("torch cannot be imported")), "torch cannot be imported");
    EXPECT_EQ(sentence(Message::verbatim("no such host")), "no such host") << "of another program";
    EXPECT_EQ(sentence(Message()), "");
    const Translations german(kGerman);
    EXPECT_EQ(sentence(Message("at step {}", 3)), "Bei Schritt 3");
    EXPECT_EQ(sentence(Message("rank {} on {} failed {}: {}", 1, "a", "", "b")), "Auf a ist Rank 1 fehlgeschlagen: b");
    EXPECT_EQ(sentence(Message("`{0}` has no unit: write {0}ms", "dur>5")), "dur>5ms statt `dur>5` schreiben");
}

TEST(LocalMessage, EveryLiteralOfTheEngineIsFound) {
    trainyard::widgets::Languages::install(*qApp, QStringLiteral("de"));
    int count = 0, lost = 0;
    for (const auto& one : trainyard::test::messages_of(trainyard::test::catalogues_folder() / "trainyard_de.ts")) {
        if (one.context != QStringLiteral("trainyard::engine"))
            continue;
        std::vector<Message> values(9, Message::verbatim("v"));
        const Message message = Message::from_parts(one.source.toStdString(), std::move(values));
        const QString shown = local_message(message);
        ++count;
        lost += one.translations.value(0) != one.source && shown.toStdString() == message.text() ? 1 : 0;
    }
    trainyard::widgets::Languages::install(*qApp, QStringLiteral("en"));
    EXPECT_GT(count, 3500);
    EXPECT_EQ(lost, 0);
}
