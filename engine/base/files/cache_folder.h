// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The folder for data that can be computed again: prepared tokens, measured peaks. And the one that Hugging Face's libraries share.

#include <filesystem>

namespace trainyard::files {

/// $TRAINYARD_CACHE, else $XDG_CACHE_HOME/trainyard, else ~/.cache/trainyard; empty if none of these variables is set.
/// The folder need not exist.
std::filesystem::path cache_folder();

/// Of Hugging Face's libraries: $HF_HOME, else $XDG_CACHE_HOME/huggingface, else ~/.cache/huggingface. Need not exist.
std::filesystem::path hugging_face_folder();

}  // namespace trainyard::files
