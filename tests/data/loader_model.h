// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A second, simple implementation of prepared loaders: whole epochs as lists that loops cut and complete. It is the
// oracle for our results where Accelerate is wrong; where Accelerate is right, the golden file verifies this model,
// too.

#include <algorithm>
#include <cstdint>
#include <optional>
#include <vector>

#include <ATen/ops/randperm.h>

#include <nlohmann/json.hpp>

#include "data/rng_sync.h"

namespace trainyard::test {

using Numbers = std::vector<std::int64_t>;

/// One step of all ranks: the batch of each (nothing: no batch), and how many of its samples are not repetitions.
struct ModelStep {
    std::vector<std::optional<Numbers>> parts;
    std::int64_t real = 0;
};

class LoaderModel {
  public:
    explicit LoaderModel(const nlohmann::json& input)
        : length(input.at("length")),
          batch(input.at("batch_size")),
          ranks(input.at("num_processes")),
          dispatch(input.at("mode") == "dispatch"),
          stream(input.at("dataset") != "map"),
          sized(input.at("dataset") != "iterable"),
          split(input.at("split_batches")),
          even(input.at("even_batches")),
          drop_last(input.at("drop_last")),
          gathers(input.at("gather")),
          skip(input.value("skip_first_batches", std::int64_t(0))),
          step_size(split ? batch : batch * ranks),
          input_(input) {}

    std::vector<ModelStep> steps(std::int64_t epoch) const {
        std::vector<ModelStep> result;
        Numbers order = orders()[static_cast<std::size_t>(epoch)];
        for (std::int64_t begin = 0; begin < length; begin += step_size) {
            ModelStep step;
            Numbers samples;
            for (std::int64_t i = begin; i < std::min(begin + step_size, length); ++i)
                samples.push_back(order[static_cast<std::size_t>(i)]);
            step.real = static_cast<std::int64_t>(samples.size());
            if (step.real < step_size && drop_last)
                break;
            bool completes = ranks > 1 && (dispatch || stream || even);
            std::int64_t full = dispatch ? (step.real + ranks - 1) / ranks * ranks : step_size;
            for (std::int64_t i = 0; completes && static_cast<std::int64_t>(samples.size()) < full; ++i)
                samples.push_back(order[static_cast<std::size_t>(i % std::min(length, step_size))]);
            std::int64_t piece = full / ranks;
            for (std::int64_t rank = 0; rank < ranks; ++rank) {
                Numbers part;
                for (std::int64_t i = rank * piece;
                     i < std::min((rank + 1) * piece, static_cast<std::int64_t>(samples.size())); ++i)
                    part.push_back(samples[static_cast<std::size_t>(i)]);
                step.parts.push_back(part.empty() ? std::nullopt : std::optional(part));
            }
            result.push_back(step);
        }
        return result;
    }

    nlohmann::json result() const {
        nlohmann::json all = nlohmann::json::array();
        for (std::int64_t rank = 0; rank < ranks; ++rank)
            all.push_back(of_rank(static_cast<std::size_t>(rank)));
        return {{"ranks", all}};
    }

    std::int64_t length, batch, ranks;
    bool dispatch, stream, sized, split, even, drop_last, gathers;
    std::int64_t skip, step_size;

  private:
    /// The order of every epoch.
    std::vector<Numbers> orders() const {
        std::vector<Numbers> result;
        std::int64_t seed =
            input_.contains("seed") && !input_["seed"].is_null() ? input_["seed"].get<std::int64_t>() : 0;
        bool seedable = input_.value("seedable", false);
        at::Generator process = data::seeded_generator(seed), own;
        if (ranks > 1 && !dispatch)
            own = data::seeded_generator(data::draw_seed(process));
        for (std::int64_t epoch = 0; epoch < input_.value("epochs", 1); ++epoch) {
            Numbers order;
            at::Generator generator = own;
            data::draw_seed(process);  // for the workers
            if (seedable) {
                bool given = input_.contains("data_seed") && !input_["data_seed"].is_null();
                generator = data::seeded_generator((given ? input_["data_seed"].get<std::int64_t>() : seed) + epoch);
            } else if (!own.defined()) {
                generator = data::seeded_generator(data::draw_seed(process));
            }
            at::Tensor drawn = at::randperm(length, generator, at::kLong);
            if (own.defined())
                at::randperm(length, own, at::kLong);  // torch draws the rest of an epoch even if nothing of it remains
            for (std::int64_t i = 0; i < length; ++i)
                order.push_back(input_.value("shuffle", false) ? drawn.const_data_ptr<std::int64_t>()[i] : i);
            result.push_back(order);
        }
        return result;
    }

    std::int64_t remainder(bool last, std::int64_t real) const {
        if (dispatch)
            return last ? real : -1;
        bool known = !drop_last && (!stream || sized || (last && ranks > 1));
        return known ? length % step_size : -1;
    }

    nlohmann::json of_rank(std::size_t rank) const {
        nlohmann::json epochs = nlohmann::json::array();
        for (std::int64_t epoch = 0; epoch < input_.value("epochs", 1); ++epoch) {
            std::vector<ModelStep> all = steps(epoch);
            if (epoch == 0)
                all.erase(all.begin(), all.begin() + std::min(skip, static_cast<std::int64_t>(all.size())));
            nlohmann::json seen{{"batches", nlohmann::json::array()},
                                {"end_of_dataloader", nlohmann::json::array()},
                                {"remainder", nlohmann::json::array()}};
            nlohmann::json gathered = nlohmann::json::array();
            for (std::size_t i = 0; i < all.size(); ++i) {
                if (!all[i].parts[rank])
                    continue;
                bool last = i + 1 == all.size() || !all[i + 1].parts[rank];
                std::int64_t keep = remainder(last, all[i].real);
                seen["batches"].push_back(*all[i].parts[rank]);
                seen["end_of_dataloader"].push_back(last);
                seen["remainder"].push_back(keep);
                Numbers rows;
                for (const auto& part : all[i].parts)
                    if (part)
                        rows.insert(rows.end(), part->begin(), part->end());
                if (last && keep > 0)
                    rows.resize(std::min(rows.size(), static_cast<std::size_t>(keep)));
                gathered.push_back(rows);
            }
            if (input_.at("gather"))
                seen["gather_for_metrics"] = gathered;
            epochs.push_back(seen);
        }
        std::int64_t count = 0;
        for (const ModelStep& step : steps(0))
            count += step.parts[rank] ? 1 : 0;
        nlohmann::json unknown{{"error", "TypeError"}};
        return {{"class", dispatch ? "DataLoaderDispatcher" : "DataLoaderShard"},
                {"len", sized ? nlohmann::json(count) : unknown},
                {"total_batch_size", step_size},
                {"total_dataset_length", sized ? nlohmann::json(length) : unknown},
                {"epochs", epochs}};
    }

    nlohmann::json input_;
};

}  // namespace trainyard::test
