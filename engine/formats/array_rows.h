#pragma once
// Arrays of one file as columns: rows are the first dimension, which those that are wanted must share.

#include <cstdint>
#include <functional>
#include <span>
#include <string>
#include <vector>

#include "formats/counted_table.h"

namespace trainyard::formats {

class ArrayRows : public CountedTable {
  public:
    /// Writes rows `first` .. `first + count` as C-order little-endian bytes.
    using Rows = std::function<void(std::int64_t first, std::int64_t count, std::span<std::byte> out)>;
    using Add =
        std::function<void(std::string name, ElementType type, const std::vector<std::int64_t>& shape, Rows rows)>;
    using Open = std::function<void(const SourceFile& file, const Add& add)>;

    /// `open` adds all arrays of the file. Throws UserError naming the arrays whose first dimension differs or that are missing.
    ArrayRows(const std::filesystem::path& path, const ReadOptions& options, const Open& open);

  private:
    void append(Table& table, std::int64_t first, std::int64_t count) override;
    std::vector<Rows> rows_of_;
};

}  // namespace trainyard::formats
