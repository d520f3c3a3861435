// SPDX-License-Identifier: GPL-3.0-or-later
#include "support/suite.h"

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <sstream>
#include <string>
#include <string_view>
#include <vector>

#include <gtest/gtest.h>

namespace trainyard::test {
namespace {

// Removes --files=... from the arguments and returns its value; empty if it is missing.
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

// Whether a test of `source` belongs to `file`. ccache with a base directory makes the paths of sources relative, so that only their ends are compared.
bool is_of(const std::filesystem::path& source, const std::filesystem::path& file) {
    return ("/" + source.lexically_normal().string()).ends_with("/tests/" + file.lexically_normal().string());
}

// A GoogleTest filter that matches all tests of `files`; empty if none of them has a test. A test belongs to the file
// that it is written in.
std::string filter_of(const std::string& files) {
    std::vector<std::filesystem::path> chosen;
    std::stringstream list(files);
    for (std::string file; std::getline(list, file, ',');)
        chosen.emplace_back(file);
    std::string filter;
    const testing::UnitTest& all = *testing::UnitTest::GetInstance();
    for (int i = 0; i < all.total_test_suite_count(); ++i) {
        const testing::TestSuite& suite = *all.GetTestSuite(i);
        for (int j = 0; j < suite.total_test_count(); ++j) {
            const testing::TestInfo& test = *suite.GetTestInfo(j);
            if (std::ranges::any_of(chosen,
                                    [&](const std::filesystem::path& file) { return is_of(test.file(), file); }))
                filter += (filter.empty() ? "" : ":") + std::string(suite.name()) + "." + test.name();
        }
    }
    return filter;
}

}  // namespace

int run_suite(int& argc, char** argv) {
    const std::string files = take_files(argc, argv);
    const std::string unfiltered = GTEST_FLAG_GET(filter);
    testing::InitGoogleTest(&argc, argv);
    if (!files.empty() && GTEST_FLAG_GET(filter) == unfiltered) {
        const std::string filter = filter_of(files);
        if (filter.empty()) {
            std::fprintf(stderr, "None of the files %s has a test.\n", files.c_str());
            return 1;
        }
        GTEST_FLAG_SET(filter, filter);
    }
    return RUN_ALL_TESTS();
}

}  // namespace trainyard::test
