// SPDX-License-Identifier: GPL-3.0-or-later
// The system's key ring through libsecret (org.freedesktop.secrets), loaded when it is first asked for: a server
// without a desktop needs none of it.

#include <cstdlib>
#include <mutex>

#include <fmt/format.h>

#include "base/error.h"
#include "base/shared_library.h"
#include "remote/secret.h"

namespace trainyard::remote::key_ring {

namespace {

// libsecret's and GLib's types as its documentation lays them out; all else is a pointer to us.
struct GError {
    unsigned int domain;
    int code;
    char* message;
};
enum AttributeType { kString = 0 };
struct Attribute {
    const char* name;
    AttributeType type;
};
struct Schema {
    const char* name;
    int flags;
    Attribute attributes[32];
    int reserved;
    void* reserved_pointers[7];
};

constexpr Schema kSchema{
    "org.trainyard.Secret", 0, {{"kind", kString}, {"subject", kString}, {nullptr, kString}}, 0, {}};

struct Library {
    using Store = int (*)(const Schema*, const char*, const char*, const char*, void*, GError**, ...);
    using LookUp = char* (*)(const Schema*, void*, GError**, ...);
    using Clear = int (*)(const Schema*, void*, GError**, ...);
    Store store = nullptr;
    LookUp look_up = nullptr;
    Clear clear = nullptr;
    void (*free_password)(char*) = nullptr;
    void (*free_error)(GError*) = nullptr;
    Message problem;

    Library() {
        // Without a bus GLib would start one of its own, which would outlive us.
        const char* bus = std::getenv("DBUS_SESSION_BUS_ADDRESS");
        const char* runtime = std::getenv("XDG_RUNTIME_DIR");
        if ((bus == nullptr || *bus == '\0') && (runtime == nullptr || *runtime == '\0')) {
            problem = "there is no key ring: no desktop session is under way (DBUS_SESSION_BUS_ADDRESS is not set)";
            return;
        }
        SystemLibrary library({"libsecret-1.so.0"});
        if (!library.found()) {
            problem = "there is no key ring: libsecret is not installed (Debian: libsecret-1-0)";
            return;
        }
        library.find(store, "secret_password_store_sync");
        library.find(look_up, "secret_password_lookup_sync");
        library.find(clear, "secret_password_clear_sync");
        library.find(free_password, "secret_password_free");
        library.find(free_error, "g_error_free");
        if (const char* name = library.missing())
            problem = Message("the key ring cannot be used: libsecret has no {}", name);
    }
};

std::mutex& mutex() {
    static std::mutex only;
    return only;
}

Library& library() {
    static Library only;
    return only;
}

std::string taken(GError* error) {
    std::string message = error != nullptr && error->message != nullptr ? error->message : "it did not say why";
    if (error != nullptr)
        library().free_error(error);
    return message;
}

std::optional<Secret> look_up_secret(const Place& place, Message& why) {
    GError* error = nullptr;
    char* password = library().look_up(&kSchema, nullptr, &error, "kind", place.kind.c_str(), "subject",
                                       place.subject.c_str(), nullptr);
    if (error != nullptr) {
        why = Message("the key ring does not answer: {}", taken(error));
        return std::nullopt;
    }
    if (password == nullptr)
        return std::nullopt;
    Secret secret{std::string_view(password)};
    library().free_password(password);  // wiped by libsecret
    return secret;
}

}  // namespace

Message problem() {
    std::lock_guard lock(mutex());
    if (!library().problem.empty())
        return library().problem;
    Message why;
    look_up_secret({"probe", "probe"}, why);
    return why;
}

std::optional<Secret> find(const Place& place) {
    std::lock_guard lock(mutex());
    Message why;
    return library().problem.empty() ? look_up_secret(place, why) : std::nullopt;
}

void keep(const Place& place, const Secret& secret) {
    std::lock_guard lock(mutex());
    if (!library().problem.empty())
        throw UserError(library().problem);
    GError* error = nullptr;
    std::string label = fmt::format("Trainyard: {} of {}", place.kind, place.subject);
    int stored = library().store(&kSchema, "default", label.c_str(), secret.c_str(), nullptr, &error, "kind",
                                 place.kind.c_str(), "subject", place.subject.c_str(), nullptr);
    if (stored == 0)
        throw UserError("the key ring did not keep it: {}", taken(error));
}

void forget(const Place& place) {
    std::lock_guard lock(mutex());
    if (!library().problem.empty())
        return;
    GError* error = nullptr;
    library().clear(&kSchema, nullptr, &error, "kind", place.kind.c_str(), "subject", place.subject.c_str(), nullptr);
    if (error != nullptr)
        library().free_error(error);
}

}  // namespace trainyard::remote::key_ring
