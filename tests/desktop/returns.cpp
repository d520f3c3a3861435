// SPDX-License-Identifier: GPL-3.0-or-later
// Tests that the program restores its view after a SIGKILL: page, zoom, smoothing, axes, pins, search text and
// selection, without gaps in curves that have grown meanwhile.

#include <algorithm>
#include <atomic>
#include <chrono>
#include <fstream>
#include <thread>

#include <QDir>
#include <QImage>

#include <gtest/gtest.h>

#include "dashboard/fabricated_run.h"
#include "desktop/shell/view_state.h"
#include "support/desktop_program.h"
#include "support/temporary_folder.h"

using namespace trainyard;
using namespace trainyard::desktop;
using test::DesktopProgram;
using test::FabricatedPlan;
using test::FabricatedRun;

namespace {

constexpr int kName = 0;  ///< column of the list

class Returns : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", runs().c_str(), 1);
        QDir(stateFolder()).removeRecursively();
    }
    std::filesystem::path runs() const { return folder_.path() / "runs"; }
    static FabricatedPlan plan(const std::string& name, run::Status status = run::Status::finished) {
        FabricatedPlan made;
        made.name = name;
        made.steps = made.done = 400;
        made.status = status;
        return made;
    }
    /// Returns the content of all saved view files. The window writes them one second after the last change.
    static QByteArray kept() {
        QByteArray all;
        const QDir folder(stateFolder() + QStringLiteral("/views"));
        for (const QString& name : folder.entryList({QStringLiteral("*.json")}, QDir::Files))
            if (QFile file(folder.filePath(name)); file.open(QIODevice::ReadOnly))
                all += file.readAll();
        return all;
    }
    static bool isKept(const QByteArray& words) {
        return DesktopProgram::wait([&] { return kept().contains(words); });
    }
    QImage picture(DesktopProgram& window, const QJsonValue& thing) const {
        const QString file = QString::fromStdString((folder_.path() / "picture.png").string());
        if (!window.ask({QStringLiteral("picture"), thing, file}).toBool())
            return {};
        return QImage(file);
    }
    /// Whether it looks like this sooner or later.
    bool comesToLook(DesktopProgram& window, const QJsonValue& thing, const QImage& like) const {
        return DesktopProgram::wait([&] { return picture(window, thing) == like; });
    }
    /// The picture when nothing moves any more.
    QImage restingPicture(DesktopProgram& window, const QJsonValue& thing) const {
        QImage last, now = picture(window, thing);
        DesktopProgram::wait([&] {
            last = now;
            QThread::msleep(400);
            now = picture(window, thing);
            return now == last;
        });
        return now;
    }
    /// Steps of a curve of the chart as its values are copied.
    static std::vector<qint64> steps(DesktopProgram& window, const QString& chart, const QByteArray& curve) {
        window.ask({QStringLiteral("keys"), chart, QStringLiteral("F")});
        window.ask({QStringLiteral("keys"), chart, QStringLiteral("Ctrl+C")});
        std::vector<qint64> all;
        for (const QByteArray& line : window.ask({QStringLiteral("clipboard")}).toString().toUtf8().split('\n'))
            if (const QByteArrayList fields = line.split('\t'); fields.size() == 4 && fields[0] == curve)
                all.push_back(fields[1].toLongLong());
        return all;
    }

    test::TemporaryFolder folder_;
};

const QString kLoss = QStringLiteral("CurveChart#Loss");
const QString kRuns = QStringLiteral("QTableView#Runs");
const QString kComparison = QStringLiteral("CurveChart#Comparison");

}  // namespace

