// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text.h"

#include <gtest/gtest.h>

#include "base/version.h"

namespace trainyard::text {
namespace {

TEST(Text, FileSizesAreDecimal) {
    EXPECT_EQ(file_size(812), "812 B");
    EXPECT_EQ(file_size(1'200'000), "1.2 MB");
    EXPECT_EQ(file_size(14'900'000'000), "14.9 GB");
}

TEST(Version, PartsAreComparedAsNumbers) {
    for (const auto& [older, newer] : {std::pair{"0.9.4", "0.14.0"},
                                       {"0.14", "0.14.5"},
                                       {"0.14.4", "0.14.5"},
                                       {"550.40.06", "550.40.7"},
                                       {"2.0.9+cu121", "2.1"},
                                       {"0.14.4rc1", "0.14.5.dev0"},
                                       {"", "0.1"}}) {
        EXPECT_TRUE(is_older_version(older, newer)) << older << " " << newer;
        EXPECT_FALSE(is_older_version(newer, older)) << older << " " << newer;
    }
    for (const auto& [one, other] :
         {std::pair{"550.40.07", "550.40.7"}, {"1", "1.0.0"}, {"0.14.5+abc", "0.14.5"}, {"main", "0.14.5"}}) {
        EXPECT_FALSE(is_older_version(one, other)) << one << " " << other;
        EXPECT_FALSE(is_older_version(other, one)) << one << " " << other;
    }
}

TEST(Text, MemorySizesAreBinary) {
    EXPECT_EQ(memory_size(1ull << 30), "1.0 GiB");
}

TEST(Text, DurationsHaveTwoUnits) {
    EXPECT_EQ(duration(0.82), "820 ms");
    EXPECT_EQ(duration(1.42), "1.42 s");
    EXPECT_EQ(duration(8 * 3600 + 31 * 60), "8 h 31 min");
    EXPECT_EQ(duration(125), "2 min 5 s");
    EXPECT_EQ(duration(9.999), "10 s");
    EXPECT_EQ(duration(120), "2 min") << "a unit that is zero is left out";
    EXPECT_EQ(duration(72 * 3600), "3 d");
    EXPECT_EQ(duration(76 * 3600), "3 d 4 h");
    EXPECT_EQ(duration(-1), "?");
}

TEST(Text, QuantitiesHaveThreeDigits) {
    EXPECT_EQ(quantity(739'000), "739 k");
    EXPECT_EQ(quantity(1'050'000), "1.05 M");
    EXPECT_EQ(quantity(42), "42.0");
    EXPECT_EQ(quantity(999.9), "1.00 k");
}

TEST(Text, GroupsThousands) {
    EXPECT_EQ(grouped(18420), "18,420");
    EXPECT_EQ(grouped(-1000), "-1,000");
    EXPECT_EQ(grouped(999), "999");
}

TEST(Text, NamesTheNearestWord) {
    EXPECT_EQ(nearest("stpes", {"steps", "seed"}), "steps");
    EXPECT_FALSE(nearest("banana", {"steps", "seed"}).has_value());
    EXPECT_EQ(did_you_mean("sed", {"steps", "seed"}), ": did you mean 'seed'?");
    const std::vector<std::string> schedules{"GPipe", "1F1B", "ZBH1", "ZBVZeroBubble"};
    EXPECT_EQ(nearest("ZBV", schedules), "ZBVZeroBubble");
    EXPECT_EQ(nearest("zbvzerobubble", schedules), "ZBVZeroBubble");
    EXPECT_EQ(nearest("gpip", schedules), "GPipe");
    EXPECT_EQ(nearest("mpl", {"cnn", "mlp"}), "mlp");
    EXPECT_FALSE(nearest("zb", schedules).has_value()) << "two names begin so";
    EXPECT_FALSE(nearest("ABH", schedules).has_value()) << "most letters differ";
    EXPECT_EQ(did_you_mean("banana", {"steps", "seed"}), ": known are steps, seed");
    std::vector<std::string> many(100, "another.name");
    for (const char* near : {"can.an.as", "ban.an.as"})
        many.push_back(near);
    EXPECT_EQ(did_you_mean("banana", many),
              ": the nearest of 102 are ban.an.as, can.an.as, another.name, another.name, another.name");
}

TEST(Text, ReplacesTextInTheValuesOfAMessage) {
    const Message place("cannot read {}: {}", "/tmp/a/model.bin", Message("{} is cut", "/tmp/a"));
    const Message replaced = text::replaced(place, "/tmp/a", "gpu:/data");
    EXPECT_EQ(replaced, "cannot read gpu:/data/model.bin: gpu:/data is cut");
    EXPECT_EQ(replaced.values()[1].form(), "{} is cut");
    EXPECT_EQ(text::replaced(place, "", "x"), place);
}

}  // namespace
}  // namespace trainyard::text
