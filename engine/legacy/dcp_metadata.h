#pragma once
// Inside of dcp_folder.h: `.metadata`.

#include <filesystem>
#include <string>
#include <vector>

#include "legacy/dcp_folder.h"

namespace trainyard::legacy {

struct DcpMetadata {
    std::vector<DcpTensor> tensors;
    std::vector<std::string> others;
};

/// Reads and checks everything that can be told without the other files. Throws UserError.
DcpMetadata read_dcp_metadata(const std::filesystem::path& file);

}  // namespace trainyard::legacy
