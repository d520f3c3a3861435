// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Reads model.safetensors.index.json and pytorch_model.bin.index.json: which file of a folder contains which tensor;
// as a table weight_map, or as an object that is this table itself.

#include <cstdint>
#include <deque>
#include <filesystem>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

namespace trainyard::weights {

/// Names are stored in one buffer, so that an index of a million tensors is cheap.
class WeightIndex {
  public:
    /// File names must be plain names inside the folder. `total_size` is a hint and is ignored. Of a tensor that is there
    /// twice the last place counts, as in Python. Throws UserError.
    explicit WeightIndex(const std::filesystem::path& index);

    struct Entry {
        std::string_view tensor;
        std::uint32_t file;  ///< of files()
    };
    const std::vector<Entry>& entries() const { return entries_; }  ///< by the names of the tensors
    const std::vector<std::string>& files() const { return files_; }
    /// nullptr: the index has no such tensor.
    const std::string* file_of(std::string_view tensor) const;
    bool empty() const { return entries_.empty(); }

  private:
    void read(const std::filesystem::path& index);

    std::unique_ptr<std::string> text_;  ///< the names are parts of it
    std::deque<std::string> own_;        ///< names that have escapes
    std::vector<Entry> entries_;
    std::vector<std::string> files_;
};

/// Files of a folder named `<name>-00001-of-00003.safetensors` and so on, in order, of a set that has no index. Empty:
/// there is none. Throws UserError naming
/// the files that are missing of it.
std::vector<std::string> shards_without_index(const std::filesystem::path& folder);

}  // namespace trainyard::weights
