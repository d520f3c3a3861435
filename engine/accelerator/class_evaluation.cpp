// SPDX-License-Identifier: GPL-3.0-or-later
#include "trainyard/class_evaluation.h"

#include <cmath>
#include <cstdlib>
#include <map>
#include <utility>

#include "base/environment_names.h"
#include "base/error.h"
#include "run/class_report.h"
#include "train/loop/class_outcome.h"
#include "trainyard/accelerator.h"

namespace trainyard::accelerator {

struct ClassEvaluation::Impl {
    std::vector<std::string> classes;
    train::ClassOutcome outcome;
    std::map<std::int64_t, std::string> texts;  ///< of the samples in outcome.worst
    std::int64_t samples = 0;
};

ClassEvaluation::ClassEvaluation(std::vector<std::string> classes) : impl_(std::make_unique<Impl>()) {
    if (classes.empty() || classes.size() > run::kMostClasses)
        throw UserError("an evaluation of classes has 1 to {} classes, and {} are given", run::kMostClasses,
                        classes.size());
    impl_->outcome.classes = static_cast<std::int64_t>(classes.size());
    impl_->classes = std::move(classes);
    impl_->outcome.reset();
}

ClassEvaluation::~ClassEvaluation() = default;

void ClassEvaluation::update(const at::Tensor& logits, const at::Tensor& labels,
                             const std::vector<std::string>& texts) {
    const std::int64_t classes = impl_->outcome.classes, samples = labels.numel();
    if (logits.numel() != samples * classes)
        throw UserError("the logits have {} numbers, and {} labels of {} classes need {}", logits.numel(), samples,
                        classes, samples * classes);
    if (!texts.empty() && std::cmp_not_equal(texts.size(), samples))
        throw UserError("{} texts are given for {} labels: give one for each, or none", texts.size(), samples);
    if (samples == 0)
        return;
    if (const auto most = labels.max().item<std::int64_t>(); most >= classes)
        throw UserError("a label is {}, and there are {} classes: labels count from 0", most, classes);
    count_classes(impl_->outcome, logits, labels, impl_->samples);
    std::map<std::int64_t, std::string> kept;
    for (const train::ClassOutcome::Sample& sample : impl_->outcome.worst)
        if (const std::int64_t place = sample.number - impl_->samples; place < 0)
            kept[sample.number] = std::move(impl_->texts[sample.number]);
        else if (!texts.empty())
            kept[sample.number] = texts[static_cast<std::size_t>(place)];
    impl_->texts = std::move(kept);
    impl_->samples += samples;
}

void ClassEvaluation::log(Accelerator& accelerator, std::int64_t step) {
    run::ClassReport report;
    report.step = step;
    report.classes = impl_->classes;
    report.counts = run::class_counts(impl_->outcome.counts, impl_->outcome.classes);
    std::int64_t right = 0, all = 0;
    for (const run::ClassCount& count : report.counts) {
        all += count.count;
        right += count.label == count.found ? count.count : 0;
    }
    for (const train::ClassOutcome::Sample& sample : impl_->outcome.worst)
        report.worst.push_back({sample.number, impl_->texts[sample.number], sample.label, sample.found,
                                sample.probability, -std::log(sample.probability)});
    impl_->outcome.reset();
    impl_->texts.clear();
    impl_->samples = 0;
    if (all == 0 || !accelerator.is_main_process())
        return;
    // As scikit-learn: classes that are neither labels nor found do not count.
    double f1 = 0, precision = 0, recall = 0, present = 0;
    std::vector<bool> is_found(report.classes.size());
    for (const run::ClassCount& count : report.counts)
        is_found[static_cast<std::size_t>(count.found)] = true;
    const std::vector<run::ClassFigures> figures = run::class_figures(report);
    for (std::size_t i = 0; i < figures.size(); ++i)
        if (figures[i].support > 0 || is_found[i]) {
            f1 += figures[i].f1;
            precision += figures[i].precision;
            recall += figures[i].recall;
            present += 1;
        }
    accelerator.log({{"eval/accuracy", Value(static_cast<double>(right) / static_cast<double>(all))},
                     {"eval/f1_macro", Value(f1 / present)},
                     {"eval/precision_macro", Value(precision / present)},
                     {"eval/recall_macro", Value(recall / present)}},
                    step);
    try {
        accelerator.log_table("eval/confusion_matrix", {"label", "found", "count"}, run::confusion_rows(report), step);
    } catch (const UserError&) {
        // No tracker keeps tables: the folder of the run has the counts.
    }
    if (const char* folder = std::getenv(kEnvRunDirectory); folder != nullptr && *folder != 0)
        run::write_class_report(run::RunPaths(folder), report);
}

}  // namespace trainyard::accelerator
