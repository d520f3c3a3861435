// SPDX-License-Identifier: GPL-3.0-or-later
// LibTorch's headers include their own version of fmt (12.1; the version is part of the namespace, so it coexists with
// the system's). Its functions are compiled once, here: with FMT_HEADER_ONLY each file that formats text would compile
// them again (3 s each).
#include <fmt/format-inl.h>

FMT_BEGIN_NAMESPACE
namespace detail {

template FMT_API auto dragonbox::to_decimal(float x) noexcept -> dragonbox::decimal_fp<float>;
template FMT_API auto dragonbox::to_decimal(double x) noexcept -> dragonbox::decimal_fp<double>;
template FMT_API auto thousands_sep_impl(locale_ref) -> thousands_sep_result<char>;
template FMT_API auto decimal_point_impl(locale_ref) -> char;

}  // namespace detail
FMT_END_NAMESPACE
