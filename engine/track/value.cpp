#include "track/value.h"

namespace trainyard::track {

double Value::number() const {
    if (const double* real = if_real())
        return *real;
    if (const std::int64_t* whole = if_integer())
        return static_cast<double>(*whole);
    const bool* truth = if_bool();
    return truth != nullptr && *truth ? 1 : 0;
}

const Value* Value::find(const std::string& key) const {
    if (const Dict* dict = if_dict())
        for (const auto& [name, value] : *dict)
            if (name == key)
                return &value;
    return nullptr;
}

}  // namespace trainyard::track
