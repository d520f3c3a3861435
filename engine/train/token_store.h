// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Documents of a data set as tokens: the text of a column byte by byte, or the numbers of a column as they are. They are prepared once for a host
// (base/files/token_cache.h) and mapped by its ranks; Megatron's sets are read where they lie, only the ends of their documents are prepared. Samples come in
// any order.

#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "base/files/token_cache.h"
#include "base/message.h"
#include "config/recipe/recipe.h"
#include "formats/tables/megatron_set.h"

namespace trainyard::train {

class TokenStore {
  public:
    /// Reads everything that `data` names, in the order of the files, unless that was done before. Throws UserError: no
    /// such column, a column of another type, numbers that are not tokens, a record that cannot be read (unless
    /// data.on_corrupt is skip).
    explicit TokenStore(const config::DataRecipe& data);

    std::int64_t tokens() const { return prepared_.tokens->tokens(); }
    std::int64_t documents() const { return prepared_.tokens->documents(); }
    std::int64_t begin_of(std::int64_t document) const { return prepared_.tokens->begin_of(document); }
    std::int64_t end_of(std::int64_t document) const { return prepared_.tokens->end_of(document); }
    /// Tokens from `first` on. From any thread.
    void copy(std::int64_t first, std::span<std::int64_t> out) const;
    std::int64_t largest() const { return prepared_.tokens->largest(); }
    /// Sentences on the records that were left out, and on tokens that are in this process's memory although they are many.
    std::vector<Message> remarks() const;
    /// Whether this store had to read the data.
    bool was_prepared() const { return prepared_.prepared; }

  private:
    files::PreparedTokens prepared_;
    std::vector<formats::MegatronSet> sets_;
    std::vector<std::int64_t> first_sequences_;  ///< of each set, in all sets
};

}  // namespace trainyard::train
