#pragma once
// A field of what another program sent: the fallback when it is missing, a UserError when it has another type. For .cpp files alone.

#include <string>

#include "base/json.h"
#include "base/untrusted.h"
#include "run/json_fields.h"

namespace trainyard::remote {

template <typename Value>
Value field(const run::json::Json& object, const char* key, Value fallback) {
    if (!object.is_object())
        throw UserError("what the other end sent is not what it should be");
    run::json::read(object, key, fallback, "what the other end sent");
    return fallback;
}
inline std::string text_field(const run::json::Json& object, const char* key) {
    return field<std::string>(object, key, {});
}

/// A list of at most `most` values.
inline run::json::Json list_field(const run::json::Json& object, const char* key, std::size_t most) {
    run::json::Json list = field(object, key, run::json::Json::array());
    if (!list.is_array() || list.size() > most)
        throw UserError(std::string("what the other end sent is not what it should be: ") + key);
    return list;
}
/// A text to show, as one line and as several.
inline HostText label_field(const run::json::Json& object, const char* key) {
    return HostText(text_field(object, key));
}
inline HostText message_field(const run::json::Json& object, const char* key) {
    return HostText::lines(text_field(object, key));
}
/// The object that a program printed, or null if it printed something else.
inline run::json::Json object_or_null(const std::string& printed) {
    run::json::Json value = read_json(printed);
    return value.is_object() ? value : run::json::Json(nullptr);
}

}  // namespace trainyard::remote
