// SPDX-License-Identifier: GPL-3.0-or-later
// TRAINYARD_CPU_ISA: what it names is used, what it cannot mean is refused with a sentence. The variable is read once in a process, so each
// case is a process of its own.

#include "base/instruction_set.h"

#include <cstdlib>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "base/error.h"
#include "support/says.h"

namespace trainyard::models {
namespace {

/// Prints what instruction_set() says or throws, and ends.
[[noreturn]] void say_with(const char* word) {
    ::setenv("TRAINYARD_CPU_ISA", word, 1);
    std::string said;
    try {
        said = std::string("uses ") + to_string(instruction_set());
    } catch (const UserError& error) {
        said = error.what();
    }
    std::fprintf(stderr, "%s\n", said.c_str());
    std::_Exit(0);
}

class InstructionSetDeathTest : public ::testing::Test {
  protected:
    void SetUp() override { GTEST_FLAG_SET(death_test_style, "threadsafe"); }
};

TEST_F(InstructionSetDeathTest, TheVariableLimitsIt) {
    EXPECT_EXIT(say_with("generic"), ::testing::ExitedWithCode(0), "uses generic");
    EXPECT_EXIT(say_with(to_string(best_instruction_set())), ::testing::ExitedWithCode(0),
                std::string("uses ") + to_string(best_instruction_set()));
    EXPECT_EXIT(say_with(""), ::testing::ExitedWithCode(0), std::string("uses ") + to_string(best_instruction_set()));
}

TEST_F(InstructionSetDeathTest, WhatItCannotMeanIsRefused) {
    EXPECT_EXIT(say_with("avx513"), ::testing::ExitedWithCode(0),
                "TRAINYARD_CPU_ISA=avx513 is not known: use generic, avx2, avx512 or avx512bf16");
}

/// Also on a processor that has all of them.
TEST(InstructionSet, MoreThanAProcessorHasIsRefused) {
    EXPECT_EQ(find_instruction_set("avx2", InstructionSet::avx2), InstructionSet::avx2);
    EXPECT_EQ(find_instruction_set("generic", InstructionSet::avx2), InstructionSet::generic);
    try {
        find_instruction_set("avx512bf16", InstructionSet::avx2);
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), test::says("{}={} asks for more than this processor has: the most is {}",
                                             "TRAINYARD_CPU_ISA", "avx512bf16", "avx2"));
    }
}

TEST(InstructionSet, AnotherOneIsUsedForAWhile) {
    InstructionSet before = instruction_set();
    {
        UseInstructionSet used(InstructionSet::generic);
        EXPECT_EQ(instruction_set(), InstructionSet::generic);
    }
    EXPECT_EQ(instruction_set(), before);
}

}  // namespace
}  // namespace trainyard::models
