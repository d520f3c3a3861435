// SPDX-License-Identifier: GPL-3.0-or-later
// The models of files/generate.py: what onnx's own library says of them, and what is written is read again as it was.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "base/file.h"
#include "base/json.h"
#include "formats/onnx/onnx_model.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace {

using namespace trainyard;
using test::says;
using testing::_;
namespace fs = std::filesystem;

const fs::path kOnnxModels = GRAPH_FILES;

nlohmann::json expected_models() {
    return parse_json(read_file(kOnnxModels / "expected.json"));
}

std::vector<std::string> names_of(const std::vector<onnx::Value>& values) {
    std::vector<std::string> names;
    for (const onnx::Value& value : values)
        names.push_back(value.name);
    return names;
}

/// A chain of `count` operators with the bytes of their message.
onnx::Model chain(std::size_t count) {
    onnx::Model model;
    model.ir_version = 8;
    model.operator_sets = {{"", 17}};
    for (std::size_t i = 0; i < count; ++i)
        model.graph.nodes.push_back({"Relu", {"v" + std::to_string(i)}, {"v" + std::to_string(i + 1)}});
    return model;
}

TEST(Onnx, ReadsWhatItsLibrarySays) {
    const nlohmann::json models = expected_models();
    for (const auto& [name, expected] : models.items()) {
        if (!name.ends_with(".onnx"))
            continue;
        SCOPED_TRACE(name);
        const onnx::ModelFile file = onnx::read_model(kOnnxModels / name);
        EXPECT_EQ(file.model.ir_version, expected["ir_version"]);
        EXPECT_EQ(file.model.operator_sets.front().version, expected["opset"]);
        EXPECT_EQ(names_of(file.model.graph.inputs), expected["inputs"].get<std::vector<std::string>>());
        EXPECT_EQ(names_of(file.model.graph.outputs), expected["outputs"].get<std::vector<std::string>>());
        EXPECT_EQ(file.model.graph.initializers.size(), expected["initializers"].size());
        for (const onnx::Tensor& tensor : file.model.graph.initializers) {
            EXPECT_EQ(tensor.dims, expected["initializers"][tensor.name].get<std::vector<std::int64_t>>());
            EXPECT_TRUE(tensor.external || tensor.raw.size() == tensor.bytes()) << tensor.name;
        }
    }
}

TEST(Onnx, WhatIsWrittenIsReadAgain) {
    const nlohmann::json models = expected_models();
    for (const auto& [name, expected] : models.items()) {
        if (!name.ends_with(".onnx"))
            continue;
        SCOPED_TRACE(name);
        const onnx::ModelFile file = onnx::read_model(kOnnxModels / name);
        const std::string once = onnx::serialize_model(file.model);
        const std::string twice = onnx::serialize_model(onnx::parse_model(once, "written"));
        EXPECT_EQ(once, twice);
        const onnx::Model again = onnx::parse_model(once, "written");
        ASSERT_EQ(again.graph.nodes.size(), file.model.graph.nodes.size());
        for (std::size_t i = 0; i < again.graph.nodes.size(); ++i) {
            const onnx::Node &one = again.graph.nodes[i], &other = file.model.graph.nodes[i];
            EXPECT_EQ(one.op_type, other.op_type);
            EXPECT_EQ(one.inputs, other.inputs);
            EXPECT_EQ(one.outputs, other.outputs);
            EXPECT_EQ(one.attributes.size(), other.attributes.size());
        }
        for (std::size_t i = 0; i < again.graph.initializers.size(); ++i)
            EXPECT_EQ(again.graph.initializers[i].raw, file.model.graph.initializers[i].raw);
        EXPECT_EQ(again.functions.size(), file.model.functions.size());
        EXPECT_EQ(again.metadata, file.model.metadata);
    }
}

TEST(Onnx, NumbersInTheMessageAreRead) {
    // dims: 3; type: int64; int64_data packed: 1, -1, 300.
    const std::string tensor("\x08\x03\x10\x07\x3a\x0d\x01\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\xac\x02", 19);
    onnx::Tensor read;
    read.type = onnx::DataType::int64;
    read.dims = {3};
    read.message = tensor;
    EXPECT_EQ(onnx::integers_of(read), (std::vector<std::int64_t>{1, -1, 300}));
    read.dims = {4};  // one is missing
    EXPECT_TRUE(onnx::integers_of(read).empty());
}

TEST(Onnx, ADamagedFileIsOneMessage) {
    const test::TemporaryFolder folder;
    const auto refused = [&](const std::string& bytes) {
        std::ofstream(folder.path() / "m.onnx", std::ios::binary | std::ios::trunc) << bytes;
        try {
            onnx::read_model(folder.path() / "m.onnx");
        } catch (const UserError& error) {
            return error.message();
        }
        return Message();
    };
    const std::string whole = onnx::serialize_model(chain(3));
    EXPECT_TRUE(refused(whole).empty());
    EXPECT_THAT(refused(""), says("{} is not an ONNX model: {}", _, says("it has no graph")));
    EXPECT_THAT(refused("PK\x03\x04"), says("{} is not an ONNX model: {}", _, _));
    EXPECT_THAT(refused(whole.substr(0, whole.size() - 3)),
                says("{} is not an ONNX model: {}", _, says("a message in it is damaged or cut off")));
    EXPECT_THROW(onnx::read_model(folder.path() / "none.onnx"), UserError);
}

TEST(Onnx, NestingAndPartsAreBounded) {
    // An attribute with a graph with a node with an attribute ...
    onnx::Graph inner;
    for (int i = 0; i < 40; ++i) {
        onnx::Attribute body;
        body.name = "body";
        body.type = onnx::AttributeType::graph;
        body.graphs.push_back(std::move(inner));
        inner = {};
        inner.nodes.push_back({"Loop", {}, {}, {std::move(body)}});
    }
    onnx::Model model = chain(0);
    model.graph = std::move(inner);
    const std::string deep = onnx::serialize_model(model);
    try {
        onnx::parse_model(deep, "deep.onnx");
        FAIL();
    } catch (const UserError& error) {
        EXPECT_THAT(error.message(),
                    says("{} is not an ONNX model: {}", "deep.onnx", says("a graph in it is nested too deeply")));
    }
    // Two bytes for each node would be a hundred times as many in memory.
    std::string graph;
    for (int i = 0; i < 2'200'000; ++i)
        graph.append("\x0a\x00", 2);
    std::string many("\x08\x08", 2);
    many += "\x3a";
    for (std::size_t size = graph.size(); size > 0; size >>= 7)
        many += static_cast<char>((size & 0x7f) | (size > 0x7f ? 0x80 : 0));
    EXPECT_THROW(onnx::parse_model(many + graph, "many.onnx"), UserError);
}

}  // namespace
