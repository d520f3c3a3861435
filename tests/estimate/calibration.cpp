// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the ratio of measured to estimated memory that is recorded by runs, and of its effect on the memory limit.

#include "estimate/calibration.h"

#include <fstream>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard::estimate {
namespace {

EstimateFile run_with(std::uint64_t predicted, std::uint64_t measured) {
    EstimateFile run;
    run.device = "cpu";
    run.predicted_total = predicted;
    run.measured.emplace().peak_resident = measured;
    return run;
}

class CalibrationFile : public ::testing::Test {
  protected:
    test::TemporaryFolder folder_;
    std::filesystem::path file_ = folder_.path() / "cache" / "calibration.json";
    static constexpr std::uint64_t kGiB = 1u << 30;
};

TEST_F(CalibrationFile, TheMiddleOfTheRunsOfADevice) {
    EXPECT_EQ(calibration_of("a processor", file_).runs, 0u);
    for (const double factor : {1.1, 0.9, 1.3})
        add_to_calibration(run_with(2 * kGiB, static_cast<std::uint64_t>(factor * 2.0 * kGiB)), "a processor", file_);
    add_to_calibration(run_with(kGiB, 2 * kGiB), "another", file_);
    const Calibration known = calibration_of("a processor", file_);
    EXPECT_EQ(known.runs, 3u);
    EXPECT_NEAR(known.factor, 1.1, 1e-6);
    EXPECT_NEAR(known.least, 0.9, 1e-6);
    EXPECT_NEAR(known.most, 1.3, 1e-6);
    EXPECT_NEAR(calibration_of("another", file_).factor, 2, 1e-6);
}

TEST_F(CalibrationFile, IsForgottenByDeviceAndSaysWhereItWasLearnt) {
    add_to_calibration(run_with(kGiB, kGiB), "a", file_, "/runs/first");
    add_to_calibration(run_with(kGiB, 2 * kGiB), "b", file_, "/runs/second");
    const auto all = calibrations(file_);
    ASSERT_EQ(all.size(), 2u);
    EXPECT_EQ(all.at("a").last_run, "/runs/first");
    EXPECT_GT(all.at("b").last_time, 0);
    forget_calibration("a", file_);
    EXPECT_EQ(calibration_of("a", file_).runs, 0u);
    EXPECT_EQ(calibration_of("b", file_).runs, 1u);
    EXPECT_EQ(calibration_of("b", file_).last_run, "/runs/second");
    forget_calibration("never seen", file_);
    EXPECT_EQ(calibrations(file_).size(), 1u);
}

TEST_F(CalibrationFile, WhatSaysNothingIsLeftOut) {
    add_to_calibration(run_with(kGiB / 4, kGiB), "a", file_);  // the program itself decides
    EstimateFile unfinished = run_with(kGiB, kGiB);
    unfinished.measured.reset();
    add_to_calibration(unfinished, "a", file_);
    EXPECT_EQ(calibration_of("a", file_).runs, 0u);
    for (int i = 0; i < 60; ++i)
        add_to_calibration(run_with(kGiB, kGiB), "a", file_);
    EXPECT_EQ(calibration_of("a", file_).runs, 50u);
}

TEST_F(CalibrationFile, CountsInWhatFitsFromThreeRunsOn) {
    Device device;
    device.name = "a processor";
    device.cpu = true;
    device.memory = 10.0 * kGiB;
    for (int runs = 1; runs <= 3; ++runs) {
        add_to_calibration(run_with(kGiB, kGiB + kGiB / 4), "a processor", file_);
        Device calibrated = device;
        calibrate(calibrated, file_);
        EXPECT_EQ(calibrated.calibration_runs, runs < 3 ? 0u : 3u);
        EXPECT_NEAR(usable_memory(calibrated), runs < 3 ? device.memory : device.memory / 1.25, 1);
    }
}

TEST_F(CalibrationFile, SmallRunsTellWhatTheProgramTakesOnAProcessor) {
    constexpr std::uint64_t kMiB = 1u << 20;
    EstimateFile run = run_with(200 * kMiB, 230 * kMiB);
    add_to_calibration(run, "a processor", file_);  // from an older version, which did not record its assumption
    EXPECT_EQ(calibration_of("a processor", file_).program_runs, 0u);
    run.predicted_program = 130 * kMiB;
    add_to_calibration(run, "a processor", file_);
    Device device;
    device.name = "a processor";
    device.cpu = true;
    device.program = kCpuProgram;
    calibrate(device, file_);
    EXPECT_EQ(device.program, 160.0 * kMiB);
    EXPECT_EQ(device.program_runs, 1u);
    EXPECT_EQ(device.calibration_runs, 0u);
    // Estimates with the calibrated value are exact now, so it does not change.
    run.predicted_program = 160 * kMiB;
    run.predicted_total = run.measured->peak_resident;
    add_to_calibration(run, "a processor", file_);
    EXPECT_EQ(calibration_of("a processor", file_).program, 160.0 * kMiB);
    run.device = "cuda:0";
    add_to_calibration(run, "a GPU", file_);
    EXPECT_EQ(calibration_of("a GPU", file_).program_runs, 0u);
}

TEST_F(CalibrationFile, DamageIsNoCalibration) {
    std::filesystem::create_directories(file_.parent_path());
    for (const char* text : {"", "[1]", R"({"a": "x"})", R"({"a": [1.0]})", R"({"a": {"factors": [1e300, -1, 0]}})"}) {
        std::ofstream(file_) << text;
        EXPECT_EQ(calibration_of("a", file_).runs, 0u) << text;
    }
}

}  // namespace
}  // namespace trainyard::estimate
