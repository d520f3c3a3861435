// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The addresses of the hub and of its cache, from the variables of huggingface_hub.

#include <filesystem>
#include <string>

namespace trainyard::hub {

/// HF_ENDPOINT, else https://huggingface.co; without a slash at the end. Throws UserError if it is not an address.
std::string endpoint();

/// HF_HUB_CACHE, else hub in HF_HOME. Need not exist.
std::filesystem::path cache_root();

/// HF_HUB_DOWNLOAD_TIMEOUT: seconds without bytes after which a transfer counts as broken; else 20. Throws UserError if
/// it is not a whole number from 1 on.
long download_timeout();

/// The variable that forbids requests: HF_HUB_OFFLINE, TRANSFORMERS_OFFLINE or HF_DATASETS_OFFLINE; null: none does.
const char* offline_variable();
bool is_offline();

/// HF_TOKEN, else the content of HF_TOKEN_PATH or of the file that `hf auth login` writes; empty: none. No message
/// contains it. Throws UserError for a text that cannot be a token.
std::string access_token();

}  // namespace trainyard::hub
