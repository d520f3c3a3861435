// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The weights of a PEFT adapter by the names of the model's parameters. Every tensor of the file is used, or named in a
// warning or an error.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/recipe/recipe.h"
#include "formats/weights/weight_source.h"

namespace trainyard::inputs {

/// A parameter of the model, or of an adapter in it: <module>.lora_A.weight.
struct AdapterTarget {
    std::string name;
    std::vector<std::int64_t> shape;
};

class AdapterFile {
  public:
    /// `path`: a folder with adapter_model.safetensors or adapter_model.bin, or such a file. Throws UserError.
    explicit AdapterFile(const std::filesystem::path& path);

    struct Whole {
        std::size_t tensor;  ///< of source()
        std::size_t other;   ///< of the `others` that were given
    };
    struct Match {
        std::vector<std::size_t> wanted;  ///< the tensor of source() for each one that was wanted
        std::vector<Whole> whole;         ///< parameters of the model that the file has besides, as PEFT loads them
        std::vector<Message> warnings;
    };
    /// `wanted`: what the file must have. `others`: the other parameters of the model. `tied_head`: a second name of
    /// `tied_table`, one of these; empty: the head is not tied. Reads headers, and data of tensors that the file has
    /// twice. Throws UserError with all tensors that are missing, that do not fit, or without which the adapter would
    /// compute something else.
    Match match(const std::vector<AdapterTarget>& wanted, const std::vector<AdapterTarget>& others,
                const std::string& tied_head = {}, const std::string& tied_table = {}) const;

    /// match() for a training that continues the adapter. Also throws UserError for tensors that checkpoints of the run
    /// would lack, and for those that are not used.
    Match match_to_train(const std::vector<AdapterTarget>& wanted, const std::vector<AdapterTarget>& others,
                         const config::ModelRecipe& model) const;

    const std::shared_ptr<const weights::WeightSource>& source() const { return source_; }
    const std::filesystem::path& path() const { return path_; }

  private:
    std::filesystem::path path_;  ///< of the file
    std::shared_ptr<const weights::WeightSource> source_;
};

/// The file of an adapter in a folder of PEFT's layout; that of safetensors where it has none.
std::filesystem::path adapter_file_in(const std::filesystem::path& folder);

}  // namespace trainyard::inputs
