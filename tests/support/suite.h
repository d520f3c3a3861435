// A program holds several suites, and a suite is the tests of some of its files.
#pragma once

namespace trainyard::test {

/// Starts GoogleTest and runs the tests of the files that --files=FILE,FILE... names, relative to tests/ ("run/state.cpp"); all tests without it.
/// A --gtest_filter on the command line chooses among all tests and counts instead. Returns the exit status, which is 1 too when none of
/// the files has a test: a suite cannot be empty by mistake.
int run_suite(int& argc, char** argv);

}  // namespace trainyard::test
