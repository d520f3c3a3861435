// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of optimizer state that is offloaded to a disk: weights and checkpoints are bitwise equal to those with the
// state in memory, little of it is resident, and unsuitable folders and disk errors are reported.

#include "train/offloaded_state.h"

#include <algorithm>
#include <cstdint>
#include <filesystem>
#include <fstream>
#include <functional>
#include <map>
#include <optional>
#include <random>
#include <sstream>

#include <ATen/ops/equal.h>
#include <ATen/ops/randn.h>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <linux/magic.h>
#include <sys/mman.h>
#include <sys/vfs.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "support/page_cache.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/flat_optimizer.h"
#include "train/loop/gradient_norm.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using parallel::FlatArena;
using parallel::Initialiser;
using parallel::Parameter;
using test::says;
using test::says_only;
using testing::_;
using ::testing::HasSubstr;

constexpr Initialiser kHalfNormal{Initialiser::Kind::normal, 0.5};

/// Returns the resident bytes of the mappings of unnamed files of a folder.
std::uint64_t resident_of(const fs::path& folder) {
    std::ifstream maps("/proc/self/smaps");
    std::string line;
    std::uint64_t bytes = 0;
    bool ours = false;
    while (std::getline(maps, line)) {
        if (line.find('-') < line.find(' '))
            ours = line.find(folder.string()) != std::string::npos;
        else if (ours && line.starts_with("Rss:"))
            bytes += std::stoull(line.substr(4)) * 1024;
    }
    return bytes;
}

/// The nameless files of a folder that this process has open.
std::vector<fs::path> nameless_files(const fs::path& folder) {
    std::vector<fs::path> files;
    std::error_code error;
    for (const auto& entry : fs::directory_iterator("/proc/self/fd"))
        if (fs::read_symlink(entry.path(), error).string().find(folder.string()) != std::string::npos)
            files.push_back(entry.path());
    return files;
}

config::OptimizerRecipe optimizer_recipe(const std::string& name) {
    config::OptimizerRecipe recipe;
    recipe.name = name;
    if (name == "sgd")
        recipe.arguments = "{momentum: 0.9}";
    config::follow_optimizer(recipe, "adamw", {});
    return recipe;
}

class OffloadedOptimizer : public ::testing::TestWithParam<std::string> {};

TEST_P(OffloadedOptimizer, UpdatesAsInMemory) {
    const test::TemporaryFolder folder;
    // More than two slices, and parameters that end inside of one.
    const auto train = [&](at::ScalarType type, const StateOffload& offload, std::vector<at::Tensor>& states) {
        Parameter weight("w", {1500, 1100}, kHalfNormal), bias("b", {1100}, kHalfNormal),
            next("n", {700, 900}, kHalfNormal);
        FlatArena arena({{"g", {&weight, &bias}}, {"h", {&next}}}, type, at::kCPU, false);
        arena.initialise(5);
        config::OptimizerRecipe recipe = optimizer_recipe(GetParam());
        recipe.lr = 0.01;
        FlatOptimizer optimizer(arena, recipe, offload);
        at::manual_seed(3);
        for (int step = 0; step < 3; ++step) {
            for (Parameter* parameter : {&weight, &bias, &next})
                parameter->gradient().copy_(at::randn(parameter->shape()));
            optimizer.set_gradient_divisor(1.5);
            optimizer.step();
            if (offload.folder.empty())
                continue;
            EXPECT_EQ(resident_of(folder.path()), 0u) << "step " << step;
        }
        for (const FlatOptimizer::State& state : optimizer.states())
            states.push_back(state.own.clone());
        return std::pair(arena.values().clone(), arena.compute().clone());
    };
    for (const at::ScalarType type : {at::kFloat, at::kBFloat16}) {
        std::vector<at::Tensor> resident, cached, written;
        const auto expected = train(type, {}, resident);
        for (const auto& [room, states] : {std::pair{std::uint64_t{1} << 40, &cached}, {std::uint64_t{0}, &written}}) {
            StateOffload offload{.folder = folder.path(), .memory_room = room};
            const auto found = train(type, offload, *states);
            EXPECT_TRUE(at::equal(found.first, expected.first));
            EXPECT_TRUE(at::equal(found.second, expected.second));
            ASSERT_EQ(states->size(), resident.size());
            for (std::size_t i = 0; i < resident.size(); ++i)
                EXPECT_TRUE(at::equal((*states)[i], resident[i])) << "state " << i;
        }
    }
    EXPECT_TRUE(fs::is_empty(folder.path()));
}

