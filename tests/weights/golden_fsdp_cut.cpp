// SPDX-License-Identifier: GPL-3.0-or-later
// The rows of each tensor that a rank of FSDP 2 has, as torch cuts them (golden/fsdp_plan.json, kind `cut`), in the
// folders of torch.distributed.checkpoint that merge and convert write.

#include <fstream>
#include <map>
#include <string>
#include <vector>

#include <gtest/gtest.h>
#include <nlohmann/json.hpp>

#include "formats/weights/dcp_folder.h"
#include "formats/weights/dcp_writer.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace trainyard::weights {
namespace {

using CutJson = nlohmann::json;

/// Tensors of two columns with these numbers of rows, named by them.
class RowsSource final : public WeightSource {
  public:
    explicit RowsSource(const CutJson& rows) {
        for (const CutJson& count : rows)
            add("rows", std::to_string(count.get<std::int64_t>()), "F32", {count.get<std::int64_t>(), 2});
    }
    void stream(std::size_t tensor, const std::function<void(std::span<const std::byte>)>& sink) const override {
        const std::vector<std::byte> zeros(tensors_[tensor].bytes);
        sink(zeros);
    }
    std::string kind() const override { return "rows"; }
};

TEST(FsdpPlan, RowsOfEveryRankAreTorchs) {
    std::ifstream file(test::golden("fsdp_plan.json"));
    const CutJson cases = CutJson::parse(file)["cases"];
    int seen = 0;
    for (const CutJson& one : cases) {
        const CutJson& input = one["input"];
        if (input["kind"] != "cut")
            continue;
        SCOPED_TRACE(one["id"].get<std::string>());
        ++seen;
        const int ranks = input["ranks"].get<int>();
        const test::TemporaryFolder folder;
        write_dcp_folder(RowsSource(input["rows"]), folder.path(), ranks, [](auto, auto) {});
        std::map<std::string, std::vector<std::int64_t>> rows;
        const DcpFolder written(folder.path());
        for (const DcpTensor& tensor : written.tensors()) {
            std::vector<std::int64_t>& own = rows[tensor.path.back()];
            own.assign(static_cast<std::size_t>(ranks), 0);
            for (const DcpChunk& chunk : tensor.chunks)
                for (std::size_t rank = 0; rank < own.size(); ++rank)
                    if (chunk.file == "__" + std::to_string(rank) + "_0.distcp")
                        own[rank] += chunk.size.front();
        }
        EXPECT_EQ(CutJson(rows), one["expected"]["rows_per_rank"]);
    }
    EXPECT_GT(seen, 0);
}

}  // namespace
}  // namespace trainyard::weights
