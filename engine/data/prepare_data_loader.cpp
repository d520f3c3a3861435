// SPDX-License-Identifier: GPL-3.0-or-later
#include "data/prepare_data_loader.h"

#include <algorithm>
#include <utility>

#include <ATen/ops/empty.h>

#include "base/error.h"
#include "data/batch_source.h"
#include "data/dispatch_loader.h"
#include "data/rng_sync.h"
#include "data/shard_loader.h"

namespace trainyard::data {

namespace {

/// The batch size of all ranks, if batches have one.
std::optional<std::int64_t> common_batch_size(const LoaderSpec& spec) {
    return spec.batch_sampler ? spec.batch_sampler->batch_size : std::optional(spec.batch_size);
}

void check(const LoaderSpec& spec, const PrepareOptions& options, bool dispatch) {
    std::vector<Message> wrong;
    if ((spec.dataset != nullptr) == (spec.stream != nullptr))
        wrong.push_back("set either dataset or stream");
    if (spec.stream && (spec.sampler || spec.batch_sampler || spec.shuffle))
        wrong.push_back("a stream has an order of its own: leave out shuffle, sampler and batch_sampler");
    if (spec.shuffle && spec.sampler)
        wrong.push_back("shuffle and sampler exclude each other");
    if (spec.batch_sampler && (spec.sampler || spec.shuffle || spec.drop_last || spec.batch_size != 1))
        wrong.push_back("batch_sampler takes the place of batch_size, shuffle, sampler and drop_last");
    if (spec.batch_sampler && !spec.batch_sampler->batches)
        wrong.push_back("the batch sampler has no function");
    std::optional<std::int64_t> size = common_batch_size(spec);
    if (size && *size < 1)
        wrong.push_back(Message("batch_size is {}: make it 1 or more", *size));
    if (spec.num_workers < 0 || (spec.num_workers > 0 && spec.prefetch_factor < 1))
        wrong.push_back("num_workers must be 0 or more, prefetch_factor 1 or more");
    const Shard& shard = options.shard;
    if (shard.count < 1 || shard.index < 0 || shard.index >= shard.count)
        wrong.push_back(Message("shard {} of {}", shard.index, shard.count));
    if (options.split_batches && !size)
        wrong.push_back("split_batches needs a batch size: give the batch sampler one, or do not split");
    else if (options.split_batches && shard.count > 0 && *size % shard.count != 0)
        wrong.push_back(
            Message("split_batches cuts every batch among {} ranks, which a batch size of {} "
                    "does not allow: make it a multiple",
                    shard.count, *size));
    if (dispatch && !options.put_on_device)
        wrong.push_back("dispatch_batches needs put_on_device");
    if (wrong.empty())
        return;
    throw UserError("the data loader cannot be made: {}", Message::joined(wrong));
}

/// The seed of rank 0's process. Processes may have different seeds on purpose (set_seed with device_specific).
std::int64_t common_seed(const at::Generator& process, parallel::Communicator* communicator) {
    auto seed = static_cast<std::int64_t>(process.current_seed());
    if (communicator == nullptr || communicator->size() == 1)
        return seed;
    at::Tensor message = at::empty({1}, at::kLong).fill_(seed).to(communicator->device());
    communicator->broadcast(message, 0, "seed of a sampler");
    return message.item<std::int64_t>();
}

/// The described sampler; seedable if requested, and with a generator if ranks must use the same one.
std::shared_ptr<Sampler> sampler_of(const LoaderSpec& spec, const PrepareOptions& options, const at::Generator& process,
                                    bool several) {
    std::shared_ptr<Sampler> sampler = spec.sampler;
    if (!sampler && spec.shuffle)
        sampler =
            std::make_shared<RandomSampler>(spec.dataset->size(), RandomSampler::Options{false, {}, spec.generator});
    if (!sampler)
        return std::make_shared<SequentialSampler>(spec.dataset->size());
    auto* random = dynamic_cast<RandomSampler*>(sampler.get());
    if (random != nullptr && options.use_seedable_sampler) {
        std::int64_t seed = options.data_seed ? *options.data_seed : common_seed(process, options.communicator);
        return std::make_shared<SeedableRandomSampler>(random->source_size(), seed, random->options());
    }
    at::Generator* generator = sampler->generator();
    if (several && generator != nullptr && !generator->defined())
        *generator = seeded_generator(draw_seed(process));
    return sampler;
}

}  // namespace

bool pins_batches(const LoaderSpec& spec, at::Device device) {
    return spec.pin_memory && !device.is_cpu();
}

std::unique_ptr<Loader> prepare_data_loader(LoaderSpec spec, const PrepareOptions& options) {
    bool dispatch = options.dispatch_batches.value_or(options.put_on_device && spec.stream != nullptr);
    check(spec, options, dispatch);
    Shard shard = options.shard;
    // The dispatching rank reads undivided batches.
    Shard read_shard = dispatch ? Shard{0, 1} : shard;
    std::int64_t step_of_all = options.split_batches || !common_batch_size(spec)
                                   ? common_batch_size(spec).value_or(0)
                                   : *common_batch_size(spec) * shard.count;

    LoaderSetup setup;
    setup.process = options.process_rng.defined() ? options.process_rng : default_generator();
    setup.seeds = spec.generator.defined() ? spec.generator : setup.process;
    setup.non_blocking = options.non_blocking;
    if (options.put_on_device)
        setup.device = options.device;
    setup.num_workers = spec.num_workers;
    setup.prefetch_factor = spec.prefetch_factor;
    setup.pin_memory = pins_batches(spec, options.device);
    setup.total_batch_size = step_of_all;
    setup.communicator = options.communicator;

    if (spec.stream) {
        StreamSource::Parts parts{spec.stream, step_of_all, spec.drop_last, spec.collate};
        if (dispatch) {
            parts.step_size = spec.batch_size;
            parts.keep_first = spec.drop_last ? 0 : shard.count;
        } else if (shard.count > 1 && !options.split_batches && spec.stream->part_count() >= shard.count) {
            parts.stream = spec.stream->take_parts(shard.count, shard.index);
            parts.step_size = spec.batch_size;
            parts.own_parts = true;
            read_shard = {0, 1};
            setup.parts = shard.count;
        }
        parts.completes = read_shard.count > 1;
        setup.source = std::make_unique<StreamSource>(std::move(parts), read_shard);
    } else {
        MapSource::Parts parts{spec.dataset, {}, spec.batch_sampler, spec.batch_size, spec.drop_last, spec.collate};
        // Ranks with the same shard (tensor parallel) must agree on the order, too.
        bool several = shard.count > 1 || (options.communicator != nullptr && options.communicator->size() > 1);
        if (!spec.batch_sampler)
            parts.sampler = sampler_of(spec, options, setup.process, several && !dispatch);
        setup.source = std::make_unique<MapSource>(
            std::move(parts), read_shard, ShardOptions{options.split_batches && !dispatch, options.even_batches});
    }
    if (!dispatch)
        return std::make_unique<ShardLoader>(std::move(setup), options.rng_types);
    bool drop_last = spec.batch_sampler ? spec.batch_sampler->drop_last : spec.drop_last;
    return std::make_unique<DispatchLoader>(
        std::move(setup),
        DispatchLoader::Options{options.split_batches, drop_last, !common_batch_size(spec), shard.count, options.slice},
        shard);
}

Shard shard_of(const parallel::Mesh& mesh) {
    using parallel::Dimension;
    return {mesh.coordinate(Dimension::dp_replicate) * mesh.size(Dimension::dp_shard) +
                mesh.coordinate(Dimension::dp_shard),
            mesh.size(Dimension::dp_replicate) * mesh.size(Dimension::dp_shard)};
}

}  // namespace trainyard::data
