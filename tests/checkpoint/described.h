// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Compares a Tree with its description in expected.json.

#include <cmath>
#include <cstddef>
#include <span>
#include <string>

#include <ATen/core/Tensor.h>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "distributed/tensors/dtype.h"
#include "distributed/tensors/tree.h"
#include "formats/weights/pickle.h"
#include "support/sha256.h"

namespace trainyard::test {

inline std::string tensor_hash(const at::Tensor& tensor) {
    at::Tensor whole = tensor.contiguous();
    return sha256({static_cast<const std::byte*>(whole.const_data_ptr()), whole.nbytes()});
}

inline void expect_tensor(const at::Tensor& tensor, const nlohmann::json& expected) {
    EXPECT_EQ(dtype_name(tensor.scalar_type()), expected["dtype"].get<std::string>());
    EXPECT_EQ(tensor.sizes().vec(), expected["shape"].get<std::vector<std::int64_t>>());
    EXPECT_EQ(tensor_hash(tensor), expected["sha256"].get<std::string>());
}

inline void expect_plain(const Tree& tree, const nlohmann::json& expected) {
    if (expected.is_null()) {
        EXPECT_TRUE(tree.is_none()) << tree.kind();
    } else if (expected.is_boolean()) {
        ASSERT_TRUE(tree.is_bool()) << tree.kind();
        EXPECT_EQ(tree.as_bool(), expected.get<bool>());
    } else if (expected.is_string() && tree.is_real()) {
        double value = tree.as_real();
        EXPECT_EQ(std::isnan(value) ? "nan" : value > 0 ? "inf" : "-inf", expected.get<std::string>());
        EXPECT_FALSE(std::isfinite(value));
    } else if (expected.is_string()) {
        ASSERT_TRUE(tree.is_text()) << tree.kind();
        EXPECT_EQ(tree.as_text(), expected.get<std::string>());
    } else if (tree.is_pickled_object()) {
        EXPECT_EQ(tree.as_pickled_object().type, "int");
        EXPECT_GE(std::fabs(expected.get<double>()), 9.2e18) << "fits 64 bits";
    } else if (tree.is_integer()) {
        EXPECT_EQ(tree.as_integer(), expected.get<std::int64_t>());
    } else {
        ASSERT_TRUE(tree.is_real()) << tree.kind();
        EXPECT_EQ(tree.as_real(), expected.get<double>());
    }
}

inline void expect_described(const Tree& tree, const nlohmann::json& expected, const std::string& place);

inline void expect_items(const Tree& tree, const nlohmann::json& expected, const std::string& place) {
    const Tree::List& items = tree.items();
    if (expected.contains("items")) {
        ASSERT_EQ(items.size(), expected["items"].size());
        for (std::size_t i = 0; i < items.size(); ++i)
            expect_described(items[i], expected["items"][i], place + "[" + std::to_string(i) + "]");
        return;
    }
    ASSERT_EQ(items.size(), expected["length"].get<std::size_t>());
    std::int64_t sum = 0;
    for (const Tree& item : items)
        sum += item.as_integer();
    EXPECT_EQ(sum, expected["sum"].get<std::int64_t>());
    for (std::size_t i = 0; i < expected["first"].size(); ++i)
        EXPECT_EQ(items[i].as_integer(), expected["first"][i].get<std::int64_t>());
    std::size_t tail = items.size() - expected["last"].size();
    for (std::size_t i = 0; i < expected["last"].size(); ++i)
        EXPECT_EQ(items[tail + i].as_integer(), expected["last"][i].get<std::int64_t>());
}

/// Checks the content of a stored Python object by unpickling it again.
inline void expect_pickled_object(const Tree::PickledObject& object, const nlohmann::json& expected) {
    std::string text = "\x80\x02" + object.pickle + ".";
    weights::Pickle pickle(std::as_bytes(std::span(text.data(), text.size())), "a kept object");
    auto type = expected["type"].get<std::string>();
    auto hash = [](std::string_view bytes) { return sha256(std::as_bytes(std::span(bytes.data(), bytes.size()))); };
    if (type == "bytes") {
        EXPECT_EQ(object.type, "bytes");
        EXPECT_EQ(hash(pickle.root().object->text), expected["sha256"].get<std::string>());
    } else if (type == "numpy") {
        EXPECT_EQ(object.type, "numpy.ndarray");
        std::span<const weights::Value> state = pickle.root().object->items.at(1).items();
        ASSERT_EQ(state.size(), 5u);
        EXPECT_EQ(hash(state[4].object->text), expected["sha256"].get<std::string>());
    } else {
        ASSERT_EQ(type, "object") << "a description this test does not know";
        auto name = expected["class"].get<std::string>();
        EXPECT_EQ(object.type, name == "builtins.set" ? "set" : name);
    }
}

inline void expect_described(const Tree& tree, const nlohmann::json& expected, const std::string& place) {
    SCOPED_TRACE(place);
    if (!expected.is_object())
        return expect_plain(tree, expected);
    auto type = expected["type"].get<std::string>();
    if (type == "dict") {
        ASSERT_TRUE(tree.is_dict()) << tree.kind();
        ASSERT_EQ(tree.entries().size(), expected["items"].size());
        for (std::size_t i = 0; i < expected["items"].size(); ++i) {
            const Tree::Entry& entry = tree.entries()[i];
            const nlohmann::json& key = expected["items"][i][0];
            if (const auto* text = std::get_if<std::string>(&entry.key))
                EXPECT_EQ(*text, key.get<std::string>());
            else
                EXPECT_EQ(std::get<std::int64_t>(entry.key), key.get<std::int64_t>());
            expect_described(entry.value, expected["items"][i][1], place + "." + key.dump());
        }
    } else if (type == "list" || type == "tuple" || type == "Size") {
        ASSERT_TRUE(type == "list" ? tree.is_list() : tree.is_tuple()) << tree.kind();
        expect_items(tree, expected, place);
    } else if (type == "tensor") {
        ASSERT_TRUE(tree.is_tensor()) << tree.kind();
        expect_tensor(tree.as_tensor(), expected);
    } else {
        ASSERT_TRUE(tree.is_pickled_object()) << tree.kind();
        expect_pickled_object(tree.as_pickled_object(), expected);
    }
}

}  // namespace trainyard::test
