// SPDX-License-Identifier: GPL-3.0-or-later
// How the ranks of a launch connect: time-outs of operations, address and back end in code and in the environment. Real
// processes.

#include <chrono>
#include <cstdlib>
#include <filesystem>
#include <map>
#include <string>
#include <thread>

#include <ATen/ops/ones.h>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/accelerator.h>
#include <trainyard/function_launcher.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/error.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::process_group {
namespace {

using test::says;
using testing::AllOf;
using testing::HasSubstr;

/// Rank 1 does not come before rank 0 has given up. Returns what rank 0 got, and after how many seconds.
std::string give_up(const AcceleratorOptions& options, const std::map<std::string, std::string>& environment) {
    const test::TemporaryFolder folder;
    const std::filesystem::path over = folder.path() / "over";
    return launch::launch_function(
               2,
               [&](int rank) -> std::string {
                   Accelerator accelerator(options);
                   accelerator.wait_for_everyone();
                   if (rank == 1) {
                       for (int i = 0; i < 1000 && !std::filesystem::exists(over); ++i)
                           std::this_thread::sleep_for(std::chrono::milliseconds(20));
                       return "";
                   }
                   const double begin = monotonic_seconds();
                   std::string text = "no error";
                   try {
                       accelerator.reduce(at::ones({3}));
                   } catch (const std::exception& error) {
                       text = error.what();
                   }
                   const double seconds = monotonic_seconds() - begin;
                   std::filesystem::create_directory(over);
                   return text + (seconds >= 1.5 && seconds <= 4 ? " in time" : " after " + std::to_string(seconds));
               },
               {.cpu = true, .environment = environment})
        .front();
}

TEST(ProcessGroup, AnOperationThatTimesOutIsNamed) {
    EXPECT_THAT(give_up({.process_group = {.timeout_s = 2}}, {}), AllOf(HasSubstr("reduce"), HasSubstr("in time")));
    EXPECT_THAT(give_up({}, {{"TRAINYARD_PROCESS_GROUP_TIMEOUT", "2"}}),
                AllOf(HasSubstr("reduce"), HasSubstr("in time")));
    EXPECT_THAT(give_up({.process_group = {.timeout_s = 2}}, {{"TRAINYARD_PROCESS_GROUP_TIMEOUT", "600"}}),
                HasSubstr("in time"))
        << "the object has precedence";
}

/// The error of rank 0 for these options.
std::string outcome(const accelerator::ProcessGroupOptions& options,
                    const std::map<std::string, std::string>& environment = {}) {
    return launch::launch_function(2,
                                   [&](int) -> std::string {
                                       try {
                                           Accelerator accelerator({.process_group = options});
                                           return std::to_string(accelerator.reduce(at::ones({1})).item<float>());
                                       } catch (const UserError& error) {
                                           return error.what();
                                       }
                                   },
                                   {.cpu = true, .environment = environment})
        .front();
}

TEST(ProcessGroup, BackEndAndAddress) {
    EXPECT_EQ(outcome({.backend = "gloo"}), "2.000000");
    EXPECT_EQ(outcome({.init_method = "env://"}), "2.000000");
    EXPECT_THAT(outcome({.backend = "nccl"}), HasSubstr("process_group.backend is 'nccl'"));
    EXPECT_THAT(outcome({.init_method = "file:///tmp/x"}), HasSubstr("process_group.init_method is 'file:///tmp/x'"));
    EXPECT_THAT(outcome({.timeout_s = 0}), HasSubstr("process_group.timeout_s is 0"));
    EXPECT_THAT(outcome({}, {{"TRAINYARD_PROCESS_GROUP_TIMEOUT", "soon"}}),
                HasSubstr("TRAINYARD_PROCESS_GROUP_TIMEOUT"));
    // The variable's port is taken; the ranks meet where the program says.
    EXPECT_EQ(outcome({.init_method = "tcp://127.0.0.1:" + std::to_string(20'000 + ::getpid() % 10'000)}), "2.000000");
}

}  // namespace
}  // namespace trainyard::process_group
