// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of reading event files while another process writes, replaces or truncates them: no point is lost or
// duplicated.

#include <atomic>
#include <random>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <unistd.h>

#include "base/file.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/event_tail.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

using test::says;
using testing::_;
using testing::ElementsAre;
using testing::EndsWith;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::SizeIs;

/// The bytes of a file with these scalars.
std::string file_of(int first, int last, double value) {
    const test::TemporaryFolder folder;
    events::EventFileWriter writer(folder.path());
    for (int step = first; step < last; ++step)
        writer.add_scalars(step, 1000.0 + step, {{"loss", value + step}, {"lr", 0.5}});
    writer.flush();
    return read_file(writer.path());
}

void read_all(EventTail& tail, CurveStore& store, std::uint64_t limit = 1 << 20) {
    for (bool all = false; !all;) {
        CurveBatch batch;
        all = tail.poll(batch, limit);
        store.take(batch);
    }
}

void put(const std::filesystem::path& path, const std::string& bytes, int flags = O_TRUNC) {
    const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | flags, 0600);
    ASSERT_GE(file, 0);
    ASSERT_EQ(::write(file, bytes.data(), bytes.size()), static_cast<ssize_t>(bytes.size()));
    ::close(file);
}

void expect_steps(const CurveStore& store, int first, int last, double value) {
    const widgets::Series& loss = store.series("loss");
    ASSERT_EQ(loss.size(), static_cast<std::size_t>(last - first));
    for (int i = 0; i < last - first; ++i) {
        ASSERT_EQ(loss.step(static_cast<std::size_t>(i)), first + i);
        ASSERT_EQ(loss.value(static_cast<std::size_t>(i)), value + first + i);
    }
    EXPECT_EQ(store.series("lr").size(), loss.size());
}

TEST(Events, AWriterOfTornPiecesBesideTheReader) {
    const test::TemporaryFolder folder;
    constexpr int kSteps = 20'000;
    const std::string bytes = file_of(0, kSteps, 1);
    const std::filesystem::path path = folder.path() / "events.out.tfevents.1.host";
    std::atomic<bool> done{false};
    std::thread writer([&] {
        std::mt19937 random(7);
        const int file = ::open(path.c_str(), O_WRONLY | O_CREAT | O_APPEND, 0600);
        for (std::size_t at = 0; at < bytes.size();) {
            const std::size_t piece = std::min<std::size_t>(bytes.size() - at, 1 + random() % 5000);
            at += static_cast<std::size_t>(std::max<ssize_t>(0, ::write(file, bytes.data() + at, piece)));
            if (random() % 16 == 0)
                std::this_thread::yield();
        }
        ::close(file);
        done = true;
    });
    EventTail tail(folder.path());
    CurveStore store;
    while (!done) {
        read_all(tail, store, 3000);
        ASSERT_THAT(tail.problems(), IsEmpty());
    }
    writer.join();
    read_all(tail, store);
    expect_steps(store, 0, kSteps, 1);
    EXPECT_EQ(store.series("loss").cuts(), 0);
}

TEST(Events, FilesThatAreShortenedReplacedAndWrittenOver) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "events.out.tfevents.1.host";
    EventTail tail(folder.path());
    CurveStore store;
    put(path, file_of(0, 100, 1));
    read_all(tail, store);
    expect_steps(store, 0, 100, 1);
    put(path, file_of(0, 60, 2));  // shorter, in place
    read_all(tail, store);
    expect_steps(store, 0, 60, 2);
    put(path, file_of(0, 300, 3));  // longer, in place, other content
    read_all(tail, store);
    expect_steps(store, 0, 300, 3);
    put(path, file_of(0, 300, 4), 0);  // as long, in place, not even cut
    read_all(tail, store);
    expect_steps(store, 0, 300, 4);
    const std::filesystem::path aside = folder.path() / "aside";
    put(aside, file_of(5, 305, 5));
    std::filesystem::rename(aside, path);
    read_all(tail, store);
    expect_steps(store, 5, 305, 5);
    std::filesystem::remove(path);
    read_all(tail, store);
    expect_steps(store, 5, 305, 5);
    EXPECT_THAT(tail.problems(), ElementsAre(says("{} was deleted: the data read so far stays visible", _)));
    put(path, file_of(0, 10, 6));
    read_all(tail, store);
    expect_steps(store, 0, 10, 6);
    EXPECT_THAT(tail.problems(), IsEmpty());
    std::filesystem::remove_all(folder.path());
    read_all(tail, store);
    expect_steps(store, 0, 10, 6);
    EXPECT_THAT(tail.problems(), ElementsAre(says("{} was deleted: the data read so far stays visible",
                                                  EndsWith(folder.path().string()))));
}

