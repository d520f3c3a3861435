// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Modules that sharding leaves whole on every rank (parallel.ignored_modules, fsdp_ignored_modules).

#include <string>
#include <string_view>

#include "base/message.h"
#include "base/regex.h"

namespace trainyard::config {

/// The modules whose whole names match a regular expression, as Python's re.fullmatch, with all that is inside them.
class IgnoredModules {
  public:
    /// Throws UserError for an expression that cannot be used. An empty one matches nothing.
    explicit IgnoredModules(const std::string& expression);
    /// Whether a parameter of this name, such as `h.0.attn.weight`, is in one of them.
    bool have(std::string_view parameter) const;
    /// The problem of an expression that matches no module with a parameter.
    Message no_match() const;

  private:
    std::string text_;
    Regex expression_;
};

}  // namespace trainyard::config
