// SPDX-License-Identifier: GPL-3.0-or-later
// data_sharding.json and data_sharding_more.json: which rank gets which sample. Real loaders run, one thread per rank.
// The kind split_between_processes is tested in tests/parallel.

#include <fstream>
#include <span>

#include <ATen/ops/empty.h>
#include <ATen/ops/full.h>
#include <ATen/ops/randperm.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "data/dispatch_loader.h"
#include "data/prepare_data_loader.h"
#include "data/rng_sync.h"
#include "loader_model.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/sha256.h"

namespace trainyard::data {
namespace {

using nlohmann::json;
using test::LoaderModel;
using test::Numbers;

json listed(const Numbers& numbers) {
    if (numbers.size() <= 128)
        return numbers;
    std::string text;
    for (std::int64_t number : numbers)
        text += (text.empty() ? "" : " ") + std::to_string(number);
    return {{"first", Numbers(numbers.begin(), numbers.begin() + 16)},
            {"last", Numbers(numbers.end() - 16, numbers.end())},
            {"sha256", test::sha256(std::as_bytes(std::span(text)))}};
}

// ---- samplers and shards ----

json batch_sampler_shard(const json& input) {
    json ranks = json::array(), lengths = json::array();
    for (std::int64_t rank = 0; rank < input["num_processes"]; ++rank) {
        Batches batches{
            Order::sequential(input["length"]), input["batch_size"].get<std::int64_t>(), input["drop_last"], {}};
        BatchShard shard(batches, {rank, input["num_processes"]}, {input["split_batches"], input["even_batches"]});
        json mine = json::array();
        for (std::int64_t i = 0; i < shard.count(); ++i)
            mine.push_back(shard[i]);
        ranks.push_back(mine);
        lengths.push_back(shard.count());
    }
    return {{"ranks", ranks}, {"len", lengths}};
}

std::shared_ptr<IterableDataset> numbers_stream(std::int64_t length, bool sized) {
    auto open = [length](std::int64_t) -> FunctionStream::Next {
        return [length, i = std::int64_t(0)]() mutable -> std::optional<Tree> {
            if (i == length)
                return std::nullopt;
            return Tree(at::full({}, i++, at::kLong));
        };
    };
    return std::make_shared<FunctionStream>(open, sized ? std::optional(length) : std::nullopt);
}

Numbers to_numbers(const Tree& batch) {
    at::Tensor tensor = batch.as_tensor().contiguous();
    const auto* data = tensor.const_data_ptr<std::int64_t>();
    return Numbers(data, data + tensor.numel());
}

json iterable_shard(const json& input) {
    json ranks = json::array();
    std::int64_t size = input["batch_size"], count = input["num_processes"];
    for (std::int64_t rank = 0; rank < count; ++rank) {
        if (input["split_batches"] && size % count != 0)
            throw UserError("as prepare_data_loader says");
        StreamSource::Parts parts;
        parts.stream = numbers_stream(input["length"], false);
        parts.step_size = input["split_batches"] ? size : size * count;
        parts.drop_last = input["drop_last"];
        parts.completes = true;
        StreamSource source(std::move(parts), {rank, count});
        source.begin({}, {});
        json mine = json::array();
        while (auto job = source.next())
            for (std::int64_t number : to_numbers((*job)().batch))
                mine.push_back(number);
        ranks.push_back(mine);
    }
    return {{"ranks", ranks}};
}

json permutation(const json& input) {
    at::Generator generator = seeded_generator(input["seed"]);
    json drawn = json::array();
    for (int i = 0; i < input["draws"]; ++i)
        drawn.push_back(listed(Order::from(at::randperm(input["length"], generator, at::kLong)).to_vector()));
    return {{"permutations", drawn}};
}

json seedable_sampler(const json& input) {
    SeedableRandomSampler sampler(input["length"], input["data_seed"]);
    json epochs = json::array();
    for (const json& epoch : input["epochs"]) {
        if (!epoch.is_null())
            sampler.set_epoch(epoch);
        epochs.push_back(listed(sampler.begin_epoch({}).to_vector()));
    }
    return {{"epochs", epochs}, {"epoch_afterwards", sampler.epoch()}};
}

json random_sampler(const json& input) {
    RandomSamplerOptions options;
    options.replacement = input["replacement"];
    if (!input["num_samples"].is_null())
        options.num_samples = input["num_samples"].get<std::int64_t>();
    RandomSampler sampler(input["length"], options);
    at::Generator process = seeded_generator(input["seed"]);
    json epochs = json::array();
    for (int i = 0; i < input["epochs"]; ++i)
        epochs.push_back(sampler.begin_epoch(process).to_vector());
    return {{"epochs", epochs}};
}

// ---- loaders ----

/// Accelerate's gather_for_metrics for numbers.
Numbers gather_for_metrics(parallel::Communicator& all, const Loader& loader, const Tree& batch) {
    at::Tensor mine = batch.as_tensor().contiguous();
    at::Tensor every = at::empty({all.size() * mine.size(0)}, mine.options());
    all.all_gather(every, mine, "metrics");
    Numbers rows = to_numbers(Tree(every));
    if (loader.at_end() && loader.remainder() > 0)
        rows.resize(std::min(rows.size(), static_cast<std::size_t>(loader.remainder())));
    return rows;
}

json loader_of_rank(const json& input, parallel::World& world) {
    std::vector<int> ranks;
    for (int rank = 0; rank < world.size(); ++rank)
        ranks.push_back(rank);
    auto everyone = world.group(ranks, "everyone");
    std::int64_t length = input["length"];
    LoaderSpec spec;
    if (input["dataset"] == "map")
        spec.dataset =
            std::make_shared<FunctionDataset>(length, [](std::int64_t i) { return Tree(at::full({}, i, at::kLong)); });
    else
        spec.stream = numbers_stream(length, input["dataset"] == "iterable_with_length");
    spec.batch_size = input["batch_size"];
    spec.drop_last = input["drop_last"];
    spec.shuffle = input.value("shuffle", false);
    PrepareOptions options;
    options.shard = {world.rank(), world.size()};
    options.communicator = everyone.get();
    options.split_batches = input["split_batches"];
    options.even_batches = input["even_batches"];
    options.dispatch_batches = input["mode"] == "dispatch";
    options.use_seedable_sampler = input.value("seedable", false);
    if (input.contains("data_seed") && !input["data_seed"].is_null())
        options.data_seed = input["data_seed"].get<std::int64_t>();
    bool seeded = input.contains("seed") && !input["seed"].is_null();
    options.process_rng = seeded_generator(seeded ? input["seed"].get<std::int64_t>() : 0);
    auto loader = prepare_data_loader(spec, options);

    json unknown{{"error", "TypeError"}};
    bool dispatches = dynamic_cast<DispatchLoader*>(loader.get()) != nullptr;
    json result{{"class", dispatches ? "DataLoaderDispatcher" : "DataLoaderShard"},
                {"len", loader->length() ? json(*loader->length()) : unknown},
                {"total_batch_size", loader->total_batch_size()},
                {"total_dataset_length", loader->dataset_length() ? json(*loader->dataset_length()) : unknown},
                {"epochs", json::array()}};
    for (int epoch = 0; epoch < input.value("epochs", 1); ++epoch) {
        if (epoch == 0 && input.contains("skip_first_batches"))
            loader->skip_first_batches(input["skip_first_batches"]);
        json seen{{"batches", json::array()}, {"end_of_dataloader", json::array()}, {"remainder", json::array()}};
        if (input["gather"])
            seen["gather_for_metrics"] = json::array();
        for (Tree& batch : *loader) {
            seen["batches"].push_back(to_numbers(batch));
            seen["end_of_dataloader"].push_back(loader->at_end());
            seen["remainder"].push_back(loader->remainder());
            if (input["gather"])
                seen["gather_for_metrics"].push_back(gather_for_metrics(*everyone, *loader, batch));
        }
        result["epochs"].push_back(seen);
    }
    return result;
}

json loader(const json& input) {
    int size = input["num_processes"];
    std::vector<json> ranks(static_cast<std::size_t>(size));
    test::run_ranks(size, [&](std::unique_ptr<parallel::World> world) {
        ranks[static_cast<std::size_t>(world->rank())] = loader_of_rank(input, *world);
    });
    return {{"ranks", ranks}};
}

// ---- where we differ ----

/// Accelerate's result is wrong for inputs that `applies` to: LoaderModel computes `fields` instead ("" means
/// everything, and comes first). The same table is in engine/data/README.md.
struct Difference {
    const char* reason;
    std::vector<std::string> fields;
    bool (*applies)(const LoaderModel& input);
};

std::int64_t rows_of_last_step(const LoaderModel& input) {
    return input.length % input.step_size;
}

bool cannot_gather(const LoaderModel& input) {
    return input.gathers && !input.even && !input.dispatch && !input.stream && !input.drop_last && input.ranks > 1 &&
           rows_of_last_step(input) > 0;
}

const std::vector<Difference>& differences() {
    static const std::vector<Difference> table{
        {"a dispatching loader crashes when there is no whole step and short ones are dropped, or no sample at all",
         {""},
         [](const LoaderModel& input) {
             return input.dispatch && (input.length == 0 || (input.drop_last && input.length < input.step_size));
         }},
        {"a dispatching loader crashes when skip_first_batches leaves no batch",
         {""},
         [](const LoaderModel& input) {
             // Accelerate skips batches of the underlying loader: of one rank, or of all ranks if they are split.
             std::int64_t underlying = input.split ? input.step_size : input.batch;
             return input.dispatch && !input.stream && input.skip > 0 && input.skip * underlying >= input.length;
         }},
        {"a dispatching loader gives some ranks an empty batch when there are fewer than half as many samples as ranks",
         {""},
         [](const LoaderModel& input) {
             return input.dispatch && !input.drop_last && input.length < input.step_size &&
                    rows_of_last_step(input) * 2 < input.ranks;
         }},
        {"ranks whose last batches differ in size cannot gather them: the run ends with an error of Gloo's or hangs",
         {""},
         [](const LoaderModel& input) { return cannot_gather(input); }},
        {"a dispatching loader has no total_batch_size",
         {"total_batch_size"},
         [](const LoaderModel& input) { return input.dispatch; }},
        {"a sharded stream counts one rank's batch and repeated samples, which therefore stay in the metrics",
         {"total_batch_size", "total_dataset_length", "remainder", "gather_for_metrics"},
         [](const LoaderModel& input) { return input.stream && !input.dispatch && input.ranks > 1; }},
        {"the length of split batches counts batches that do not come",
         {"len"},
         [](const LoaderModel& input) {
             return input.split && !input.dispatch && input.ranks > 1 && (input.stream || !input.even);
         }},
        {"after skip_first_batches repeated samples stay in the metrics, and the next epoch has the same order again",
         {"batches", "remainder", "gather_for_metrics"},
         [](const LoaderModel& input) { return input.skip > 0 && !input.dispatch; }},
        {"a dispatching loader skips batches of one rank instead of steps of all",
         {"batches", "end_of_dataloader", "remainder", "gather_for_metrics"},
         [](const LoaderModel& input) { return input.skip > 0 && input.dispatch && !input.stream; }},
    };
    return table;
}

void take(json& expected, const json& own, const std::string& field) {
    if (field.empty()) {
        expected = own;
        return;
    }
    if (!expected.contains("ranks"))
        return;
    for (std::size_t rank = 0; rank < expected.at("ranks").size(); ++rank) {
        json& of_rank = expected["ranks"][rank];
        if (of_rank.contains(field))
            of_rank[field] = own["ranks"][rank].at(field);
        for (std::size_t epoch = 0; epoch < of_rank["epochs"].size(); ++epoch)
            if (of_rank["epochs"][epoch].contains(field))
                of_rank["epochs"][epoch][field] = own["ranks"][rank]["epochs"][epoch].at(field);
    }
}

json expected_of_loader(const json& input, const json& own, json expected) {
    LoaderModel model(input);
    for (const Difference& difference : differences())
        if (difference.applies(model))
            for (const std::string& field : difference.fields)
                take(expected, own, field);
    EXPECT_EQ(own, expected) << "the model of this test is wrong";
    return expected;
}

/// Accelerate's len also counts an empty piece of the last, split batch.
json expected_of_shard(const json& input, json expected) {
    std::int64_t tail = input["length"].get<std::int64_t>() % input["batch_size"].get<std::int64_t>();
    std::int64_t piece = input["batch_size"].get<std::int64_t>() / input["num_processes"].get<std::int64_t>();
    if (input["split_batches"] && !input["even_batches"] && !input["drop_last"] && expected.contains("len"))
        for (std::int64_t rank = 0; rank < input["num_processes"]; ++rank)
            if (tail > 0 && rank * piece >= tail)
                expected["len"][static_cast<std::size_t>(rank)] =
                    input["length"].get<std::int64_t>() / input["batch_size"].get<std::int64_t>();
    return expected;
}

class GoldenDataSharding : public testing::TestWithParam<const char*> {};

TEST_P(GoldenDataSharding, EverySampleOnItsRank) {
    std::ifstream file(test::golden(GetParam()));
    json golden = json::parse(file);
    int seen = 0;
    for (const json& one : golden.at("cases")) {
        const json& input = one.at("input");
        std::string kind = input.at("kind");
        if (kind == "split_between_processes")
            continue;
        ++seen;
        SCOPED_TRACE(one.at("id").get<std::string>());
        json expected = one.at("expected");
        try {
            json result;
            if (kind == "batch_sampler_shard") {
                expected = expected_of_shard(input, expected);
                result = batch_sampler_shard(input);
            } else if (kind == "iterable_shard") {
                result = iterable_shard(input);
            } else if (kind == "permutation") {
                result = permutation(input);
            } else if (kind == "seedable_sampler") {
                result = seedable_sampler(input);
            } else if (kind == "random_sampler") {
                result = random_sampler(input);
            } else if (kind == "loader") {
                json what = input;
                if (cannot_gather(LoaderModel(input)))
                    what["gather"] = false;  // distributed/parallel/collectives.h refuses to gather them
                expected = expected_of_loader(input, LoaderModel(what).result(), expected);
                result = loader(what);
            } else {
                FAIL() << "unknown kind " << kind;
            }
            EXPECT_EQ(result, expected);
        } catch (const UserError& error) {
            EXPECT_TRUE(expected.contains("error")) << error.what();
        }
    }
    EXPECT_GT(seen, 0);
}

INSTANTIATE_TEST_SUITE_P(Files, GoldenDataSharding, testing::Values("data_sharding.json", "data_sharding_more.json"));

}  // namespace
}  // namespace trainyard::data
