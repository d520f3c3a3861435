// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Evaluation of a classification in a program, for the page of its run and for trackers:
//
//     trainyard::ClassEvaluation evaluation({"cat", "dog"});
//     for (auto& batch : held_out)
//         evaluation.update(accelerator.gather_for_metrics(net(batch)), accelerator.gather_for_metrics(labels), paths);
//     evaluation.log(accelerator, step);
//
// The run's page and its reports then show the confusion matrix, precision, recall and F1 of each class and the samples
// with the highest loss. Trackers get eval/accuracy, eval/f1_macro, eval/precision_macro and eval/recall_macro, and
// those that keep tables eval/confusion_matrix.

#include <cstdint>
#include <memory>
#include <string>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::accelerator {

class Accelerator;

/// Counts which classes a model takes for which during an evaluation, and logs the result. Copies do not exist.
class ClassEvaluation {
  public:
    /// Throws UserError without classes, or with more than 2000.
    explicit ClassEvaluation(std::vector<std::string> classes);
    ~ClassEvaluation();

    /// Logits [samples, classes] and labels [samples] of all processes (-100: not counted). `texts`: of each sample
    /// what a reader should see, a text or the path of an image; empty: its number. Throws UserError if the shapes or
    /// the labels do not fit.
    void update(const at::Tensor& logits, const at::Tensor& labels, const std::vector<std::string>& texts = {});
    /// Logs what was counted since the last call, on the main process.
    void log(Accelerator& accelerator, std::int64_t step);

  private:
    struct Impl;
    std::unique_ptr<Impl> impl_;
};

}  // namespace trainyard::accelerator

namespace trainyard {
using accelerator::ClassEvaluation;
}