INSTANTIATE_TEST_SUITE_P(Optimizers, OffloadedOptimizer,
                         ::testing::Values("adamw", "adam", "sgd", "lion", "adagrad", "adadelta", "rmsprop", "rprop",
                                           "asgd", "adamax", "nadam", "radam", "schedule_free_adamw",
                                           "schedule_free_sgd"),
                         [](const auto& one) { return one.param; });

/// Bytes of anonymous memory among the pages of a tensor. The bits are those of Linux,
/// Documentation/admin-guide/mm/pagemap.rst.
std::uint64_t anonymous_bytes(const at::Tensor& tensor) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) / page;
    std::vector<std::uint64_t> entries((tensor.nbytes() + page - 1) / page);
    const FileDescriptor pages(::open("/proc/self/pagemap", O_RDONLY | O_CLOEXEC));
    const auto wanted = static_cast<ssize_t>(entries.size() * sizeof(std::uint64_t));
    EXPECT_EQ(::pread(pages.get(), entries.data(), entries.size() * sizeof(std::uint64_t),
                      static_cast<off_t>(begin * sizeof(std::uint64_t))),
              wanted);
    constexpr std::uint64_t kPresent = 1ULL << 63, kOfFile = 1ULL << 61;
    return page * static_cast<std::uint64_t>(std::ranges::count_if(
                      entries, [](std::uint64_t entry) { return (entry & kPresent) != 0 && (entry & kOfFile) == 0; }));
}

TEST(OffloadedState, MemoryKeepsWhatThereIsRoomFor) {
    const test::TemporaryFolder folder;
    constexpr std::int64_t kElements = 4 << 20, kSlice = OffloadedState::kSlice;
    std::vector<parallel::Range> slices;
    for (std::int64_t begin = 0; begin < kElements; begin += kSlice)
        slices.push_back({begin, begin + kSlice});
    struct statfs system {};
    for (const std::uint64_t room : {std::uint64_t{0}, std::uint64_t{16} << 20, std::uint64_t{64} << 20}) {
        OffloadedState state({.folder = folder.path(), .memory_room = room}, kElements, 2);
        const std::uint64_t kept = std::min<std::uint64_t>(room, 8 * kElements), whole = 8 * kElements;
        const auto in_memory = [&] {
            return anonymous_bytes(state.buffers()[0]) + anonymous_bytes(state.buffers()[1]);
        };
        EXPECT_GE(state.bytes(), 8u * kElements);
        for (int step = 0; step < 2; ++step)
            state.walk(slices, [&](std::size_t slice) {
                EXPECT_LE(in_memory(), kept + 6U * 8 * kSlice) << "one, two that were read, and three to be written";
                for (const at::Tensor& buffer : state.buffers())
                    buffer.narrow(0, slices[slice].begin, slices[slice].size()).add_(static_cast<double>(slice + 1));
            });
        EXPECT_EQ(state.cached(), kept);
        EXPECT_EQ(in_memory(), kept);
        EXPECT_EQ(resident_of(folder.path()), 0u);
        if (::statfs(folder.path().c_str(), &system) == 0 && system.f_type != TMPFS_MAGIC) {
            EXPECT_LT(test::cached_bytes(nameless_files(folder.path()).at(0)), whole / 8) << "of the page cache";
        }
        for (const at::Tensor& buffer : state.buffers())
            for (std::size_t slice = 0; slice < slices.size(); ++slice) {
                const at::Tensor part = buffer.narrow(0, slices[slice].begin, slices[slice].size());
                EXPECT_EQ(part.min().item<float>(), 2 * (slice + 1));
                EXPECT_EQ(part.max().item<float>(), 2 * (slice + 1));
            }
        const OffloadedState::Passing passing(&state);
        for (int i = 0; i < 200 && resident_of(folder.path()) > 0; ++i)
            ::usleep(5000);
        EXPECT_EQ(resident_of(folder.path()), 0u) << "pages read by other processes must be released";
    }
}

