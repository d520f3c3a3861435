// SPDX-License-Identifier: GPL-3.0-or-later
#include "run/class_report.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/fields.h"
#include "base/file.h"
#include "base/number.h"
#include "base/regular_file.h"

namespace trainyard::run {

namespace {
constexpr std::uint64_t kLargestReport = 64u << 20;  // bytes
}  // namespace

fs::path class_reports(const RunPaths& run) {
    return run.root() / "evaluations";
}

void write_class_report(const RunPaths& run, const ClassReport& report) {
    make_private_folder(class_reports(run));
    write_file_atomically(class_reports(run) / fmt::format("step-{:06}.json", report.step), fields::to_text(report),
                          false);
    const std::vector<fs::path> all = list_class_reports(run);
    std::error_code ignored;
    for (std::size_t i = 0; i + kKeptReports < all.size(); ++i)
        fs::remove(all[i], ignored);
}

std::vector<fs::path> list_class_reports(const RunPaths& run) {
    std::vector<std::pair<std::int64_t, fs::path>> found;
    std::error_code error;
    for (fs::directory_iterator at(class_reports(run), error), end; !error && at != end; at.increment(error)) {
        const std::string name = at->path().filename().string();
        if (name.starts_with("step-") && name.ends_with(".json"))
            if (const auto step = parse_number<std::int64_t>(name.substr(5, name.size() - 10)))
                found.emplace_back(*step, at->path());
    }
    std::ranges::sort(found);
    std::vector<fs::path> files;
    for (auto& [step, path] : found)
        files.push_back(std::move(path));
    return files;
}

ClassReport read_class_report(const fs::path& file) {
    ClassReport report = fields::from_text<ClassReport>(read_regular_file(file, kLargestReport), file.string());
    const auto classes = static_cast<std::int64_t>(report.classes.size());
    const auto is_class = [&](std::int64_t number) { return number >= 0 && number < classes; };
    std::erase_if(report.counts, [&](const ClassCount& count) {
        return !is_class(count.label) || !is_class(count.found) || count.count < 0;
    });
    std::erase_if(report.worst,
                  [&](const WorstSample& worst) { return !is_class(worst.label) || !is_class(worst.found); });
    return report;
}

std::vector<ClassCount> class_counts(const std::vector<std::int64_t>& matrix, std::int64_t classes) {
    std::vector<ClassCount> counts;
    for (std::int64_t label = 0; label < classes; ++label)
        for (std::int64_t found = 0; found < classes; ++found)
            if (const std::int64_t count = matrix[static_cast<std::size_t>(label * classes + found)]; count > 0)
                counts.push_back({label, found, count});
    return counts;
}

std::vector<Value::List> confusion_rows(const ClassReport& report) {
    std::vector<Value::List> rows;
    for (const ClassCount& count : report.counts)
        rows.push_back({Value(report.classes[static_cast<std::size_t>(count.label)]),
                        Value(report.classes[static_cast<std::size_t>(count.found)]), Value(count.count)});
    return rows;
}

std::vector<ClassFigures> class_figures(const ClassReport& report) {
    struct Sums {
        std::int64_t right = 0, labelled = 0, found = 0;
    };
    std::vector<Sums> sums(report.classes.size());
    for (const ClassCount& count : report.counts) {
        sums[static_cast<std::size_t>(count.label)].labelled += count.count;
        sums[static_cast<std::size_t>(count.found)].found += count.count;
        if (count.label == count.found)
            sums[static_cast<std::size_t>(count.label)].right += count.count;
    }
    const auto share = [](double part, std::int64_t whole) {
        return whole > 0 ? part / static_cast<double>(whole) : 0;
    };
    std::vector<ClassFigures> figures;
    if (report.has_none && !sums.empty())
        sums.pop_back();
    for (const Sums& sum : sums)
        figures.push_back({sum.labelled, share(static_cast<double>(sum.right), sum.found),
                           share(static_cast<double>(sum.right), sum.labelled),
                           share(2.0 * static_cast<double>(sum.right), sum.labelled + sum.found)});
    return figures;
}

}  // namespace trainyard::run
