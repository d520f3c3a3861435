// SPDX-License-Identifier: GPL-3.0-or-later
#include <cmath>

#include <gtest/gtest.h>

#include "desktop/runs/run_filter.h"
#include "desktop/text/words.h"

using namespace trainyard::desktop;

namespace {

RunSummary some(const QString& name, RunPhase phase, double loss) {
    RunSummary run;
    run.id = QStringLiteral("20261121-074512-%1-4f2a").arg(name);
    run.name = name;
    run.phase = phase;
    run.loss = loss;
    run.validationLoss = loss + 0.1;
    run.step = 1500;
    run.ranks = 2;
    run.hosts = QStringList{QStringLiteral("gpu-a")};
    run.created = 1000;
    run.tags = QStringList{QStringLiteral("lr-sweep"), QStringLiteral("night")};
    run.note = QStringLiteral("warm-up of 2000 steps");
    run.config = std::make_shared<const RunConfig>(QVector<ConfigEntry>{
        {QStringLiteral("optimizer.lr"), QStringLiteral("3e-4"), 3e-4},
        {QStringLiteral("optimizer.name"), QStringLiteral("adamw"), std::nan("")},
        {QStringLiteral("schedule.warmup_steps"), QStringLiteral("2000"), 2000},
    });
    run.metrics = std::make_shared<const RunMetrics>(QVector<MetricEntry>{
        {QStringLiteral("eval/accuracy"), 0.7, 0.1, 0.8, 0.5, 10, 100},
        {QStringLiteral("eval/loss"), 2.4, 2.2, 5, 3, 10, 100},
    });
    return run;
}

bool accepts(const char* text, const RunSummary& run, double now = 1060) {
    RunFilter filter;
    const QString sentence = RunFilter::parse(QString::fromUtf8(text), filter);
    EXPECT_TRUE(sentence.isEmpty()) << sentence.toStdString();
    return filter.matches(run, now);
}

std::string complaint(const char* text) {
    RunFilter filter;
    return RunFilter::parse(QString::fromUtf8(text), filter).toStdString();
}

}  // namespace

TEST(Filter, WordsMatchTheName) {
    const RunSummary run = some("llama-lr", RunPhase::Running, 2.5);
    EXPECT_TRUE(accepts("", run));
    EXPECT_TRUE(accepts("LLAMA", run));
    EXPECT_TRUE(accepts("lla lr", run));
    EXPECT_FALSE(accepts("gpt", run));
    EXPECT_FALSE(accepts("llama gpt", run));
    EXPECT_FALSE(accepts("-llama", run));
    EXPECT_TRUE(accepts("-gpt", run));
    EXPECT_TRUE(accepts("\"lama-l\"", run));
    EXPECT_FALSE(accepts("-\"lama-l\"", run));
}

TEST(Filter, StateAndHost) {
    const RunSummary run = some("a", RunPhase::Failed, 2.5);
    EXPECT_TRUE(accepts("state:failed", run));
    EXPECT_TRUE(accepts("state:fail", run));
    EXPECT_FALSE(accepts("state:running", run));
    EXPECT_TRUE(accepts("host:gpu-a", run));
    EXPECT_FALSE(accepts("host:gpu-b", run));
    EXPECT_TRUE(accepts("-state:running host:gpu", run));
}

TEST(Filter, NumbersAreCompared) {
    const RunSummary run = some("a", RunPhase::Finished, 2.5);
    EXPECT_TRUE(accepts("loss<2.6", run));
    EXPECT_FALSE(accepts("loss<2.5", run));
    EXPECT_TRUE(accepts("loss<=2.5", run));
    EXPECT_TRUE(accepts("val>2.5", run));
    EXPECT_TRUE(accepts("step>=1500 ranks>1", run));
    EXPECT_FALSE(accepts("step>1500", run));
    RunSummary without = run;
    without.loss.reset();
    EXPECT_FALSE(accepts("loss<100", without));
}

TEST(Filter, AgeHasUnits) {
    const RunSummary run = some("a", RunPhase::Finished, 2.5);
    EXPECT_TRUE(accepts("age<2m", run));
    EXPECT_FALSE(accepts("age<30s", run));
    EXPECT_TRUE(accepts("age>30s", run));
    EXPECT_TRUE(accepts("age<7d", run));
}

TEST(Filter, TagsNotesAndExpressions) {
    const RunSummary run = some("llama-1b", RunPhase::Running, 2.5);
    EXPECT_TRUE(accepts("tag:lr-sweep", run));
    EXPECT_TRUE(accepts("night", run));
    EXPECT_FALSE(accepts("tag:other", run));
    EXPECT_TRUE(accepts("-tag:other note:warm", run));
    EXPECT_TRUE(accepts("note:\"of 2000\"", run));
    EXPECT_FALSE(accepts("name:night", run));
    EXPECT_TRUE(accepts("/^llama-\\d+b$/", run));
    EXPECT_FALSE(accepts("/^gpt/", run));
    EXPECT_TRUE(accepts("-/^gpt/", run));
    EXPECT_FALSE(accepts("\"LLAMA\"", run)) << "a phrase has its case";
}

TEST(Filter, AnyKeyAndAnyMetric) {
    const RunSummary run = some("a", RunPhase::Finished, 2.5);
    EXPECT_TRUE(accepts("lr>1e-4 lr<1e-3", run));
    EXPECT_FALSE(accepts("lr>1e-3", run));
    EXPECT_TRUE(accepts("optimizer.lr=0.0003", run));
    EXPECT_TRUE(accepts("optimizer.name=AdamW", run));
    EXPECT_TRUE(accepts("optimizer.name!=sgd", run));
    EXPECT_FALSE(accepts("optimizer.name!=adamw", run));
    EXPECT_TRUE(accepts("optimizer.name:adam", run));
    EXPECT_TRUE(accepts("warmup_steps>=2000", run));
    EXPECT_TRUE(accepts("eval/loss<2.5 eval/loss.best<2.3", run));
    EXPECT_FALSE(accepts("eval/loss.mean<2.5", run));
    EXPECT_TRUE(accepts("accuracy.best>0.75", run)) << "more is better";
    EXPECT_FALSE(accepts("nothing>0", run));
    EXPECT_FALSE(accepts("nothing<0", run)) << "what is not there is neither";
    EXPECT_TRUE(accepts("-nothing<0", run));
}