TEST(OffloadedState, GivesBackTheMemoryThatOtherProgramsTake) {
    const test::TemporaryFolder folder;
    constexpr std::int64_t kElements = 4 << 20, kSlice = OffloadedState::kSlice;
    constexpr std::uint64_t kMiB = 1 << 20;
    std::vector<parallel::Range> slices;
    for (std::int64_t begin = 0; begin < kElements; begin += kSlice)
        slices.push_back({begin, begin + kSlice});
    std::uint64_t all = 128 * kMiB;  // without what the two ranks keep
    std::function<std::uint64_t()> free = [] { return std::uint64_t{0}; };
    OffloadedState state({.folder = folder.path(), .ranks_here = 2, .free_memory = [&] { return free(); }}, kElements,
                         2);
    free = [&] { return all - 2 * state.cached(); };
    int step = 0;
    const auto cached_after_a_step = [&] {
        state.walk(slices, [&](std::size_t slice) {
            for (const at::Tensor& buffer : state.buffers())
                buffer.narrow(0, slices[slice].begin, slices[slice].size()).add_(1);
        });
        ++step;
        EXPECT_EQ(anonymous_bytes(state.buffers()[0]) + anonymous_bytes(state.buffers()[1]), state.cached());
        for (const at::Tensor& buffer : state.buffers()) {
            EXPECT_EQ(buffer.min().item<float>(), step);
            EXPECT_EQ(buffer.max().item<float>(), step);
        }
        return state.cached() / kMiB;
    };
    EXPECT_EQ(cached_after_a_step(), 32) << "all of it";
    EXPECT_EQ(cached_after_a_step(), 32);
    all = 120 * kMiB;
    EXPECT_EQ(cached_after_a_step(), 32) << "a little that others take moves nothing";
    all = 80 * kMiB;
    EXPECT_EQ(cached_after_a_step(), 20);
    EXPECT_EQ(cached_after_a_step(), 20);
    all = 0;
    free = [] { return std::uint64_t{0}; };
    EXPECT_EQ(cached_after_a_step(), 8);
    EXPECT_EQ(cached_after_a_step(), 4);
    free = [&] { return all - 2 * state.cached(); };
    all = 128 * kMiB;
    EXPECT_EQ(cached_after_a_step(), 32);
}

TEST(OffloadedState, SaysWhereTheFolderDoesNotDo) {
    const test::TemporaryFolder folder;
    const auto problem = [](const fs::path& place, std::int64_t elements) {
        try {
            OffloadedState({.folder = place, .rank = 3}, elements, 2);
        } catch (const UserError& error) {
            return std::string(error.what());
        }
        return std::string("nothing");
    };
    EXPECT_THAT(
        problem(folder.path() / "none", 10),
        says_only("the folder {} does not exist: make it, or name another one", (folder.path() / "none").string()));
    write_file_atomically(folder.path() / "file", "x", false);
    EXPECT_THAT(problem(folder.path() / "file", 10),
                says_only("{} is not a folder: name one", (folder.path() / "file").string()));
    EXPECT_THAT(problem("/proc/self", 10),
                says("no file can be written in {}: {}; name another folder", "/proc/self", _));
    EXPECT_THAT(problem("/dev/shm", std::int64_t{1} << 44),
                HasSubstr("the disk of /dev/shm has no room for the optimizer state of rank 3: it takes "));
    Parameter weight("w", {16, 16}, kHalfNormal);
    FlatArena arena({{"g", {&weight}}}, at::kFloat, at::kCPU, false);
    EXPECT_THROW(FlatOptimizer(arena, optimizer_recipe("adafactor"), {.folder = folder.path()}), UserError);
}

