// SPDX-License-Identifier: GPL-3.0-or-later
// Files that the estimator reads: a config.json of any model, estimate.json of any run. Whatever has parts has a finite
// estimate that explains itself.

#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <string>

#include "base/error.h"
#include "estimate/estimate_file.h"
#include "estimate/search.h"

namespace {

using namespace trainyard;
using namespace trainyard::estimate;

void must(bool holds) {
    if (!holds)
        std::abort();
}

void estimate_model_of(const std::string& text) {
    ModelParts model;
    try {
        model = model_parts(text, "fuzz");
    } catch (const UserError&) {
        return;
    }
    TrainingSetup setup;
    setup.layout.dp_shard = 4;
    setup.zero_stage = 3;
    if (!check_setup(model, setup).empty())
        return;
    std::vector<Explanation> why;
    const MemoryEstimate memory = estimate_memory(model, setup, *find_device("H100"), &why);
    must(std::isfinite(memory.total()) && memory.total() >= 0);
    double sum = 0;
    for (const Explanation& one : why)
        sum += one.place == Place::device ? one.bytes : 0;
    must(std::fabs(sum - memory.total()) <= 1e-6 * memory.total());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string text(reinterpret_cast<const char*>(data), size);
    if (const auto file = parse_estimate_file(text))
        must(parse_estimate_file(to_json(*file)).has_value());
    estimate_model_of(text);
    return 0;
}
