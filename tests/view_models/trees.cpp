// SPDX-License-Identifier: GPL-3.0-or-later
// The trees: tags of curves, tensors of a checkpoint, keys of a launch's settings.

#include <fstream>

#include <QMimeData>
#include <QSignalSpy>

#include "core_application.h"
#include "curves/fake_source.h"
#include "desktop/checkpoints/tensor_model.h"
#include "desktop/curves/tag_model.h"
#include "desktop/wizard/draft_model.h"
#include "desktop/wizard/expert_model.h"
#include "support/model_check.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

class Trees : public test::CoreTest {};

TEST_F(Trees, TagsAndTheirStars) {
    test::FakeSource source(QStringLiteral("a"));
    for (const char* tag : {"model/layers/0/weight", "model/layers/0/bias", "model/layers/1/weight", "train/loss", "x"})
        source.add(tag);
    TagIndex index;
    index.build({&source});
    std::vector<const TagEntry*> all;
    for (const TagEntry& entry : index.entries())
        all.push_back(&entry);
    TagModel model;
    test::check_model<TagModel>(model);
    model.setStars({QStringLiteral("s:x")});
    model.setTags(all, {});
    EXPECT_EQ(model.tagCount(), 5);
    test::read_all(model);
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    const QString deep = QStringLiteral("s:model/layers/1/weight");
    model.setStars({deep});
    ASSERT_EQ(changes.count(), 1);
    EXPECT_EQ(changes[0][0].toModelIndex(), model.indexOf(deep)) << "the row itself, whatever level it is on";
    EXPECT_TRUE(model.indexOf(deep).data(TagModel::StarRole).toBool());
    const std::unique_ptr<QMimeData> dragged(model.mimeData({model.indexOf(deep)}));
    EXPECT_EQ(dragged->data(QLatin1String(kTagMime)), deep.toUtf8());
    all.resize(2);
    model.setTags(all, {deep});
    EXPECT_EQ(model.tagCount(), 2);
    model.setTags({}, {});
    model.setStars({deep});
    EXPECT_EQ(model.rowCount(), 0);
}

/// So many layers of two tensors, of zeros, as safetensors writes them.
void write_tensors(const std::filesystem::path& file, int layers) {
    std::string header = "{";
    std::uint64_t at = 0;
    for (int layer = 0; layer < layers; ++layer)
        for (const char* part : {"bias", "weight"}) {
            header += (at == 0 ? "" : ",") + std::string("\"layers.") + std::to_string(layer) + ".mlp." + part +
                      "\":{\"dtype\":\"F32\",\"shape\":[4],\"data_offsets\":[" + std::to_string(at) + "," +
                      std::to_string(at + 16) + "]}";
            at += 16;
        }
    header += "}";
    header.resize((header.size() + 7) / 8 * 8, ' ');
    const std::uint64_t length = header.size();
    std::ofstream out(file, std::ios::binary);
    out.write(reinterpret_cast<const char*>(&length), sizeof length);
    out << header << std::string(at, '\0');
}

void fetch_all(QAbstractItemModel& model, const QModelIndex& parent = {}) {
    while (model.canFetchMore(parent))
        model.fetchMore(parent);
    for (int row = 0; row < model.rowCount(parent); ++row)
        fetch_all(model, model.index(row, 0, parent));
}

TEST_F(Trees, TensorsAreFetchedAndFiltered) {
    const test::TemporaryFolder folder;
    write_tensors(folder.path() / "a.safetensors", 40);
    write_tensors(folder.path() / "b.safetensors", 3);
    const auto large = std::make_shared<const OpenCheckpoint>((folder.path() / "a.safetensors").string());
    TensorModel model;
    test::check_model<TensorModel>(model);
    model.setCheckpoint(large);
    EXPECT_EQ(model.shown(), 80u);
    fetch_all(model);
    test::read_all(model);
    inspect::Statistics figures;
    figures.elements = 4;
    QSignalSpy changes(&model, &QAbstractItemModel::dataChanged);
    model.addFigures({{0, figures}, {79, figures}});
    EXPECT_GT(changes.count(), 0);
    ASSERT_NE(model.figures(79), nullptr);
    model.setRows(std::vector<std::uint32_t>{0, 1, 5});
    EXPECT_EQ(model.shown(), 3u);
    fetch_all(model);
    model.setRows(std::vector<std::uint32_t>{});
    EXPECT_EQ(model.shown(), 0u);
    model.setRows({});
    auto comparison = std::make_shared<OpenComparison>();
    comparison->before = std::make_shared<const OpenCheckpoint>((folder.path() / "b.safetensors").string());
    Progress progress;
    comparison->comparison = inspect::compare(comparison->before->reader, large->reader, progress);
    comparison->row_of.resize(80);
    for (std::size_t row = 0; row < comparison->comparison.rows.size(); ++row)
        if (const std::uint32_t tensor = comparison->comparison.rows[row].after; tensor != inspect::TensorChange::kNone)
            comparison->row_of[tensor] = row;
    model.setComparison(comparison);
    fetch_all(model);
    test::read_all(model);
    ASSERT_NE(model.change(79), nullptr);
    EXPECT_EQ(model.change(79)->kind, inspect::TensorChange::Kind::added);
    for (const int column : {TensorModel::Change, TensorModel::Size, TensorModel::Name}) {
        model.sort(column, Qt::DescendingOrder);
        test::read_all(model);
    }
    model.setCheckpoint(comparison->before);
    EXPECT_EQ(model.shown(), 6u);
    model.setCheckpoint(nullptr);
    EXPECT_EQ(model.rowCount(), 0);
}

