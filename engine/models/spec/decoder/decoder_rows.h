// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The decoders of transformers as rows: a new one is a row here, unless it computes what no other does.

#include <string>
#include <utility>
#include <vector>

#include "models/spec/decoder/decoder_options.h"

namespace trainyard::families {

struct DecoderRow {
    FamilyRow family;
    DecoderNames names;
    ModelConfig defaults;  ///< of transformers
    Rotary rotary;         ///< defaults of rope_parameters
    std::vector<std::pair<std::string, std::string>>
        renamed;  ///< fields of earlier versions, and what they are called now
    /// Options that the values of this family decide.
    void (*configure)(const ModelConfig& config, DecoderOptions& options);
    RenamedTypes renamed_rope_types = {};
    /// Problems of values that this family alone has; nullptr: it has none.
    void (*check)(const ModelConfig& config, std::vector<ConfigProblem>& problems) = nullptr;
};

const std::vector<DecoderRow>& decoder_rows();

}  // namespace trainyard::families
