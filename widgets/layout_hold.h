// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A page whose parts are shown and hidden together.

#include <QLayout>
#include <QWidget>

namespace trainyard::widgets {

/// Lays out `page` once, on destruction, instead of once for each of its parts that is shown or hidden meanwhile. Holds may
/// be nested.
class LayoutHold {
  public:
    explicit LayoutHold(QWidget* page) : held_(page->layout()) {
        if (held_ == nullptr || !held_->isEnabled())
            held_ = nullptr;
        else
            held_->setEnabled(false);
    }
    ~LayoutHold() {
        if (held_ == nullptr)
            return;
        held_->setEnabled(true);
        if (held_->parentWidget()->isVisible())
            held_->activate();
    }
    LayoutHold(const LayoutHold&) = delete;
    LayoutHold& operator=(const LayoutHold&) = delete;

  private:
    QLayout* held_;
};

}  // namespace trainyard::widgets