TEST(Filter, SaysWhatIsWrong) {
    EXPECT_EQ(complaint("loss>>1"), "“loss>>1” is not a comparison: write loss>1.");
    EXPECT_EQ(complaint("age<7"), "“age<7” has no unit: write age<7d (s, m, h or d).");
    EXPECT_EQ(complaint("val<abc"), "“val<abc” needs a number: write val<1.");
    EXPECT_EQ(complaint("lr>>1"), "“lr>>1” is not a comparison: write lr>1.");
    EXPECT_EQ(complaint("/abc"), "“/abc” has no end: write /abc/.");
    EXPECT_NE(complaint("/a(/").find("is not a valid regular expression"), std::string::npos);
    EXPECT_EQ(complaint("ll ama"), "");
}

TEST(Filter, NamesAnUnknownKey) {
    RunSummaries runs{some("a", RunPhase::Finished, 2.5), some("b", RunPhase::Finished, 2.5)};
    const auto unknown = [&runs](const char* text) {
        RunFilter filter;
        EXPECT_TRUE(RunFilter::parse(QString::fromUtf8(text), filter).isEmpty());
        return filter.unknownName(runs).toStdString();
    };
    for (const char* known : {"", "llama", "tag:x", "lr>1", "optimizer.lr>1", "eval/loss.best<2", "accuracy>0", "val<2",
                              "age<7d", "optimizer.name:adam"})
        EXPECT_EQ(unknown(known), "") << known;
    EXPECT_EQ(unknown("learn_rte>1"), "No run has a key or metric named “learn_rte”.");
    EXPECT_EQ(unknown("-warmup_stps:5"), "No run has a key or metric named “warmup_stps”. Did you mean warmup_steps?");
    EXPECT_EQ(unknown("eval/los<2"), "No run has a key or metric named “eval/los”. Did you mean eval/loss?");
    runs[1].metrics.reset();
    EXPECT_EQ(unknown("learn_rte>1"), "") << "not while a run is being read";
}

TEST(Filter, SegmentsCoverEveryPhase) {
    for (int phase = 0; phase <= static_cast<int>(RunPhase::Unreadable); ++phase) {
        const RunSummary run = some("a", static_cast<RunPhase>(phase), 1);
        const int in = inSegment(run, RunSegment::Live) + inSegment(run, RunSegment::Finished) +
                       inSegment(run, RunSegment::Failed);
        EXPECT_EQ(in, 1) << phase;
        EXPECT_TRUE(inSegment(run, RunSegment::All));
        RunSummary archived = run;
        archived.archived = true;
        for (RunSegment segment : {RunSegment::All, RunSegment::Live, RunSegment::Finished, RunSegment::Failed})
            EXPECT_FALSE(inSegment(archived, segment));
        EXPECT_TRUE(inSegment(archived, RunSegment::Archived));
        EXPECT_FALSE(phaseWord(run.phase).isEmpty());
        EXPECT_FALSE(phaseChip(run.phase).text.isEmpty());
    }
    EXPECT_EQ(phaseKey(RunPhase::Unreadable), QStringLiteral("unreadable"));
    EXPECT_EQ(phaseKey(RunPhase::Imported), QStringLiteral("imported"));
}

TEST(Details, MetricsKnowWhichWayIsBetter) {
    for (const char* more : {"eval/accuracy", "eval/f1", "train/tokens_per_s", "acc", "val/top5", "test_bleu"})
        EXPECT_TRUE(isMoreBetter(QLatin1String(more))) << more;
    for (const char* less : {"train/loss", "eval/perplexity", "wer", "accumulated_error", "train/step_time_s"})
        EXPECT_EQ(betterOf(QLatin1String(less)), Better::Less) << less;
    for (const char* neither : {"train/lr", "train/learning_rate", "train/peak_flops_per_s", "train/loss_scale",
                                "train/grad_norm", "recalled", "x"})
        EXPECT_EQ(betterOf(QLatin1String(neither)), Better::Neither) << neither;
}

TEST(Words, LossesHaveFourDigits) {
    EXPECT_EQ(lossText(2.48912).toStdString(), "2.489");
    EXPECT_EQ(lossText(10.1234).toStdString(), "10.12");
    EXPECT_EQ(lossText(0.31119).toStdString(), "0.311");
    EXPECT_EQ(lossText(std::nullopt).toStdString(), "");
    EXPECT_EQ(lossText(std::nan("")).toStdString(), "NaN");
    EXPECT_EQ(lossText(-1.5).toStdString(), "−1.500");
}

TEST(Words, TimesAreRelativeWithinADay) {
    EXPECT_EQ(relativeTime(1000, 1002).toStdString(), "just now");
    EXPECT_EQ(relativeTime(1000, 1042).toStdString(), "42\u00A0s ago");
    EXPECT_EQ(relativeTime(1000, 1000 + 150).toStdString(), "2\u00A0min ago");
    EXPECT_EQ(relativeTime(1000, 1000 + 7 * 3600 + 34 * 60).toStdString(), "7\u00A0h\u00A034\u00A0min ago");
    EXPECT_EQ(relativeTime(0, 1000).toStdString(), "");
}
