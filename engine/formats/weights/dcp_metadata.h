// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to dcp_folder.h: reads `.metadata`.

#include <span>
#include <string>
#include <vector>

#include "formats/weights/dcp_folder.h"

namespace trainyard::weights {

struct DcpMetadata {
    std::vector<DcpTensor> tensors;
    std::vector<DcpValue> values;
};

/// Reads the metadata and checks everything that does not need the other files. `where` names the bytes in errors.
/// Throws UserError.
DcpMetadata read_dcp_metadata(std::span<const std::byte> bytes, const std::string& where);

}  // namespace trainyard::weights
