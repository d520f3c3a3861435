// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// One topic of the golden cases of low precision: <topic>.json and <topic>.safetensors of golden/quantization.

#include <cmath>
#include <cstring>
#include <fstream>
#include <limits>
#include <stdexcept>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/weights/elements.h"
#include "formats/weights/safetensors.h"
#include "support/golden.h"

namespace trainyard::test {

/// With the order of the keys: modules are registered in it.
using Json = nlohmann::ordered_json;

inline Json golden_cases(const std::string& topic) {
    const std::filesystem::path path = golden("quantization") / (topic + ".json");
    std::ifstream file(path);
    Json cases = Json::parse(file, nullptr, false);
    if (cases.is_discarded() || cases.empty())
        throw std::runtime_error("no cases in " + path.string());
    return cases;
}

inline double number_of(const Json& value) {
    const std::string text = value.is_string() ? value.get<std::string>() : "";
    return text == "nan"    ? std::numeric_limits<double>::quiet_NaN()
           : text == "inf"  ? std::numeric_limits<double>::infinity()
           : text == "-inf" ? -std::numeric_limits<double>::infinity()
                            : value.get<double>();
}

class GoldenTensors {
  public:
    explicit GoldenTensors(const std::string& topic) : file_(golden("quantization") / (topic + ".safetensors")) {}

    const weights::SafetensorsFile& file() const { return file_; }
    const weights::TensorInfo& info(const std::string& name) const {
        const weights::TensorInfo* found = file_.find(name);
        if (found == nullptr)
            throw std::runtime_error("no tensor " + name);
        return *found;
    }
    bool has(const std::string& name) const { return file_.find(name) != nullptr; }
    template <class T = std::uint8_t>
    std::vector<T> raw(const std::string& name) const {
        const auto bytes = file_.bytes(info(name));
        std::vector<T> values(bytes.size() / sizeof(T));
        std::memcpy(values.data(), bytes.data(), bytes.size());
        return values;
    }
    /// As fp32.
    std::vector<float> floats(const std::string& name) const {
        const auto bytes = file_.bytes(info(name));
        std::vector<float> values(bytes.size() / weights::dtype_size(info(name).dtype));
        weights::decode_elements(info(name).dtype, bytes, values);
        return values;
    }

  private:
    weights::SafetensorsFile file_;
};

/// Bit for bit, except for the payload of NaN.
inline void expect_same_floats(const std::vector<float>& ours, const std::vector<float>& expected,
                               const std::string& what) {
    ASSERT_EQ(ours.size(), expected.size()) << what;
    std::size_t different = 0;
    for (std::size_t i = 0; i < ours.size(); ++i)
        if (std::isnan(expected[i]) ? !std::isnan(ours[i])
                                    : std::memcmp(&ours[i], &expected[i], sizeof(float)) != 0 && ++different < 5)
            ADD_FAILURE() << what << ": element " << i << " is " << ours[i] << ", not " << expected[i];
    EXPECT_EQ(different, 0u) << what;
}

/// safetensors' name of a dtype of torch.
inline std::string stored_dtype(const std::string& torch_name) {
    return torch_name == "float32"    ? "F32"
           : torch_name == "bfloat16" ? "BF16"
           : torch_name == "float16"  ? "F16"
           : torch_name == "int8"     ? "I8"
           : torch_name == "uint8"    ? "U8"
                                      : throw std::runtime_error("unknown dtype " + torch_name);
}

/// Rounded to a dtype of torch, as fp32 again.
inline std::vector<float> rounded(const std::vector<float>& values, const std::string& dtype) {
    std::vector<std::byte> narrow;
    weights::convert_elements("F32", std::as_bytes(std::span(values)), stored_dtype(dtype), narrow);
    std::vector<float> wide(values.size());
    weights::decode_elements(stored_dtype(dtype), narrow, wide);
    return wide;
}

}  // namespace trainyard::test
