// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/scroll_area.h"

#include <algorithm>
#include <utility>

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QEvent>
#include <QLayout>
#include <QPointer>
#include <QResizeEvent>
#include <QScrollBar>
#include <QStackedWidget>

#include "widgets/controls.h"
#include "widgets/layouts.h"

namespace trainyard::widgets {

namespace {

/// QScrollArea asks its content for the height that wrapped text needs. This one answers with the smallest height, not
/// with the preferred one: text views in a panel shrink before the column scrolls. It is as wide as the area.
class PanelHolder : public QWidget {
  public:
    using QWidget::QWidget;
    int heightForWidth(int width) const override {
        const QLayout* panels = layout();
        if (panels == nullptr)
            return -1;
        int height = panels->totalMinimumHeightForWidth(width);
        // QBoxLayout gives a row of panels its preferred height, at the cost of the other panels.
        const QMargins around = panels->contentsMargins();
        const int inside = width - around.left() - around.right();
        for (int i = 0; i < panels->count(); ++i)
            if (QLayoutItem* item = panels->itemAt(i); item->layout() != nullptr && item->hasHeightForWidth())
                height += item->heightForWidth(inside) - item->minimumHeightForWidth(inside);
        return height;
    }
    QSize minimumSizeHint() const override {
        return {0, layout() == nullptr ? 0 : layout()->totalMinimumSize().height()};
    }
};

/// Content that is lower when it is narrower would show and hide the vertical bar forever: the bar takes room, the
/// content fits, the bar goes, the content does not fit. Such a bar stays until the area has another size.
class SteadyScroll : public QScrollArea {
  public:
    explicit SteadyScroll(QWidget* parent = nullptr) : QScrollArea(parent) {
        verticalScrollBar()->installEventFilter(this);
    }
    bool eventFilter(QObject* watched, QEvent* event) override {
        if (watched == verticalScrollBar() && event->type() == QEvent::Show) {
            shows_ = since_.isValid() && since_.elapsed() < kSoon ? shows_ + 1 : 1;
            since_.start();
            if (shows_ >= kTooOften)
                keep_bar();
        }
        if (watched == widget() && event->type() == QEvent::Show)
            lay_out_again();
        if (watched != widget() || event->type() != QEvent::Resize)
            return QScrollArea::eventFilter(watched, event);
        // QScrollArea resizes its content again while the content handles a resize. Content whose smallest height
        // follows from its width can make that endless.
        if (resizes_ >= kTooOften) {
            keep_bar();
            return false;
        }
        ++resizes_;
        const bool done = QScrollArea::eventFilter(watched, event);
        --resizes_;
        return done;
    }

  protected:
    void resizeEvent(QResizeEvent* event) override {
        QScrollArea::resizeEvent(event);
        if (steady_for_.isValid() && steady_for_ != size()) {
            steady_for_ = {};
            shows_ = 0;
            setVerticalScrollBarPolicy(Qt::ScrollBarAsNeeded);
        }
    }

  private:
    /// Qt loses the resize of a hidden content that happens while the content handles another one.
    void lay_out_again() {
        const QLayout* layout = widget()->layout();
        if (layout == nullptr || layout->geometry() == widget()->contentsRect())
            return;
        QResizeEvent resize(widget()->size(), widget()->size());
        QCoreApplication::sendEvent(widget(), &resize);
    }
    void keep_bar() {
        steady_for_ = size();
        // Queued, because the area is in the middle of its layout.
        QMetaObject::invokeMethod(
            this, [this] { setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOn); }, Qt::QueuedConnection);
    }

    static constexpr int kSoon = 100;  ///< milliseconds
    static constexpr int kTooOften = 4;
    QElapsedTimer since_;  ///< the last time that the bar appeared
    QSize steady_for_;     ///< the size of the area when the bar was made to stay; invalid: it comes and goes
    int shows_ = 0;
    int resizes_ = 0;  ///< of the content that are being handled, one inside another
};

/// Nothing moves sideways, so it is at least as wide as its panels; its height is not bound to theirs.
class PanelScroll : public SteadyScroll {
  public:
    using SteadyScroll::SteadyScroll;
    QSize minimumSizeHint() const override {
        const QLayout* panels = widget() == nullptr ? nullptr : widget()->layout();
        const int width = panels == nullptr ? 0 : panels->totalMinimumSize().width();
        return {width, QScrollArea::minimumSizeHint().height()};
    }
    QSize sizeHint() const override { return widget() == nullptr ? QScrollArea::sizeHint() : widget()->sizeHint(); }
};

/// Holds a page and asks for the smallest size of its layout, not for the preferred one.
class PageHolder : public QWidget {
  public:
    PageHolder(QWidget* page, const QSize& enough) : page_(page), enough_(enough) {
        setLayout(make_column({0, 0, 0, 0}, 0, {page}));
        if (auto* stack = qobject_cast<QStackedWidget*>(page))
            connect(stack, &QStackedWidget::currentChanged, this, &QWidget::updateGeometry);
    }
    QSize minimumSizeHint() const override {
        const QWidget* page = shown();
        const QSize least = page == nullptr ? QSize() : least_of(page);
        return isRoomy() ? least.boundedTo(enough_) : least;
    }
    int heightForWidth(int width) const override {
        const QWidget* page = shown();
        if (page == nullptr)
            return -1;
        const QLayout* layout = page->layout();
        const int least = layout != nullptr && layout->hasHeightForWidth() ? layout->totalMinimumHeightForWidth(width)
                                                                           : least_of(page).height();
        return width >= enough_.width() ? std::min(least, enough_.height()) : least;
    }

