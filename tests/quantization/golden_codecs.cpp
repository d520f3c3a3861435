// SPDX-License-Identifier: GPL-3.0-or-later
// Formats of low precision as bitsandbytes, torch and torchao have them (golden/quantization): tables, blocks, casts,
// rules of modules.

#include <algorithm>
#include <set>

#include "formats/weights/quantization/blocks.h"
#include "formats/weights/quantization/float8.h"
#include "formats/weights/quantization/four_bit.h"
#include "formats/weights/quantization/int8_rows.h"
#include "formats/weights/quantization/module_choice.h"
#include "golden_topic.h"
#include "support/sha256.h"

namespace trainyard::quantization {
namespace {

using test::Json;

Float8 float8_of(const std::string& name) {
    if (name != "e4m3fn" && name != "e5m2")
        throw std::runtime_error("unknown format " + name);
    return name == "e5m2" ? Float8::e5m2 : Float8::e4m3;
}

TEST(GoldenQuantization, CodeTables) {
    const test::GoldenTensors tensors("code_tables");
    for (const Json& one : test::golden_cases("code_tables")) {
        const std::string name = one.at("name"), kind = one.at("kind");
        SCOPED_TRACE(name);
        const Json args = one.value("args", Json::object());
        const bool has_sign = args.value("signed", true);
        std::vector<float> values;
        if (kind == "4bit")
            values = args.at("typename") == "nf4"   ? nf4_table().values()
                     : args.at("typename") == "fp4" ? fp4_table().values()
                                                    : std::vector<float>();
        else if (kind == "dynamic")
            values = dynamic_table(has_sign).values();
        else if (kind == "linear")
            values = linear_values(has_sign);
        else if (kind == "fp8")
            values = small_float_values(has_sign, args.value("exponent_bits", 5), args.value("precision_bits", 2));
        test::expect_same_floats(values, tensors.floats(name), name);
        EXPECT_EQ(std::ranges::is_sorted(values), one.at("sorted").get<bool>());
        EXPECT_EQ(test::sha256(std::as_bytes(std::span(values))), one.at("sha256").get<std::string>());
    }
}

TEST(GoldenQuantization, BlocksOf8Bits) {
    const test::GoldenTensors tensors("block_8bit");
    for (const Json& one : test::golden_cases("block_8bit")) {
        const std::string name = one.at("name");
        SCOPED_TRACE(name);
        const std::size_t blocksize = one.at("blocksize");
        const CodeTable& table = dynamic_table(one.at("signed"));
        const std::vector<float> input = tensors.floats(name + "/input");
        std::vector<std::uint8_t> codes(input.size());
        std::vector<float> absmax(block_count(input.size(), blocksize)), decoded(input.size());
        encode_blocks(input, blocksize, table, codes, absmax);
        test::expect_same_floats(absmax, tensors.floats(name + "/absmax"), "absmax");
        EXPECT_EQ(codes, tensors.raw(name + "/codes_nearest"));
        decode_blocks(tensors.raw(name + "/codes"), blocksize, table.values(), absmax, decoded);
        test::expect_same_floats(test::rounded(decoded, one.value("dtype", "float32")),
                                 tensors.floats(name + "/dequantised"), "decoded");
    }
}

class FourBitCase {
  public:
    FourBitCase(const Json& one, const test::GoldenTensors& tensors)
        : one_(one),
          tensors_(tensors),
          prefix_(one.at("name").get<std::string>() + "/"),
          input_(tensors.floats(prefix_ + "input")) {}

    void check() const {
        const FourBitOptions options{one_.at("quant_type"), one_.at("blocksize"), one_.value("double_quant", false),
                                     one_.value("dtype", "float32")};
        const FourBitWeight ours = encode_four_bit(input_, one_.at("shape"), options);
        if (one_.at("finite").get<bool>()) {
            EXPECT_EQ(ours.packed, tensors_.raw(prefix_ + "weight"));
        }
        if (ours.nested)
            check_nested(ours);
        else
            test::expect_same_floats(ours.absmax, tensors_.floats(prefix_ + "weight.absmax"), "absmax");
        check_stored(ours);
        check_read();
    }

