#pragma once
// Reading of JSON objects that other programs wrote: a missing or null key leaves the value alone, a wrong type is a
// UserError that names file and key. For the .cpp files of run/ and launch/ alone; no public header includes it.

#include <cmath>
#include <cstdint>
#include <limits>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>

#include <nlohmann/json.hpp>

#include "base/clock.h"
#include "base/error.h"
#include "base/json.h"

namespace trainyard::run::json {

using Json = nlohmann::json;

/// Throws UserError "<origin> is not a JSON object: ...".
inline Json parse_object(const std::string& text, const std::string& origin) {
    if (const char* why = json_out_of_bounds(text); why != nullptr)
        throw UserError(origin + " is " + why + ": it was written by another program");
    Json value = read_json(text);
    if (!value.is_object())
        throw UserError(origin + " is not a JSON object: it was cut short or written by another program");
    return value;
}

/// Text for a file: bytes that are not UTF-8 (rank logs hold anything) are replaced.
inline std::string dump(const Json& value) {
    return value.dump(-1, ' ', false, Json::error_handler_t::replace);
}

/// Whether a number of the file fits into T. The library's own conversion cuts it: 1e308 would become any number of a process.
template <typename T>
bool fits(const Json& number) {
    if (number.is_number_float()) {
        const double value = number.get<double>();
        // 2^63 and 2^64 are numbers of double, the largest of std::int64_t and std::uint64_t are not.
        return value == std::floor(value) && value >= static_cast<double>(std::numeric_limits<T>::min()) &&
               value < std::ldexp(1.0, std::numeric_limits<T>::digits);
    }
    return number.is_number_unsigned() ? std::in_range<T>(number.get<std::uint64_t>())
                                       : number.is_number() && std::in_range<T>(number.get<std::int64_t>());
}

template <typename T>
void read(const Json& object, const char* key, T& target, const std::string& origin) {
    auto found = object.find(key);
    if (found == object.end() || found->is_null())
        return;
    if constexpr (std::is_integral_v<T> && !std::is_same_v<T, bool>)
        if (found->is_number() && !fits<T>(*found))
            throw UserError(origin + ": " + key + " is out of range");
    try {
        found->get_to(target);
    } catch (const Json::exception&) {
        throw UserError(origin + ": " + key + " has the wrong type");
    }
}

template <typename T>
void read(const Json& object, const char* key, std::optional<T>& target, const std::string& origin) {
    auto found = object.find(key);
    if (found == object.end() || found->is_null())
        return;
    T value{};
    read(object, key, value, origin);
    target = value;
}

/// ISO text in the file, wall seconds in memory.
inline void read_time(const Json& object, const char* key, double& target, const std::string& origin) {
    std::string text;
    read(object, key, text, origin);
    if (text.empty())
        return;
    try {
        target = parse_iso_time(text);
    } catch (const std::exception&) {
        throw UserError(origin + ": " + key + " is not a time");
    }
}

/// A loss may be NaN or infinite, which JSON cannot say as a number: text then, "nan", "inf", "-inf".
inline void read_real(const Json& object, const char* key, std::optional<double>& target, const std::string& origin) {
    auto found = object.find(key);
    if (found != object.end() && found->is_string()) {
        const std::string& text = found->get_ref<const std::string&>();
        if (text != "nan" && text != "inf" && text != "-inf")
            throw UserError(origin + ": " + key + " has the wrong type");
        target = text == "nan" ? std::nan("") : text == "inf" ? HUGE_VAL : -HUGE_VAL;
        return;
    }
    read(object, key, target, origin);
}

inline void write_real(Json& object, const char* key, const std::optional<double>& value) {
    if (!value)
        object[key] = nullptr;
    else if (std::isnan(*value))
        object[key] = "nan";
    else if (std::isinf(*value))
        object[key] = *value > 0 ? "inf" : "-inf";
    else
        object[key] = *value;
}

template <typename T>
void write(Json& object, const char* key, const std::optional<T>& value) {
    object[key] = value ? Json(*value) : Json(nullptr);
}

}  // namespace trainyard::run::json
