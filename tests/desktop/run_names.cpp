// SPDX-License-Identifier: GPL-3.0-or-later
// Names that tell runs apart, and the id where they do not.

#include "desktop/runs/run_names.h"

#include <QTest>

#include <gtest/gtest.h>

#include "desktop/dashboard/other_runs.h"
#include "desktop/runs/run_details.h"
#include "desktop/runs/run_store.h"
#include "desktop/runs/runs_model.h"
#include "fabricated_runs.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

RunSummary run_named(const char* name, const char* rate = nullptr, double created = 1) {
    RunSummary run;
    run.name = run.ownName = QLatin1String(name);
    run.created = created;
    if (rate != nullptr)
        run.config = std::make_shared<RunConfig>(QVector<ConfigEntry>{
            {QStringLiteral("model.n_layer"), QStringLiteral("4"), 4},
            {QStringLiteral("optimizer.lr"), QLatin1String(rate), QString(QLatin1String(rate)).toDouble()},
            {QStringLiteral("training.steps"), QStringLiteral("1200"), 1200}});
    return run;
}

TEST(RunNames, ANewRunGetsANameThatNoOtherHas) {
    EXPECT_EQ(unique_run_name(QStringLiteral("sample"), {}), QStringLiteral("sample"));
    EXPECT_EQ(unique_run_name(QStringLiteral("sample"), {run_named("sample")}), QStringLiteral("sample-2"));
    EXPECT_EQ(unique_run_name(QStringLiteral("sample"), {run_named("sample"), run_named("sample-2")}),
              QStringLiteral("sample-3"));
    EXPECT_EQ(unique_run_name(QStringLiteral("sample-2"), {run_named("sample"), run_named("sample-2")}),
              QStringLiteral("sample-3"))
        << "not sample-2-2";
}

TEST(RunNames, OneSettingThatDiffersIsTold) {
    const RunSummaries runs{run_named("sample", "0.002")};
    EXPECT_EQ(
        unique_run_name(QStringLiteral("sample"), runs, {{QStringLiteral("optimizer.lr"), QStringLiteral("3e-3")}}),
        QStringLiteral("sample-lr0.003"));
    EXPECT_EQ(
        unique_run_name(QStringLiteral("sample"), runs, {{QStringLiteral("optimizer.lr"), QStringLiteral("2.0e-3")}}),
        QStringLiteral("sample-2"));
    EXPECT_EQ(unique_run_name(QStringLiteral("sample"), runs,
                              {{QStringLiteral("optimizer.lr"), QStringLiteral("3e-5")},
                               {QStringLiteral("training.steps"), QStringLiteral("50")}}),
              QStringLiteral("sample-2"))
        << "two that differ make no name";
}

TEST(RunNames, TheEndingIsNoPartOfTheKindOfRun) {
    for (const char* name : {"sample", "sample-2", "sample-17", "sample-lr0.003", "sample-lr3e-05", "sample-seed7"})
        EXPECT_EQ(name_stem(name), "sample") << name;
    for (const char* name : {"gpt2-perldoc", "llama-7b", "run", "2"})
        EXPECT_EQ(name_stem(name), name);
}

TEST(RunNames, TheListShowsTheIdWhereNamesCollide) {
    const test::TemporaryFolder folder;
    ::setenv("TRAINYARD_RUNS", folder.path().c_str(), 1);
    test::fabricate(folder.path(), {.name = "sample", .age_s = 100});
    test::fabricate(folder.path(), {.name = "sample", .age_s = 200});
    test::fabricate(folder.path(), {.name = "other", .age_s = 300});
    RunStore store;
    store.start();
    ASSERT_TRUE(QTest::qWaitFor([&] { return store.isLoaded() && store.runs().size() == 3; }));
    RunsModel model;
    model.setRuns(store.runs());
    QStringList names;
    for (int row = 0; row < 3; ++row)
        names << model.index(row, RunsModel::Name).data().toString();
    EXPECT_EQ(names.filter(QStringLiteral("sample  ")).size(), 2) << names.join(QStringLiteral(", ")).toStdString();
    EXPECT_TRUE(names.contains(QStringLiteral("other")));
    names.removeDuplicates();
    EXPECT_EQ(names.size(), 3);
}

}  // namespace
}  // namespace trainyard::desktop
