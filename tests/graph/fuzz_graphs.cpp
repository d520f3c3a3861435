// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated ONNX and torch.export files (support/byte_fuzz.h): each gives a sound graph or one sentence.

#include <cstdlib>
#include <fstream>

#include "base/error.h"
#include "observe/graph/graph.h"
#include "support/byte_fuzz.h"
#include "support/fix_checksums.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace trainyard;
    static test::TemporaryFolder folder;
    for (const char* name : {"model.onnx", "model.pt2"}) {
        const std::filesystem::path path = folder.path() / name;
        std::ofstream(path, std::ios::binary | std::ios::trunc)
            .write(reinterpret_cast<const char*>(data), static_cast<std::streamsize>(size));
        try {
            const graph::Graph graph = graph::open_graph(path);
            for (std::uint32_t i = 0; i < graph.nodes.size(); ++i)
                if (graph.nodes[i].parent != graph::kNone && graph.nodes[i].parent >= i)
                    std::abort();
            for (const graph::Edge& edge : graph.edges)
                if (edge.from >= graph.nodes.size() || edge.to >= graph.nodes.size())
                    std::abort();
        } catch (const UserError& error) {
            if (std::string(error.what()).empty())
                std::abort();
        }
    }
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

int main() {
    const auto seeds = trainyard::test::fuzz_seeds(GRAPH_FILES, [](const std::filesystem::path& path) {
        return path.extension() == ".onnx" || path.extension() == ".pt2";
    });
    return trainyard::test::fuzz(seeds, trainyard::test::fix_zip_checksums);
}

#endif