TEST(OffloadedState, ADiskThatFailsIsOneSentence) {
    const test::TemporaryFolder folder;
    OffloadedState state({.folder = folder.path(), .memory_room = 0}, 1 << 16, 1);
    const std::vector<parallel::Range> all{{0, 1 << 16}};
    state.walk(all, [&](std::size_t) { state.buffers()[0].add_(1); });
    const FileDescriptor file(::open(nameless_files(folder.path()).at(0).c_str(), O_RDWR | O_CLOEXEC));
    ASSERT_EQ(::ftruncate(file.get(), 0), 0);
    try {
        state.walk(all, [&](std::size_t) { state.buffers()[0].add_(1); });
        FAIL() << "lost pages were updated";
    } catch (const UserError& error) {
        EXPECT_THAT(error.what(), HasSubstr("the optimizer state of rank 0 in " + folder.path().string() +
                                            " is lost: the disk is full, or fails"));
    }
}

/// Small runs through the whole trainer.
class OffloadedTraining : public ::testing::Test {
  protected:
    OffloadedTraining() {
        std::mt19937 random(17);
        std::ofstream file(folder_.path() / "text.txt");
        const char* words[] = {"state ", "disk ", "slice ", "page ", "step ", "rank\n"};
        for (int i = 0; i < 4000; ++i)
            file << words[random() % 6];
        file.close();
        fs::create_directories(disk());
        recipe_.data.paths = {(folder_.path() / "text.txt").string()};
        recipe_.data.sequence_length = recipe_.model.n_positions = 16;
        recipe_.model.n_embd = 24;
        recipe_.model.n_layer = 2;
        recipe_.model.n_head = 2;
        recipe_.model.vocab_size = 259;
        recipe_.training.steps = 6;
        recipe_.training.batch_size = 4;
        recipe_.training.evaluate_batches = 2;
        recipe_.training.ema_decay = 0.5;
        recipe_.optimizer.lr = 3e-3;
    }
    fs::path disk() const { return folder_.path() / "disk"; }

    /// The parts that are on the disk.
    struct Offload {
        bool state = false, weights = false;
    };
    config::Recipe with(std::int64_t stage, Precision precision, Offload offload) const {
        config::Recipe recipe = recipe_;
        recipe.parallel.zero_stage = stage;
        recipe.training.mixed_precision = precision;
        if (offload.state) {
            recipe.parallel.offload_optimizer_device = config::OffloadDevice::nvme;
            recipe.parallel.offload_optimizer_nvme_path = disk().string();
        }
        if (offload.weights) {
            recipe.parallel.offload_param_device = config::OffloadDevice::nvme;
            recipe.parallel.offload_param_nvme_path = disk().string();
        }
        return recipe;
    }

    std::map<std::string, at::Tensor> train(const config::Recipe& recipe, int ranks, std::int64_t steps,
                                            const fs::path& save_to,
                                            std::optional<std::uint64_t> memory_room = {}) const {
        std::map<std::string, at::Tensor> weights;
        test::run_ranks(ranks, [&](std::unique_ptr<parallel::World> world) {
            parallel::Mesh mesh(parallel::replicas(ranks), std::move(world));
            Trainer trainer(recipe, mesh, at::kCPU, {.memory_room = memory_room});
            trainer.start();
            EXPECT_EQ(trainer.bytes_on_disk() > 0, recipe.offloads_optimizer() || recipe.offloads_params());
            while (trainer.position().step < steps)
                trainer.step();
            trainer.evaluate();
            trainer.save(save_to);
            const NamedTensors whole = trainer.weights();  // of all ranks together where they divide the weights
            if (mesh.rank() == 0)
                for (const auto& [name, weight] : whole)
                    weights[name] = weight.clone();
        });
        return weights;
    }

