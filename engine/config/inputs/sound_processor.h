// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// How recordings become inputs of a model: the preprocessor_config.json that transformers' Wav2Vec2FeatureExtractor
// reads and writes.

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "config/recipe/recipe.h"

namespace trainyard::inputs {

struct SoundProcessor {
    std::int64_t sampling_rate = 16'000;  ///< samples a second
    bool do_normalize = true;             ///< each recording to mean 0 and variance 1
    bool return_attention_mask = true;    ///< what fills a recording up is not attended to
};

/// Throws InvalidInput with every key that this version cannot compute, and UserError if the text is not a JSON object.
SoundProcessor read_sound_processor(const std::string& text, const std::string& where);
std::string write_sound_processor(const SoundProcessor& processor);
/// That of the file beside model.weights or the checkpoint, or the defaults, changed by data.sampling_rate.
SoundProcessor sound_processor_of(const config::Recipe& recipe);

/// Samples of a recording that are used at most: data.max_duration_in_seconds.
std::int64_t most_samples(const config::Recipe& recipe, const SoundProcessor& processor);

/// A recording that the recipe uses.
struct Recording {
    std::filesystem::path path;
    std::int64_t samples = 0;  ///< that are used
};

struct Recordings {
    std::vector<Recording> used;
    std::int64_t too_short = 0;  ///< files that are not used
};

/// The recordings of data.path, of which at most `most_files` are looked at. Throws UserError: none, one that cannot be
/// read, or has another number of samples a second.
Recordings find_recordings(const config::Recipe& recipe, const SoundProcessor& processor,
                           std::size_t most_files = SIZE_MAX);

}  // namespace trainyard::inputs
