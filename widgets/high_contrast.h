// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Colours of the tokens (tokens.h) with more contrast: text is black on white or white on black, greys and separators
// are as strong as text of other themes. Contrast of each pair is proven in tests/widgets/theme.cpp.

namespace trainyard::widgets {

/// For all colours that are queried from now on. Theme::setHighContrast() also changes what is shown.
void set_high_contrast(bool high);
bool is_high_contrast();

}  // namespace trainyard::widgets
