// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/cloud/sagemaker_images.h"

#include <algorithm>
#include <string_view>
#include <vector>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"

namespace trainyard::cloud {

namespace {

struct Image {
    std::string_view transformers, pytorch, python, platform;
};

constexpr Image kImages[] = {
    {"4.6.1", "1.6.0", "py36", "cu110-ubuntu18.04"},   {"4.6.1", "1.7.1", "py36", "cu110-ubuntu18.04"},
    {"4.6.1", "1.8.1", "py36", "cu111-ubuntu18.04"},   {"4.10.2", "1.8.1", "py36", "cu110-ubuntu18.04"},
    {"4.10.2", "1.9.0", "py38", "cu111-ubuntu20.04"},  {"4.11.0", "1.9.0", "py38", "cu111-ubuntu20.04"},
    {"4.12.3", "1.9.1", "py38", "cu111-ubuntu20.04"},  {"4.17.0", "1.10.2", "py38", "cu113-ubuntu20.04"},
    {"4.26.0", "1.13.1", "py39", "cu117-ubuntu20.04"}, {"4.28.1", "2.0.0", "py310", "cu118-ubuntu20.04"},
    {"4.36.0", "2.1.0", "py310", "cu121-ubuntu20.04"}, {"4.46.1", "2.3.0", "py311", "cu121-ubuntu20.04"},
    {"4.48.0", "2.3.0", "py311", "cu121-ubuntu20.04"}, {"4.49.0", "2.5.1", "py311", "cu124-ubuntu22.04"},
    {"4.55.0", "2.7.1", "py312", "cu128-ubuntu22.04"}, {"4.56.2", "2.8.0", "py312", "cu129-ubuntu22.04"},
};

/// Regions whose images are another account's than the usual one.
struct Registry {
    std::string_view region, account;
};
constexpr std::string_view kUsualAccount = "763104351884";
constexpr Registry kRegistries[] = {
    {"af-south-1", "626614931356"},     {"ap-east-1", "871362719292"},      {"ap-northeast-3", "364406365360"},
    {"ap-south-2", "772153158452"},     {"ap-southeast-3", "907027046896"}, {"ap-southeast-4", "457447274322"},
    {"ca-west-1", "204538143572"},      {"cn-north-1", "727897471807"},     {"cn-northwest-1", "727897471807"},
    {"eu-central-2", "380420809688"},   {"eu-south-1", "692866216735"},     {"eu-south-2", "503227376785"},
    {"il-central-1", "780543022126"},   {"me-central-1", "914824155844"},   {"me-south-1", "217643126080"},
    {"us-gov-east-1", "446045086412"},  {"us-gov-west-1", "442386744353"},  {"us-iso-east-1", "886529160074"},
    {"us-isob-east-1", "094389454867"},
};

/// 4.36 is 4.36.0.
bool is_version(std::string_view given, std::string_view version) {
    return given == version || (std::ranges::count(given, '.') == 1 && version.starts_with(given) &&
                                version.size() > given.size() && version[given.size()] == '.');
}

}  // namespace

std::string training_image(const std::string& region, const std::string& pytorch, const std::string& transformers,
                           const std::string& python) {
    const std::string_view torch = pytorch.empty() ? "1.10.2" : std::string_view(pytorch);
    const std::string_view library = transformers.empty() ? "4.17.0" : std::string_view(transformers);
    const auto found = std::ranges::find_if(kImages, [&](const Image& image) {
        return is_version(library, image.transformers) && is_version(torch, image.pytorch) &&
               (python.empty() || python == image.python);
    });
    if (found == std::end(kImages)) {
        std::vector<std::string> all;
        for (const Image& image : kImages)
            all.push_back(fmt::format("{} with PyTorch {} ({})", image.transformers, image.pytorch, image.python));
        throw UserError(
            "Amazon has no image with Transformers {}, PyTorch {} and {}: set image_uri in additional_args or the "
            "settings file, or one of these versions: {}",
            library, torch, python.empty() ? "any Python" : python, fmt::format("{}", fmt::join(all, ", ")));
    }
    const auto registry = std::ranges::find(kRegistries, region, &Registry::region);
    const std::string_view account = registry == std::end(kRegistries) ? kUsualAccount : registry->account;
    return fmt::format("{}.dkr.ecr.{}.amazonaws.com{}/huggingface-pytorch-training:{}-transformers{}-gpu-{}-{}",
                       account, region, region.starts_with("cn-") ? ".cn" : "", found->pytorch, found->transformers,
                       found->python, found->platform);
}

}  // namespace trainyard::cloud
