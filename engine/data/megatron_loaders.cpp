// SPDX-License-Identifier: GPL-3.0-or-later
#include <optional>
#include <utility>

#include <trainyard/megatron_loaders.h>

#include "base/counted.h"
#include "base/error.h"
#include "base/number.h"
#include "data/prepare_data_loader.h"
#include "data/source_samples.h"

namespace trainyard::data {

namespace {

struct WeightedSets {
    std::vector<std::string> prefixes;
    std::vector<double> weights;  ///< empty: by size
};

/// Weights are at every second place, or nowhere.
WeightedSets weighted_sets(const std::vector<std::string>& data_path) {
    WeightedSets sets;
    for (std::size_t i = 0; i + 1 < data_path.size(); i += 2)
        if (const std::optional<double> weight = parse_number<double>(data_path[i], 0.0)) {
            sets.weights.push_back(*weight);
            sets.prefixes.push_back(data_path[i + 1]);
        }
    if (2 * sets.weights.size() != data_path.size())
        return {data_path, {}};
    return sets;
}

void check_spec(const MegatronLoaderSpec& spec) {
    std::vector<Message> wrong;
    if (spec.data_path.empty())
        wrong.push_back("data_path names no indexed set");
    if (spec.seq_length < 1)
        wrong.push_back(Message("seq_length is {}: give the tokens of a sample", spec.seq_length));
    if (spec.micro_batch_size < 1)
        wrong.push_back(Message("micro_batch_size is {}: make it 1 or more", spec.micro_batch_size));
    if (spec.num_workers < 0)
        wrong.push_back(Message("num_workers is {}: make it 0 or more", spec.num_workers));
    for (const std::int64_t samples : spec.samples)
        if (samples < 0)
            wrong.push_back(Message("samples has {}: give a number of samples, or 0 for one epoch", samples));
    try {
        formats::split_sequences(spec.splits_string, 1);
    } catch (const UserError& error) {
        wrong.push_back(Message("splits_string: {}", message_of(error)));
    }
    if (!wrong.empty())
        throw UserError("the loaders of the indexed data cannot be made: {}", Message::joined(wrong));
}

using Sets = std::vector<std::shared_ptr<const formats::MegatronSet>>;

/// A part of all sets as one data set; nullptr if its share is 0.
std::shared_ptr<Dataset> part_of(const MegatronLoaderSpec& spec, const Sets& sets, std::vector<double> weights,
                                 std::size_t part) {
    formats::GptOptions options;
    options.sequence_length = spec.seq_length;
    options.seed = spec.seed;
    const std::int64_t wanted = spec.samples[part];
    std::vector<std::pair<std::int64_t, std::int64_t>> ranges;
    bool empty = true;
    for (const auto& set : sets) {
        ranges.push_back(formats::split_sequences(spec.splits_string, set->sequences())[part]);
        empty = empty && ranges.back().first == ranges.back().second;
    }
    if (empty)
        return nullptr;
    const auto samples_of = [&](std::size_t set, std::int64_t samples) {
        options.samples = samples;
        return formats::GptSamples(sets[set], ranges[set].first, ranges[set].second, options);
    };
    if (sets.size() == 1)
        return std::make_shared<MegatronDataset>(samples_of(0, wanted));
    std::vector<std::shared_ptr<Dataset>> parts;
    std::vector<std::int64_t> sizes;
    for (std::size_t i = 0; i < sets.size(); ++i) {
        parts.push_back(std::make_shared<MegatronDataset>(samples_of(i, 0)));
        sizes.push_back(parts.back()->size());
    }
    if (weights.empty() && wanted == 0)
        return std::make_shared<BlendedDataset>(std::move(parts), formats::blend_all(sizes));
    if (weights.empty())
        weights.assign(sizes.begin(), sizes.end());
    std::int64_t all = wanted;
    for (std::size_t i = 0; wanted == 0 && i < sizes.size(); ++i)
        all += sizes[i];
    const std::vector<std::int64_t> needed = formats::blend_sizes(weights, all);
    for (std::size_t i = 0; i < sets.size(); ++i)
        parts[i] = std::make_shared<MegatronDataset>(samples_of(i, needed[i]));
    return std::make_shared<BlendedDataset>(std::move(parts), formats::blend(weights, all));
}

}  // namespace

EndlessLoader::EndlessLoader(std::unique_ptr<Loader> loader) : loader_(std::move(loader)) {}

Tree EndlessLoader::next() {
    for (int passes = 0; passes < 2; ++passes) {
        if (!std::exchange(in_pass_, true))
            loader_->begin();
        if (std::optional<Tree> batch = loader_->next())
            return std::move(*batch);
        in_pass_ = false;
    }
    throw UserError("a loader without an end has no batch: its data set is empty");
}

void EndlessLoader::load_state_dict(const Tree& state) {
    loader_->load_state_dict(state);
    in_pass_ = false;
}

MegatronLoaders megatron_loaders(const MegatronLoaderSpec& spec, const parallel::Mesh& mesh, at::Device device) {
    check_spec(spec);
    MegatronLoaders loaders;
    if (mesh.coordinate(parallel::Dimension::tp) != 0)
        return loaders;
    const WeightedSets given = weighted_sets(spec.data_path);
    Sets sets;
    for (const std::string& prefix : given.prefixes)
        sets.push_back(std::make_shared<const formats::MegatronSet>(prefix));
    const Shard shard = shard_of(mesh);
    const std::array parts{std::pair("training", &loaders.training), std::pair("validation", &loaders.validation),
                           std::pair("test", &loaders.test)};
    for (std::size_t part = 0; part < parts.size(); ++part) {
        const auto& [name, loader] = parts[part];
        std::shared_ptr<Dataset> samples = part_of(spec, sets, given.weights, part);
        if (samples == nullptr)
            continue;
        if (samples->size() < spec.micro_batch_size * shard.count)
            throw UserError(
                "the {} part of the indexed data has {}, and a batch of {} on each of {} needs more: change "
                "splits_string, "
                "or give samples",
                name, text::samples(samples->size()), spec.micro_batch_size, text::ranks(shard.count));
        LoaderSpec one;
        one.dataset = std::move(samples);
        one.batch_size = spec.micro_batch_size;
        one.drop_last = true;
        one.num_workers = spec.num_workers;
        PrepareOptions options;
        options.shard = shard;
        options.device = device;
        *loader = std::make_unique<EndlessLoader>(prepare_data_loader(std::move(one), options));
    }
    return loaders;
}

}  // namespace trainyard::data
