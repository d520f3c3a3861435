// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The arrays of one file as columns: rows are dimension 0, which must be equal for all requested arrays.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "formats/tables/counted_table.h"

namespace trainyard::formats {

class ArrayRows : public CountedTable {
  public:
    /// Writes rows `first` .. `first + count` as row-major little-endian bytes.
    using Rows = std::function<void(std::int64_t first, std::int64_t count, std::span<std::byte> out)>;
    using Add =
        std::function<void(std::string name, ElementType type, const std::vector<std::int64_t>& shape, Rows rows)>;
    using Open = std::function<void(const SourceFile& file, const Add& add)>;

    /// `open` adds all arrays of the file. Throws UserError with the arrays whose dimension 0 differs or that are
    /// missing.
    ArrayRows(const std::filesystem::path& path, const ReadOptions& options, const Open& open);

  private:
    void append(Table& table, std::int64_t first, std::int64_t count) override;
    std::vector<Rows> rows_of_;
};

}  // namespace trainyard::formats
