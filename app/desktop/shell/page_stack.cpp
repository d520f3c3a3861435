// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/shell/page_stack.h"

#include <algorithm>

#include <QTimer>

#include "desktop/pages/pages.h"
#include "desktop/shell/app_context.h"
#include "desktop/shell/page.h"
#include "desktop/shell/part_place.h"

namespace trainyard::desktop {

namespace {
constexpr int kDropDelay = 300;  // ms
}

PageStack::PageStack(AppContext* context, QWidget* parent) : QStackedWidget(parent), context_(context) {}

Location PageStack::keyOf(const PageEntry& entry, const Location& location) {
    return {entry.key, entry.kept > 0 ? location.subject : QString()};
}

Page* PageStack::pageAt(const Location& location) {
    const PageEntry* entry = find_page(location.page);
    if (entry == nullptr)
        return nullptr;
    const Location key = keyOf(*entry, location);
    const auto found = std::find_if(made_.begin(), made_.end(), [&](const Made& one) { return one.location == key; });
    if (found != made_.end()) {
        std::rotate(found, found + 1, made_.end());
        Page* before = made_.last().page;
        if (!before->isOutdated() || before->isBusy())
            return before;
        made_.removeLast();
        Page* page = makePage(*entry, location.subject);
        page->takeOver(*before);
        copy_typed_text(before, page);
        made_.push_back({key, page});
        if (currentWidget() == before)
            setCurrentWidget(page);
        removeWidget(before);
        before->deleteLater();
        return page;
    }
    Page* page = makePage(*entry, location.subject);
    // Making it may have made others.
    made_.push_back({key, page});
    dropOld(*entry);
    return page;
}

Page* PageStack::makePage(const PageEntry& entry, const QString& subject) {
    Page* page = entry.make(context_, subject, this);
    page->setKey(entry.key);
    addWidget(page);
    return page;
}

void PageStack::outdate() {
    for (const Made& one : made_)
        one.page->setOutdated();
}

Page* PageStack::shownPage(const Location& location) {
    const PageEntry* entry = find_page(location.page);
    const QString other = entry != nullptr && entry->stand_in ? entry->stand_in(context_) : QString();
    return other.isEmpty() ? pageAt(location) : pageAt({other, {}});
}

void PageStack::dropOld(const PageEntry& entry) {
    if (entry.kept == 0)
        return;
    auto isOne = [&](const Made& one) { return one.location.page == entry.key; };
    if (std::count_if(made_.begin(), made_.end(), isOne) <= entry.kept)
        return;
    const auto oldest = std::find_if(made_.begin(), made_.end(), isOne);
    // Its hundreds of widgets go in a turn of their own: the page that takes its place is made and painted in this one.
    QTimer::singleShot(kDropDelay, oldest->page, &QObject::deleteLater);
    made_.erase(oldest);
}

Page* PageStack::existingPage(const QString& key) const {
    const auto found =
        std::find_if(made_.rbegin(), made_.rend(), [&](const Made& one) { return one.location.page == key; });
    return found == made_.rend() ? nullptr : found->page;
}

Page* PageStack::take(const Location& location) {
    Page* page = pageAt(location);
    if (page == nullptr)
        return nullptr;
    made_.removeIf([page](const Made& one) { return one.page == page; });
    removeWidget(page);
    return page;
}

void PageStack::giveBack(const Location& location, Page* page) {
    const PageEntry* entry = find_page(location.page);
    addWidget(page);
    made_.push_back({keyOf(*entry, location), page});
    dropOld(*entry);
}

}  // namespace trainyard::desktop