TEST_F(Returns, ToARun) {
    const FabricatedRun one(runs(), plan("one"));
    FabricatedRun two(runs(), plan("two"));
    QImage left;
    {
        DesktopProgram window;
        ASSERT_TRUE(window.start());
        ASSERT_TRUE(window.until({"cells", kRuns, kName}, [](const QJsonValue& names) {
            return names.toArray().contains(QStringLiteral("one"));
        }));
        ASSERT_TRUE(window.ask({"go", kRuns, kName, "one"}).toBool());
        window.ask({"keys", kRuns, "Return"});
        ASSERT_TRUE(window.until({"seen", kLoss}, true));
        ASSERT_TRUE(DesktopProgram::wait([&] { return steps(window, kLoss, "train").size() == 400; }));
        window.ask({"wheel", kLoss, 5});
        ASSERT_TRUE(isKept("\"range\":["))
            << "a zoom must be saved even if no other change follows: " << kept().toStdString();
        window.ask({"keys", kLoss, "L"});
        window.ask({"keys", kLoss, "S"});
        ASSERT_TRUE(isKept("\"smoothing\":0,")) << kept().toStdString();
        EXPECT_TRUE(kept().contains("\"log_y\":false")) << "the page begins with a log axis";
        window.ask({"keys", "RunPage#Dashboard", ""});  // no ring of focus in the picture
        left = restingPicture(window, kLoss);
        ASSERT_FALSE(left.isNull());
        window.kill();
    }
    DesktopProgram again;
    ASSERT_TRUE(again.start());
    ASSERT_TRUE(again.until({"seen", kLoss}, true));
    EXPECT_TRUE(comesToLook(again, kLoss, left)) << "zoom, axis or smoothing is another";
    again.ask({"keys", kLoss, "F"});
    again.ask({"keys", "RunPage#Dashboard", ""});
    EXPECT_TRUE(DesktopProgram::wait([&] { return picture(again, kLoss) != left; }))
        << "a zoom must change the picture";

    // The list, two of them ticked: it comes back with its comparison.
    again.ask({"keys", kLoss, "Ctrl+1"});
    ASSERT_TRUE(again.until({"seen", kRuns}, true));
    for (const char* name : {"one", "two"}) {
        ASSERT_TRUE(again.ask({"go", kRuns, kName, name}).toBool());
        again.ask({"keys", kRuns, "Space"});
    }
    ASSERT_TRUE(again.until({"seen", kComparison}, true));
    ASSERT_TRUE(DesktopProgram::wait([] {
        const QByteArray all = kept();
        const qsizetype ticked = all.indexOf("\"ticked\":[");
        return ticked >= 0 && all.indexOf("-one", ticked) > 0 && all.indexOf("-two", ticked) > 0;
    })) << kept().toStdString();
    again.kill();
    DesktopProgram third;
    ASSERT_TRUE(third.start());
    EXPECT_TRUE(
        third.until({"ticked", kRuns, kName}, [](const QJsonValue& names) { return names.toArray().size() == 2; }));
    EXPECT_TRUE(third.until({"seen", kComparison}, true));
    EXPECT_TRUE(DesktopProgram::wait([&] {
        return steps(third, kComparison, "one").size() == 400 && steps(third, kComparison, "two").size() == 400;
    }));
}

TEST_F(Returns, ToLogsOfOthers) {
    const std::filesystem::path logs = folder_.path() / "logs";
    std::filesystem::create_directories(logs);
    std::ofstream file(logs / "metrics.csv");
    file << "step,loss,accuracy\n";
    for (int i = 0; i < 200; ++i)
        file << i << ',' << 1.0 / (i + 1) << ',' << 1 - 1.0 / (i + 1) << '\n';
    file.close();
    const QJsonArray chart{"Charts", "loss", "CurveChart#loss"};  // the grid, its card, its chart
    QImage left;
    {
        DesktopProgram window;
        ASSERT_TRUE(window.start({QString::fromStdString(logs.string())}));
        ASSERT_TRUE(window.until({"seen", chart}, true));
        window.ask({"wheel", chart, 4});
        window.ask({"click", QJsonArray{"Charts", "accuracy", "Actions"}});
        ASSERT_TRUE(window.until({"choose", "Pin to the top"}, true));
        window.ask({"type", "Search tags", "o"});
        ASSERT_TRUE(isKept("\"o\"")) << kept().toStdString();
        ASSERT_TRUE(isKept("\"pins\":[{")) << kept().toStdString();
        left = restingPicture(window, "Charts");
        window.kill();
    }
    DesktopProgram again;
    ASSERT_TRUE(again.start());
    ASSERT_TRUE(again.until({"words", "Search tags"}, "o"));
    EXPECT_TRUE(comesToLook(again, "Charts", left)) << "zoom, pins or the shown curves differ";
}

