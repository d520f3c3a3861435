// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the search for logs in a folder: logs that are found, files of other kinds, logs that are added later, and
// links that form cycles.

#include "desktop/sources/log_tree.h"

#include <fstream>

#include <QSignalSpy>
#include <QTest>

#include <gmock/gmock.h>
#include <sys/stat.h>
#include <unistd.h>

#include "desktop/sources/read_pool.h"
#include "formats/events/event_file.h"
#include "support/patience.h"
#include "support/settle.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

namespace fs = std::filesystem;

void write_events(const fs::path& folder, int steps = 3) {
    fs::create_directories(folder);
    events::EventFileWriter writer(folder);
    for (int step = 0; step < steps; ++step)
        writer.add_scalars(step, step, {{"loss", 1.0}});
    writer.flush();
}

std::vector<std::string> names(const LogTree& tree) {
    std::vector<std::string> found;
    for (const LogRecord* source : tree.sources())
        found.push_back(source->name().toStdString());
    return found;
}

class Tree : public testing::Test {
  protected:
    void start(LogTree& tree) {
        tree.start();
        ASSERT_TRUE(QTest::qWaitFor([&] { return tree.isCaughtUp(); }, kPatience));
    }
    test::TemporaryFolder folder;
    fs::path root = folder.path() / "logs";
};

TEST_F(Tree, FindsFoldersAndFilesAndNamesThemByTheirPath) {
    write_events(root / "a" / "train");
    write_events(root / "a" / "validation");
    write_events(root / "b");
    write_events(root / ".hidden");
    fs::create_directories(root / "c");
    std::ofstream(root / "c" / "metrics.csv") << "epoch,loss\n0,1\n1,2\n";
    std::ofstream(root / "c" / "data.csv") << "name,age\nx,1\n";
    std::ofstream(root / "c" / "log.jsonl") << "{\"step\": 1, \"loss\": 1}\n";
    std::ofstream(root / "c" / "data.jsonl") << "{\"text\": \"words\"}\n";
    fs::create_directories(root / "run");
    std::ofstream(root / "run" / "run.yaml") << "name: ours\n";
    std::ofstream(root / "run" / "events.jsonl") << "{\"step\": 1, \"time\": 5, \"seconds\": 1}\n";
    LogTree tree(QString::fromStdString(root.string() + "/"));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("a/train", "a/validation", "b", "c/log.jsonl", "c/metrics.csv"));
    EXPECT_TRUE(tree.complaints().isEmpty()) << qPrintable(tree.complaints().join('\n'));
    EXPECT_EQ(tree.sources()[0]->series("loss").size(), 3u);
    EXPECT_EQ(tree.sources()[4]->series("loss").size(), 2u);
    EXPECT_NE(tree.sources()[0]->colorNumber(), tree.sources()[1]->colorNumber());
    EXPECT_EQ(tree.source(tree.sources()[2]->key()), tree.sources()[2]);
}

/// torch's SummaryWriter.add_hparams() writes a run of its own below the run that it is about.
TEST_F(Tree, HyperParametersBelongToTheRunAboveThem) {
    write_events(root / "a");
    const fs::path session = root / "a" / "1767222000.1234567";
    fs::create_directories(session);
    events::EventFileWriter writer(session);
    writer.add_hparams(1, {{"lr", 0.01}, {"optimizer", "adamw"}, {"amp", true}}, {"hparam/accuracy"});
    writer.add_scalars(0, 1, {{"hparam/accuracy", 0.5}});
    writer.flush();
    write_events(root / "1767222000.5");  // a run that is called like the time, without a run above it
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("1767222000.5", "a"));
    const LogRecord& run = *tree.sources()[1];
    EXPECT_EQ(run.tags().size(), 1u) << "only its curves";
    EXPECT_THAT(run.parameters(),
                testing::UnorderedElementsAre(testing::Pair("lr", "0.01"), testing::Pair("optimizer", "adamw"),
                                              testing::Pair("amp", "true"), testing::Pair("hparam/accuracy", "0.5")));
}

TEST_F(Tree, WhatComesLaterIsFound) {
    fs::create_directories(root);
    LogTree tree(QString::fromStdString(root.string()));
    QSignalSpy added(&tree, &LogTree::sourcesAdded);
    start(tree);
    EXPECT_TRUE(tree.sources().empty());
    write_events(root / "deep" / "er");
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() == 1; }, kPatience));
    std::ofstream(root / "log.jsonl") << "{\"configuration\": {}}\n";
    test::settle();
    std::ofstream(root / "log.jsonl", std::ios::app) << "{\"step\": 1, \"loss\": 1}\n";
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() == 2; }, kPatience));
    EXPECT_EQ(added.count(), 2);
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.isCaughtUp(); }, kPatience));
}

TEST_F(Tree, AFolderThatIsNotThereIsToldAndAwaited) {
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    ASSERT_EQ(tree.complaints().size(), 1);
    EXPECT_TRUE(tree.complaints()[0].contains(QString::fromStdString(root.string())));
    write_events(root);
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() == 1; }, kPatience));
    EXPECT_TRUE(tree.complaints().isEmpty());
    EXPECT_EQ(tree.sources()[0]->name(), QStringLiteral("logs"));
}

