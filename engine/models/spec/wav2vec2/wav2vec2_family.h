// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// wav2vec 2.0: names, shapes and keys of transformers' Wav2Vec2Config and Wav2Vec2ForPreTraining. Baevski et al.,
// "wav2vec 2.0: a framework for self-supervised learning of speech representations", 2020. The network is
// wav2vec2_network.h.

#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/family.h"

namespace trainyard::families {

const Family& wav2vec2_family();

/// A convolution in front of the blocks.
struct SpeechConvolution {
    std::int64_t in = 1, out = 0, kernel = 1, stride = 1;
    bool has_norm = false;
    std::string name;  ///< "wav2vec2.feature_extractor.conv_layers.0"
};

std::vector<SpeechConvolution> speech_convolutions(const ModelConfig& config);
/// Frames that the convolutions make of so many samples of sound; 0: it is too short.
std::int64_t speech_frames(const ModelConfig& config, std::int64_t samples);
/// Samples that so many frames take at least.
std::int64_t samples_of_frames(const ModelConfig& config, std::int64_t frames);
/// Least number of frames of a recording whose masked frames have negatives.
std::int64_t least_speech_frames(const ModelConfig& config);

}  // namespace trainyard::families
