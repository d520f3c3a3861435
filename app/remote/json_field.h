#pragma once
// A field of what another program sent: the fallback when it is missing, a UserError when it has another type. For .cpp files alone.

#include <string>

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

}  // namespace trainyard::remote