    /// Null: a side window gave its page back.
    QWidget* shown() const {
        if (page_ == nullptr || page_->parentWidget() != this)
            return nullptr;
        auto* stack = qobject_cast<QStackedWidget*>(page_);
        return stack == nullptr ? page_.get() : stack->currentWidget();
    }

  private:
    bool isRoomy() const { return parentWidget() != nullptr && parentWidget()->width() >= enough_.width(); }
    /// The size that was set counts before that of the layout.
    static QSize least_of(const QWidget* page) {
        const QSize set = page->minimumSize(), hint = page->minimumSizeHint();
        return {set.width() > 0 ? set.width() : hint.width(), std::max(set.height(), hint.height())};
    }
    QPointer<QWidget> page_;
    QSize enough_;
};

class PageScroll : public QScrollArea {
  protected:
    void resizeEvent(QResizeEvent* event) override {
        const auto* holder = static_cast<const PageHolder*>(widget());  // set after the frame, which resizes the area
        QWidget* page = holder == nullptr ? nullptr : holder->shown();
        const QSize before = page == nullptr ? QSize() : page->size();
        QScrollArea::resizeEvent(event);
        if (page == nullptr || page->size() != before)
            return;
        QResizeEvent same(before, before);
        QCoreApplication::sendEvent(page, &same);
    }
};

/// Nothing moves sideways, so it is at least as wide as its content and the scroll bar.
class UprightScroll : public SteadyScroll {
  public:
    QSize minimumSizeHint() const override {
        const QSize least = QScrollArea::minimumSizeHint();
        const int content = widget() == nullptr ? 0 : widget()->minimumSizeHint().width();
        return {std::max(least.width(), content + verticalScrollBar()->sizeHint().width()), least.height()};
    }

  protected:
    /// A scroll area does not pass a change of its content on to the layout around it.
    bool event(QEvent* event) override {
        const bool done = QScrollArea::event(event);
        if (event->type() == QEvent::LayoutRequest)
            if (const int width = minimumSizeHint().width(); std::exchange(told_width_, width) != width)
                updateGeometry();
        return done;
    }

  private:
    int told_width_ = 0;
};

QScrollArea* styled_scroll_area(QScrollArea* scroll, QWidget* content) {
    scroll->setWidgetResizable(true);
    scroll->setFrameShape(QFrame::NoFrame);
    scroll->setFocusPolicy(Qt::NoFocus);
    if (content != nullptr) {
        scroll->setWidget(content);
        content->setAutoFillBackground(false);  // what it is in shows through
    }
    return scroll;
}

QScrollArea* upright(QScrollArea* scroll, QWidget* content) {
    content->setProperty("surface", QStringLiteral("clear"));
    scroll->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    return styled_scroll_area(scroll, content);
}

}  // namespace

QScrollArea* make_scroll_area(QWidget* content) {
    return styled_scroll_area(new QScrollArea, content);
}

QScrollArea* make_upright_scroll(QWidget* content) {
    return upright(new UprightScroll, content);
}

QScrollArea* make_upright_scroll(QLayout* inside) {
    return make_upright_scroll(make_holder(inside));
}

QScrollArea* make_panel_scroll(QLayout* panels, QWidget* parent) {
    auto* content = new PanelHolder;
    if (panels != nullptr)
        content->setLayout(panels);
    return upright(new PanelScroll(parent), content);
}

QSize visible_size(const QWidget* page) {
    for (const QWidget* at = page->parentWidget(); at != nullptr; at = at->parentWidget())
        if (dynamic_cast<const PageHolder*>(at) != nullptr && at->parentWidget() != nullptr)
            return page->size().boundedTo(at->parentWidget()->size());
    return page->size();
}

QScrollArea* make_page_scroll(QWidget* page, const QSize& enough) {
    return styled_scroll_area(new PageScroll, new PageHolder(page, enough));
}

}  // namespace trainyard::widgets
