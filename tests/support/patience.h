// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace trainyard {

/// Milliseconds that a test waits for something that must happen: generous, because the machine may be loaded, and
/// reached only by a test that fails.
inline constexpr int kPatience = 120'000;

}  // namespace trainyard