  private:
    void check_nested(const FourBitWeight& ours) const {
        EXPECT_EQ(ours.nested->codes, tensors_.raw(prefix_ + "absmax_codes_nearest"));
        const std::vector<float> expected = tensors_.floats(prefix_ + "weight.nested_absmax");
        ASSERT_EQ(ours.nested->absmax.size(), expected.size());
        for (std::size_t i = 0; i < expected.size(); ++i)
            EXPECT_NEAR(ours.nested->absmax[i], expected[i], 1e-6 * std::abs(expected[i])) << i;
        const double offset = Json::parse(one_.at("quant_state").get<std::string>()).at("nested_offset");
        EXPECT_NEAR(static_cast<double>(ours.nested->offset), offset, 1e-6 * std::abs(offset));
    }

    /// Names, dtypes, shapes; bytes of what does not depend on the codes of magnitudes and the last bits of their mean.
    void check_stored(const FourBitWeight& ours) const {
        const std::string storage = test::stored_dtype(one_.value("quant_storage", "uint8"));
        std::set<std::string> names;
        for (const StoredTensor& tensor : stored_four_bit("weight", ours, storage)) {
            SCOPED_TRACE(tensor.name);
            names.insert(tensor.name);
            ASSERT_TRUE(tensors_.has(prefix_ + tensor.name));
            const weights::TensorInfo& info = tensors_.info(prefix_ + tensor.name);
            EXPECT_EQ(tensor.dtype, info.dtype);
            const bool is_state = tensor.name.find("quant_state") != std::string::npos;
            if (!is_state || !ours.nested) {
                EXPECT_EQ(tensor.shape, info.shape);
            }
            const bool depends = ours.nested && (is_state || tensor.name.ends_with("absmax"));
            if (one_.at("finite").get<bool>() && !depends) {
                EXPECT_EQ(test::sha256(tensor.bytes),
                          one_.at("stored").at(tensor.name).at("sha256").get<std::string>());
            }
        }
        EXPECT_EQ(names.size(), one_.at("stored").size());
    }

    void check_read() const {
        const auto theirs = read_four_bit("weight", [&](const std::string& name) -> std::optional<StoredTensor> {
            if (!tensors_.has(prefix_ + name))
                return std::nullopt;
            const weights::TensorInfo& info = tensors_.info(prefix_ + name);
            const auto bytes = tensors_.file().bytes(info);
            return StoredTensor{name, info.dtype, info.shape, {bytes.begin(), bytes.end()}};
        });
        ASSERT_TRUE(theirs.has_value());
        EXPECT_EQ(quant_state_text(*theirs), one_.at("quant_state").get<std::string>());
        if (theirs->nested)
            test::expect_same_floats(theirs->absmax, tensors_.floats(prefix_ + "absmax_after"), "absmax_after");
        std::vector<float> decoded(input_.size());
        decode_four_bit(*theirs, 0, decoded);
        test::expect_same_floats(test::rounded(decoded, theirs->options.dtype),
                                 tensors_.floats(prefix_ + "dequantised"), "decoded");
        const std::size_t third = decoded.size() / 3;
        std::vector<float> part(decoded.size() - third);
        decode_four_bit(*theirs, static_cast<std::int64_t>(third), part);
        test::expect_same_floats(part, {decoded.begin() + static_cast<std::ptrdiff_t>(third), decoded.end()}, "a part");
    }