TEST(Events, ABlockThatComesLateIsNoDamageForEver) {
    const test::TemporaryFolder folder;
    const std::filesystem::path path = folder.path() / "events.out.tfevents.1.host";
    const std::string bytes = file_of(0, 100, 1);
    std::string holes = bytes;
    std::fill(holes.begin() + static_cast<std::ptrdiff_t>(bytes.size() / 2), holes.end(), '\0');
    put(path, holes);
    EventTail tail(folder.path());
    CurveStore store;
    read_all(tail, store);
    EXPECT_LT(store.series("loss").size(), 60u);
    EXPECT_THAT(tail.problems(),
                ElementsAre(testing::AllOf(says("{} is damaged at byte {} ({}): what follows cannot be read", _, _, _),
                                           HasSubstr(path.string()))));
    put(path, bytes, 0);
    read_all(tail, store);
    expect_steps(store, 0, 100, 1);
    EXPECT_THAT(tail.problems(), IsEmpty());
}

// As in TensorBoard 2.5 and later: the points of a later writer replace the earlier ones from its first step on,
// separately for each tag, even without a restart record (which SummaryWriter writes for purge_step).
TEST(Events, AResumedWriterReplacesWhatItWritesAgain) {
    const test::TemporaryFolder folder;
    put(folder.path() / "events.out.tfevents.1.host", file_of(0, 6000, 1));
    put(folder.path() / "events.out.tfevents.2.host", file_of(4000, 8000, 2));
    EventTail tail(folder.path());
    CurveStore store;
    read_all(tail, store);
    const widgets::Series& loss = store.series("loss");
    ASSERT_EQ(loss.size(), 8000u);
    for (std::size_t i = 0; i < loss.size(); ++i) {
        ASSERT_EQ(loss.step(i), static_cast<std::int64_t>(i));
        ASSERT_EQ(loss.value(i), (i < 4000 ? 1.0 : 2.0) + static_cast<double>(i));
    }
}

TEST(Events, RanksAndHostsOfARunHaveTagsOfTheirOwnInEitherLayout) {
    const test::TemporaryFolder folder;
    const auto write = [&](const std::string& inside, const std::string& prefix, double value) {
        std::filesystem::create_directories(folder.path() / inside);
        events::EventFileWriter writer(folder.path() / inside, "", prefix);
        writer.add_scalars(1, 1, {{"figure", value}});
        writer.flush();
    };
    write("", "", 1);
    write("rank-00002", "", 2);
    write("host-gpu-a", "", 3);
    write("", "system-00004.", 4);
    write("", "machine-gpu-b.", 5);
    write("another", "", 6);
    write(".hidden", "", 7);
    write("rank-2x", "", 8);
    EventTail tail(folder.path(), events::EventFolder::Depth::folders);
    CurveStore store;
    read_all(tail, store);
    const auto only = [&](const std::string& tag) {
        const widgets::Series& curve = store.series(tag);
        return curve.size() == 1 ? curve.value(0) : 0;
    };
    EXPECT_EQ(only("figure"), 1) << "folders of other runs must not be included";
    EXPECT_EQ(only("figure#2"), 2);
    EXPECT_EQ(only("figure@gpu-a"), 3);
    EXPECT_EQ(only("figure#4"), 4);
    EXPECT_EQ(only("figure@gpu-b"), 5);
    EventTail flat(folder.path());
    CurveStore alone;
    read_all(flat, alone);
    EXPECT_EQ(alone.series("figure#2").size(), 0u) << "in a tree of logs each folder is a source of its own";
}

