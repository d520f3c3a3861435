// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Infers the role of a transformers module in its block from its name; internal to the library.

#include <string>

namespace trainyard::estimate {

enum class ModuleRole {
    attention_input,  ///< makes queries, keys or values
    attention_close,  ///< projects the output of the attention
    open,             ///< first products of a feed-forward network
    close,            ///< its last product
    norm,
    other
};

/// `path`: names from the block down, joined by dots: "mlp.up_proj".
ModuleRole role_of(const std::string& path);
/// Whether a weight is stored as [inputs, outputs]: Conv1D of GPT-2.
bool is_transposed(const std::string& path);
/// Whether a tensor outside the blocks belongs to the embedding.
bool is_embedding(const std::string& path);

}  // namespace trainyard::estimate
