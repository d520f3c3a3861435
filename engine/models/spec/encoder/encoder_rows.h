// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The encoders of transformers as rows.

#include <string>
#include <utility>
#include <vector>

#include "models/spec/encoder/encoder_options.h"

namespace trainyard::families {

struct EncoderRow {
    FamilyRow family;
    EncoderNames names;
    std::vector<EncoderHead> heads;
    ModelConfig defaults;  ///< of transformers
    /// Options that the values of this family decide.
    void (*configure)(const ModelConfig& config, EncoderOptions& options);
};

const std::vector<EncoderRow>& encoder_rows();

}  // namespace trainyard::families
