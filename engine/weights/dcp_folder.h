#pragma once
// A folder of torch.distributed.checkpoint (FSDP's SHARDED_STATE_DICT): `.metadata`, a pickle, says of each tensor its shape and its
// chunks, and of each chunk in which file and at which bytes it lies; each chunk is a torch.save archive of its own. Opening it
// checks that the files are there and whole, that no name leaves the folder, and that the chunks of each tensor cover it exactly
// once. Nothing is allocated for what the metadata merely claims.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "files/mapped_file.h"

namespace trainyard::weights {

struct DcpChunk {
    std::vector<std::int64_t> offset, size;  ///< elements [offset[d], offset[d] + size[d]) of every dimension
    std::string file;
    std::uint64_t position = 0, length = 0;  ///< bytes of the archive in the file
};

struct DcpTensor {
    std::string name;               ///< "model.transformer.wte.weight"
    std::vector<std::string> path;  ///< the keys of the nested dictionaries: {"model", "transformer.wte.weight"}
    std::string dtype;              ///< torch's: "float32"
    std::vector<std::int64_t> shape;
    std::vector<DcpChunk> chunks;  ///< by rising offset
};

class DcpFolder {
  public:
    /// Throws UserError.
    explicit DcpFolder(std::filesystem::path folder);

    static bool is_one(const std::filesystem::path& folder);

    const std::vector<DcpTensor>& tensors() const { return tensors_; }  ///< in the order of the metadata
    /// Names of entries that are no tensors, such as an optimizer's learning rate.
    const std::vector<std::string>& others() const { return others_; }

    /// The whole tensor in row-major order, in pieces. Chunks of whole rows are passed on as they are; others are put together in
    /// memory first. Throws UserError.
    void stream(const DcpTensor& tensor, const std::function<void(std::span<const std::byte>)>& sink) const;

  private:
    void check_files();
    std::span<const std::byte> part(const DcpChunk& chunk) const;
    void stream_chunk(const DcpTensor& tensor, const DcpChunk& chunk,
                      const std::function<void(std::span<const std::byte>)>& sink) const;

    std::filesystem::path folder_;
    std::vector<DcpTensor> tensors_;
    std::vector<std::string> others_;
    std::map<std::string, std::unique_ptr<files::MappedFile>> files_;
};

}  // namespace trainyard::weights