/// A checkpoint whose optimizer state differs more than its weights: sections are sorted by their change, too.
TEST_F(Trees, SectionsAreSortedByChange) {
    const test::TemporaryFolder folder;
    const auto write = [&](const char* name, float weight, float moment) {
        const std::filesystem::path place = folder.path() / name;
        std::filesystem::create_directories(place);
        for (const auto& [file, value] : {std::pair("model.safetensors", weight), {"optimizer.safetensors", moment}}) {
            write_tensors(place / file, 1);
            std::fstream all(place / file, std::ios::binary | std::ios::in | std::ios::out);
            all.seekp(-static_cast<std::streamoff>(sizeof value), std::ios::end);
            all.write(reinterpret_cast<const char*>(&value), sizeof value);
        }
        return std::make_shared<const OpenCheckpoint>(place.string());
    };
    const auto after = write("after", 1, 3);
    auto comparison = std::make_shared<OpenComparison>();
    comparison->before = write("before", 1, 2);
    Progress progress;
    comparison->comparison = inspect::compare(comparison->before->reader, after->reader, progress);
    comparison->row_of.resize(after->contents.tensors.size());
    for (std::size_t row = 0; row < comparison->comparison.rows.size(); ++row)
        comparison->row_of[comparison->comparison.rows[row].after] = row;
    TensorModel model;
    model.setCheckpoint(after);
    const auto sections = [&] {
        QStringList names;
        for (int row = 0; row < model.rowCount(); ++row)
            names << model.index(row, 0).data().toString();
        return names;
    };
    model.setComparison(comparison);
    const QStringList by_name{QStringLiteral("Weights"), QStringLiteral("Optimizer")};
    const QStringList by_change{by_name[1], by_name[0]};
    EXPECT_EQ(sections(), by_name);
    QPersistentModelIndex optimizer = model.index(1, 0);
    model.sort(TensorModel::Change, Qt::DescendingOrder);
    EXPECT_EQ(sections(), by_change) << "what has no change comes last";
    EXPECT_EQ(optimizer.row(), 0);
    EXPECT_EQ(model.index(1, TensorModel::Change).data().toString(), QStringLiteral("0 %"));
    model.setRows({});
    EXPECT_EQ(sections(), by_change) << "also when the tree is filled again";
    fetch_all(model);
    test::read_all(model);
    model.sort(TensorModel::Name, Qt::AscendingOrder);
    EXPECT_EQ(sections(), by_name);
}

TEST_F(Trees, KeysOfADraftFollowIt) {
    settings::Machine machine;
    machine.device = "cuda";
    machine.device_count = 2;
    DraftModel draft(machine);
    ExpertModel model(&draft);
    ExpertFilter filter(&model);
    test::check_model<ExpertModel>(model);
    test::check_model<ExpertFilter>(filter);
    const int keys = model.counts().all;
    EXPECT_GT(keys, 100);
    const auto shown = [&] {
        int rows = 0;
        for (int group = 0; group < filter.rowCount(); ++group)
            rows += filter.rowCount(filter.index(group, 0));
        return rows;
    };
    EXPECT_EQ(shown(), keys);
    test::read_all(filter);
    draft.set(QStringLiteral("num_processes"), 4);
    EXPECT_EQ(model.at(model.find(QStringLiteral("num_processes")))->value, QStringLiteral("4"));
    model.setTyped(model.find(QStringLiteral("mixed_precision")), QStringLiteral("nonsense"));
    EXPECT_EQ(model.counts().invalid, 1);
    filter.setShow(ExpertFilter::Invalid);
    EXPECT_EQ(shown(), 1);
    filter.setPinned(QStringLiteral("mixed_precision"));
    model.setTyped(model.find(QStringLiteral("mixed_precision")), QStringLiteral("bf16"));
    EXPECT_EQ(shown(), 1) << "the key that is edited stays";
    filter.setPinned({});
    EXPECT_EQ(shown(), 0);
    filter.setShow(ExpertFilter::Set);
    EXPECT_EQ(shown(), model.counts().set);
    filter.setShow(ExpertFilter::All);
    filter.setSearch(QStringLiteral("num processes"));
    EXPECT_GT(shown(), 0);
    EXPECT_LT(shown(), keys);
    filter.setSearch({});
    // Keys that no version knows come and go with the file that has them.
    const auto all = [&](int unknown) { return model.counts().all == keys + unknown && shown() == keys + unknown; };
    draft.set(QStringLiteral("of_tomorrow"), 1);
    EXPECT_TRUE(all(1));
    draft.set(QStringLiteral("of_next_week"), 1);
    EXPECT_TRUE(all(2));
    draft.set(QStringLiteral("of_tomorrow"), 2);
    EXPECT_EQ(model.at(model.find(QStringLiteral("of_tomorrow")))->value, QStringLiteral("2"));
    filter.setSearch(QStringLiteral("of_tomorrow"));
    EXPECT_EQ(shown(), 1);
    filter.setSearch({});
    draft.set(QStringLiteral("of_tomorrow"), {});
    EXPECT_TRUE(all(1));
    draft.history()->undo();
    EXPECT_TRUE(all(2)) << "at its old place again";
    draft.reset();
    EXPECT_TRUE(all(0));
    draft.set(QStringLiteral("of_tomorrow"), 1);
    EXPECT_TRUE(all(1)) << "after the group was gone";
}

}  // namespace
}  // namespace trainyard::desktop
