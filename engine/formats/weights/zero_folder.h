// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A folder that DeepSpeed's ZeRO optimizer saved (`global_step<n>`, or the `pytorch_model` of Accelerate):
// `*_optim_states.pt` of each rank with its part of
// the flat fp32 weights, `*_model_states.pt` with names, shapes and buffers. Gives where the elements of each
// parameter lie, for stages 1 to 3, as
// DeepSpeed's zero_to_fp32.py puts them together. Source: https://github.com/deepspeedai/DeepSpeed,
// deepspeed/utils/zero_to_fp32.py.

#include <cstdint>
#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include "base/message.h"
#include "formats/weights/torch_file.h"

namespace trainyard::weights {

/// Elements [first, first + count) of a tensor of a file, in row-major order.
struct ZeroPiece {
    std::size_t file = 0;              ///< index in ZeroFolder::files()
    const TensorPart* part = nullptr;  ///< contiguous
    std::uint64_t first = 0, count = 0;
};

struct ZeroTensor {
    std::string name;
    std::string dtype;  ///< of the pieces, torch's name
    std::vector<std::int64_t> shape;
    std::vector<ZeroPiece> pieces;  ///< one behind the other they are the tensor
};

/// The folder of one step that counts among those in a folder.
struct ZeroPlace {
    std::filesystem::path folder;  ///< with the ranks' files; empty: there is none
    Message note;                  ///< a sentence for the user where `latest` does not name it; else empty
};

class ZeroFolder {
  public:
    /// Throws UserError: a rank's file is missing, the stages or sizes do not fit each other.
    explicit ZeroFolder(const std::filesystem::path& folder);

    /// `folder` itself, or the one in it that its file `latest` names, which is DeepSpeed's rule. Without that file, or
    /// if the named folder is missing, the one of the highest step that is whole, or of those that are not the highest.
    static ZeroPlace locate(const std::filesystem::path& folder);
    /// The file of the module's weights where no rank saved an optimizer: ZeRO stage 0, or a folder without the
    /// optimizer's files. Empty: there is none, or each rank has a part of the module (stage 3).
    static std::filesystem::path states_without_optimizer(const std::filesystem::path& folder);
    /// Whether the folder itself has ranks' files.
    static bool is_one(const std::filesystem::path& folder);

    int stage() const { return stage_; }
    std::size_t ranks() const { return ranks_; }
    /// Buffers, frozen parameters, trained ones; those that share memory have the same pieces.
    const std::vector<ZeroTensor>& tensors() const { return tensors_; }
    const std::vector<std::filesystem::path>& paths() const { return paths_; }
    const TorchFile& file(std::size_t index) const { return *files_[index]; }
    /// The bytes of a piece, after verifying the checksum unless `trusted`. Throws UserError.
    std::span<const std::byte> bytes(const ZeroPiece& piece, bool trusted = false) const;

  private:
    std::vector<std::size_t> open(const std::string& ending);
    void read_optimizers(const std::vector<std::size_t>& files);
    Message missing_ranks(const std::vector<std::size_t>& files, std::int64_t wanted) const;
    void read_model(const std::vector<std::size_t>& files);
    void add_buffers(const Value& state, std::size_t file);
    void add_frozen(const std::vector<std::size_t>& files);
    void add_trained(const std::vector<std::pair<std::string, std::vector<std::int64_t>>>& shapes, std::size_t group);
    void add_shared(const Value& state);
    void append(ZeroTensor& tensor, std::size_t rank, std::size_t group, std::uint64_t first,
                std::uint64_t count) const;
    [[noreturn]] void fail(std::size_t file, const Message& what) const;

    std::filesystem::path folder_;
    std::vector<std::filesystem::path> paths_;
    std::vector<std::unique_ptr<TorchFile>> files_;
    int stage_ = 0;
    std::size_t ranks_ = 0;
    /// By group, then by rank, the flat tensors that hold it; stage 3 has one group.
    std::vector<std::vector<std::vector<ZeroPiece>>> flat_;
    std::vector<ZeroTensor> tensors_;
};

}  // namespace trainyard::weights
