// main() for tests that only need GoogleTest.
#include "support/suite.h"

int main(int argc, char** argv) {
    return trainyard::test::run_suite(argc, argv);
}
