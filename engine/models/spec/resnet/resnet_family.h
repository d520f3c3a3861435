// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// ResNet: names, shapes and keys of transformers' ResNetConfig and ResNetForImageClassification. He et al., "Deep
// residual learning for image recognition", 2016. The network is resnet_network.h.

#include <string>
#include <vector>

#include "models/spec/family.h"

namespace trainyard::families {

const Family& resnet_family();

/// A convolution without bias, followed by a batch norm.
struct ResNetConvolution {
    std::string name;  ///< "resnet.encoder.stages.0.layers.0.layer.0"
    std::int64_t in = 0, out = 0, kernel = 1, stride = 1;
    bool activates = true;
};

/// A residual layer: the output of its convolutions is added to its input, or to the shortcut's output.
struct ResNetLayer {
    std::vector<ResNetConvolution> convolutions;
    std::vector<ResNetConvolution> shortcut;  ///< one, where the shape changes
};

struct ResNetPlan {
    ResNetConvolution embedder;
    std::vector<ResNetLayer> layers;
    std::int64_t width = 0;  ///< channels at the end
};

ResNetPlan resnet_plan(const ModelConfig& config);

}  // namespace trainyard::families
