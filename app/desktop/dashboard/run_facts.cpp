// SPDX-License-Identifier: GPL-3.0-or-later
#include <filesystem>

#include "desktop/dashboard/run_batch.h"
#include "desktop/text/qt_text.h"
#include "estimate/training_memory.h"
#include "models/spec/family.h"
#include "run/spec.h"

namespace trainyard::desktop {

namespace {

constexpr std::size_t kMostSmaller = 8;

/// Half the batch, a quarter, ...; one sequence at a time, of half the length, ...
std::vector<SmallerRecipe> smaller_recipes(config::Recipe recipe, int ranks) {
    std::vector<SmallerRecipe> smaller;
    while (smaller.size() < kMostSmaller && (recipe.training.batch_size > 1 || recipe.data.sequence_length > 16)) {
        QString words;
        if (recipe.training.batch_size > 1) {
            recipe.training.batch_size /= 2;
        } else {
            recipe.data.sequence_length /= 2;
            words = QStringLiteral(", data.sequence_length %1").arg(recipe.data.sequence_length);
        }
        smaller.push_back({QStringLiteral("training.batch_size %1").arg(recipe.training.batch_size) + words,
                           static_cast<std::uint64_t>(estimate::estimate_memory(recipe, ranks).total())});
    }
    return smaller;
}

}  // namespace

RunFacts read_facts(const run::RunSpec& spec) {
    RunFacts facts;
    facts.ranks = spec.launch.num_processes;
    facts.hosts = static_cast<int>(run::machines_of(spec.launch).size());
    facts.device = spec.launch.device == "cuda" ? QStringLiteral("GPU") : qt(spec.launch.device).toUpper();
    facts.is_sample = spec.recipe_file.ends_with("/samples/sample.yaml");
    facts.is_program = spec.program.has_value();
    if (facts.is_program)
        return facts;
    const Precision precision = spec.recipe.training.mixed_precision;
    facts.precision = QString::fromLatin1(precision == Precision::no ? "fp32" : choice_name(precision));
    facts.steps = spec.recipe.training.steps;
    facts.peak_rate = spec.recipe.optimizer.lr;
    facts.swa_start = spec.recipe.training.swa_lr > 0 ? spec.recipe.training.swa_start : 0;
    facts.clip_norm = spec.recipe.training.max_grad_norm;
    facts.tokens_per_step = static_cast<double>(spec.recipe.tokens_per_step(spec.launch.num_processes));
    if (!spec.recipe.checkpoint.resume_from.empty())
        facts.resumed_from =
            qt(std::filesystem::path(spec.recipe.checkpoint.resume_from).lexically_normal().filename().string());
    if (!families::family_of(spec.recipe.model).lists_tensors())
        return facts;
    facts.parameters = families::parameter_count(spec.recipe.model);
    const estimate::MemoryEstimate memory = estimate::estimate_memory(spec.recipe, facts.ranks);
    for (std::size_t i = 0; i < estimate::kParts; ++i)
        if (const auto part = static_cast<estimate::Part>(i); memory.fullest().bytes_of(part) > 0)
            facts.memory.push_back(
                {std::string(estimate::part_key(part)), static_cast<std::uint64_t>(memory.fullest().bytes_of(part))});
    facts.smaller = smaller_recipes(spec.recipe, facts.ranks);
    return facts;
}

}  // namespace trainyard::desktop
