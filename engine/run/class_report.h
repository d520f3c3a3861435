// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What an evaluation of a classification found: which classes were taken for which, and the samples with the highest
// loss. evaluations/step-000120.json of a run, one file for each evaluation, of which the newest kKeptReports are kept.

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "config/values/value.h"
#include "run/paths.h"

namespace trainyard::run {

inline constexpr std::size_t kKeptReports = 50;
inline constexpr std::size_t kWorstSamples = 20;
inline constexpr std::size_t kMostClasses = 2000;                ///< with more, there is no report
inline constexpr std::int64_t kMostCounted = 1'000'000'000'000;  ///< of a label and a class: sums of them have 64 bits

/// How often samples of one class were taken for another, or the same one.
struct ClassCount {
    std::int64_t label = 0, found = 0, count = 0;
    bool operator==(const ClassCount&) const = default;
    void fields(auto& field) const {
        field("label", label)("found", found);
        field("count", count).between(0, kMostCounted);
    }
};

struct WorstSample {
    std::int64_t sample = 0;  ///< number in the held-out part, from 0
    std::string text;         ///< the text, a word in it («»), or the path of an image; empty: not known
    std::int64_t label = 0, found = 0;
    double probability = 0;  ///< of the label; of an image with a class for each pixel the share that is found
    double loss = 0;         ///< -log of the probability
    bool operator==(const WorstSample&) const = default;
    void fields(auto& field) const {
        field("sample", sample)("text", text)("label", label)("found", found)("probability", probability);
        field("loss", loss).real();
    }
};

struct ClassReport {
    std::int64_t step = 0;
    std::vector<std::string> classes;
    bool has_none = false;           ///< samples have several labels, and the last class stands for none of them
    std::vector<ClassCount> counts;  ///< without zeros, by label, then found
    std::vector<WorstSample> worst;  ///< highest loss first, at most kWorstSamples

    bool operator==(const ClassReport&) const = default;
    void fields(auto& field) const {
        field("step", step).required();
        field("classes", classes).required().at_most(kMostClasses + 1);
        field("has_none", has_none);
        field("counts", counts).at_most(1'000'000);
        field("worst", worst);
    }
};

/// The nonzero counts of a matrix [label, found] in rows.
std::vector<ClassCount> class_counts(const std::vector<std::int64_t>& matrix, std::int64_t classes);

/// The counts as a table for trackers: label, found, count.
std::vector<Value::List> confusion_rows(const ClassReport& report);

/// As scikit-learn's classification_report computes them.
struct ClassFigures {
    std::int64_t support = 0;  ///< samples of the class
    double precision = 0, recall = 0, f1 = 0;
};
/// Figures of each class, in the order of the names; not of the one that stands for none.
std::vector<ClassFigures> class_figures(const ClassReport& report);

fs::path class_reports(const RunPaths& run);
/// Throws UserError if the folder cannot be written.
void write_class_report(const RunPaths& run, const ClassReport& report);
/// Files of reports, oldest step first.
std::vector<fs::path> list_class_reports(const RunPaths& run);
/// Throws UserError naming the file, if it is not a report.
ClassReport read_class_report(const fs::path& file);

}  // namespace trainyard::run
