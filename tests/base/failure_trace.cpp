// SPDX-License-Identifier: GPL-3.0-or-later
// How programs die when stack traces are enabled.

#include "base/failure_trace.h"

#include <algorithm>
#include <csignal>
#include <cstdlib>
#include <stdexcept>
#include <thread>

#include <gtest/gtest.h>

#include "base/file.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

[[gnu::noinline]] void fail_badly(int kind) {
    if (kind == 0)
        std::thread([] { throw std::out_of_range("index 7 is out of range"); }).join();
    if (kind == 1) {
        volatile int* nowhere = nullptr;
        *nowhere = 1;
    }
    if (kind == 2)
        std::abort();
    std::thread([] { throw 7; }).join();
}

void fail_with_trace(const char* variable, int kind) {
    ::setenv(variable, "yes", 1);
    if (install_failure_trace())
        fail_badly(kind);
}

TEST(FailureTrace, SaysWhatAndWhereAndDiesOfIt) {
    EXPECT_EXIT(fail_with_trace("TRAINYARD_TRACE", 0), testing::KilledBySignal(SIGABRT),
                "what\\(\\): index 7 is out of range \\(std::out_of_range\\)");
    EXPECT_EXIT(fail_with_trace("TRAINYARD_TRACE", 1), testing::KilledBySignal(SIGSEGV), "died of .* \\(signal 11\\)");
    EXPECT_EXIT(fail_with_trace("ACCELERATE_ENABLE_RICH", 2), testing::KilledBySignal(SIGABRT), "\\(signal 6\\)");
    EXPECT_EXIT(fail_with_trace("TRAINYARD_TRACE", 3), testing::KilledBySignal(SIGABRT), "an exception of type int");
}

#if defined(TRAINYARD_LIBBACKTRACE) && !defined(__SANITIZE_ADDRESS__)
[[gnu::noinline]] std::vector<TraceFrame> called_from_here() {
    std::vector<TraceFrame> frames = capture_trace();
    return frames;
}

TEST(FailureTrace, NamesFunctionFileAndLine) {
    const std::vector<TraceFrame> frames = called_from_here();
    ASSERT_GE(frames.size(), 2u);
    EXPECT_NE(frames[0].function.find("called_from_here"), std::string::npos) << frames[0].function;
    EXPECT_TRUE(frames[0].file.ends_with("failure_trace.cpp")) << frames[0].file;
    EXPECT_GT(frames[0].line, 0);
    EXPECT_EXIT(fail_with_trace("TRAINYARD_TRACE", 1), testing::KilledBySignal(SIGSEGV),
                "fail_badly.*failure_trace.cpp:[0-9]+");
}
#endif

TEST(FailureTrace, IsOptIn) {
    ::unsetenv("ACCELERATE_ENABLE_RICH");
    ::setenv("TRAINYARD_TRACE", "0", 1);
    EXPECT_FALSE(install_failure_trace());
    ::unsetenv("TRAINYARD_TRACE");
    EXPECT_FALSE(install_failure_trace());
}

void fail_with_file(const std::filesystem::path& file, int kind) {
    install_crash_file(file, "Version: 1\n");
    fail_badly(kind);
}

TEST(FailureTrace, TheCrashFileNamesSignalExceptionAndCallsAlone) {
    ::unsetenv("TRAINYARD_TRACE");
    const test::TemporaryFolder folder;
    const std::filesystem::path fault = folder.path() / "fault", thrown = folder.path() / "thrown";
    EXPECT_EXIT(fail_with_file(thrown, 0), testing::KilledBySignal(SIGABRT), "");
    const std::string of_exception = read_file(thrown);
    EXPECT_NE(of_exception.find("Version: 1\nSignal: SIGABRT\nUncaught exception: std::out_of_range\n"),
              std::string::npos)
        << of_exception;
    EXPECT_EQ(of_exception.find("index 7"), std::string::npos) << "texts of exceptions may be secret";
    EXPECT_EQ(std::filesystem::status(thrown).permissions(),
              std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
#ifndef __SANITIZE_ADDRESS__
    EXPECT_EXIT(fail_with_file(fault, 1), testing::KilledBySignal(SIGSEGV), "");
    const std::string of_fault = read_file(fault);
    EXPECT_NE(of_fault.find("Signal: SIGSEGV\nCalls, newest first:\n"), std::string::npos) << of_fault;
    EXPECT_GT(std::ranges::count(of_fault, '\n'), 5) << of_fault;
    EXPECT_EXIT(fail_with_file(fault, 2), testing::KilledBySignal(SIGABRT), "");
    EXPECT_EQ(read_file(fault), of_fault) << "an existing file stays";
#endif
}

TEST(FailureTrace, TheLines) {
    const std::vector<TraceFrame> frames = {
        {"train::step()", "/home/x/trainer.cpp", 212}, {"main", "/home/x/main.cpp", 4}, {"??", "", 0}};
    EXPECT_EQ(trace_text(frames, false),
              "   0  train::step()  trainer.cpp:212\n   1  main           main.cpp:4\n   2  ??\n");
    EXPECT_EQ(trace_text(std::span(frames).first(1), true),
              "   0  \x1b[36mtrain::step()\x1b[0m  \x1b[2mtrainer.cpp:212\x1b[0m\n");
}

}  // namespace
}  // namespace trainyard
