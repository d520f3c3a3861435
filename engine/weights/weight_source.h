#pragma once
// Weights by name, wherever they lie: a distributed checkpoint, safetensors in one or several files, torch.save files.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard::weights {

struct SourceTensor {
    std::string name;
    std::string dtype;  ///< of safetensors: "F32"
    std::vector<std::int64_t> shape;
    std::uint64_t bytes = 0;
};

class WeightSource {
  public:
    virtual ~WeightSource() = default;
    const std::vector<SourceTensor>& tensors() const { return tensors_; }
    /// Elements of a tensor in row-major order, in pieces. Throws UserError when they turn out to be damaged.
    virtual void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const = 0;
    /// The same at once, where they lie so in a mapped file; else empty. They stay as long as the source lives; changes to them stay in this process.
    /// `trusted`: checksums are not compared. Throws UserError.
    virtual std::span<const std::byte> mapped(std::size_t /*tensor*/, bool /*trusted*/) const { return {}; }
    /// "distributed checkpoint", "safetensors", "torch.save file"
    virtual std::string kind() const = 0;

  protected:
    /// Checks dtype and size; throws UserError naming `where`.
    void add(const std::string& where, std::string name, std::string safetensors_dtype,
             std::vector<std::int64_t> shape);

    std::vector<SourceTensor> tensors_;
};

/// Opens a file (.safetensors, else of torch.save) or a folder: model.safetensors, its shards with an index, pytorch_model.bin, its shards, or a
/// distributed checkpoint. When it holds no weights, the error says what it holds instead and which folder may have been meant. Throws UserError.
std::unique_ptr<WeightSource> open_weights(const std::filesystem::path& path);

/// Model number `index` of a folder of Accelerate's save_state: the same files, for index 1 named model_1.safetensors and so on, or
/// pytorch_model_fsdp_<index>. Null when there is none. Throws UserError.
std::unique_ptr<WeightSource> open_saved_model(const std::filesystem::path& folder, std::size_t index);

/// What a model may start from: the first model of a folder of save_state, or all that open_weights() opens. Throws UserError.
std::unique_ptr<WeightSource> open_first_model(const std::filesystem::path& path);

/// "model", "_1", ".safetensors" is "model_1.safetensors"; number 0 has no number.
std::string numbered(const std::string& name, std::size_t index, const std::string& ending);

}  // namespace trainyard::weights
