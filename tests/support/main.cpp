// SPDX-License-Identifier: GPL-3.0-or-later
// main() for tests that only need GoogleTest.
#include "support/private_home.h"
#include "support/suite.h"

int main(int argc, char** argv) {
    const trainyard::test::PrivateHome home;
    return trainyard::test::run_suite(argc, argv);
}
