// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model of any family with random weights, written without being in memory as a whole: for what is measured or limited by its size.

#include <cstring>
#include <filesystem>
#include <random>
#include <span>
#include <string>
#include <vector>

#include "base/file.h"
#include "formats/weights/offload_folder.h"
#include "formats/weights/safetensors.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"

namespace trainyard::test {

/// Weights in fp32, +-0.008 to 0.03; all tensors are windows of one block of numbers, each at another place.
class RandomModel {
  public:
    explicit RandomModel(const std::string& config_json)
        : config_(families::read_config(config_json, "the random model").config) {
        std::size_t most = 0;
        for (const families::TensorShape& tensor : families::family_of(config_).tensors(config_)) {
            tensors_.push_back(tensor);
            most = std::max(most, static_cast<std::size_t>(tensor.elements()));
        }
        numbers_.resize(most + kShift * tensors_.size());
        std::mt19937 random(5);
        for (float& number : numbers_) {
            const auto pattern = static_cast<std::uint32_t>(0x3c00'0000u | (random() & 0x80ff'0000u));
            std::memcpy(&number, &pattern, sizeof pattern);
        }
    }

    std::uint64_t bytes() const {
        std::uint64_t sum = 0;
        for (const families::TensorShape& tensor : tensors_)
            sum += 4 * static_cast<std::uint64_t>(tensor.elements());
        return sum;
    }
    /// config.json and model.safetensors.
    void write(const std::filesystem::path& folder) const {
        std::filesystem::create_directories(folder);
        write_file_atomically(folder / "config.json", families::write_config(config_));
        std::vector<weights::TensorToWrite> all;
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            all.push_back({tensors_[i].name, "F32", tensors_[i].shape, bytes_of(i)});
        weights::write_safetensors(folder / "model.safetensors", all);
    }
    /// The same weights as Accelerate's disk offload has them.
    void write_offload_folder(const std::filesystem::path& folder) const {
        weights::OffloadWriter writer(folder);
        for (std::size_t i = 0; i < tensors_.size(); ++i)
            writer.write(tensors_[i].name, "F32", tensors_[i].shape,
                         [&](const weights::ByteSink& sink) { sink(bytes_of(i)); });
        writer.finish();
    }

  private:
    static constexpr std::size_t kShift = 4096;

    std::span<const std::byte> bytes_of(std::size_t i) const {
        return std::as_bytes(std::span(numbers_).subspan(i * kShift, static_cast<std::size_t>(tensors_[i].elements())));
    }

    families::ModelConfig config_;
    std::vector<families::TensorShape> tensors_;
    std::vector<float> numbers_;
};

}  // namespace trainyard::test
