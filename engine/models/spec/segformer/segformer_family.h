// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// SegFormer: names, shapes and keys of transformers' SegformerConfig, SegformerForSemanticSegmentation and
// SegformerForImageClassification. Xie et al., "SegFormer: simple and efficient design for semantic segmentation with
// transformers", 2021. The network is segformer_network.h.

#include <cstdint>
#include <string>
#include <vector>

#include "models/spec/family.h"

namespace trainyard::families {

const Family& segformer_family();

/// Positions of a feature map.
struct FeatureGrid {
    std::int64_t height = 0, width = 0;
    std::int64_t size() const { return height * width; }
};

struct SegformerStage {
    std::int64_t in = 0, width = 0, heads = 1, inner = 0;  ///< channels of the input and of the stage, width of the MLP
    std::int64_t patch = 1, stride = 1;                    ///< of the convolution that makes its patches
    std::int64_t reduction = 1;  ///< keys and values are of patches of so many positions a side; 1: of all
    std::int64_t first_block = 0, blocks = 0;
    std::string patches, norm;  ///< "segformer.encoder.patch_embeddings.0", "segformer.encoder.layer_norm.0"
    /// The stage's positions for an input of this size.
    FeatureGrid grid(const FeatureGrid& input) const;
    /// Those of its keys and values.
    FeatureGrid key_grid(const FeatureGrid& own) const { return {own.height / reduction, own.width / reduction}; }
};

struct SegformerPlan {
    std::vector<SegformerStage> stages;
    std::int64_t blocks = 0;
    /// "segformer.encoder.block.0.1"
    static std::string block_name(std::size_t stage, std::int64_t number);
    /// "decode_head.linear_c.0.proj"
    static std::string projection_name(std::size_t stage);
    /// The positions of each stage. Sizes of 0 where the image is too small.
    std::vector<FeatureGrid> grids(FeatureGrid image) const;
    /// Why nothing would be left of an image of this size; empty if it is large enough.
    Message why_too_small(const FeatureGrid& image) const;
};

SegformerPlan segformer_plan(const ModelConfig& config);

}  // namespace trainyard::families
