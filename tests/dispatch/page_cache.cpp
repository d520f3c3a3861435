// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the page cache of offloaded weights: the pages of as many units as fit stay cached, and those of the others
// are released after their use; and of files that are truncated while their pages are in use.

#include "support/page_cache.h"

#include <functional>

#include <ATen/ops/equal.h>

#include <gtest/gtest.h>

#include "base/error.h"
#include "dispatch/loaded_case.h"
#include "support/random_model.h"
#include "support/temporary_folder.h"

namespace trainyard::dispatch {
namespace {

namespace fs = std::filesystem;

constexpr std::uint64_t kBlock = 4 * (4 * 256 * 256 + 3 * 256 * 1024);  ///< bytes of a block's matrices
constexpr std::uint64_t kSlack = 1 << 20;                               ///< norms, tables, pages at the edges

class PageCache : public ::testing::Test {
  protected:
    PageCache() {
        const test::RandomModel random(
            R"({"model_type": "llama", "vocab_size": 64, "hidden_size": 256, "intermediate_size": 1024,
                "num_attention_heads": 4, "num_key_value_heads": 4, "max_position_embeddings": 64,
                "architectures": ["LlamaForCausalLM"], "tie_word_embeddings": false, "num_hidden_layers": 10})");
        random.write(folder_.path());
        model_ = test::empty_model(folder_.path());
    }

    /// Returns the model with all weights on disk.
    std::unique_ptr<Dispatched> dispatched(std::uint64_t page_room) {
        const DeviceMap map{{"", "disk"}};
        LoadOptions options;
        options.device_map = map;
        LoadedCheckpoint loaded = load_checkpoint_in_model(*model_, folder_.path(), options);
        DispatchOptions dispatch;
        dispatch.page_room = page_room;
        return dispatch_model(*model_, map, std::move(loaded.offloaded), dispatch);
    }
    at::Tensor logits() {
        at::NoGradGuard no_grad;
        parallel::StepContext context;
        at::Tensor made;
        context.tokens = at::zeros({1, 4}, at::kLong);
        context.labels = at::zeros({1, 4}, at::kLong);
        context.loss_sum = at::zeros({}, at::kDouble);
        context.training = false;
        context.logits = &made;
        model_->forward(context);
        return made;
    }
    fs::path file() const { return folder_.path() / "model.safetensors"; }

    test::TemporaryFolder folder_;
    std::unique_ptr<models::Model> model_;
};

TEST_F(PageCache, AsManyUnitsStayAsThereIsRoomFor) {
    const auto cached_after = [&](std::uint64_t room, std::uint64_t& promised) {
        test::drop_from_page_cache(file());
        const auto run = dispatched(room);
        for (int pass = 0; pass < 2; ++pass)
            logits();
        promised = run->figures().cached;
        return test::cached_bytes(file());
    };
    std::uint64_t promised = 0;
    // Two blocks are always there: the one in use, and the one that is read ahead.
    std::uint64_t cached = cached_after(0, promised);
    EXPECT_EQ(promised, 0u);
    EXPECT_LE(cached, 2 * kBlock + kSlack);
    cached = cached_after(8 * kBlock, promised);
    EXPECT_GE(promised, 4 * kBlock);
    EXPECT_LE(promised, 6 * kBlock);
    EXPECT_GE(cached, promised - kSlack);
    EXPECT_LE(cached, promised + 2 * kBlock + kSlack);
    cached = cached_after(100 * kBlock, promised);
    EXPECT_GE(promised, 10 * kBlock);
    EXPECT_GE(cached, 10 * kBlock);
}

TEST_F(PageCache, WhatIsComputedDoesNotDependOnIt) {
    const auto logits_with = [&](std::uint64_t room) {
        const auto run = dispatched(room);
        logits();
        return logits();
    };
    EXPECT_TRUE(at::equal(logits_with(0), logits_with(100 * kBlock)));
}

/// Truncates the file when a unit begins, after the hook that loaded its weights.
class Cut final : public parallel::UnitHook {
  public:
    Cut(parallel::Unit& unit, fs::path file) : unit_(unit), file_(std::move(file)) { unit_.add_hook(this); }
    ~Cut() override { unit_.remove_hook(this); }
    void before(parallel::Unit&, parallel::Tensors&, parallel::StepContext&) override { fs::resize_file(file_, 4096); }

  private:
    parallel::Unit& unit_;
    fs::path file_;
};

std::string error_of(const std::function<void()>& call) {
    try {
        call();
    } catch (const UserError& error) {
        return error.what();
    }
    return "nothing was thrown";
}

TEST_F(PageCache, AFileThatIsCutWhileItIsUsedIsOneSentence) {
    const fs::path kept = folder_.path() / "kept";
    fs::copy_file(file(), kept);
    at::Tensor expected;
    {
        const auto run = dispatched(100 * kBlock);
        expected = logits();
        const Cut cut(*model_->units()[3], file());
        const std::string said = error_of([&] { logits(); });
        EXPECT_NE(said.find(file().string()), std::string::npos) << said;
        EXPECT_NE(said.find("was cut"), std::string::npos) << said;
        EXPECT_NE(error_of([&] { logits(); }).find("was cut"), std::string::npos) << "the error must persist";
    }
    fs::copy_file(kept, file(), fs::copy_options::overwrite_existing);
    const auto again = dispatched(100 * kBlock);
    EXPECT_TRUE(at::equal(logits(), expected)) << "the restored file must be loaded again";
}

}  // namespace
}  // namespace trainyard::dispatch
