// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <numeric>

#include "config/recipe/section_checks.h"
#include "models/spec/decoder/decoder_options.h"
#include "models/spec/family.h"
#include "models/spec/tasks.h"

namespace trainyard::config {

namespace {

struct Heads {
    std::int64_t queries = 0, keys = 0;
};

Heads heads_of(const ModelRecipe& model) {
    if (families::family_of(model).network() == families::Network::gpt2)
        return {model.n_head, model.n_head};
    const families::DecoderOptions options = families::decoder_options(model);
    return {options.heads, options.key_heads};
}

}  // namespace

void check_sequence(const Recipe& recipe, const ReportProblem& complain) {
    const ParallelRecipe& parallel = recipe.parallel;
    const std::int64_t cp = parallel.cp_size, sp = parallel.sp_size, length = recipe.data.sequence_length;
    const char* key = cp > 1 ? "parallel.cp_size" : "parallel.sp_size";
    const std::int64_t size = cp > 1 ? cp : sp;
    const families::Network network = families::family_of(recipe.model).network();
    if ((network != families::Network::gpt2 && network != families::Network::decoder) ||
        recipe.model.task != families::kCausalLm)
        return complain(key, {"model.model_type", "model.task"},
                        Message("{}: ranks share sequences of models with causal attention that are trained as {}, and "
                                "this is {}, trained as {}: set it to 1",
                                size, families::kCausalLm, recipe.model.model_type, recipe.model.task));
    // Chunks of positions: two for each context-parallel rank, each shared by the ranks that exchange heads.
    const std::int64_t parts = cp == 1 ? sp : cp * std::lcm<std::int64_t, std::int64_t>(2, sp);
    if (length % parts != 0)
        complain(key, {"data.sequence_length", "parallel.cp_size", "parallel.sp_size"},
                 cp > 1
                     ? Message("{}: data.sequence_length ({}) does not divide into two chunks for each rank: make it "
                               "a multiple of {}",
                               size, length, parts)
                     : Message("{}: data.sequence_length ({}) does not divide among the ranks: make it a multiple "
                               "of {}",
                               size, length, parts));
    Heads heads = heads_of(recipe.model);
    if (parallel.tp_size > 1)  // which divides them, or is refused
        heads = {heads.queries / parallel.tp_size, std::max<std::int64_t>(1, heads.keys / parallel.tp_size)};
    if (heads.queries == 0)
        return;
    if (sp > 1 && heads.queries % sp != 0)
        complain(
            "parallel.sp_size", {},
            Message("{}: the attention heads ({}) do not divide among the ranks: take a divisor of {}, or share the "
                    "sequences by parallel.cp_size",
                    sp, heads.queries, heads.queries));
    else if (sp > 1 && heads.keys % sp != 0 && sp % heads.keys != 0)
        complain("parallel.sp_size", {},
                 Message("{}: {} heads of keys and values neither divide among the ranks nor can be repeated evenly: "
                         "take a divisor or a multiple of {}, or share the sequences by parallel.cp_size",
                         sp, heads.keys, heads.keys));
}

}  // namespace trainyard::config
