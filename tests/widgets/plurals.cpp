// What is said of one: every sentence with %n in the desktop's sources has its singular.
#include "widgets/plurals.h"

#include <filesystem>
#include <fstream>
#include <sstream>

#include <QApplication>
#include <QRegularExpression>

#include <gtest/gtest.h>

#include "widgets/theme.h"

using trainyard::widgets::EnglishPlurals;
using trainyard::widgets::Theme;

namespace {

/// The sentences with %n of a source, as the compiler joins their pieces.
QStringList counted_sentences(const std::string& source) {
    static const QRegularExpression literals(QStringLiteral(R"x("(?:[^"\\]|\\.)*"(?:\s*"(?:[^"\\]|\\.)*")*)x"));
    static const QRegularExpression joint(QStringLiteral(R"x("\s*")x"));
    QStringList found;
    for (auto all = literals.globalMatch(QString::fromStdString(source)); all.hasNext();) {
        QString text = all.next().captured();
        text = text.mid(1, text.size() - 2).remove(joint);
        // scanf's own %n stands behind other conversions.
        if ((text.contains(QStringLiteral("%n")) || text.contains(QStringLiteral("%Ln"))) &&
            !text.contains(QStringLiteral("%lf")))
            found << text;
    }
    return found;
}

}  // namespace

TEST(Plurals, OneIsSaidInTheSingular) {
    Theme::instance().install(*qApp);
    Theme::instance().install(*qApp);
    const auto say = [](int n) { return QCoreApplication::translate("any", "Compare %n runs", nullptr, n); };
    EXPECT_EQ(say(1).toStdString(), "Compare 1 run");
    EXPECT_EQ(say(2).toStdString(), "Compare 2 runs");
    EXPECT_EQ(say(0).toStdString(), "Compare 0 runs");
    EXPECT_EQ(QCoreApplication::translate("any", "Open", nullptr, -1).toStdString(), "Open");
    EXPECT_EQ(QCoreApplication::translate("any", "and %n more", nullptr, 1).toStdString(), "and 1 more");
    EXPECT_EQ(qApp->findChildren<EnglishPlurals*>().size(), 1);
}

TEST(Plurals, EverySentenceWithANumberIsInTheTable) {
    int sentences = 0;
    for (const char* folder : {"app/desktop", "widgets"})
        for (const auto& entry :
             std::filesystem::recursive_directory_iterator(std::filesystem::path(TRAINYARD_SOURCE_DIR) / folder)) {
            if (entry.path().extension() != ".cpp" || entry.path().filename() == "plurals.cpp")
                continue;
            std::stringstream source;
            source << std::ifstream(entry.path()).rdbuf();
            for (const QString& sentence : counted_sentences(source.str())) {
                ++sentences;
                EXPECT_TRUE(EnglishPlurals::knows(sentence.toUtf8()))
                    << entry.path() << ": what does \"" << sentence.toStdString() << "\" say of one?";
            }
        }
    EXPECT_GT(sentences, 25);
}
