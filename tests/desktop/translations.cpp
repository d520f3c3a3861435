// The catalogues of resources/translations: complete, up to the sources, with the placeholders, keys and tags of the sources.
#include <algorithm>
#include <filesystem>
#include <fstream>
#include <sstream>

#include <QCoreApplication>
#include <QFile>
#include <QProcess>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include "support/catalogue.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using test::Message;

namespace {

QStringList sorted(const QSet<QString>& marks) {
    QStringList all(marks.begin(), marks.end());
    all.sort();
    return all;
}

/// What the program replaces or interprets, in order of letters.
QStringList marks_of(const QString& text) {
    static const QRegularExpression mark(QStringLiteral("%L?[0-9]{1,2}|%L?n|</?[a-z]+[^>]*>|&(?:amp|lt|gt|nbsp);"));
    static const QRegularExpression key(QStringLiteral("&(?!(?:amp|lt|gt|nbsp);)\\w"));
    QSet<QString> found;
    for (auto all = mark.globalMatch(text); all.hasNext();)
        found << all.next().captured();
    if (text.contains(key))
        found << QStringLiteral("& before a letter");
    return sorted(found);
}

/// What the program replaces in a sentence of the engine.
QStringList values_of(const QString& text) {
    static const QRegularExpression value(QStringLiteral("%[0-9]+"));
    QSet<QString> found;
    for (auto all = value.globalMatch(text); all.hasNext();)
        found << all.next().captured();
    return sorted(found);
}

/// Differences between a text and its translation that the program would trip over; empty: none.
QString fault_of(const Message& message) {
    const QStringList wanted = marks_of(message.source);
    for (int i = 0; i < message.translations.size(); ++i) {
        QStringList found = marks_of(message.translations[i]);
        QStringList needed = wanted;
        if (message.counted && i == 0 && message.translations.size() > 1)  // "one run" needs no number
            for (const QString& number : {QStringLiteral("%n"), QStringLiteral("%Ln")})
                if (!found.contains(number))
                    needed.removeAll(number);
        if (found != needed)
            return QStringLiteral("has %1 where the source has %2: “%3”")
                .arg(found.join(QLatin1Char(' ')), needed.join(QLatin1Char(' ')), message.translations[i]);
    }
    return {};
}

std::string content(const std::filesystem::path& file) {
    std::stringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

/// `beginning` of their names.
std::vector<std::filesystem::path> catalogues(const std::string& beginning = "") {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(test::catalogues_folder()))
        if (entry.path().extension() == ".ts" && entry.path().filename().string().starts_with(beginning))
            found.push_back(entry.path());
    return found;
}

QString output_of(const char* script, const QStringList& arguments) {
    QProcess program;
    program.setProcessChannelMode(QProcess::MergedChannels);
    program.start(QStringLiteral(TRAINYARD_SOURCE_DIR "/packaging/") + QLatin1String(script), arguments);
    EXPECT_TRUE(program.waitForFinished(240'000)) << program.errorString().toStdString();
    const QString output = QString::fromUtf8(program.readAll());
    EXPECT_EQ(program.exitCode(), 0) << output.toStdString();
    return output;
}

}  // namespace

TEST(Translations, AFaultIsFound) {
    const auto fault = [](const char* source, const QStringList& translations, bool counted = false) {
        return !fault_of({{}, QString::fromUtf8(source), {}, counted, translations}).isEmpty();
    };
    EXPECT_FALSE(fault("%1 of %2", {QStringLiteral("von %2 sind es %1")}));
    EXPECT_TRUE(fault("%1 of %2", {QStringLiteral("%1 davon")}));
    EXPECT_TRUE(fault("%1 of %2", {QStringLiteral("%1 von %3")}));
    EXPECT_FALSE(fault("&Open", {QStringLiteral("打开(&O)")}));
    EXPECT_TRUE(fault("&Open", {QStringLiteral("Öffnen")}));
    EXPECT_FALSE(fault("a && b", {QStringLiteral("a && b")}));
    EXPECT_TRUE(fault("<b>%1</b>", {QStringLiteral("%1")}));
    EXPECT_FALSE(fault("%n runs", {QStringLiteral("ein Lauf"), QStringLiteral("%n Läufe")}, true));
    EXPECT_TRUE(fault("%n runs", {QStringLiteral("%n Lauf"), QStringLiteral("Läufe")}, true));
    EXPECT_TRUE(fault("%n runs", {QStringLiteral("次运行")}, true));
}

TEST(Translations, AreUpToTheSources) {
    const test::TemporaryFolder copies;
    for (const std::filesystem::path& catalogue : catalogues())
        std::filesystem::copy_file(catalogue, copies.path() / catalogue.filename());
    output_of("translations", {QString::fromStdString(copies.path().string()),
                               QCoreApplication::applicationDirPath() + QStringLiteral("/..")});
    for (const std::filesystem::path& catalogue : catalogues())
        EXPECT_TRUE(content(catalogue) == content(copies.path() / catalogue.filename()))
            << catalogue << " is behind the sources: run packaging/translations and translate what is new.";
}

TEST(Translations, AreComplete) {
    ASSERT_EQ(catalogues("trainyard_").size(), 3u);
    for (const std::filesystem::path& catalogue : catalogues("trainyard_")) {
        SCOPED_TRACE(catalogue.filename().string());
        const QVector<Message> all = test::messages_of(catalogue);
        EXPECT_GT(all.size(), catalogue.filename() == "trainyard_en.ts" ? 25 : 2000);
        for (const Message& message : all) {
            EXPECT_TRUE(message.type.isEmpty()) << message.type.toStdString() << ": " << message.words();
            EXPECT_FALSE(message.translations.isEmpty() || message.translations.contains(QString()))
                << "has no translation: " << message.words();
            const QString fault = fault_of(message);
            EXPECT_TRUE(fault.isEmpty()) << message.words() << " " << fault.toStdString();
        }
    }
}

/// Every language has all sentences of the engine.
TEST(Translations, TheEnginesSentencesAreComplete) {
    ASSERT_EQ(catalogues("sentences_").size() + 1, catalogues("trainyard_").size()) << "English needs none";
    for (const std::filesystem::path& catalogue : catalogues("sentences_")) {
        SCOPED_TRACE(catalogue.filename().string());
        const QVector<Message> all = test::messages_of(catalogue);
        EXPECT_GT(all.size(), 2500);
        for (const Message& message : all) {
            const QString translation = message.translations.value(0);
            EXPECT_TRUE(message.type.isEmpty() && !translation.isEmpty()) << "has no translation: " << message.words();
            EXPECT_EQ(values_of(translation), values_of(message.source)) << message.words();
        }
    }
}

TEST(Translations, SentencesAreFoundInTheSources) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "source.cpp";
    std::ofstream(file) << R"cpp(
#include "a header.h"
        // "a comment is none"
        void f() {
            throw UserError(
                fmt::format("cannot read {}: {:.1f} of "
                            "{} bytes",
                            path, a, b));
            refuse("the step " + std::to_string(n) + (n == 1 ? " is" : " are") + " over\n and out");
            refuse(where + detail + fmt::format(" lacks {0}: write {0}=1", name));
            add(fmt::format("{} {} left{}", count, count == 1 ? "rank has" : "ranks have", count == 1 ? "" : " together"));
            throw_file_error("cannot write", path, errno);
            if (text == "is this one")
                spdlog::info("written to a log {}", n);
            std::logic_error("of a programmer alone");
            json["two words"] = word("word");
            return n == 0 ? Message("nothing") : fmt::format("{}", fmt::join(names, " and "));
            only("for_this and for_that", "e.g. {key: 1} with a word");
            run("import torch; print(1)");
            say(tr("a text of the desktop"));
            say("100 % of all %");
        }
    )cpp";
    QStringList found;
    for (const QString& line :
         output_of("sentences.py", {QStringLiteral("--list"), QString::fromStdString(file.string())})
             .split(u'\n', Qt::SkipEmptyParts))
        found << line.section(u'\t', 1);
    EXPECT_EQ(found.join(u'\n').toStdString(),
              "cannot read %1: %2 of %3 bytes\n"
              "the step %1 is over\nand out\nthe step %1 are over\nand out\n"
              "%1 lacks %2: write %2=1\n"
              "%1 rank has left\n%1 ranks have left together\n"
              "cannot write %1: %2\n"
              "nothing\n%1 and %2\n"
              "for_this and for_that\ne.g. {key: 1} with a word\n"
              "100 % of all %");
}

TEST(Translations, FiguresGoThroughTheLocale) {
    // arg() and asprintf() write a point in every language; widgets/local_text.h and QLocale do not.
    const QRegularExpression plain(QStringLiteral("\\.arg\\([^;]*, *-?[0-9]+, *'[efgEG]'|QString::asprintf"));
    ASSERT_TRUE(plain.match(QStringLiteral("tr(\"%1 %\").arg(100 * share, 0, 'f', 1)")).hasMatch());
    // Tables that other programs read.
    const std::vector<std::string> for_programs{"trace_table_model.cpp"};
    int seen = 0;
    for (const char* folder : {"/app/desktop", "/widgets"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::string(TRAINYARD_SOURCE_DIR) + folder)) {
            const std::filesystem::path& file = entry.path();
            if (file.extension() != ".cpp" ||
                std::ranges::find(for_programs, file.filename().string()) != for_programs.end())
                continue;
            ++seen;
            const auto found = plain.match(QString::fromStdString(content(file)));
            EXPECT_FALSE(found.hasMatch()) << file << ": " << found.captured().toStdString();
        }
    EXPECT_GT(seen, 150);
}
