#pragma once
// Weights by name, wherever they lie: a distributed checkpoint, safetensors in one or several files, torch.save files.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace trainyard::legacy {

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
    /// "distributed checkpoint", "safetensors", "torch.save file"
    virtual std::string kind() const = 0;

  protected:
    /// Checks dtype and size; throws UserError naming `where`.
    void add(const std::string& where, std::string name, std::string safetensors_dtype,
             std::vector<std::int64_t> shape);

    std::vector<SourceTensor> tensors_;
};

/// Opens a folder. When it holds no weights, the error says what it holds instead and which folder may have been meant. Throws
/// UserError.
std::unique_ptr<WeightSource> open_weights(const std::filesystem::path& folder);

}  // namespace trainyard::legacy
