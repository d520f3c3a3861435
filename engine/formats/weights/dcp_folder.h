// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads a folder of torch.distributed.checkpoint (FSDP's SHARDED_STATE_DICT). `.metadata`, a pickle, has the shape and
// the chunks of each tensor, and the file and byte range of each chunk; each chunk is a torch.save archive. The
// constructor checks that the files exist and are complete, that no name leaves the folder, and that the chunks of each
// tensor cover it exactly once. Memory is never allocated from sizes that only the metadata claims.

#include <cstdint>
#include <filesystem>
#include <functional>
#include <map>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/mapped_file.h"
#include "formats/weights/model_level.h"

namespace trainyard::weights {

struct DcpChunk {
    std::vector<std::int64_t> offset, size;  ///< elements [offset[d], offset[d] + size[d]) of dimension d
    std::string file;
    std::uint64_t position = 0, length = 0;  ///< byte range of the archive in the file
};

struct DcpTensor {
    std::string name;               ///< "model.transformer.wte.weight"
    std::vector<std::string> path;  ///< keys of the nested dictionaries: {"model", "transformer.wte.weight"}
    std::string dtype;              ///< torch's name: "float32"
    std::vector<std::int64_t> shape;
    std::vector<DcpChunk> chunks;  ///< by ascending offset
};

/// An entry that is not a tensor: a pickled value.
struct DcpValue {
    std::string name;
    std::vector<std::string> path;
    std::string file;  ///< empty: the metadata has no place of it
    std::uint64_t position = 0, length = 0;
};

class DcpFolder {
  public:
    /// Throws UserError.
    explicit DcpFolder(std::filesystem::path folder);

    static bool is_one(const std::filesystem::path& folder);

    const std::vector<DcpTensor>& tensors() const { return tensors_; }  ///< in the order of the metadata
    const std::vector<DcpValue>& values() const { return values_; }
    /// The tensors, then the values.
    std::vector<StateLeaf> leaves() const;
    /// The bytes that a value was written as, an archive of torch.save; empty: its file is missing or cut.
    std::span<const std::byte> archive_of(const DcpValue& value) const;

    /// The whole tensor in row-major order, in pieces. Chunks of whole rows are passed on directly; other chunks are
    /// assembled in memory first. Throws UserError.
    void stream(const DcpTensor& tensor, const std::function<void(std::span<const std::byte>)>& sink) const;

  private:
    void check_files();
    std::span<const std::byte> part(const DcpChunk& chunk) const;
    void stream_chunk(const DcpTensor& tensor, const DcpChunk& chunk,
                      const std::function<void(std::span<const std::byte>)>& sink) const;

    std::filesystem::path folder_;
    std::vector<DcpTensor> tensors_;
    std::vector<DcpValue> values_;
    std::map<std::string, std::unique_ptr<files::MappedFile>> files_;
};

}  // namespace trainyard::weights
