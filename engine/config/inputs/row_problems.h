// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Rows of data that cannot be used, as one message: that of the first of them, and how many there are.

#include <cstdint>

#include "base/error.h"

namespace trainyard::inputs {

class RowProblems {
  public:
    /// Counts a UserError of `use_row`.
    void run(const auto& use_row) {
        try {
            use_row();
        } catch (const UserError& error) {
            if (count_++ == 0)
                first_ = error.message();
        }
    }
    /// Empty if there are none.
    Message message() const {
        return count_ < 2 ? first_ : Message("{}. Rows with such a problem: {}", first_, count_);
    }
    /// Throws UserError with the key of the column and the message if there are any.
    void check(const char* key) const {
        if (count_ > 0)
            throw UserError("{}: {}", key, message());
    }

  private:
    Message first_;
    std::int64_t count_ = 0;
};

}  // namespace trainyard::inputs
