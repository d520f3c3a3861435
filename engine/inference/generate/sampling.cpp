// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/generate/sampling.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <set>

#include <fmt/format.h>

#include "base/error.h"
#include "base/philox.h"

namespace trainyard::generate {

GenerationOptions options_of_draw(const GenerationOptions& options, std::int64_t drawn) {
    GenerationOptions made = options;
    if (options.top_p_decay > 0)
        made.top_p = std::max({options.top_p * std::pow(options.top_p_decay, static_cast<double>(drawn)),
                               options.top_p_bound, std::numeric_limits<double>::min()});
    return made;
}

std::vector<Problem> check(const GenerationOptions& options) {
    std::vector<Problem> problems;
    const auto require = [&](bool holds, const char* key, Message message) {
        if (!holds)
            problems.push_back({"", 0, 0, key, std::move(message)});
    };
    require(options.max_new_tokens > 0, "max_new_tokens", "must be at least 1");
    require(options.temperature > 0, "temperature", "must be above 0: do_sample no takes the most likely token");
    require(options.top_k >= 0, "top_k", "must be at least 0");
    require(options.top_p > 0 && options.top_p <= 1, "top_p", "must be above 0 and at most 1");
    require(options.top_p_decay >= 0 && options.top_p_decay <= 1, "top_p_decay", "must be from 0 to 1");
    require(options.top_p_bound >= 0 && options.top_p_bound <= 1, "top_p_bound", "must be from 0 to 1");
    require(options.repetition_penalty > 0, "repetition_penalty", "must be above 0");
    require(options.num_beams >= 1 && options.num_beams <= 64, "num_beams", "must be from 1 to 64");
    require(options.num_beams == 1 || !options.do_sample, "num_beams",
            "beams take the most likely texts and draw nothing: set do_sample to no, or num_beams to 1");
    require(options.num_beams == 1 || !options.return_logits, "return_logits",
            "the tokens of a beam have no logits of one text: set num_beams to 1");
    return problems;
}

void penalise_repetition(const at::Tensor& logits, const std::vector<std::int64_t>& tokens, double penalty) {
    if (penalty == 1)
        return;
    auto* values = logits.data_ptr<float>();
    for (const std::int64_t token : std::set<std::int64_t>(tokens.begin(), tokens.end()))
        if (token >= 0 && token < logits.numel())
            values[token] = values[token] < 0 ? values[token] * static_cast<float>(penalty)
                                              : values[token] / static_cast<float>(penalty);
}

std::vector<Candidate> candidates(const at::Tensor& logits, const GenerationOptions& options) {
    const float* values = logits.const_data_ptr<float>();
    const std::int64_t count = logits.numel();
    std::vector<std::int64_t> order(static_cast<std::size_t>(count));
    std::iota(order.begin(), order.end(), 0);
    const auto likelier = [&](std::int64_t a, std::int64_t b) {
        return values[a] != values[b] ? values[a] > values[b] : a < b;
    };
    if (options.top_k > 0 && options.top_k < count) {
        std::ranges::nth_element(order, order.begin() + options.top_k - 1, likelier);
        order.resize(static_cast<std::size_t>(options.top_k));
    }
    std::ranges::sort(order, likelier);
    std::vector<Candidate> found;
    double sum = 0;
    for (const std::int64_t token : order) {
        found.push_back({token, std::exp((values[token] - values[order.front()]) / options.temperature)});
        sum += found.back().probability;
    }
    if (options.top_p < 1) {
        double reached = 0;
        std::size_t kept = 0;
        while (kept < found.size() && reached < options.top_p * sum)
            reached += found[kept++].probability;
        found.resize(std::max<std::size_t>(kept, 1));
        sum = reached;
    }
    for (Candidate& one : found)
        one.probability /= sum;
    return found;
}

std::int64_t choose(const at::Tensor& logits, const GenerationOptions& options, std::int64_t position) {
    const float* values = logits.const_data_ptr<float>();
    if (!options.do_sample)
        return std::max_element(values, values + logits.numel()) - values;
    const std::vector<Candidate> among = candidates(logits, options);
    const double drawn =
        uniform(philox(options.seed, RandomStream::generation, 0, 0, static_cast<std::uint64_t>(position))[0]);
    double reached = 0;
    for (const Candidate& one : among)
        if ((reached += one.probability) >= drawn)
            return one.token;
    return among.back().token;
}

}  // namespace trainyard::generate
