// SPDX-License-Identifier: GPL-3.0-or-later
#include "distributed/tensors/dtype.h"

#include <algorithm>
#include <array>
#include <utility>

namespace trainyard {

namespace {

constexpr std::array kDtypeNames{
    std::pair{at::kFloat, "float32"},
    std::pair{at::kDouble, "float64"},
    std::pair{at::kHalf, "float16"},
    std::pair{at::kBFloat16, "bfloat16"},
    std::pair{at::kLong, "int64"},
    std::pair{at::kInt, "int32"},
    std::pair{at::kShort, "int16"},
    std::pair{at::kChar, "int8"},
    std::pair{at::kByte, "uint8"},
    std::pair{at::kBool, "bool"},
    std::pair{at::kUInt16, "uint16"},
    std::pair{at::kUInt32, "uint32"},
    std::pair{at::kUInt64, "uint64"},
    std::pair{at::kFloat8_e4m3fn, "float8_e4m3fn"},
    std::pair{at::kFloat8_e5m2, "float8_e5m2"},
    std::pair{at::kFloat8_e4m3fnuz, "float8_e4m3fnuz"},
    std::pair{at::kFloat8_e5m2fnuz, "float8_e5m2fnuz"},
    std::pair{at::kFloat8_e8m0fnu, "float8_e8m0fnu"},
    std::pair{at::kComplexHalf, "complex32"},
    std::pair{at::kComplexFloat, "complex64"},
    std::pair{at::kComplexDouble, "complex128"},
};

}  // namespace

const char* dtype_name(at::ScalarType type) {
    auto found =
        std::find_if(kDtypeNames.begin(), kDtypeNames.end(), [&](const auto& name) { return name.first == type; });
    return found == kDtypeNames.end() ? c10::toString(type) : found->second;
}

std::optional<at::ScalarType> dtype_of_name(std::string_view name) {
    auto found =
        std::find_if(kDtypeNames.begin(), kDtypeNames.end(), [&](const auto& entry) { return entry.second == name; });
    if (found == kDtypeNames.end())
        return std::nullopt;
    return found->first;
}

}  // namespace trainyard
