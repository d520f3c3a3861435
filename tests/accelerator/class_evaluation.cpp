// SPDX-License-Identifier: GPL-3.0-or-later
// Evaluations of classes in programs: figures as scikit-learn computes them, the file of the run's page, bad input.

#include "trainyard/class_evaluation.h"

#include <cmath>
#include <cstdlib>

#include <ATen/ops/tensor.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "accelerator/training.h"
#include "base/environment_names.h"
#include "base/file.h"
#include "run/class_report.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "trainyard/accelerator.h"

namespace trainyard {
namespace {

using test::says;

TEST(ClassEvaluations, WriteTheReportOfTheRunAndLogFigures) {
    test::TemporaryFolder folder;
    ::setenv(kEnvRunDirectory, folder.path().c_str(), 1);
    AcceleratorOptions options;
    options.log_with = {std::string("jsonl")};
    options.project.project_dir = folder.path() / "logs";
    Accelerator accelerator(options, std::make_shared<parallel::ProcessState>());
    accelerator.init_trackers("classes");
    ClassEvaluation evaluation({"cat", "dog", "cow"});
    // Labels 0 0 1 1 1, found 0 1 1 1 0; the ignored one does not count. The class cow does not occur.
    const auto logits = [](std::vector<float> values) { return at::tensor(values).view({-1, 3}); };
    evaluation.update(logits({2, 0, -9, 0, 1, -9}), at::tensor({0, 0}, at::kLong), {"a.png", "b.png"});
    evaluation.update(logits({0, 3, -9, 0, 1, -9, 5, 0, -9, 0, 0, 9}), at::tensor({1, 1, 1, -100}, at::kLong),
                      {"c.png", "d.png", "e.png", "f.png"});
    evaluation.log(accelerator, 7);
    const std::vector<std::filesystem::path> files = run::list_class_reports(run::RunPaths(folder.path()));
    ASSERT_EQ(files.size(), 1u);
    const run::ClassReport report = run::read_class_report(files[0]);
    EXPECT_EQ(report.counts, (std::vector<run::ClassCount>{{0, 0, 1}, {0, 1, 1}, {1, 0, 1}, {1, 1, 2}}));
    ASSERT_EQ(report.worst.size(), 5u);
    EXPECT_EQ(report.worst[0].text, "e.png") << "found as cat with the highest logit";
    EXPECT_EQ(report.worst[1].text, "b.png");
    EXPECT_NEAR(report.worst[1].probability, 1 / (1 + std::exp(1.0) + std::exp(-9.0)), 1e-9);
    accelerator.end_training();
    std::string log;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder.path() / "logs"))
        if (entry.is_regular_file())
            log += read_file(entry.path());
    EXPECT_THAT(log, testing::HasSubstr("\"eval/accuracy\": 0.6"));
    // sklearn.metrics.f1_score([0,0,1,1,1], [0,1,1,1,0], average="macro")
    EXPECT_THAT(log, testing::HasSubstr("\"eval/f1_macro\": 0.58333"));

    // The next evaluation begins with nothing; of an empty one nothing is logged.
    evaluation.log(accelerator, 8);
    EXPECT_EQ(run::list_class_reports(run::RunPaths(folder.path())).size(), 1u);
    ::unsetenv(kEnvRunDirectory);
}

TEST(ClassEvaluations, KeepTheNewestReports) {
    test::TemporaryFolder folder;
    const run::RunPaths run(folder.path());
    for (int step = 1; step <= 60; ++step)
        run::write_class_report(run, {.step = step * 1'000'000, .classes = {"a"}, .counts = {{0, 0, 1}}, .worst = {}});
    const std::vector<std::filesystem::path> files = run::list_class_reports(run);
    ASSERT_EQ(files.size(), run::kKeptReports);
    EXPECT_EQ(run::read_class_report(files.front()).step, 11'000'000);
    EXPECT_EQ(run::read_class_report(files.back()).step, 60'000'000);
    // A file of another origin may name classes that do not exist.
    write_file_atomically(files.back(), R"({"step":1,"classes":["a"],"counts":[{"label":5,"found":0,"count":1}],)"
                                        R"("worst":[{"label":0,"found":-1}]})");
    EXPECT_TRUE(run::read_class_report(files.back()).counts.empty());
    EXPECT_TRUE(run::read_class_report(files.back()).worst.empty());
}

TEST(ClassEvaluations, WhatDoesNotFitIsRefused) {
    const auto refused = [](const auto& work) -> Message {
        try {
            work();
        } catch (const UserError& error) {
            return error.message();
        }
        return {};
    };
    EXPECT_THAT(refused([] { ClassEvaluation({}); }),
                says("an evaluation of classes has 1 to {} classes, and {} are given", 2000, 0));
    ClassEvaluation evaluation({"a", "b"});
    EXPECT_THAT(refused([&] {
                    evaluation.update(at::tensor({1.0, 2.0, 3.0}), at::tensor({0, 1}, at::kLong));
                }),
                says("the logits have {} numbers, and {} labels of {} classes need {}", 3, 2, 2, 4));
    EXPECT_THAT(refused([&] {
                    evaluation.update(at::tensor({1.0, 2.0}), at::tensor({2}, at::kLong));
                }),
                says("a label is {}, and there are {} classes: labels count from 0", 2, 2));
    EXPECT_THAT(refused([&] {
                    evaluation.update(at::tensor({1.0, 2.0}), at::tensor({1}, at::kLong), {"x", "y"});
                }),
                says("{} texts are given for {} labels: give one for each, or none", 2, 1));
}

}  // namespace
}  // namespace trainyard
