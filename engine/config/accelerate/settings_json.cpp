#include "config/accelerate/settings_json.h"

#include <cmath>

#include <nlohmann/json.hpp>

namespace trainyard::settings {

using OrderedJson = nlohmann::ordered_json;

OrderedJson json_of(const Value& value) {
    if (value.is_null())
        return nullptr;
    if (const bool* truth = value.boolean())
        return *truth;
    if (const std::int64_t* whole = value.integer())
        return *whole;
    if (const double* number = value.number(); number != nullptr && std::isfinite(*number))
        return *number;
    if (const Value::List* list = value.list()) {
        OrderedJson items = OrderedJson::array();
        for (const Value& item : *list)
            items.push_back(json_of(item));
        return items;
    }
    if (const Value::Map* map = value.map()) {
        OrderedJson entries = OrderedJson::object();
        for (const Entry& entry : *map)
            entries[entry.key] = json_of(entry.value);
        return entries;
    }
    return value.display();
}

OrderedJson json_of(const Settings& settings) {
    OrderedJson entries = OrderedJson::object();
    for (const Entry& entry : settings.root()) {
        bool empty_table = entry.value.map() != nullptr && entry.value.map()->empty();
        if (!entry.value.is_null() && !empty_table)
            entries[entry.key] = json_of(entry.value);
    }
    return entries;
}

}  // namespace trainyard::settings
