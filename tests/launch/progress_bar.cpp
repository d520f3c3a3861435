// SPDX-License-Identifier: GPL-3.0-or-later
// What programs print of their progress: lines as tqdm, rich, Keras, transformers and Lightning write them.

#include "launch/supervisor/progress_bar.h"

#include <cmath>

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace trainyard::launch {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

run::Progress after(std::initializer_list<const char*> texts, bool standard_error = true) {
    ProgressBars bars;
    for (const char* text : texts)
        bars.read(text, standard_error);
    return bars.progress();
}

TEST(ProgressBars, TqdmIsReadWhileItIsDrawn) {
    ProgressBars bars;
    EXPECT_TRUE(bars.read("\r  0%|          | 0/1000 [00:00<?, ?it/s]", true));
    EXPECT_EQ(bars.progress().of, 1000);
    EXPECT_FALSE(bars.progress().eta_s);
    EXPECT_TRUE(bars.read("\r 45%|████▌     | 450/1000 [00:12<01:15, 36.20it/s, loss=1.23]", true));
    EXPECT_EQ(bars.progress().step, 450);
    EXPECT_DOUBLE_EQ(bars.progress().eta_s.value(), 75);
    EXPECT_DOUBLE_EQ(bars.progress().loss.value(), 1.23);
    EXPECT_FALSE(bars.read("", true));
}

TEST(ProgressBars, PiecesOfALineAreOneLine) {
    run::Progress progress = after({"\r 4", "5%|████▌     | 45", "0/1000 [00:12<00:15, 36.20it/s", ", loss=1.2", "3]"});
    EXPECT_EQ(progress.step, 450);
    EXPECT_DOUBLE_EQ(progress.loss.value(), 1.23);
}

TEST(ProgressBars, TheStreamsDoNotMix) {
    ProgressBars bars;
    bars.read("step 1", false);
    bars.read("\r 10%|█         | 10/100 [00:01<00:09, 9.0it/s]", true);
    bars.read("9\n", false);
    EXPECT_EQ(bars.progress().step, 10);
}

TEST(ProgressBars, BarsOfDownloadsAndEvaluationsAreNoSteps) {
    run::Progress progress = after({"Downloading data: 100%|██████████| 5000/5000 [00:01<00:00, 3.1MB/s]\n",
                                    "Map: 100%|██████████| 9000/9000 [00:00<00:00, 20000 examples/s]\n",
                                    "Loading checkpoint shards:  50%|█████     | 1/2 [00:01<00:01, 1.0it/s]\n",
                                    "\r 20%|██        | 20/100 [00:01<00:04, 20it/s]\n",
                                    "Evaluating: 100%|██████████| 500/500 [00:01<00:00, 300it/s]\n"});
    EXPECT_EQ(progress.step, 20);
    EXPECT_EQ(progress.of, 100);
}

TEST(ProgressBars, OfNestedBarsTheOneWithMoreStepsCounts) {
    run::Progress progress =
        after({"\rEpochs:   0%|          | 0/3 [00:00<?, ?it/s]", "\r 30%|███       | 60/200 [00:01<00:04, 20it/s]",
               "\rEpochs:  33%|███▎      | 1/3 [00:10<00:20, 10s/it]"});
    EXPECT_EQ(progress.step, 60);
    EXPECT_EQ(progress.of, 200);
}

TEST(ProgressBars, ABarOfEachEpochGoesOn) {
    ProgressBars bars;
    bars.read("\rEpoch 0: 100%|██████████| 50/50 [00:05<00:00, 10.00it/s, v_num=0, train_loss=2.5]", true);
    bars.read("\rEpoch 1:  20%|██        | 10/50 [00:01<00:04, 10.00it/s, v_num=0, train_loss=2.25]", true);
    EXPECT_EQ(bars.progress().step, 60);
    EXPECT_EQ(bars.progress().of, 100);  // two epochs are known of
    EXPECT_DOUBLE_EQ(bars.progress().epoch, 1);
    EXPECT_DOUBLE_EQ(bars.progress().loss.value(), 2.25);
    bars.read("\rValidation DataLoader 0: 100%|██████████| 900/900 [00:01<00:00, 10.00it/s]", true);
    EXPECT_EQ(bars.progress().step, 60);
}

TEST(ProgressBars, TheTrainersDictionaries) {
    run::Progress progress =
        after({"{'loss': 1.2345, 'grad_norm': 0.5, 'learning_rate': 4.5e-05, 'epoch': 0.5}\n",
               "{'eval_loss': 1.5, 'eval_runtime': 3.2, 'eval_samples_per_second': 10.0, 'epoch': 1.0}\n"},
              false);
    EXPECT_DOUBLE_EQ(progress.loss.value(), 1.2345);
    EXPECT_DOUBLE_EQ(progress.validation_loss.value(), 1.5);
    EXPECT_DOUBLE_EQ(progress.epoch, 1.0);
    // transformers 5 puts numbers into quotes
    EXPECT_DOUBLE_EQ(after({"{'loss': '0.75', 'epoch': '2.0'}\n"}).loss.value(), 0.75);
}

TEST(ProgressBars, KerasOldAndNew) {
    run::Progress progress =
        after({"Epoch 2/10\n",
               "\r 45/100 \x1b[32m━━━━\x1b[0m\x1b[37m━━━━\x1b[0m 3s 20ms/step - accuracy: 0.5000 - loss: 1.2500"
               "\r 46/100 ━━━━━━━━ 3s 20ms/step - accuracy: 0.5000 - loss: 1.2400\n"},
              false);
    EXPECT_EQ(progress.of, 1000);
    EXPECT_EQ(progress.step, 46);
    EXPECT_DOUBLE_EQ(progress.loss.value(), 1.24);
    progress = after({"Epoch 1/2\n45/100 [=====>........] - ETA: 3s - loss: 1.5\b\b\b\b\b46/100 [=====>........] - "
                      "ETA: 3s - loss: 1.25 - val_loss: 2.5\n"},
                     false);
    EXPECT_EQ(progress.step, 46);
    EXPECT_EQ(progress.of, 200);
    EXPECT_DOUBLE_EQ(progress.validation_loss.value(), 2.5);
}

TEST(ProgressBars, RichWithItsCount) {
    run::Progress progress =
        after({"\x1b[2KTraining \x1b[38;5;197m━━━━━━━━╸\x1b[0m\x1b[38;5;237m━━━━━━\x1b[0m 45/100 0:00:15\r"});
    EXPECT_EQ(progress.step, 45);
    EXPECT_EQ(progress.of, 100);
}

TEST(ProgressBars, PlainLinesAndJson) {
    run::Progress progress = after({"Epoch: 1 | Step: 10 | Loss: 0.5\n"}, false);
    EXPECT_EQ(progress.step, 10);
    EXPECT_DOUBLE_EQ(progress.loss.value(), 0.5);
    progress = after({"iter 200: loss 1.2345, time 12.00ms, mfu -100.00%\n"}, false);
    EXPECT_EQ(progress.step, 200);
    EXPECT_DOUBLE_EQ(progress.loss.value(), 1.2345);
    progress = after({R"({"step": 7, "train_loss": 2.5, "tokens_per_s": 1200})"
                      "\n"},
                     false);
    EXPECT_EQ(progress.step, 7);
    EXPECT_DOUBLE_EQ(progress.tokens_per_s.value(), 1200);
    progress = after({"step 20/100: loss 3.25\n"}, false);
    EXPECT_EQ(progress.step, 20);
    EXPECT_EQ(progress.of, 100);
}

TEST(ProgressBars, OtherFiguresAreLeftOut) {
    ProgressBars bars;
    for (const char* line :
         {"reading /data/2024/12/31.txt\n", "step forward\n", "loss of connection 5 times\n", "world size 4/8 nodes\n",
          "2026-11-21 12:00:00 lossless 12\n", "{'epoch': 'last'}\n", "100%|\n", "map 45it [later]\n"})
        EXPECT_FALSE(bars.read(line, false)) << line;
    EXPECT_FALSE(bars.progress().loss);
    EXPECT_EQ(bars.progress().step, 0);
}

// A loss that is not finite is what its reader must see, not the last one that was.
TEST(ProgressBars, LossesThatAreNotFinite) {
    for (const char* text : {"nan", "NaN", "inf", "-inf", "-Infinity"}) {
        SCOPED_TRACE(text);
        ProgressBars bars;
        const std::string value = text;
        EXPECT_TRUE(bars.read("\r 45%|####    | 45/100 [00:12<00:15, 3.62it/s, loss=1.5]", true));
        EXPECT_TRUE(bars.read("\r 46%|####    | 46/100 [00:12<00:15, 3.62it/s, loss=" + value + "]", true));
        ASSERT_TRUE(bars.progress().loss);
        EXPECT_FALSE(std::isfinite(*bars.progress().loss));
        EXPECT_EQ(std::signbit(*bars.progress().loss), value.starts_with('-'));
        EXPECT_FALSE(bars.read("loss: " + value + "\n", false)) << "the same";
        EXPECT_TRUE(bars.read("{'loss': " + value + ", 'eval_loss': " + value + ", 'epoch': nan}\n", false));
        EXPECT_FALSE(std::isfinite(bars.progress().validation_loss.value()));
        EXPECT_EQ(bars.progress().epoch, 0);
        EXPECT_TRUE(bars.read("loss: 1.25\n", false));
        EXPECT_EQ(bars.progress().loss, 1.25);
    }
    ProgressBars bars;
    for (const char* line : {"loss nano 5\n", "loss: nan_count 3\n", "loss infinite\n", "step: nan\n"})
        EXPECT_FALSE(bars.read(line, false)) << line;
}

TEST(ProgressBars, TqdmWithoutATotalOrWithScaledCounts) {
    ProgressBars bars;
    EXPECT_TRUE(bars.read("\r45it [00:12,  3.62it/s, loss=1.25]", true));
    EXPECT_EQ(bars.progress().step, 45);
    EXPECT_EQ(bars.progress().of, 0);
    EXPECT_EQ(bars.progress().loss, 1.25);
    EXPECT_EQ(after({"\rEpoch 0: 100it [00:12,  3.62it/s]", "\rEpoch 1: 30it [00:12,  3.62it/s]"}).step, 130);
    EXPECT_EQ(after({"\rtrain: 1.20kit [00:12,  100it/s]"}).step, 1200);
    EXPECT_EQ(after({"\rtrain: 45.0it [00:12,  3.62it/s]"}).step, 45);
    EXPECT_EQ(after({"\rGenerating train split: 4000 examples [00:01, 3000.00 examples/s]\n"}).step, 0);
    const run::Progress scaled = after({"\r 24%|##4       | 1.20k/5.00k [00:12<00:38, 100it/s]"});
    EXPECT_EQ(scaled.step, 1200);
    EXPECT_EQ(scaled.of, 5000);
    EXPECT_EQ(after({"\r 45%|####5     | 45.0/100 [00:12<00:15, 3.62it/s]"}).step, 45);
    // An inner bar of batches that are not counted ahead, in one of epochs.
    const run::Progress nested = after({"\rEpochs:   0%|          | 0/3 [00:00<?, ?it/s]", "\r60it [00:01, 20it/s]"});
    EXPECT_EQ(nested.step, 60);
    EXPECT_EQ(nested.of, 0);
}

TEST(ProgressBars, WhatHasNoEndOfLineDoesNotFillTheMemory) {
    ProgressBars bars;
    std::string much(1 << 20, 'x');
    for (int i = 0; i < 16; ++i)
        bars.read(much, false);
    bars.read("\nloss: 1.5\n", false);
    EXPECT_DOUBLE_EQ(bars.progress().loss.value(), 1.5);
    for (int i = 0; i < 1000; ++i)  // bars that are all named differently
        bars.read(std::string(static_cast<std::size_t>(i % 26 + 1), static_cast<char>('a' + i / 26 % 26)) +
                      ":  10%|#         | 1/10 [00:00<00:01, 1it/s]\n",
                  true);
    EXPECT_EQ(bars.progress().of, 10);
}

TEST(ProgressBars, FiguresOfStepsAreCurves) {
    const auto figures = [](std::initializer_list<const char*> lines) {
        ProgressBars bars;
        for (const char* line : lines)
            bars.read(line, false);
        return bars.take_figures();
    };
    EXPECT_THAT(figures({"step 20/100: loss 3.5 lr 1e-4, acc=0.25\n", "Step: 40, val_loss: 2\n"}),
                ElementsAre(PrintedFigure{"loss", 20, 3.5}, PrintedFigure{"lr", 20, 1e-4},
                            PrintedFigure{"acc", 20, 0.25}, PrintedFigure{"val_loss", 40, 2}));
    // transformers' Trainer, with its bar.
    EXPECT_THAT(figures({"\r 45%|####5     | 45/100 [00:12<00:15, 3.62it/s]",
                         "{'loss': 1.5, 'grad_norm': 2.0, 'epoch': 0.45}\n"}),
                ElementsAre(PrintedFigure{"loss", 45, 1.5}, PrintedFigure{"grad_norm", 45, 2}));
    // The steps of the second epoch follow those of the first; without steps, lines are counted.
    EXPECT_THAT(figures({"epoch 1 step 1/2 loss: 4\n", "epoch 1 step 2/2 loss: 3\n", "epoch 2 step 1/2 loss: 2\n"}),
                ElementsAre(PrintedFigure{"loss", 1, 4}, PrintedFigure{"loss", 2, 3}, PrintedFigure{"loss", 3, 2}));
    EXPECT_THAT(figures({"epoch 0 step 0 loss: 4\n", "epoch 0 step 1 loss: 3\n", "epoch 1 step 0 loss: 2\n"}),
                ElementsAre(PrintedFigure{"loss", 0, 4}, PrintedFigure{"loss", 1, 3}, PrintedFigure{"loss", 2, 2}))
        << "counted from 0";
    EXPECT_THAT(figures({"Train loss: 2.5\n", "Train loss: 2\n"}),
                ElementsAre(PrintedFigure{"loss", 1, 2.5}, PrintedFigure{"loss", 2, 2}));
    EXPECT_THAT(figures({"batch size: 32, seed=1\n", "Evaluating:  40%|####      | 4/10 [00:01<00:01, loss=9]\n",
                         "Saved 3 files\n"}),
                IsEmpty())
        << "settings and what is beside the training";
}

TEST(ProgressBars, EscapesAreTakenOut) {
    EXPECT_EQ(without_escapes("\x1b[1;32mgreen\x1b[0m \x1b]0;title\a!"), "green !");
    EXPECT_EQ(without_escapes("cut \x1b["), "cut ");
}

}  // namespace
}  // namespace trainyard::launch