    static std::map<std::string, std::string> files_of(const fs::path& checkpoint) {
        std::map<std::string, std::string> files;
        for (const auto& entry : fs::directory_iterator(checkpoint))
            if (entry.path().filename() != "manifest.json")  // has times
                files[entry.path().filename().string()] = read_file(entry.path(), 64u << 20);
        return files;
    }

    test::TemporaryFolder folder_;
    config::Recipe recipe_;
};

TEST_F(OffloadedTraining, EqualsTheResidentRunAndResumes) {
    struct Case {
        int ranks = 1;
        std::int64_t stage = 0;
        Offload offload{};
        std::int64_t accumulation = 1;
    };
    const std::vector<Case> cases{{1, 0, {true, false}}, {2, 0, {true, false}}, {2, 1, {true, false}},
                                  {2, 2, {true, false}}, {1, 3, {false, true}}, {2, 3, {false, true}, 2},
                                  {4, 3, {false, true}}, {1, 3, {true, true}},  {2, 3, {true, true}, 2},
                                  {2, 3, {true, false}}};
    for (const Precision precision : {Precision::no, Precision::bf16})
        for (const auto& [ranks, stage, offload, accumulation] : cases) {
            const std::string where = std::string(choice_name(precision)) + ", " + std::to_string(ranks) +
                                      " ranks, stage " + std::to_string(stage) + (offload.state ? ", state" : "") +
                                      (offload.weights ? ", weights" : "");
            // Resident weights of one rank are in no rooms, where embeddings would be rounded.
            if (precision == Precision::bf16 && ranks == 1 && offload.weights)
                continue;
            recipe_.training.gradient_accumulation_steps = accumulation;
            const fs::path resident = folder_.path() / "resident", whole = folder_.path() / "whole",
                           part = folder_.path() / "part";
            const auto expected = train(with(stage, precision, {}), ranks, 6, resident);
            for (const std::optional<std::uint64_t> room : {std::optional<std::uint64_t>(), {0}}) {
                fs::remove_all(whole);
                const auto found = train(with(stage, precision, offload), ranks, 6, whole, room);
                ASSERT_EQ(found.size(), expected.size()) << where;
                for (const auto& [name, weight] : expected)
                    EXPECT_TRUE(at::equal(weight, found.at(name)))
                        << where << (room ? ", nothing in memory: " : ": ") << name;
                EXPECT_EQ(files_of(whole / "checkpoint_6"), files_of(resident / "checkpoint_6")) << where;
            }
            // Stopped and gone on, and from there with everything in memory.
            train(with(stage, precision, offload), ranks, 3, part, 0);
            for (const bool again_offloaded : {true, false}) {
                config::Recipe again = with(stage, precision, again_offloaded ? offload : Offload{});
                again.checkpoint.resume_from = (part / "checkpoint_3").string();
                const auto resumed = train(again, ranks, 6, folder_.path() / "again");
                for (const auto& [name, weight] : expected)
                    EXPECT_TRUE(at::equal(weight, resumed.at(name))) << where << ", resumed: " << name;
                EXPECT_EQ(files_of(folder_.path() / "again" / "checkpoint_6"), files_of(resident / "checkpoint_6"))
                    << where;
                fs::remove_all(folder_.path() / "again");
            }
            for (const fs::path& done : {resident, whole, part})
                fs::remove_all(done);
            EXPECT_TRUE(fs::is_empty(disk())) << where;
        }
}

