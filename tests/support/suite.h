// SPDX-License-Identifier: GPL-3.0-or-later
// A test program contains several suites; a suite consists of the tests in some of its files.
#pragma once

namespace trainyard::test {

/// Runs GoogleTest with the tests of the files in --files=FILE,FILE..., relative to tests/ ("run/state.cpp"); without
/// it all tests. A --gtest_filter on the command line takes precedence. Returns the exit status, which is also 1 if
/// none of the files has a test, so that a suite cannot be empty by mistake.
int run_suite(int& argc, char** argv);

}  // namespace trainyard::test
