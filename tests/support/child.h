// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Finds a widget as a user does: by its type and, if the page has several of that type, by its text.

#include <stdexcept>

#include <QObject>
#include <QVariant>

namespace trainyard::test {

/// Returns the T within `parent`, or nullptr if none matches. `words` is its text, title or accessible name; it may be
/// empty if there is only one T. Throws std::logic_error if several match.
template <class T>
T* child(const QObject& parent, const QString& words = {}) {
    T* found = nullptr;
    for (QObject* each : parent.findChildren<QObject*>()) {
        auto* fitting = dynamic_cast<T*>(each);
        const auto says = [each, &words](const char* property) { return each->property(property).toString() == words; };
        if (fitting == nullptr || !(words.isEmpty() || says("text") || says("title") || says("accessibleName")))
            continue;
        if (found != nullptr)
            throw std::logic_error("several children fit: " + words.toStdString());
        found = fitting;
    }
    return found;
}

}  // namespace trainyard::test
