#pragma once
// How Python spells numbers and how PyYAML reads and writes scalars, so that our files are theirs, byte for byte.

#include <string>
#include <string_view>

#include "settings/value.h"

namespace trainyard::settings {

/// repr() of a float: `1.0`, `0.0001`, `1e-05`, `1e+16`, `inf`, `nan`.
std::string python_float(double value);

/// A scalar without quotes, as PyYAML's safe loader resolves it (YAML 1.1); text when it is nothing else.
Value resolve_plain(std::string_view text);

/// A scalar as safe_dump writes it in block style: quoted where it must be.
/// `indent`: columns before the key, for texts that break over lines.
std::string yaml_scalar(const Value& value, int indent);

}  // namespace trainyard::settings
