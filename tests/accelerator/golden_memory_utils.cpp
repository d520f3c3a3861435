// SPDX-License-Identifier: GPL-3.0-or-later
// golden/memory_utils.json: batch-size search, sizes as text, limits per device.
//
// Intended differences, as rules over the input (deviation() computes the expected result):
//   size with a unit in lower case ("7kb")       bytes, because bits are never meant
//   size in TB, TiB, PB, PiB, or trailing blank  accepted
//   error "two_arguments"                        a C++ exception has one text; it says that memory ran out, so the size is reduced
//   a rule that reduces below zero               no batch size is left; Accelerate continues with negative ones
//   a search that starts below zero              refused before anything is called, like 0; Accelerate calls with it
//   a size of 2^63 bytes or more                 refused; Python's integers are unbounded
#include <cmath>
#include <fstream>
#include <functional>
#include <new>
#include <optional>
#include <stdexcept>

#include <c10/util/Exception.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>
#include <trainyard/memory.h>

#include "base/error.h"
#include "base/letter_case.h"
#include "support/golden.h"

namespace trainyard {
namespace {

using nlohmann::json;

[[noreturn]] void fail(const std::string& error) {
    if (error == "cuda")
        TORCH_CHECK_WITH(OutOfMemoryError, false, "CUDA out of memory. Tried to allocate 2.00 GiB");
    if (error == "xpu")
        TORCH_CHECK(false, "XPU out of memory. Tried to allocate");
    if (error == "mps")
        TORCH_CHECK(false, "MPS backend out of memory (MPS allocated: 1 GB)");
    if (error == "cudnn")
        throw std::runtime_error("cuDNN error: CUDNN_STATUS_NOT_SUPPORTED.");
    if (error == "cpu")
        TORCH_CHECK(false, "[enforce fail] DefaultCPUAllocator: can't allocate memory: you tried to allocate 1 bytes");
    if (error == "value")
        throw std::invalid_argument("CUDA out of memory.");
    if (error == "two_arguments")
        throw std::runtime_error("('CUDA out of memory.', 'again')");
    throw std::runtime_error("size mismatch");
}

std::function<std::int64_t(std::int64_t)> rule_of(const std::string& name) {
    if (name == "half")
        return [](std::int64_t size) { return size / 2; };
    if (name == "minus_3")
        return [](std::int64_t size) { return size - 3; };
    return [](std::int64_t size) { return size < 100 ? size * 3 : 0; };
}

json batch_size(const json& input) {
    json tried = json::array(), results = json::array();
    accelerator::BatchSizeSearch::Reduce reduce;
    if (input.contains("reduce") && !input.at("reduce").is_null())
        reduce = rule_of(input.at("reduce").get<std::string>());
    auto train = accelerator::find_executable_batch_size(
        [&](std::int64_t size) {
            tried.push_back(size);
            if (size > input.at("limit").get<std::int64_t>())
                fail(input.at("error").get<std::string>());
            return size;
        },
        input.at("starting_batch_size").get<std::int64_t>(), reduce);
    for (int call = 0; call < input.value("calls", 1); ++call) {
        try {
            results.push_back({{"returned", train()}});
        } catch (const std::exception&) {
            results.push_back({{"error", true}});
        }
    }
    return {{"tried", tried}, {"results", results}};
}

json file_size(const json& input) {
    const json& size = input.at("size");
    if (size.is_string())
        return {{"bytes", accelerator::parse_memory_size(size.get<std::string>())}};
    // A size that is a number is not parsed, because in C++ it is not text; Accelerate accepts non-negative integers.
    if (!size.is_number_integer() || size.get<std::int64_t>() < 0)
        throw UserError("no whole number of bytes");
    return {{"bytes", size}};
}

json size_text(const json& input) {
    const json& bytes = input.at("bytes");
    return {{"text", bytes.is_number_integer() ? accelerator::memory_size_text(bytes.get<std::int64_t>())
                                               : accelerator::memory_size_text(bytes.get<double>())}};
}

json max_memory(const json& input) {
    std::vector<accelerator::MemoryLimit> given;
    for (const json& pair : input.at("max_memory"))
        if (pair.at(1).is_string())
            given.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::string>());
        else
            given.emplace_back(pair.at(0).get<std::string>(), pair.at(1).get<std::int64_t>());
    const accelerator::MaxMemory found = accelerator::max_memory(given, input.at("device_count").get<std::int64_t>());
    json limits = json::array();
    for (const auto& [device, bytes] : found.limits)
        limits.push_back({device, bytes});
    return {{"max_memory", limits}, {"log", found.warnings.size()}};
}

json should_reduce(const json& input) {
    try {
        fail(input.at("error").get<std::string>());
    } catch (const std::exception& error) {
        return {{"reduce", accelerator::should_reduce_batch_size(error)}};
    }
}

json run(const json& input) {
    const std::string kind = input.at("kind").get<std::string>();
    try {
        if (kind == "batch_size")
            return batch_size(input);
        if (kind == "file_size")
            return file_size(input);
        if (kind == "size_text")
            return size_text(input);
        if (kind == "max_memory")
            return max_memory(input);
        if (kind == "should_reduce")
            return should_reduce(input);
    } catch (const UserError&) {
        return {{"error", true}};
    }
    ADD_FAILURE() << "unknown kind: " << kind;
    return {};
}

/// The recorded answer in the form of run(): errors as the fact, warnings as their number.
json plain(json expected) {
    if (expected.contains("error"))
        return {{"error", true}};
    if (expected.contains("results"))
        for (json& result : expected.at("results"))
            if (result.contains("error"))
                result = {{"error", true}};
    if (expected.contains("log"))
        expected.at("log") = expected.at("log").size();
    return expected;
}

/// The size by our rules when one of them applies: a plain number and a unit.
std::optional<std::int64_t> bytes_by_rule(std::string text) {
    const bool blank = !text.empty() && text.back() == ' ';
    while (!text.empty() && text.back() == ' ')
        text.pop_back();
    const std::size_t letters = text.find_first_of("kKmMgGtTpP");
    if (letters == std::string::npos)
        return std::nullopt;
    const std::string unit = text.substr(letters), big = text::upper(unit);
    std::size_t used = 0;
    double value = 0;
    try {
        value = std::stod(text.substr(0, letters), &used);
    } catch (const std::exception&) {
        return std::nullopt;  // read as Accelerate does, or refused as there
    }
    if (text.substr(0, letters).find_first_not_of(' ', used) != std::string::npos || !(value >= 0))
        return std::nullopt;
    const bool binary = big.size() == 3 && big[1] == 'I';
    const std::size_t power = std::string("KMGTP").find(big[0]);
    if ((big.size() != 2 && !binary) || big.back() != 'B' || power == std::string::npos)
        return std::nullopt;
    const bool small = !binary && unit == text::lower(unit);
    if (!small && power < 3 && !blank)
        return std::nullopt;  // read as Accelerate does
    const double bytes = std::trunc(value * std::pow(binary ? 1024.0 : 1000.0, static_cast<double>(power) + 1));
    const bool bits = !binary && !small && unit.back() == 'b';
    return static_cast<std::int64_t>(bytes) / (bits ? 8 : 1);
}

std::optional<json> deviation(const json& input, const json& expected) {
    const std::string kind = input.at("kind").get<std::string>();
    if (kind == "file_size" && expected.contains("bytes") && expected.at("bytes").is_number() &&
        expected.at("bytes").get<double>() >= 0x1p63)
        return json{{"error", true}};
    if (kind == "file_size" && input.at("size").is_string())
        if (const auto bytes = bytes_by_rule(input.at("size").get<std::string>()))
            return json{{"bytes", *bytes}};
    if (kind == "max_memory") {
        json changed = input;
        bool any = false;
        for (json& pair : changed.at("max_memory"))
            if (pair.at(1).is_string())
                if (const auto bytes = bytes_by_rule(pair.at(1).get<std::string>())) {
                    pair.at(1) = *bytes;
                    any = true;
                }
        return any ? std::optional(run(changed)) : std::nullopt;
    }
    if (kind == "should_reduce" && input.at("error") == "two_arguments")
        return json{{"reduce", true}};
    if (kind == "batch_size") {
        json same = input, refused = json::array();
        for (int call = 0; call < input.value("calls", 1); ++call)
            refused.push_back({{"error", true}});
        if (input.at("starting_batch_size") < 0)
            return json{{"tried", json::array()}, {"results", refused}};
        if (input.at("error") == "two_arguments") {
            same.at("error") = "cuda";
            return run(same);
        }
        if (input.contains("reduce") && input.at("reduce") == "minus_3") {
            // The sizes go 3 down at a time until one fits or none is left.
            std::int64_t size = input.at("starting_batch_size").get<std::int64_t>();
            const auto limit = input.at("limit").get<std::int64_t>();
            const std::string error = input.at("error").get<std::string>();
            if (error == "other" || error == "value")
                return std::nullopt;
            json tried = json::array();
            for (; size > 0; size -= 3) {
                tried.push_back(size);
                if (size <= limit)
                    return std::nullopt;
            }
            return json{{"tried", tried}, {"results", refused}};
        }
    }
    return std::nullopt;
}

class GoldenMemoryUtils : public testing::TestWithParam<const char*> {};

INSTANTIATE_TEST_SUITE_P(Files, GoldenMemoryUtils, testing::Values("memory_utils.json", "memory_utils_more.json"));

TEST_P(GoldenMemoryUtils, EveryCase) {
    std::ifstream file(test::golden(GetParam()));
    const json cases = json::parse(file).at("cases");
    ASSERT_FALSE(cases.empty());
    for (const json& each : cases) {
        SCOPED_TRACE(each.at("id").get<std::string>());
        const json ours = run(each.at("input"));
        const std::optional<json> other = deviation(each.at("input"), each.at("expected"));
        EXPECT_EQ(ours, other ? *other : plain(each.at("expected")));
    }
}

TEST(Memory, RunsOutInC) {
    EXPECT_TRUE(accelerator::should_reduce_batch_size(std::bad_alloc()));
    EXPECT_EQ(accelerator::parse_memory_size("1.5TiB"), 1649267441664);
    EXPECT_EQ(accelerator::parse_memory_size("8Gb"), 1000000000);
    EXPECT_EQ(accelerator::parse_memory_size("8gb"), 8000000000);
    EXPECT_EQ(accelerator::parse_memory_size("1_000MB"), 1000000000);
    EXPECT_EQ(accelerator::parse_memory_size("\u0663.\u0665 MB"), 3500000);
    for (const char* wrong :
         {"0x10GB", "-1GB", "1__0GB", "_1GB", "1_GB", "1._5GB", "\u00b2GB", "\xffGB", "infGB", "GB"})
        EXPECT_THROW(accelerator::parse_memory_size(wrong), UserError) << wrong;
    EXPECT_THROW(accelerator::parse_memory_size("1e300PB"), UserError);
}

}  // namespace
}  // namespace trainyard
