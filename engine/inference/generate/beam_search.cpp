// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/beam_search.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <ATen/ops/log_softmax.h>

namespace trainyard::generate {

namespace {

struct Beam {
    std::vector<std::int64_t> tokens;  ///< new ones
    double score = 0;                  ///< sum of log probabilities; of complete ones, weighed by length
};

struct Continuation {
    std::int64_t row, token;
    float score;
};

/// The best of all rows, best first; of equal ones the first.
std::vector<Continuation> best_candidates(const at::Tensor& scores, const std::vector<Beam>& beams, std::size_t count) {
    std::vector<Continuation> all;
    const std::int64_t vocabulary = scores.size(1);
    for (std::int64_t row = 0; row < scores.size(0); ++row) {
        const float* values = scores.const_data_ptr<float>() + row * vocabulary;
        for (std::int64_t token = 0; token < vocabulary; ++token)
            all.push_back({row, token, values[token] + static_cast<float>(beams[static_cast<std::size_t>(row)].score)});
    }
    const auto better = [](const Continuation& a, const Continuation& b) {
        return a.score != b.score ? a.score > b.score : std::pair(a.row, a.token) < std::pair(b.row, b.token);
    };
    count = std::min(count, all.size());
    std::ranges::partial_sort(all, all.begin() + static_cast<std::ptrdiff_t>(count), better);
    all.resize(count);
    return all;
}

}  // namespace

Generated beam_search(ModelSteps& steps, const std::vector<std::int64_t>& prompt, std::int64_t most,
                      const GenerationOptions& options) {
    const auto width = static_cast<std::size_t>(options.num_beams);
    const auto weighed = [&](double score, std::size_t length) {
        return score / std::pow(static_cast<double>(length), options.length_penalty);
    };
    const auto ends = [&](std::int64_t token) {
        return std::ranges::find(options.eos_token_ids, token) != options.eos_token_ids.end();
    };
    std::vector<Beam> beams(1), complete;
    std::vector<std::vector<std::int64_t>> rows{prompt};
    for (std::int64_t step = 0; step < most; ++step) {
        at::Tensor logits = steps.next(rows);
        for (std::size_t row = 0; row < beams.size(); ++row) {
            // transformers penalises log probabilities here.
            const at::Tensor own = logits[static_cast<std::int64_t>(row)];
            own.copy_(own.log_softmax(-1));
            std::vector<std::int64_t> seen = prompt;
            seen.insert(seen.end(), beams[row].tokens.begin(), beams[row].tokens.end());
            penalise_repetition(own, seen, options.repetition_penalty);
        }
        const std::size_t count = std::max<std::size_t>(2, 1 + options.eos_token_ids.size()) * width;
        std::vector<Beam> next;
        std::vector<std::int64_t> from;
        std::size_t place = 0;
        for (const Continuation& one : best_candidates(logits, beams, count)) {
            Beam beam = beams[static_cast<std::size_t>(one.row)];
            beam.tokens.push_back(one.token);
            beam.score = one.score;
            if (ends(one.token)) {
                if (place < width)  // an end that is not among the best does not count
                    complete.push_back({beam.tokens, weighed(beam.score, beam.tokens.size())});
            } else if (next.size() < width) {
                next.push_back(std::move(beam));
                from.push_back(one.row);
            }
            ++place;
        }
        std::ranges::stable_sort(complete, std::ranges::greater(), &Beam::score);
        if (complete.size() > width)
            complete.resize(width);
        if (next.empty())
            break;
        beams = std::move(next);
        const bool full = complete.size() >= width;
        // Scores only fall: the best running beam tells what can still be reached.
        const bool hopeless =
            full && complete.back().score >= weighed(beams.front().score, beams.front().tokens.size());
        if (full && (options.early_stopping || hopeless)) {
            beams.clear();
            break;
        }
        rows.clear();
        for (const Beam& beam : beams)
            rows.push_back({beam.tokens.back()});
        steps.reorder(from);
    }
    for (const Beam& beam : beams)
        if (!beam.tokens.empty())
            complete.push_back({beam.tokens, weighed(beam.score, beam.tokens.size())});
    const auto best = std::ranges::max_element(complete, {}, &Beam::score);
    if (best == complete.end())
        return {};
    Generated result{best->tokens, End::length};
    if (ends(result.tokens.back()))
        result.end = End::end_token;
    return result;
}

}  // namespace trainyard::generate
