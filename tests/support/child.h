#pragma once
// A part of a page is found as a person finds it: by its kind and, where there are several of a kind, by what is written on it.

#include <stdexcept>

#include <QObject>
#include <QVariant>

namespace trainyard::test {

/// The T within `parent`; nullptr: there is none. `words`: its text, its title or what screen readers call it; empty: there is one T alone.
/// Throws std::logic_error where several fit.
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
