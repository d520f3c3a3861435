#pragma once
// A safetensors file read once: its bytes go to the tensors they are for while their hash is computed.

#include <filesystem>
#include <string>
#include <vector>

#include "checkpoint/logical_tensor.h"
#include "checkpoint/manifest.h"

namespace trainyard::checkpoint {

class DirectLoad {
  public:
    /// Reads the header alone. Throws UserError when it is damaged, or naming every tensor that is missing or of another shape.
    DirectLoad(std::filesystem::path file, const std::vector<LogicalTensor>& tensors);

    /// Fills the tensors. Returns a sentence when the file is not as recorded: then they hold what was read.
    std::string run(const FileRecord& record);

  private:
    struct Range {
        std::uint64_t begin = 0, end = 0;  ///< bytes of the file
        std::byte* to = nullptr;
    };
    struct Detour {
        LogicalTensor stored, wanted;
    };

    std::filesystem::path file_;
    std::vector<Range> ranges_;    ///< in the order of the file
    std::vector<Detour> detours_;  ///< other types, other devices, parts: read aside, then copied
};

}  // namespace trainyard::checkpoint
