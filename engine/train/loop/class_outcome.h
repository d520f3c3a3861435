// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// What a classification found: which classes were taken for which, and the samples whose label is least likely. Shared
// by recipes and programs. Inside this library and its users.

#include <cstdint>
#include <vector>

#include <ATen/core/Tensor.h>

namespace trainyard::train {

struct ClassOutcome {
    enum class Kind {
        single,   ///< one label of a sample, or of each of its positions (token_classification)
        several,  ///< each class for itself: it is a label of the sample or not
        pixels,   ///< one label of each pixel of an image
    };
    struct Sample {
        std::int64_t number = 0;
        std::int64_t position = -1;  ///< token of the sample; -1: the label is of the whole sample
        std::int64_t label = 0, found = 0;
        double probability = 0;  ///< of the label; of an image the share of its pixels that are found
    };
    std::int64_t classes = 0;
    Kind kind = Kind::single;
    std::vector<std::int64_t> counts;  ///< [label, found], of rows() each
    std::vector<Sample> worst;         ///< lowest probability first, at most run::kWorstSamples

    /// With `several` the last one stands for no label: a class that is missed counts as [class, none], and one that
    /// is found wrongly as [none, class].
    std::int64_t rows() const { return classes + (kind == Kind::several ? 1 : 0); }
    void reset() {
        counts.assign(static_cast<std::size_t>(rows() * rows()), 0);
        worst.clear();
    }
};

/// Keeps run::kWorstSamples of them. Equal probabilities are ordered by number, so that the result does not depend on
/// the number of ranks.
void keep_worst(std::vector<ClassOutcome::Sample>& samples);

/// Counts a batch: logits [samples, ..., classes], labels of at least 0, or -100 (or NaN): not counted; [samples], or
/// [samples, positions], or of pixels [samples, height, width], or with several labels [samples, classes]. `first`:
/// number of its first sample.
void count_classes(ClassOutcome& outcome, const at::Tensor& logits, const at::Tensor& labels, std::int64_t first);

}  // namespace trainyard::train
