#include "support/suite.h"

#include <cstdio>
#include <filesystem>
#include <map>
#include <sstream>
#include <string>
#include <string_view>

#include <gtest/gtest.h>

namespace trainyard::test {
namespace {

// Removes --files=... from the arguments and returns its value, empty without it.
std::string take_files(int& argc, char** argv) {
    constexpr std::string_view kFlag = "--files=";
    std::string files;
    int kept = 1;
    for (int i = 1; i < argc; ++i) {
        const std::string_view argument = argv[i];
        if (argument.starts_with(kFlag))
            files = argument.substr(kFlag.size());
        else
            argv[kept++] = argv[i];
    }
    argv[argc = kept] = nullptr;
    return files;
}

// GoogleTest's filter that names all tests of `files`; empty, with a message, where one of them has none. A file whose tests are in a header
// that it includes counts through that header only, so that it must be named instead.
std::string filter_of(const std::string& files) {
    std::map<std::filesystem::path, int> tests_of;
    std::stringstream list(files);
    for (std::string file; std::getline(list, file, ',');)
        tests_of[std::filesystem::path(TRAINYARD_TESTS_DIR) / file] = 0;
    std::string filter;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const testing::TestSuite& suite = *all.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j) {
            const testing::TestInfo& test = *suite.GetTestInfo(j);
            const auto found = tests_of.find(std::filesystem::path(test.file()).lexically_normal());
            if (found == tests_of.end())
                continue;
            ++found->second;
            filter += (filter.empty() ? "" : ":") + std::string(suite.name()) + "." + test.name();
        }
    }
    if (filter.empty())
        std::fprintf(stderr, "None of the files %s has a test.\n", files.c_str());
    return filter;
}

}  // namespace

int run_suite(int& argc, char** argv) {
    const std::string files = take_files(argc, argv);
    const std::string unfiltered = GTEST_FLAG_GET(filter);
    testing::InitGoogleTest(&argc, argv);
    if (!files.empty() && GTEST_FLAG_GET(filter) == unfiltered) {
        const std::string filter = filter_of(files);
        if (filter.empty())
            return 1;
        GTEST_FLAG_SET(filter, filter);
    }
    return RUN_ALL_TESTS();
}

}  // namespace trainyard::test
