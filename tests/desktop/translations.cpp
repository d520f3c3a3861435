// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the catalogues of resources/translations: they are complete and up to date, and have the placeholders,
// mnemonics and tags of the source texts.
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
using test::CatalogueText;

namespace {

QStringList sorted(const QSet<QString>& marks) {
    QStringList all(marks.begin(), marks.end());
    all.sort();
    return all;
}

/// Returns the placeholders, tags, entities and keyboard mnemonics of a text, sorted.
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

/// The numbers of the placeholders in a literal of the engine.
QStringList placeholders_of(const QString& text) {
    static const QRegularExpression placeholder(QStringLiteral("\\{\\{|\\}\\}|\\{([0-9]*)(?::[^}]*)?\\}"));
    QSet<QString> found;
    int next = 0;
    for (auto all = placeholder.globalMatch(text); all.hasNext();) {
        const QRegularExpressionMatch one = all.next();
        if (one.captured().size() == 2 && one.captured() != QLatin1String("{}"))
            continue;  // a brace
        found << (one.captured(1).isEmpty() ? QString::number(next++) : one.captured(1));
    }
    return sorted(found);
}

/// Differences between a text and its translation that the program would trip over; empty: none.
QString fault_of(const CatalogueText& message) {
    if (message.context == QStringLiteral("trainyard::engine"))
        for (const QString& translation : message.translations)
            if (placeholders_of(translation) != placeholders_of(message.source))
                return QStringLiteral("has other placeholders: “%1”").arg(translation);
    const QStringList wanted = marks_of(message.source);
    if (message.counted && wanted.contains(QStringLiteral("%n")))
        return QStringLiteral("has a number without groups of digits: write %Ln");
    for (int i = 0; i < message.translations.size(); ++i) {
        QStringList found = marks_of(message.translations[i]);
        QStringList needed = wanted;
        if (message.counted && i == 0 && message.translations.size() > 1)  // "one run" needs no number
            if (const QString number = QStringLiteral("%Ln"); !found.contains(number))
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

std::vector<std::filesystem::path> catalogues() {
    std::vector<std::filesystem::path> found;
    for (const auto& entry : std::filesystem::directory_iterator(test::catalogues_folder()))
        if (entry.path().extension() == ".ts")
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
    const auto engine_fault = [](const char* source, const char* translation) {
        return !fault_of({QStringLiteral("trainyard::engine"),
                          QString::fromUtf8(source),
                          {},
                          false,
                          {QString::fromUtf8(translation)}})
                    .isEmpty();
    };
    EXPECT_FALSE(engine_fault("{} of {:.1f}", "von {1} sind es {0}"));
    EXPECT_TRUE(engine_fault("{} of {}", "{} davon"));
    EXPECT_TRUE(engine_fault("write {0}, not {0}4", "{}, nicht {}4 schreiben"));
    EXPECT_FALSE(engine_fault("types: {{{}: text}}", "Typen: {{{}: text}}"));
    EXPECT_FALSE(fault("%1 of %2", {QStringLiteral("von %2 sind es %1")}));
    EXPECT_TRUE(fault("%1 of %2", {QStringLiteral("%1 davon")}));
    EXPECT_TRUE(fault("%1 of %2", {QStringLiteral("%1 von %3")}));
    EXPECT_FALSE(fault("&Open", {QStringLiteral("打开(&O)")}));
    EXPECT_TRUE(fault("&Open", {QStringLiteral("Öffnen")}));
    EXPECT_FALSE(fault("a && b", {QStringLiteral("a && b")}));
    EXPECT_TRUE(fault("<b>%1</b>", {QStringLiteral("%1")}));
    EXPECT_FALSE(fault("%Ln runs", {QStringLiteral("ein Lauf"), QStringLiteral("%Ln Läufe")}, true));
    EXPECT_TRUE(fault("%Ln runs", {QStringLiteral("%Ln Lauf"), QStringLiteral("Läufe")}, true));
    EXPECT_TRUE(fault("%Ln runs", {QStringLiteral("次运行")}, true));
    EXPECT_TRUE(fault("%n runs", {QStringLiteral("ein Lauf"), QStringLiteral("%n Läufe")}, true)) << "1000 runs";
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
    ASSERT_EQ(catalogues().size(), 3u);
    for (const std::filesystem::path& catalogue : catalogues()) {
        SCOPED_TRACE(catalogue.filename().string());
        const QVector<CatalogueText> all = test::messages_of(catalogue);
        EXPECT_GT(all.size(), catalogue.filename() == "trainyard_en.ts" ? 25 : 5500);
        for (const CatalogueText& message : all) {
            EXPECT_TRUE(message.type.isEmpty()) << message.type.toStdString() << ": " << message.words();
            EXPECT_FALSE(message.translations.isEmpty() || message.translations.contains(QString()))
                << "has no translation: " << message.words();
            const QString fault = fault_of(message);
            EXPECT_TRUE(fault.isEmpty()) << message.words() << " " << fault.toStdString();
        }
    }
}

TEST(Translations, LiteralsOfMessagesAreFoundInTheSources) {
    const test::TemporaryFolder folder;
    const std::filesystem::path file = folder.path() / "source.cpp";
    std::ofstream(file) << R"cpp(
#include "a header.h"
        // "a comment is not a text"
        Message f() {
            throw UserError(
                "cannot read {}: {:.1f} of "
                "{} bytes",
                path, a, b);
            throw ConnectionError(Cause::refused, host, "a server refuses");
            refuse(n == 1 ? "one step is over" : Message("{} steps are over", n));
            problems.emplace_back("the \"key\" is {}", Message("nothing"), "a value stays");
            throw UserError("{} {}", name, given ? "as was asked" : Message("by {} rows", n));
            throw_file_error("cannot write", path, errno);
            if (text == "is this one")
                spdlog::info("written to a log {}", n);
            std::logic_error("of a programmer alone");
            json["two words"] = word("word");
            std::string sum = "a sum of " + text;
            add(fmt::format("of a format {}", n), fmt::join(names, " and so "));
            run("import torch; print(1)");
            say(tr("a text of the desktop"));
            Message wait("wait for {}", host);
            return n == 0 ? "this is the end" : "word";
        }
    )cpp";
    QStringList found;
    for (const QString& line :
         output_of("message_forms.py", {QString::fromStdString(file.string())}).split(u'\n', Qt::SkipEmptyParts))
        found << line.section(u'"', 3).chopped(2);
    EXPECT_EQ(
        found.join(u'\n').toStdString(),
        "cannot read {}: {:.1f} of {} bytes\na server refuses\none step is over\n{} steps are over\n"
        "the \\\"key\\\" is {}\nnothing\nas was asked\nby {} rows\ncannot write {}\nwait for {}\nthis is the end");
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
