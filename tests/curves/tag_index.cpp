// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/curves/tag_index.h"

#include <gtest/gtest.h>

#include "desktop/curves/panel_layout.h"
#include "desktop/curves/tag_model.h"
#include "fake_source.h"

using namespace trainyard;
using namespace trainyard::desktop;

namespace {
QStringList names(const TagIndex& index) {
    QStringList list;
    for (const TagEntry& entry : index.entries())
        list << entry.name;
    return list;
}
}  // namespace

TEST(TagIndex, TrainingStandsFirstAndNumbersCount) {
    test::FakeSource source(QStringLiteral("a"));
    for (const char* tag : {"z/loss", "layer 10/norm", "layer 2/norm", "eval/loss", "train/lr", "train/loss", "alone"})
        source.add(tag);
    TagIndex index;
    index.build({&source});
    EXPECT_EQ(names(index).join(QLatin1Char(' ')),
              QStringLiteral("train/loss train/lr eval/loss alone layer 2/norm layer 10/norm z/loss"));
}

TEST(TagIndex, RanksOfATagAreOneChart) {
    test::FakeSource source(QStringLiteral("a"));
    for (const char* tag : {"system/memory#10", "system/memory#2", "system/memory#x", "#3"})
        source.add(tag);
    TagIndex index;
    index.build({&source});
    const TagEntry* memory = index.find(QStringLiteral("s:system/memory"));
    ASSERT_NE(memory, nullptr);
    ASSERT_EQ(memory->holders.size(), 2u);
    EXPECT_EQ(memory->holders[0].rank, 2);
    EXPECT_EQ(memory->holders[1].rank, 10);
    EXPECT_EQ(memory->holders[1].tag, "system/memory#10");
    EXPECT_NE(index.find(QStringLiteral("s:system/memory#x")), nullptr);
    EXPECT_NE(index.find(QStringLiteral("s:#3")), nullptr);
}

TEST(TagIndex, SourcesShareTagsAndKindsDoNot) {
    test::FakeSource a(QStringLiteral("a")), b(QStringLiteral("b"));
    a.add("loss");
    b.add("loss");
    b.addText("loss", "words");
    TagIndex index;
    index.build({&a, &b});
    EXPECT_EQ(index.entries().size(), 2u);
    EXPECT_EQ(index.find(QStringLiteral("s:loss"))->holders.size(), 2u);
    EXPECT_EQ(index.find(QStringLiteral("t:loss"))->holders.size(), 1u);
    EXPECT_EQ(tag_kind(QStringLiteral("t:loss")), TagKind::Text);
}

TEST(TagFilter, WordsMustAllOccurAndExpressionsMatch) {
    TagFilter filter;
    EXPECT_TRUE(filter.matches(QStringLiteral("anything")));
    filter.setWords(QStringLiteral("LOSS train"));
    EXPECT_TRUE(filter.matches(QStringLiteral("train/loss")));
    EXPECT_FALSE(filter.matches(QStringLiteral("eval/loss")));
    filter.setWords(QStringLiteral("/^layer \\d+/"));
    EXPECT_TRUE(filter.matches(QStringLiteral("layer 12/norm")));
    EXPECT_FALSE(filter.matches(QStringLiteral("the layer 12")));
    filter.setWords(QStringLiteral("/(/"));
    EXPECT_FALSE(filter.problem().isEmpty());
    EXPECT_TRUE(filter.matches(QStringLiteral("layer 1"))) << "a wrong expression leaves the filter as it was";
    filter.setWords({});
    EXPECT_TRUE(filter.isEmpty());
}

TEST(NaturalOrder, IsOne) {
    for (const auto& [a, b] :
         std::vector<std::pair<QString, QString>>{{"a2", "a10"}, {"a", "a1"}, {"a09", "a10"}, {"B", "c"}}) {
        EXPECT_TRUE(natural_less(a, b)) << a.toStdString() << " " << b.toStdString();
        EXPECT_FALSE(natural_less(b, a));
    }
    EXPECT_FALSE(natural_less(u"x", u"x"));
}

TEST(TagModel, BranchesWithOneTwigAreOneRow) {
    test::FakeSource source(QStringLiteral("a"));
    for (const char* tag : {"model/layers/0/weight", "model/layers/0/bias", "model/layers", "optimizer/group/lr"})
        source.add(tag);
    TagIndex index;
    index.build({&source});
    std::vector<const TagEntry*> all;
    for (const TagEntry& entry : index.entries())
        all.push_back(&entry);
    TagModel model;
    model.setTags(all, {QStringLiteral("s:optimizer/group/lr")});
    ASSERT_EQ(model.rowCount(), 2);
    const QModelIndex first = model.index(0, 0), second = model.index(1, 0);
    EXPECT_EQ(first.data().toString(), QStringLiteral("model"));
    EXPECT_EQ(first.data(TagModel::CountRole).toInt(), 3);
    ASSERT_EQ(model.rowCount(first), 2);
    EXPECT_EQ(second.data().toString(), QStringLiteral("optimizer/group/lr"));
    EXPECT_TRUE(second.data(TagModel::StarRole).toBool());
    EXPECT_EQ(model.parent(model.index(1, 0, first)), first);
    EXPECT_EQ(model.indexOf(QStringLiteral("s:optimizer/group/lr")), second);
}

TEST(PanelLayout, ComesBackFromItsFile) {
    PanelLayout layout;
    layout.unit = widgets::XUnit::Tokens;
    layout.smoothing = 0.25;
    layout.log_y = layout.clip = true;
    layout.size = CardSize::Large;
    layout.stars = {QStringLiteral("s:a")};
    layout.pins = {{layout.freshPinId(), {QStringLiteral("s:a"), QStringLiteral("s:b")}}};
    layout.folded = {QStringLiteral("g:x")};
    EXPECT_EQ(PanelLayout::fromJson(layout.toJson()), layout);
    EXPECT_NE(layout.freshPinId(), layout.pins.first().id);
    EXPECT_EQ(PanelLayout::fromJson({{QStringLiteral("smoothing"), 7}, {QStringLiteral("pins"), 3}}).smoothing, 0.999);
}
