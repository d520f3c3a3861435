// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/megatron_gpt.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <random>

#include <fmt/format.h>

#include "base/error.h"
#include "base/number.h"

namespace trainyard::formats {

namespace {

/// numpy.random.RandomState(seed).shuffle: Mersenne Twister, Fisher-Yates shuffle from the end, indices drawn by masked
/// rejection.
class NumpyShuffle {
  public:
    explicit NumpyShuffle(std::uint32_t seed) : twister_(seed) {}

    template <class T>
    void operator()(std::span<T> items) {
        for (std::size_t i = items.size(); i-- > 1;)
            std::swap(items[i], items[draw(i)]);
    }

  private:
    std::size_t draw(std::uint64_t highest) {
        std::uint64_t mask = ~0ull >> __builtin_clzll(highest), value = 0;
        do {
            value = highest <= 0xffffffff ? twister_() : (std::uint64_t{twister_()} << 32 | twister_());
            value &= mask;
        } while (value > highest);
        return static_cast<std::size_t>(value);
    }
    std::mt19937 twister_;
};

void append_documents(std::vector<std::int32_t>& index, std::int64_t first, std::int64_t last, std::int64_t epochs,
                      NumpyShuffle& shuffle) {
    std::size_t begin = index.size();
    for (std::int64_t epoch = 0; epoch < epochs; ++epoch)
        for (std::int64_t document = first; document < last; ++document)
            index.push_back(static_cast<std::int32_t>(document));
    shuffle(std::span(index).subspan(begin));
}

}  // namespace

std::array<std::pair<std::int64_t, std::int64_t>, 3> split_sequences(const std::string& split, std::int64_t sequences) {
    std::array<double, 3> parts{};
    std::size_t count = 0;
    bool good = true, more = true;
    for (std::string_view rest = split; good && more;) {
        const std::size_t end = std::min(rest.find(','), rest.size());
        const auto value = parse_number<double>(rest.substr(0, end), 0.0);
        good = value && count < 3;
        if (good)
            parts[count++] = *value;
        more = end < rest.size();
        rest.remove_prefix(end + (more ? 1 : 0));
    }
    double sum = parts[0] + parts[1] + parts[2];
    if (!good || sum <= 0)
        throw UserError(
            "'{}' does not split data: give up to three numbers for training, validation "
            "and test, e.g. 969,30,1",
            split);
    // Sums and rounds as Python does: half to even.
    std::array<std::pair<std::int64_t, std::int64_t>, 3> ranges;
    double before = 0;
    for (std::size_t i = 0; i < 3; ++i) {
        double share = parts[i] / sum, after = before + share;
        auto edge = [&](double value) {
            return static_cast<std::int64_t>(std::nearbyint(value * static_cast<double>(sequences)));
        };
        ranges[i] = share > 0 ? std::pair(edge(before), std::min(edge(after), sequences))
                              : std::pair(edge(before), edge(before));
        before = after;
    }
    return ranges;
}

GptSamples::GptSamples(std::shared_ptr<const MegatronSet> set, std::int64_t first, std::int64_t last,
                       const GptOptions& options)
    : set_(std::move(set)), options_(options) {
    if (first < 0 || last > set_->sequences() || first > last || options.sequence_length <= 0 ||
        options.extra_token < 0 || options.extra_token > 1)
        throw std::out_of_range("sequences of an indexed set");
    auto lengths = set_->lengths();
    std::int64_t length = options.sequence_length, extra = options.extra_token;
    std::int64_t tokens = 0;
    for (std::int64_t i = first; i < last; ++i)
        tokens += lengths[static_cast<std::size_t>(i)];
    if (tokens == 0)
        throw UserError("{}: sequences {} to {} have no tokens", set_->prefix().string(), first, last);

    std::int64_t epochs = 1;
    if (options.samples > 0)
        epochs = std::max<std::int64_t>(1, (options.samples * length + extra + tokens - 1) / tokens);
    if ((last - first) > std::numeric_limits<std::int64_t>::max() / 16 / epochs)
        throw UserError("{} samples need {} epochs of {}: ask for fewer", options.samples, epochs,
                        set_->prefix().string());
    // If less than 80 % of the last epoch is needed, it is shuffled separately, so that its documents do not come too
    // early.
    bool separate = false;
    std::int64_t before_last = ((epochs - 1) * tokens - extra) / length;
    if (epochs > 1) {
        std::int64_t from_last = options.samples - before_last, per_epoch = (tokens - extra) / length;
        separate = from_last < static_cast<std::int64_t>(0.80 * static_cast<double>(per_epoch));
    }

    NumpyShuffle shuffle(options.seed);
    append_documents(documents_, first, last, separate ? epochs - 1 : epochs, shuffle);
    if (separate)
        append_documents(documents_, first, last, 1, shuffle);

    std::int64_t all = epochs * tokens - extra;
    std::int64_t samples = options.drop_last_partial ? all / length : (all + length - 1) / length;
    if (samples <= 0)
        throw UserError(
            "{}: sequences {} to {} have {} tokens, too few for one sample of {}: add "
            "data or shorten the samples",
            set_->prefix().string(), first, last, tokens, length + extra);
    starts_.reserve(static_cast<std::size_t>(samples) + 1);
    starts_.push_back({0, 0});
    std::int64_t document = 0, offset = 0;
    auto length_of = [&](std::int64_t place) {
        return std::int64_t{lengths[static_cast<std::size_t>(documents_[static_cast<std::size_t>(place)])]};
    };
    for (std::int64_t sample = 0; sample < samples; ++sample) {
        std::int64_t rest = length + extra;
        while (rest > 0) {
            std::int64_t there = length_of(document) - offset;
            if (there >= rest) {
                offset += rest - extra;
                rest = 0;
            } else if (document + 1 == std::ssize(documents_)) {  // the last, incomplete piece
                offset = length_of(document) - extra;
                rest = 0;
            } else {
                rest -= there;
                ++document;
                offset = 0;
            }
        }
        starts_.push_back({document, offset});
    }

    shuffle_.resize(static_cast<std::size_t>(samples));
    std::iota(shuffle_.begin(), shuffle_.end(), std::int64_t{0});
    auto first_part = static_cast<std::size_t>(separate ? std::min(before_last, samples) : samples);
    shuffle(std::span(shuffle_).first(first_part));
    shuffle(std::span(shuffle_).subspan(first_part));
}

std::int64_t GptSamples::read(std::int64_t sample, std::span<std::int64_t> out) const {
    if (sample < 0 || sample >= size() || std::ssize(out) != tokens_of_sample())
        throw std::out_of_range("sample of an indexed set");
    auto place = static_cast<std::size_t>(shuffle_[static_cast<std::size_t>(sample)]);
    auto [first, first_offset] = starts_[place];
    auto [last, last_offset] = starts_[place + 1];
    std::size_t written = 0;
    for (std::int64_t document = first; document <= last; ++document) {
        std::int32_t sequence = documents_[static_cast<std::size_t>(document)];
        std::int64_t begin = document == first ? first_offset : 0;
        std::int64_t end =
            document == last ? last_offset + options_.extra_token : set_->lengths()[static_cast<std::size_t>(sequence)];
        auto count = static_cast<std::size_t>(end - begin);
        set_->read(sequence, begin, out.subspan(written, count));
        written += count;
    }
    std::fill(out.begin() + static_cast<std::ptrdiff_t>(written), out.end(), options_.pad_token);
    return static_cast<std::int64_t>(written);
}

namespace {

std::vector<double> shares(std::span<const double> weights) {
    double sum = 0;
    for (double weight : weights) {
        if (!(weight >= 0) || !std::isfinite(weight))
            throw UserError("{} is not a valid weight of a data set: give numbers of at least 0", weight);
        sum += weight;
    }
    if (weights.empty() || sum <= 0 || weights.size() > 32767)
        throw UserError("the weights of a blend of data sets have no sum above 0: give each set a weight");
    std::vector<double> parts(weights.begin(), weights.end());
    for (double& part : parts)
        part /= sum;
    return parts;
}

}  // namespace

Blend blend(std::span<const double> weights, std::int64_t size) {
    std::vector<double> parts = shares(weights);
    std::vector<std::int64_t> taken(parts.size(), 0);
    Blend made;
    made.set.reserve(static_cast<std::size_t>(size));
    made.sample.reserve(static_cast<std::size_t>(size));
    for (std::int64_t i = 0; i < size; ++i) {
        double place = std::max(static_cast<double>(i), 1.0), furthest = 0;
        std::size_t chosen = 0;
        for (std::size_t set = 0; set < parts.size(); ++set) {
            double behind = parts[set] * place - static_cast<double>(taken[set]);
            if (set == 0 || behind > furthest) {
                furthest = behind;
                chosen = set;
            }
        }
        made.set.push_back(static_cast<std::int16_t>(chosen));
        made.sample.push_back(taken[chosen]++);
    }
    return made;
}

Blend blend_all(std::span<const std::int64_t> sizes) {
    std::int64_t total = 0;
    for (std::int64_t size : sizes)
        total += size;
    std::vector<std::int64_t> taken(sizes.size(), 0);
    Blend made;
    for (std::int64_t i = 0; i < total; ++i) {
        double place = std::max(static_cast<double>(i), 1.0), furthest = std::numeric_limits<double>::lowest();
        std::size_t chosen = 0;
        for (std::size_t set = 0; set < sizes.size(); ++set) {
            double behind =
                static_cast<double>(sizes[set]) / static_cast<double>(total) * place - static_cast<double>(taken[set]);
            if (taken[set] < sizes[set] && behind > furthest) {
                furthest = behind;
                chosen = set;
            }
        }
        made.set.push_back(static_cast<std::int16_t>(chosen));
        made.sample.push_back(taken[chosen]++);
    }
    return made;
}

std::vector<std::int64_t> blend_sizes(std::span<const double> weights, std::int64_t size, double surplus) {
    std::vector<std::int64_t> sizes;
    for (double part : shares(weights))
        sizes.push_back(
            static_cast<std::int64_t>(std::ceil(std::ceil(static_cast<double>(size) * part) * (1 + surplus))));
    return sizes;
}

}  // namespace trainyard::formats
