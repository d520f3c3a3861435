// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Sizes of the window in device-independent pixels. A size in the source is that of the usual text size (100 %); in use
// it follows the text size that the user chose, so that whatever holds text has room for it:
//
//     button->setFixedWidth(34_px);               // the size at this moment
//     const int& kRowHeight = live_px(30);        // a constant: has the size that applies whenever it is read
//
// Fonts follow the same factor (Theme::text()). What was sized before a change is made again (PageStack::renew()).
// GUI thread only. Header only, because libraries without Qt GUI use it, too.

#include <cmath>
#include <deque>
#include <utility>

namespace trainyard {

/// The text size of the process and the constants that follow it.
class TextSize {
  public:
    static TextSize& instance() {
        static TextSize size;
        return size;
    }
    double factor() const { return factor_; }  ///< 1 at the usual text size
    void setFactor(double factor) {
        factor_ = factor;
        for (auto& [usual, now] : whole_)
            now = scaled(usual);
        for (auto& [usual, now] : fractional_)
            now = scaled(usual);
    }
    int scaled(int usual) const { return static_cast<int>(std::lround(usual * factor_)); }
    double scaled(double usual) const { return usual * factor_; }
    const int& follow(int usual) { return whole_.emplace_back(usual, scaled(usual)).second; }
    const double& follow(double usual) { return fractional_.emplace_back(usual, scaled(usual)).second; }

  private:
    double factor_ = 1;
    std::deque<std::pair<int, int>> whole_;  ///< usual size and size now; elements keep their addresses
    std::deque<std::pair<double, double>> fractional_;
};

inline int operator""_px(unsigned long long usual) {
    return TextSize::instance().scaled(static_cast<int>(usual));
}
inline double operator""_px(long double usual) {
    return TextSize::instance().scaled(static_cast<double>(usual));
}

/// For constants of namespaces and classes.
inline const int& live_px(int usual) {
    return TextSize::instance().follow(usual);
}
inline const double& live_px(double usual) {
    return TextSize::instance().follow(usual);
}

}  // namespace trainyard