    const Json& one_;
    const test::GoldenTensors& tensors_;
    std::string prefix_;
    std::vector<float> input_;
};

TEST(GoldenQuantization, WeightsOf4Bits) {
    const test::GoldenTensors tensors("four_bit");
    for (const Json& one : test::golden_cases("four_bit")) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        FourBitCase(one, tensors).check();
    }
}

TEST(GoldenQuantization, Int8Rows) {
    const test::GoldenTensors tensors("int8");
    for (const Json& one : test::golden_cases("int8")) {
        const std::string name = one.at("name");
        SCOPED_TRACE(name);
        const std::int64_t columns = one.at("weight").at(1);
        const Int8Rows weight = encode_int8_rows(tensors.floats(name + "/full_weight"), columns);
        EXPECT_EQ(weight.codes, tensors.raw<std::int8_t>(name + "/weight"));
        test::expect_same_floats(weight.magnitudes, tensors.floats(name + "/SCB"), "SCB");
        const Int8Rows x = encode_int8_rows(tensors.floats(name + "/x"), columns, one.at("threshold").get<float>());
        EXPECT_EQ(x.codes, tensors.raw<std::int8_t>(name + "/x_codes"));
        test::expect_same_floats(x.magnitudes, tensors.floats(name + "/x_absmax"), "x_absmax");
        const Json& outliers = one.at("outlier_columns");
        EXPECT_EQ(x.outliers,
                  outliers.is_null() ? std::vector<std::int64_t>() : outliers.get<std::vector<std::int64_t>>());
    }
}

/// Codes of NaN are equal to each other.
void expect_same_codes(std::vector<std::uint8_t> ours, std::vector<std::uint8_t> expected, Float8 format) {
    const auto& values = weights::values_of_float8(format == Float8::e5m2);
    for (std::vector<std::uint8_t>* codes : {&ours, &expected})
        for (std::uint8_t& code : *codes)
            code = std::isnan(values[code]) ? 0x7f : code;
    EXPECT_EQ(ours, expected);
}

TEST(GoldenQuantization, Float8Casts) {
    const test::GoldenTensors tensors("fp8_casts");
    for (const std::string format : {"e4m3fn", "e5m2"}) {
        const auto& values = weights::values_of_float8(format == "e5m2");
        test::expect_same_floats({values.begin(), values.end()}, tensors.floats(format + "/decoded"), format);
    }
    for (const Json& one : test::golden_cases("fp8_casts")) {
        const std::string name = one.at("format").get<std::string>() + "/" + one.at("source").get<std::string>();
        SCOPED_TRACE(name);
        const Float8 format = float8_of(one.at("format"));
        std::vector<std::uint8_t> plain, saturated;
        for (const float x : tensors.floats(name + "/input")) {
            plain.push_back(to_float8(x, format));
            saturated.push_back(to_float8_saturated(x, format));
        }
        expect_same_codes(plain, tensors.raw(name + "/plain"), format);
        expect_same_codes(saturated, tensors.raw(name + "/saturated"), format);
    }
    std::vector<std::uint8_t> powers;
    for (const float x : tensors.floats("e8m0fnu/float32/input"))
        powers.push_back(to_e8m0(x));
    EXPECT_EQ(powers, tensors.raw("e8m0fnu/float32/plain"));
    std::vector<float> decoded;
    for (int code = 0; code < 256; ++code)
        decoded.push_back(from_e8m0(static_cast<std::uint8_t>(code)));
    test::expect_same_floats(decoded, tensors.floats("e8m0fnu/decoded"), "e8m0fnu");
}

TEST(GoldenQuantization, MxBlocks) {
    const test::GoldenTensors tensors("mxfp8");
    for (const Json& one : test::golden_cases("mxfp8")) {
        const std::string name = one.at("name");
        const Float8 format = float8_of(one.at("format"));
        const std::vector<float> input = tensors.floats(name + "/input");
        for (const std::string mode : one.at("modes")) {
            SCOPED_TRACE(name + "/" + mode);
            const std::string of_mode = name + "/" + mode;
            std::vector<std::uint8_t> scales(input.size() / kMxBlock), codes(input.size());
            std::vector<float> decoded(input.size());
            encode_mx(input, format, mx_mode(mode), scales, codes);
            decode_mx(scales, codes, format, decoded);
            EXPECT_EQ(scales, tensors.raw(of_mode + ".scales"));
            std::vector<std::uint8_t> expected = tensors.raw(of_mode + ".codes");
            for (std::size_t i = 0; i < codes.size(); ++i)
                if (scales[i / kMxBlock] == 255)
                    codes[i] = expected[i] = 0;
            expect_same_codes(codes, expected, format);
            test::expect_same_floats(decoded, tensors.floats(of_mode + ".decoded"), "decoded");
        }
    }
}

TEST(GoldenQuantization, StochasticRounding) {
    const test::GoldenTensors tensors("stochastic_rounding");
    const std::vector<float> input = tensors.floats("input");
    const std::vector<std::int32_t> random = tensors.raw<std::int32_t>("random");
    std::vector<std::uint16_t> rounded;
    for (std::size_t i = 0; i < input.size(); ++i)
        rounded.push_back(round_stochastically(input[i], static_cast<std::uint16_t>(random.at(i))));
    EXPECT_EQ(rounded, tensors.raw<std::uint16_t>("rounded"));

    const Json one = test::golden_cases("stochastic_rounding");
    const auto updated = static_cast<float>(1.0 - one.at("update").get<double>());
    std::size_t lower = 0;
    for (std::uint32_t drawn = 0; drawn < 1U << 16; ++drawn) {
        const float value = weights::from_bfloat16(round_stochastically(updated, static_cast<std::uint16_t>(drawn)));
        EXPECT_TRUE(value == 1.0F || value == one.at("lower_value").get<float>());
        lower += value != 1.0F ? 1 : 0;
    }
    EXPECT_NEAR(static_cast<double>(lower) / (1 << 16), one.at("probability_of_lower").get<double>(), 1e-4);
    EXPECT_EQ(weights::from_bfloat16(weights::to_bfloat16(updated)), one.at("nearest_after_one_update").get<float>());
}

void add_layers(const Json& tree, const std::string& prefix, std::vector<LinearModule>& layers) {
    for (const auto& [name, child] : tree.items())
        if (child.is_array())
            layers.push_back({prefix + name, child.at(0), child.at(1)});
        else if (child.is_object())
            add_layers(child, prefix + name + ".", layers);
}

std::vector<LinearModule> layers_of(const Json& tree) {
    std::vector<LinearModule> layers;
    add_layers(tree, "", layers);
    return layers;
}

TEST(GoldenQuantization, LayersOfFp8) {
    for (const Json& one : test::golden_cases("fp8_filter")) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        EXPECT_EQ(fp8_layers(layers_of(one.at("tree"))), one.at("converted").get<std::vector<std::string>>());
    }
}

TEST(GoldenQuantization, SkippedModules) {
    for (const Json& one : test::golden_cases("skip_rules")) {
        SCOPED_TRACE(one.at("name").get<std::string>());
        std::vector<std::string> children;
        for (const auto& [name, child] : one.at("tree").items())
            children.push_back(name);
        const auto tied = one.value("tied", std::vector<std::pair<std::string, std::string>>());
        std::vector<std::string> skipped = default_skip_modules(children, tied, one.value("base_model_prefix", ""));
        std::ranges::sort(skipped);
        EXPECT_EQ(skipped, one.at("default_skip_modules").get<std::vector<std::string>>());
        if (one.contains("skip_modules") && !one.at("skip_modules").is_null())
            skipped = one.at("skip_modules").get<std::vector<std::string>>();
        for (const std::string name : one.value("keep_in_fp32_modules", Json::array()))
            skipped.push_back(name);
        std::vector<std::string> quantised;
        for (const LinearModule& layer : layers_of(one.at("tree")))
            if (!is_skipped(layer.name, skipped))
                quantised.push_back(layer.name);
        EXPECT_EQ(quantised, one.at("quantised").get<std::vector<std::string>>());
    }
}

}  // namespace
}  // namespace trainyard::quantization