TEST(Events, RanksHaveTagsOfTheirOwnAndMediaTheirKinds) {
    const test::TemporaryFolder folder;
    events::EventFileWriter training(folder.path()), system(folder.path(), "", "system-00003.");
    training.add_text(1, 1, "notes", std::string(EventTail::kLongestText - 1, 'x') + "é and more");
    training.add_histogram(1, 1, "mixed", events::histogram_of(std::vector<float>{1, 2, 3}));
    training.add_image(2, 1, "mixed", 1, 1, 3, "not really a picture");
    training.add_hparams(1, {{"lr", 0.0003}, {"adam", true}, {"name", std::string("run")}}, {"loss"});
    training.flush();
    system.add_scalars(1, 1, {{"cpu", 0.5}});
    system.flush();
    EventTail tail(folder.path());
    CurveStore store;
    read_all(tail, store);
    EXPECT_EQ(store.series("cpu#3").size(), 1u);
    ASSERT_THAT(store.media("notes/text_summary"), SizeIs(1));
    const auto& text = std::get<TextPoint>(store.media("notes/text_summary")[0]->value);
    EXPECT_TRUE(text.cut);
    EXPECT_EQ(text.text, std::string(EventTail::kLongestText - 1, 'x')) << "no half letter";
    ASSERT_THAT(store.media("mixed"), SizeIs(1));
    const auto& histogram = std::get<HistogramPoint>(store.media("mixed")[0]->value);
    EXPECT_EQ(histogram.limits.size(), histogram.counts.size() + 1);
    ASSERT_THAT(store.media("mixed (image)"), SizeIs(1));
    const auto& image = std::get<ImagePoint>(store.media("mixed (image)")[0]->value);
    EXPECT_EQ(read_file(image.file).substr(image.offset, image.length), "not really a picture");
    using Word = std::pair<std::string, std::string>;
    EXPECT_THAT(store.parameters(),
                testing::UnorderedElementsAre(Word("lr", "0.0003"), Word("adam", "true"), Word("name", "run")));
}

TEST(Events, MediaOfALaterPassageReplaceThoseOfTheEarlierOne) {
    const auto steps = [](CurveStore store) {
        CurveBatch batch;
        CurveChange change;
        change.kind = CurveChange::Kind::Media;
        change.tag = "samples";
        for (const int step : {0, 10, 20, 30, 30, 20, 40, 35}) {
            auto point = std::make_shared<MediaPoint>();
            point->step = step;
            change.media.push_back(point);
        }
        batch.changes.push_back(change);
        store.take(batch);
        std::vector<std::int64_t> found;
        for (const auto& point : store.media("samples"))
            found.push_back(point->step);
        return found;
    };
    EXPECT_THAT(steps(CurveStore()), testing::ElementsAre(0, 10, 20, 35));
    EXPECT_THAT(steps(CurveStore(widgets::EarlierStep::RepeatOvertakes)), testing::ElementsAre(0, 10, 20, 35, 40));
}

TEST(Events, OfManyMediaAnEvenSelectionIsKept) {
    CurveStore store;
    for (int step = 0; step < 5000; ++step) {
        CurveBatch batch;
        CurveChange change;
        change.kind = CurveChange::Kind::Media;
        change.tag = "weights";
        auto point = std::make_shared<MediaPoint>();
        point->step = step;
        change.media.push_back(point);
        batch.changes.push_back(change);
        store.take(batch);
        ASSERT_EQ(store.media("weights").back()->step, step) << "the newest is there";
    }
    EXPECT_EQ(store.mediaMet("weights"), 5000u) << "discarded entries must be counted, too";
    EXPECT_EQ(store.mediaMet("other"), 0u);
    const MediaPoints& kept = store.media("weights");
    EXPECT_LE(kept.size(), 501u);
    EXPECT_GE(kept.size(), 240u);
    EXPECT_EQ(kept.front()->step, 0);
    const std::int64_t stride = kept[1]->step - kept[0]->step;
    for (std::size_t i = 2; i + 1 < kept.size(); ++i)  // the last may come before its turn
        ASSERT_EQ(kept[i]->step - kept[i - 1]->step, stride);
}

}  // namespace
}  // namespace trainyard::desktop
