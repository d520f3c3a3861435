// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The texts of the engine's tables that the window translates (engineWords() of desktop/text/qt_text.h).

#include <set>
#include <string>

namespace trainyard::test {

std::set<std::string> engine_texts();

}  // namespace trainyard::test