TEST_F(Returns, WithoutAGapInACurveThatGrows) {
    FabricatedRun run(runs(), plan("live", run::Status::running));
    std::atomic<bool> over = false;
    std::thread training([&] {
        while (!over) {
            run.addStep(true);
            std::this_thread::sleep_for(std::chrono::milliseconds(20));
        }
    });
    const auto shown = [&](DesktopProgram& window, std::size_t least) {
        return DesktopProgram::wait([&] { return steps(window, kLoss, "train").size() >= least; });
    };
    bool seen = false, seen_again = false;
    std::size_t before = 0;
    DesktopProgram again;
    {
        DesktopProgram window;
        seen = window.start({QString::fromStdString(run.paths().root().string())}) && shown(window, 410);
        seen = seen && DesktopProgram::wait([] { return kept().contains("live"); });
        before = steps(window, kLoss, "train").size();
        window.kill();
    }
    if (seen)
        seen_again = again.start() && shown(again, before + 50);
    over = true;
    training.join();
    ASSERT_TRUE(seen);
    ASSERT_TRUE(seen_again);
    const auto last = static_cast<std::size_t>(run.step());
    ASSERT_TRUE(shown(again, last));
    const std::vector<qint64> all = steps(again, kLoss, "train");
    ASSERT_EQ(all.size(), last) << "each step once";
    for (std::size_t i = 0; i < last; ++i)
        ASSERT_EQ(all[i], static_cast<qint64>(i + 1));
}

/// A window whose language and text size were changed shows what one shows that starts with them.
TEST_F(Returns, ToItsPageInAnotherLanguageAndTextSize) {
    const FabricatedRun one(runs(), plan("one"));
    DesktopProgram window;
    ASSERT_TRUE(window.start());
    ASSERT_TRUE(window.until({"seen", kRuns}, true));
    window.ask({"keys", kRuns, "Ctrl+,"});
    ASSERT_TRUE(window.until({"seen", "QComboBox#Language"}, true));
    const QJsonArray english = window.ask({"texts"}).toArray();
    window.ask({"type", "QComboBox#Language", "D"});
    ASSERT_TRUE(window.until({"seen", "QComboBox#Sprache"}, true)) << "the settings in German";
    ASSERT_TRUE(window.until({"words", "QComboBox#Sprache"}, "Deutsch"));
    EXPECT_TRUE(window.ask({"seen", "QComboBox#Language"}) != QJsonValue(true));

    const auto height = [&] { return picture(window, "QComboBox#Sprache").height(); };
    const int before = height();
    ASSERT_GT(before, 0);
    window.ask({"type", "QComboBox#Textgröße", "15"});
    EXPECT_TRUE(DesktopProgram::wait([&] { return height() == before * 3 / 2; })) << before << ", now " << height();
    // When nothing is read any more.
    QJsonValue last, changed = window.ask({"texts"});
    DesktopProgram::wait([&] {
        last = changed;
        QThread::msleep(400);
        changed = window.ask({"texts"});
        return changed == last;
    });
    window.kill();

    // Every text is that of a start in German.
    DesktopProgram fresh;
    ASSERT_TRUE(fresh.start());
    ASSERT_TRUE(fresh.until({"seen", "QComboBox#Sprache"}, true));
    EXPECT_TRUE(fresh.until({"texts"}, changed));
    int same = 0;
    for (const QJsonValue& text : english)
        same += changed.toArray().contains(text) ? 1 : 0;
    EXPECT_LT(same, english.size() / 4) << "names of languages and of files only";
}
