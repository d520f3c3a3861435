// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The software that Trainyard contains or uses, with its licences (About).

#include <span>
#include <string_view>

namespace trainyard::desktop {

struct SoftwarePart {
    const char* name;
    const char* licence;  ///< SPDX expression
    const char* home;     ///< address
    /// Package whose folder in /usr/share/doc has the text of the licence.
    const char* package;
    /// Beginnings of the names of its shared libraries, separated by blanks; empty: headers, fonts, or loaded at run
    /// time.
    const char* libraries = "";
};

std::span<const SoftwarePart> software_parts();

}  // namespace trainyard::desktop