/// Bytes of a tensor on a disk that are in the page cache.
std::uint64_t bytes_in_page_cache(const at::Tensor& tensor) {
    const auto page = static_cast<std::uintptr_t>(::sysconf(_SC_PAGESIZE));
    const auto begin = reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) / page * page;
    const std::size_t bytes = reinterpret_cast<std::uintptr_t>(tensor.data_ptr()) + tensor.nbytes() - begin;
    std::vector<unsigned char> pages((bytes + page - 1) / page);
    EXPECT_EQ(::mincore(reinterpret_cast<void*>(begin), bytes, pages.data()), 0);
    return page *
           static_cast<std::uint64_t>(std::ranges::count_if(pages, [](unsigned char one) { return (one & 1U) != 0; }));
}

TEST(OffloadedArena, SquaresOfWrittenGradientsAreKnownUntilTheyChange) {
    const test::TemporaryFolder folder;
    constexpr std::int64_t kElements = 200'000, kCut = 130'016;
    parallel::OffloadedArena arena(folder.path(), 0, kElements, kElements);
    at::manual_seed(3);
    for (const bool adds : {false, true}) {  // two micro-batches
        for (const parallel::Range& range : {parallel::Range{kCut, kElements}, {0, kCut}}) {
            const at::Tensor sums = arena.open_gradients(range, adds), more = at::randn({range.size()});
            adds ? sums.add_(more) : sums.copy_(more);
            arena.close_gradients(range);
        }
        arena.finish_gradients();
    }
    const auto slice = [&](std::int64_t begin, std::int64_t end) {
        return arena.gradients().narrow(0, begin, end - begin);
    };
    const std::optional<double> first = arena.squares(slice(0, kCut)), second = arena.squares(slice(kCut, kElements));
    EXPECT_EQ(bytes_in_page_cache(arena.gradients()), 0U) << "nothing is read for them";
    ASSERT_TRUE(first && second);
    const auto sum = [](const at::Tensor& tensor) { return power_sum({tensor.clone()}, 2).item<double>(); };
    EXPECT_EQ(*first, sum(slice(0, kCut))) << "to the bit";
    EXPECT_EQ(*second, sum(slice(kCut, kElements)));
    EXPECT_FALSE(arena.squares(slice(0, kElements))) << "another view";
    EXPECT_FALSE(arena.squares(slice(kCut, kElements - 1)));
    slice(5, 8).mul_(0.5);
    EXPECT_FALSE(arena.squares(slice(0, kCut))) << "divided by a loss scale, for example";
}

TEST_F(OffloadedTraining, ARankKeepsRoomsInMemoryAndNoWeights) {
    recipe_.model.n_embd = 256;
    recipe_.model.n_layer = 8;
    recipe_.training.steps = 2;
    recipe_.training.ema_decay = 0;
    test::run_ranks(1, [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::replicas(1), std::move(world));
        Trainer trainer(with(3, Precision::no, {true, true}), mesh, at::kCPU, {.memory_room = 0});
        trainer.start();
        const auto weights = static_cast<std::uint64_t>(trainer.arena().values().nbytes());
        EXPECT_GE(trainer.bytes_on_disk(), 4 * weights) << "weights, gradients and two moments";
        EXPECT_EQ(trainer.arena().own_bytes(), 0);
        while (trainer.position().step < 2) {
            trainer.step();
            EXPECT_EQ(resident_of(disk()), 0U) << "pages after an update";
            EXPECT_EQ(bytes_in_page_cache(trainer.arena().gradients()), 0U) << "the norm has read gradients again";
        }
        const parallel::ValueRooms& rooms = *trainer.arena().value_rooms();
        EXPECT_GT(rooms.most_bytes(), 0);
        EXPECT_LE(rooms.most_bytes(), 4 * rooms.largest_room());
        EXPECT_LT(static_cast<std::uint64_t>(rooms.most_bytes()), weights * 6 / 10);
    });
    EXPECT_TRUE(fs::is_empty(disk()));
}

}  // namespace
}  // namespace trainyard::train