TEST_F(Tree, LinksThatLeadBackAndPipesLeadNowhere) {
    write_events(root / "a");
    fs::create_directory_symlink(root, root / "a" / "again");
    fs::create_directory_symlink(root / "a", root / "other");
    ASSERT_EQ(::mkfifo((root / "pipe.jsonl").c_str(), 0600), 0);
    fs::create_directories(root / "b");
    ASSERT_EQ(::mkfifo((root / "b" / "events.out.tfevents.1.pipe").c_str(), 0600), 0);
    fs::create_directory_symlink(root / "b", root / "a" / "latest");
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("a", "b")) << "by where they lie, not by the links to them";
    EXPECT_EQ(tree.sources()[0]->series("loss").size(), 3u);
    ASSERT_EQ(tree.sources()[1]->complaints().size(), 1);
    EXPECT_TRUE(tree.sources()[1]->complaints()[0].contains(QStringLiteral("is not a file")));
    // A new folder is a new source, even if it reuses the inode number of a deleted folder, as on many file systems.
    fs::create_directories(root / "c");
    write_events(root / "c" / "first");
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() == 3; }, kPatience));
    fs::remove_all(root / "c" / "first");
    write_events(root / "c" / "second");
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() >= 4; }, kPatience));
    EXPECT_THAT(names(tree), testing::ElementsAre("a", "b", "c/first", "c/second"));
}

TEST_F(Tree, ASingleFileIsATreeOfOneSource) {
    fs::create_directories(root);
    const fs::path file = root / "run.csv";
    std::ofstream(file) << "step,loss\n1,1\n";
    LogTree tree(QString::fromStdString(file.string()));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("run.csv"));
    std::ofstream(root / "data.csv") << "name,age\nx,1\n";
    LogTree other(QString::fromStdString((root / "data.csv").string()));
    start(other);
    EXPECT_TRUE(other.sources().empty());
    EXPECT_EQ(other.complaints().size(), 1);
}

TEST_F(Tree, CheckpointsOfOneTrainerAreOneLog) {
    const auto state = [](const fs::path& place, int step) {
        fs::create_directories(place);
        std::ofstream(place / "trainer_state.json")
            << "{\"log_history\": [{\"loss\": 2, \"step\": 1}, {\"loss\": 1, \"step\": " << step << "}]}";
    };
    state(root / "bert" / "checkpoint-10", 10);
    state(root / "bert" / "checkpoint-20", 20);
    state(root / "gpt" / "checkpoint-5", 5);
    state(root / "gpt", 7);
    write_events(root / "bert" / "runs" / "may");
    fs::create_directories(root / "wandb" / "offline-run-1");
    std::ofstream(root / "wandb" / "offline-run-1" / "run-1.wandb", std::ios::binary)
        << std::string(":W&B\xe1\xbe\0", 7);
    std::ofstream(root / "wandb" / "offline-run-1" / "notes.wandb") << "words";
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("bert/runs/may", "bert/trainer_state.json", "gpt/trainer_state.json",
                                                  "wandb/offline-run-1/run-1.wandb"));
    EXPECT_EQ(tree.sources()[1]->series("loss").size(), 2u);
    EXPECT_EQ(tree.sources()[2]->series("loss").size(), 2u);
    EXPECT_TRUE(tree.complaints().isEmpty()) << qPrintable(tree.complaints().join('\n'));
}

TEST_F(Tree, ManyFilesOfOtherKindsAreGoneThrough) {
    for (int i = 0; i < 60; ++i) {
        const fs::path set = root / ("set-" + std::to_string(i));
        fs::create_directories(set);
        for (int j = 0; j < 50; ++j)
            std::ofstream(set / ("sample-" + std::to_string(j) + (j % 2 == 0 ? ".txt" : ".csv"))) << "name,age\nx,1\n";
    }
    write_events(root / "set-50");
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("set-50"));
    EXPECT_TRUE(tree.complaints().isEmpty()) << qPrintable(tree.complaints().join('\n'));
}

TEST_F(Tree, BeyondWhatInotifyWatchesIsPolled) {
    constexpr int kFolders = static_cast<int>(ReadPool::kMostWatches / 2) + 50;
    for (int i = 0; i < kFolders; ++i)
        fs::create_directories(root / ("f" + std::to_string(i + 10'000)));
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    EXPECT_TRUE(tree.sources().empty());
    const fs::path last = root / ("f" + std::to_string(kFolders + 9'999));
    write_events(last);
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() == 1; }, kPatience))
        << "must also be found without change notifications of the file system";
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.isCaughtUp(); }, kPatience));
    EXPECT_EQ(tree.sources()[0]->series("loss").size(), 3u);
}

TEST_F(Tree, AFolderThatMayNotBeReadIsNamed) {
    if (::geteuid() == 0) {
        // Root may read everything: a folder that is too deep stands for it.
        fs::path deep = root;
        for (int i = 0; i < LogTree::kDeepest + 2; ++i)
            deep /= "d";
        write_events(deep);
    } else {
        fs::create_directories(root / "closed");
        fs::permissions(root / "closed", fs::perms::none);
    }
    write_events(root / "open");
    LogTree tree(QString::fromStdString(root.string()));
    start(tree);
    EXPECT_THAT(names(tree), testing::ElementsAre("open"));
    EXPECT_EQ(tree.complaints().size(), 1);
    write_events(root / "later");
    ASSERT_TRUE(QTest::qWaitFor([&] { return tree.sources().size() == 2; }, kPatience));
    EXPECT_EQ(tree.complaints().size(), 1) << "the problem must stay until it is solved";
    if (::geteuid() != 0)
        fs::permissions(root / "closed", fs::perms::owner_all);
}

}  // namespace
}  // namespace trainyard::desktop
