// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Amazon's images of Transformers for training, by versions and region.
// Source: https://github.com/aws/sagemaker-python-sdk, image_uri_config/huggingface.json of version 2.257.7

#include <string>

namespace trainyard::cloud {

/// Empty versions are those of Accelerate's questionnaire: PyTorch 1.10.2, Transformers 4.17.0, Python py38; `4.36`
/// stands for 4.36.0.
/// Throws UserError with the list of available versions.
std::string training_image(const std::string& region, const std::string& pytorch, const std::string& transformers,
                           const std::string& python);

}  // namespace trainyard::cloud
