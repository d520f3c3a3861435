// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The texts of the engine's tables that the window translates (desktop/text/engine_words.h).

#include <set>
#include <string>

namespace trainyard::test {

std::set<std::string> engine_texts();

}  // namespace trainyard::test
