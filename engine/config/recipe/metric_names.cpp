// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/recipe/metric_names.h"

#include <algorithm>

#include "models/spec/labels.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

bool is_classification(const families::ModelConfig& model) {
    return model.task == families::kSequenceClassification || model.task == families::kTokenClassification ||
           model.task == families::kImageClassification;
}

}  // namespace

const std::vector<ClassMetric>& class_metrics() {
    static const std::vector<ClassMetric> metrics = [] {
        using enum ClassMetric::Figure;
        using enum ClassMetric::Average;
        std::vector<ClassMetric> made;
        for (const auto& [figure, name] : {std::pair{f1, "f1"}, {precision, "precision"}, {recall, "recall"}})
            for (const auto& [average, ending] :
                 {std::pair{usual, ""}, {macro, "_macro"}, {micro, "_micro"}, {weighted, "_weighted"}})
                made.push_back({std::string(name) + ending, figure, average});
        return made;
    }();
    return metrics;
}

const std::vector<std::string>& seqeval_curves() {
    static const std::vector<std::string> curves{"overall_precision", "overall_recall", "overall_f1"};
    return curves;
}

std::string metric_of_curve(const std::string& name) {
    return std::ranges::find(seqeval_curves(), name) != seqeval_curves().end() ? kSeqeval : name;
}

bool is_built_in_metric(const std::string& name) {
    return name == kPerplexity || name == kSeqeval ||
           std::ranges::find(class_metrics(), name, &ClassMetric::name) != class_metrics().end();
}

std::vector<std::string> built_in_metrics(const families::ModelConfig& model) {
    const std::string loss = families::loss_of(model);
    std::vector<std::string> names;
    if (is_classification(model) && (loss == families::kSingleLabel || loss == families::kMultiLabel))
        for (const ClassMetric& metric : class_metrics())
            names.push_back(metric.name);
    if (model.task == families::kTokenClassification && loss == families::kSingleLabel)
        names.emplace_back(kSeqeval);
    if (model.loss.empty() &&
        (model.task == families::kCausalLm || model.task == families::kMaskedLm || model.task == families::kSeq2SeqLm))
        names.emplace_back(kPerplexity);
    return names;
}

std::vector<std::string> task_metrics(const families::ModelConfig& model) {
    if (model.task == families::kQuestionAnswering)
        return {"exact_match", "f1"};
    if (model.task == families::kSentenceEmbedding && model.loss == families::kCosineLoss)
        return {"spearman"};
    if (model.task == families::kSemanticSegmentation)
        return {"accuracy", kMeanIou, kMeanAccuracy};
    if (model.task == families::kSpeechPretraining)
        return model.diversity_loss_weight > 0
                   ? std::vector<std::string>{"accuracy", kContrastiveLoss, kCodevectorPerplexity}
                   : std::vector<std::string>{"accuracy", kContrastiveLoss};
    // The outputs of a loss of one's own need not be logits.
    const bool chooses = model.task == families::kMultipleChoice || is_classification(model);
    return chooses && families::loss_of(model) == families::kSingleLabel ? std::vector<std::string>{"accuracy"}
                                                                         : std::vector<std::string>();
}

}  // namespace trainyard::config
