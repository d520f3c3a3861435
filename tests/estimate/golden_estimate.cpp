// Figures of `accelerate estimate-memory` for GPT-2 (tests/golden/estimate.json). Cases are taken by the type of the model.
//
// Where Accelerate is not followed, by the input:
//   a model with a head that shares its weight with the token embedding (auto class with a head, tie_word_embeddings not false)
//   is counted with that weight once; Accelerate builds the model without storage, which breaks the tie, and counts it twice. What we
//   expect is what the golden case says of the same model `with_sharing`.

#include <fstream>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "estimate/loading_memory.h"
#include "support/golden.h"

namespace trainyard::estimate {
namespace {

using nlohmann::json;

TEST(GoldenEstimate, Gpt2) {
    int compared = 0, tied = 0;
    json golden = json::parse(std::ifstream(test::golden("estimate.json")));
    for (const json& entry : golden["cases"]) {
        const json &input = entry["input"], &expected = entry["expected"];
        if (input["config"].value("model_type", "") != "gpt2" || expected.contains("error"))
            continue;
        SCOPED_TRACE(entry["id"].get<std::string>());
        ModelSize size = model_size(input["config"].dump(), "config.json", input["auto_class"]);
        bool shared = input["auto_class"] != "AutoModel" && input["config"].value("tie_word_embeddings", true);
        const json& counted = shared ? expected["with_sharing"] : expected;
        tied += shared ? 1 : 0;
        EXPECT_EQ(size.total_bytes, counted["total_bytes"].get<std::uint64_t>());
        EXPECT_EQ(size.parameter_count, counted["parameter_count"].get<std::int64_t>());
        EXPECT_EQ(size.model_class, expected["class"].get<std::string>());
        EXPECT_EQ(size.largest_layer, expected["largest_layer"]["bytes"].get<std::uint64_t>());
        EXPECT_EQ(size.layers.size(), expected["largest_layer"]["name_count"].get<std::size_t>());
        for (std::size_t i = 0; i < expected["largest_layer"]["names"].size(); ++i)
            EXPECT_EQ(size.layers.at(i), expected["largest_layer"]["names"][i].get<std::string>());
        EXPECT_EQ(size.tied.empty(), !shared);
        // The rows are the same arithmetic over the total that we count.
        double scale = static_cast<double>(size.total_bytes) / expected["total_bytes"].get<double>();
        for (const auto& [dtype, row] : expected["rows"].items()) {
            DtypeRow ours = dtype_row(size, dtype);
            EXPECT_EQ(ours.largest_layer, row["largest_layer"].get<double>());
            EXPECT_DOUBLE_EQ(ours.total, row["total"].get<double>() * scale);
            EXPECT_EQ(ours.trainable, row["training"]["step"] != -1);
            if (!ours.trainable)
                continue;
            EXPECT_DOUBLE_EQ(ours.weights, row["training"]["model"].get<double>() * scale);
            EXPECT_DOUBLE_EQ(ours.gradients, row["training"]["gradients"].get<double>() * scale);
            EXPECT_DOUBLE_EQ(ours.optimizer, row["training"]["optimizer"].get<double>() * scale);
            EXPECT_DOUBLE_EQ(ours.step, row["training"]["step"].get<double>() * scale);
        }
        ++compared;
    }
    EXPECT_GT(compared, 0);
    EXPECT_GT(compared, tied);
}

TEST(LoadingSize, AsPythonRounds) {
    EXPECT_EQ(loading_size(12), "12 bytes");
    EXPECT_EQ(loading_size(753.5), "753.5 bytes");
    EXPECT_EQ(loading_size(1024), "1.0 KB");
    EXPECT_EQ(loading_size(1536), "1.5 KB");
    EXPECT_EQ(loading_size(497759232), "474.7 MB");
    EXPECT_EQ(loading_size(1991036928), "1.85 GB");
    EXPECT_EQ(loading_size(0x1p60), "1024.0 PB");
}

}  // namespace
}  // namespace trainyard::estimate
