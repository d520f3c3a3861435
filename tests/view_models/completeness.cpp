// SPDX-License-Identifier: GPL-3.0-or-later
// Every item model is checked by QAbstractItemModelTester in some test, and no model needs a window.

#include <filesystem>
#include <fstream>
#include <map>
#include <regex>
#include <set>
#include <sstream>

#include <gtest/gtest.h>

namespace trainyard {
namespace {

namespace fs = std::filesystem;
const fs::path kSources = TRAINYARD_SOURCE_DIR;

std::string content(const fs::path& file) {
    std::ostringstream text;
    text << std::ifstream(file).rdbuf();
    return text.str();
}

template <class Visit>
void visit_sources(const fs::path& folder, Visit visit) {
    for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
        if (entry.path().extension() == ".cpp" || entry.path().extension() == ".h")
            visit(fs::relative(entry.path(), kSources).string(), content(entry.path()));
}

std::vector<std::string> all_of(const std::string& text, const std::regex& expression) {
    std::vector<std::string> found;
    for (std::sregex_iterator match(text.begin(), text.end(), expression), end; match != end; ++match)
        found.push_back((*match)[1]);
    return found;
}

/// Class -> file. Bases are Qt's, or models of ours.
std::map<std::string, std::string> models() {
    std::map<std::string, std::string> found;
    // The base classes of every class, without their namespaces; then what comes from a model, whatever lies between.
    std::multimap<std::string, std::pair<std::string, std::string>> derived;
    const std::regex declaration(R"(class\s+(\w+)\s*(?:final\s*)?:([^;{]*))");
    const std::regex base(R"((\w+)\s*(?:<[^>]*>)?\s*(?:,|$))");
    for (const char* folder : {"app", "widgets"})
        visit_sources(kSources / folder, [&](const std::string& file, const std::string& text) {
            for (std::size_t at = text.find("class "); at != std::string::npos; at = text.find("class ", at + 1)) {
                const std::string head = text.substr(at, text.find_first_of(";{", at) - at);
                if (std::smatch match; std::regex_match(head, match, declaration))
                    for (const std::string& parent : all_of(match[2].str(), base))
                        derived.emplace(parent, std::pair(match[1].str(), file));
            }
        });
    const std::set<std::string> bases{
        "QAbstractItemModel",           "QAbstractListModel",
        "QAbstractTableModel",          "QAbstractProxyModel",
        "QSortFilterProxyModel",        "QIdentityProxyModel",
        "QStandardItemModel",           "QStringListModel",
        "QConcatenateTablesProxyModel", "CellTable"};  // abstract: checked with each table that is one
    std::vector<std::string> queue(bases.begin(), bases.end());
    while (!queue.empty()) {
        const std::string parent = queue.back();
        queue.pop_back();
        const auto [begin, end] = derived.equal_range(parent);
        for (auto each = begin; each != end; ++each)
            if (!bases.contains(each->second.first) && found.emplace(each->second).second)
                queue.push_back(each->second.first);
    }
    return found;
}

TEST(ItemModels, EachIsCheckedInSomeTest) {
    const std::map<std::string, std::string> all = models();
    EXPECT_GE(all.size(), 15u) << "the search finds no models any more";
    EXPECT_TRUE(all.contains("RunsProxy")) << "the search does not find proxies";
    std::set<std::string> checked;
    visit_sources(kSources / "tests", [&](const std::string& file, const std::string& text) {
        if (file == "tests/support/model_check.h" || file == "tests/view_models/completeness.cpp" ||
            text.find("check_model<") == std::string::npos)
            return;
        static const std::regex call(R"(check_model<(?:\w+::)*(\w+)>\()");
        for (const std::string& model : all_of(text, call))
            checked.insert(model);
    });
    for (const auto& [model, file] : all)
        EXPECT_TRUE(checked.contains(model))
            << model << " of " << file
            << " breaks no rule of item models, as far as anybody knows: call test::check_model<" << model
            << ">() in a test that fills and changes it (tests/support/model_check.h).";
}

TEST(ItemModels, ThisProgramHasNoWindows) {
    std::ifstream maps("/proc/self/maps");
    std::string line;
    bool core = false;
    while (std::getline(maps, line)) {
        core = core || line.find("libQt6Core") != std::string::npos;
        EXPECT_EQ(line.find("libQt6Gui"), std::string::npos) << line;
        EXPECT_EQ(line.find("libQt6Widgets"), std::string::npos) << line;
    }
    EXPECT_TRUE(core);
}

}  // namespace
}  // namespace trainyard
