// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/model_level.h"

#include <gtest/gtest.h>

using namespace trainyard;
using weights::StateLeaf;

namespace {

TEST(ModelLevel, AFileThatIsOneTensorHasNoNames) {
    const std::vector<StateLeaf> leaves{{{}, true, 4}};
    const weights::ModelLevel level = weights::find_model_level(leaves);
    EXPECT_TRUE(level.tensors.empty());
    EXPECT_EQ(level.parts, std::vector{weights::StatePart::other});
}

TEST(ModelLevel, AKeyMayHaveAValueAndATable) {
    const std::vector<StateLeaf> leaves{
        {{"model"}, true, 4}, {{"model", "layer.weight"}, true, 4}, {{"step"}, false, 0}};
    const weights::ModelLevel level = weights::find_model_level(leaves);
    EXPECT_EQ(level.tensors, std::vector<std::size_t>{1});
    EXPECT_EQ(level.names, std::vector<std::string>{"layer.weight"});
}

}  // namespace
