#pragma once
// Documents of a data set as tokens in memory: the text of a column byte by byte, or the numbers of a column as they are. A byte a token
// for text, four for numbers; every rank holds them all, so that samples come in any order without reading again.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "config/recipe.h"
#include "formats/table.h"

namespace trainyard::train {

class TokenStore {
  public:
    /// Reads everything that `data` names, in the order of the files. Throws UserError: no such column, a column of another type,
    /// numbers that are no tokens, a record that cannot be read (unless data.on_corrupt is skip).
    explicit TokenStore(const config::DataRecipe& data);

    std::int64_t tokens() const { return static_cast<std::int64_t>(bytes_.size() + numbers_.size()); }
    std::int64_t documents() const { return static_cast<std::int64_t>(ends_.size()); }
    std::int64_t begin_of(std::int64_t document) const {
        return document == 0 ? 0 : ends_[static_cast<std::size_t>(document - 1)];
    }
    std::int64_t end_of(std::int64_t document) const { return ends_[static_cast<std::size_t>(document)]; }
    /// Tokens from `first` on.
    void copy(std::int64_t first, std::span<std::int64_t> out) const;
    std::int64_t largest() const;
    /// A sentence on the records that were left out; empty when there were none.
    std::string left_out() const;

  private:
    void read_tables(const config::DataRecipe& data);
    void read_megatron(const config::DataRecipe& data);
    void add_text(std::string_view text, bool newline);
    void add_rows(const formats::Column& column, const std::string& where);
    void end_document() { ends_.push_back(tokens()); }

    std::vector<std::uint8_t> bytes_;    ///< of text
    std::vector<std::int32_t> numbers_;  ///< of tokens that are numbers; one of the two is empty
    std::vector<std::int64_t> ends_;     ///< tokens up to the end of each document
    std::int64_t corrupt_rows_ = 0;
    std::vector<std::string> corrupt_;  ///< the first of them, one sentence each
};

}  // namespace trainyard::train
