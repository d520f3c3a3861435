// A program holds several suites, and a suite is the tests of some of its files.
#pragma once

namespace trainyard::test {

/// Starts GoogleTest and runs the tests of the files that --files=FILE,FILE... names, relative to tests/ ("run/state.cpp"); all tests without it.
/// --gtest_filter chooses among them. Returns the exit status, 1 too where a file has no test: a suite cannot be empty by mistake.
int run_suite(int& argc, char** argv);

}  // namespace trainyard::test
