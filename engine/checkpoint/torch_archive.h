// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Files of torch.save as trees, in both directions. Reading goes through engine/formats/weights: a closed table of types, never code. What
// has no kind in a Tree (NumPy arrays, bytes, integers beyond 64 bits, sets, dtypes) is kept as Tree::PickledObject, the text of its own
// pickle, and is written back as it was. Written files open with torch.load(weights_only=True).

#include <cstddef>
#include <filesystem>
#include <span>
#include <string>

#include "base/files/file_writer.h"
#include "distributed/tensors/tree.h"

namespace trainyard::checkpoint {

/// The object of a file written by torch.save, of any age. Tensors are views of the mapped file: private to this process, so they may
/// be changed, and pages come from the disk when they are first touched; tensors that share a storage still do. torch.Size is a tuple, a
/// Parameter its tensor. `trusted`: checksums of the archive are not compared, since those of the whole file were. Throws UserError naming the file, and the place in the object where that matters.
Tree read_torch_file(const std::filesystem::path& path, bool trusted = false);

/// The same of an archive inside other bytes. `where` names it in errors. Tensors are copies.
Tree read_torch_bytes(std::span<const std::byte> bytes, const std::string& where);

/// The bytes of the file that write_torch_file() writes.
std::string torch_bytes(const Tree& tree, const std::string& where);

/// Writes aside, flushes and renames. Tensors that share memory share a storage in the file; of a larger storage only what tensors
/// use is written. Tensors of other devices must have been copied to the CPU. Returns size and hash. Throws UserError.
files::WrittenFile write_torch_file(const std::filesystem::path& path, const Tree& tree, bool sync_folder = true);

}  // namespace trainyard::checkpoint
