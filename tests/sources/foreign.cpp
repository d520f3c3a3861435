// SPDX-License-Identifier: GPL-3.0-or-later
// Logs of transformers' Trainer and of Weights & Biases offline, as they are written, grow, are damaged and go.

#include <chrono>
#include <cmath>
#include <fstream>
#include <map>

#include <fmt/format.h>
#include <gmock/gmock.h>

#include "base/protobuf.h"
#include "desktop/sources/curve_store.h"
#include "desktop/sources/metrics_tail.h"
#include "desktop/sources/trainer_state_tail.h"
#include "sources/written_wandb.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::desktop {
namespace {

namespace fs = std::filesystem;
namespace pb = protobuf;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::IsEmpty;
using testing::Pair;
using testing::SizeIs;
using testing::StartsWith;
using P = std::pair<std::int64_t, double>;

class Foreign : public testing::Test {
  protected:
    void poll(MetricsTail& tail, std::uint64_t limit = 1 << 20) {
        for (bool all = false; !all;) {
            CurveBatch batch;
            all = tail.poll(batch, limit);
            for (const CurveChange& change : batch.changes)
                resets_ += change.kind == CurveChange::Kind::Reset ? 1 : 0;
            store_.take(batch);
        }
    }
    std::vector<P> curve(const std::string& tag) {
        std::vector<P> points;
        const widgets::Series& series = store_.series(tag);
        for (std::size_t i = 0; i < series.size(); ++i)
            points.emplace_back(series.step(i), series.value(i));
        return points;
    }
    test::TemporaryFolder folder_;
    CurveStore store_{widgets::EarlierStep::RepeatOvertakes};
    int resets_ = 0;
};

class TrainerState : public Foreign {
  protected:
    /// As the Trainer writes it; `losses` by step.
    void write(const fs::path& file, const std::map<int, double>& losses, const std::string& more = "") {
        fs::create_directories(file.parent_path());
        std::ofstream out(file);
        out << "{\n  \"best_metric\": null,\n  \"epoch\": 1.0,\n  \"global_step\": 9,\n  \"log_history\": [";
        const char* between = "";
        for (const auto& [step, loss] : losses) {
            out << between << "\n    {\"epoch\": 0.5, \"grad_norm\": 1.25, \"learning_rate\": 5e-05, \"loss\": ";
            std::isnan(loss) ? out << "NaN" : out << loss;
            out << ", \"step\": " << step << "}";
            between = ",";
        }
        out << more << "\n  ],\n  \"max_steps\": 100\n}\n";
    }
    void put(const std::string& text) {
        fs::create_directories(out_);
        std::ofstream(out_ / kTrainerState) << text;
    }
    fs::path out_ = folder_.path() / "out";
};

TEST_F(TrainerState, EachCheckpointGoesOnWhereTheLastOneEnded) {
    const auto tail = make_tail(out_ / kTrainerState, LogKind::TrainerState);
    poll(*tail);
    EXPECT_THAT(tail->problems(), IsEmpty()) << "it may come";
    write(out_ / "checkpoint-20" / kTrainerState, {{10, 2.5}, {20, 2}});
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(10, 2.5), P(20, 2)));
    EXPECT_THAT(curve("learning_rate"), ElementsAre(P(10, 5e-5), P(20, 5e-5)));
    write(out_ / "checkpoint-40" / kTrainerState, {{10, 2.5}, {20, 2}, {30, 1.5}, {40, 1}},
          ",{\"eval_loss\": 1.75, \"epoch\": 1.0, \"step\": 40}");
    poll(*tail);
    write(out_ / kTrainerState, {{10, 2.5}, {20, 2}, {30, 1.5}, {40, 1}},
          ",{\"eval_loss\": 1.75, \"epoch\": 1.0, \"step\": 40},"
          "{\"train_runtime\": 12.5, \"train_loss\": 1.75, \"step\": 40}");
    poll(*tail);
    EXPECT_THAT(curve("loss"), ElementsAre(P(10, 2.5), P(20, 2), P(30, 1.5), P(40, 1)));
    EXPECT_THAT(curve("eval_loss"), ElementsAre(P(40, 1.75)));
    EXPECT_THAT(curve("train_runtime"), ElementsAre(P(40, 12.5)));
    EXPECT_EQ(resets_, 0) << "nothing came twice";
    fs::remove_all(out_);
    poll(*tail);
    EXPECT_THAT(tail->problems(), ElementsAre(says("{} was deleted: the data read so far stays visible", _)));
    EXPECT_THAT(curve("loss"), SizeIs(4));
}

TEST_F(TrainerState, ARunThatWentOnFromEarlierComesAgain) {
    const auto tail = make_tail(out_ / kTrainerState, LogKind::TrainerState);
    write(out_ / kTrainerState, {{10, 2.5}, {20, 2}, {30, 1.5}});
    poll(*tail);
    fs::last_write_time(out_ / kTrainerState, fs::file_time_type::clock::now() - std::chrono::seconds(5));
    write(out_ / "checkpoint-30" / kTrainerState, {{10, 2.5}, {20, std::nan("")}, {30, 1.25}});
    poll(*tail);
    EXPECT_EQ(resets_, 1);
    ASSERT_THAT(curve("loss"), SizeIs(3));
    EXPECT_TRUE(std::isnan(curve("loss")[1].second));
    EXPECT_EQ(curve("loss")[2], P(30, 1.25));
}

TEST_F(TrainerState, HalfAFileWaitsAndIsThenTold) {
    const auto tail = make_tail(out_ / kTrainerState, LogKind::TrainerState);
    fs::create_directories(out_);
    std::ofstream(out_ / kTrainerState) << "{\"log_history\": [{\"loss\": 2, \"st";
    poll(*tail);
    EXPECT_TRUE(tail->hasOpenEnd());
    EXPECT_THAT(tail->problems(), IsEmpty());
    write(out_ / kTrainerState, {{10, 2.5}});
    poll(*tail);
    EXPECT_FALSE(tail->hasOpenEnd());
    EXPECT_THAT(curve("loss"), ElementsAre(P(10, 2.5)));
}

TEST_F(TrainerState, OfRepeatedStepsTheLaterPassageCounts) {
    std::string history;
    for (int step = 1; step <= 20; ++step)
        history += fmt::format("{{\"step\": {}, \"loss\": 1}},", step);
    for (int step = 12; step <= 30; ++step)
        history +=
            fmt::format("{{\"step\": {}, \"loss\": {}}}{}", step, step == 15 ? "NaN" : "2", step < 30 ? "," : "");
    put("{\"log_history\": [" + history + "]}");
    poll(*make_tail(out_ / kTrainerState, LogKind::TrainerState));
    const auto loss = curve("loss");
    ASSERT_THAT(loss, SizeIs(30));
    for (int step = 1; step <= 30; ++step)
        if (step == 15)
            EXPECT_TRUE(std::isnan(loss[14].second));
        else
            EXPECT_EQ(loss[static_cast<std::size_t>(step - 1)], P(step, step < 12 ? 1 : 2));
}

TEST_F(TrainerState, OfACutFileWhatStandsBeforeTheDamageIsShown) {
    // Written long ago: nobody writes the rest.
    const auto problems = [this](const std::string& text) {
        store_ = CurveStore(widgets::EarlierStep::RepeatOvertakes);
        put(text);
        fs::last_write_time(out_ / kTrainerState, fs::file_time_type::clock::now() - std::chrono::minutes(1));
        const auto tail = make_tail(out_ / kTrainerState, LogKind::TrainerState);
        poll(*tail);
        EXPECT_FALSE(tail->hasOpenEnd());
        return tail->problems();
    };
    const std::string first =
        R"({"epoch": 1.0, "log_history": [{"step": 1, "loss": 2, "note": "}\""}, {"step": 2, "loss": NaN})";
    for (const std::string rest : {"", ",", ",\n {\"step\": 3, \"lo", ", {\"step\": }", ", 12"}) {
        EXPECT_THAT(problems(first + rest),
                    ElementsAre(says("{} is cut off or damaged at byte {}: everything before it is shown", _, _)))
            << rest;
        ASSERT_THAT(curve("loss"), SizeIs(2)) << rest;
        EXPECT_EQ(curve("loss")[0], P(1, 2));
    }
    EXPECT_THAT(problems(""), ElementsAre(says("{} is empty", _)));
    EXPECT_THAT(problems("{\"log_history\": [{\"st"),
                ElementsAre(says("{} cannot be read: it is not whole, or no JSON", _)));
    EXPECT_THAT(problems("{\"epoch\": 1.0}"),
                ElementsAre(says("{} has no log_history, where the trainer of transformers writes its curves", _)));
    EXPECT_THAT(problems("{\"log_history\": []}"), IsEmpty());
}

TEST_F(TrainerState, NumbersInQuotesAreNumbers) {
    put(R"({"log_history": [{"step": 1, "loss": "2.5", "learning_rate": "1e-05"}, {"step": 2, "loss": "2.25"}]})");
    poll(*make_tail(out_ / kTrainerState, LogKind::TrainerState));
    EXPECT_THAT(curve("loss"), ElementsAre(P(1, 2.5), P(2, 2.25)));
    EXPECT_THAT(curve("learning_rate"), ElementsAre(P(1, 1e-5)));
}

TEST(CheckpointNames, AreThoseOfTheTrainer) {
    EXPECT_EQ(checkpoint_step("checkpoint-500"), 500);
    EXPECT_EQ(checkpoint_step("checkpoint-"), -1);
    EXPECT_EQ(checkpoint_step("checkpoint-5a"), -1);
    EXPECT_EQ(checkpoint_step("checkpoints"), -1);
}

class Wandb : public Foreign, public test::WrittenWandb {
  protected:
    fs::path path_ = folder_.path() / "run-x.wandb";
};

TEST_F(Wandb, CurvesAndParametersOfAnOfflineRun) {
    std::string config;
    pb::append_bytes(config, 1, item({"_wandb"}, "{}"));
    pb::append_bytes(config, 1, item({"lr"}, "0.001"));
    pb::append_bytes(config, 1, item({"model"}, "{\"layers\": 4}"));
    std::string run;
    pb::append_bytes(run, 4, config);
    add(17, run);
    add(7, "figures of the machine");
    for (int step = 0; step < 2000; ++step)
        history(step, step == 7 ? std::nan("") : 1.0 / (1 + step));
    history(2000, 0, std::string(100'000, 'y'));  // a record over several blocks
    ASSERT_GT(bytes.size(), 200'000u);
    write(path_);
    ASSERT_TRUE(looks_like_metrics(path_, LogKind::Wandb));
    const auto tail = make_tail(path_, LogKind::Wandb);
    poll(*tail, 4096);
    EXPECT_THAT(tail->problems(), IsEmpty());
    ASSERT_EQ(store_.series("loss").size(), 2001u);
    EXPECT_TRUE(std::isnan(store_.series("loss").value(7)));
    EXPECT_EQ(store_.series("loss").wallTime(1999), 1.7e9 + 1999);
    EXPECT_EQ(store_.series("nested/acc").size(), 2001u);
    EXPECT_THAT(store_.parameters(), ElementsAre(Pair("lr", "0.001"), Pair("model/layers", "4")));
}

TEST_F(Wandb, WhatGrowsInPiecesComesOnce) {
    for (int step = 0; step < 40; ++step)
        history(step, step, std::string(3000, 'z'));
    const auto tail = make_tail(path_, LogKind::Wandb);
    for (std::size_t size = 0; size < bytes.size(); size += 1777) {
        std::ofstream(path_, std::ios::binary | std::ios::app)
            << bytes.substr(size, std::min<std::size_t>(1777, bytes.size() - size));
        poll(*tail);
        EXPECT_THAT(tail->problems(), IsEmpty()) << size;
    }
    ASSERT_EQ(store_.series("loss").size(), 40u);
    EXPECT_EQ(store_.series("loss").value(39), 39);
    EXPECT_EQ(resets_, 0);
}

TEST_F(Wandb, DamageIsToldAndWhatStandsBeforeItIsShown) {
    for (int step = 0; step < 10; ++step)
        history(step, step);
    const std::size_t end = bytes.size();
    for (int step = 10; step < 20; ++step)
        history(step, step);
    bytes[end + 20] = static_cast<char>(bytes[end + 20] ^ 1);
    write(path_);
    const auto tail = make_tail(path_, LogKind::Wandb);
    poll(*tail);
    EXPECT_EQ(store_.series("loss").size(), 10u);
    EXPECT_THAT(tail->problems(), ElementsAre(says("{} is damaged at byte {}: everything before it is shown", _,
                                                   StartsWith(std::to_string(end)))));
    fs::remove(path_);
    std::ofstream(path_) << "something else";
    EXPECT_FALSE(looks_like_metrics(path_, LogKind::Wandb));
}

TEST_F(Wandb, NameTagsConfigAndSummaryOfARun) {
    run("brave-llama", {"lora", "7b"}, "0.001");
    history(0, 2);
    write(path_);
    const auto tail = make_tail(path_, LogKind::Wandb);
    poll(*tail);
    EXPECT_EQ(store_.labels(), (LogLabels{"brave-llama", {"lora", "7b"}, "a note"}));
    EXPECT_THAT(store_.parameters(),
                ElementsAre(Pair("lr", "0.001"), Pair("model/layers", "4"), Pair("run/notes", "a note"),
                            Pair("run/tags", "lora, 7b"), Pair("summary/best", "0.25")));
    // The summary follows the last values; a value that was removed is not shown.
    std::string summary;
    pb::append_bytes(summary, 1, item({"loss", "min"}, "1.5"));
    pb::append_bytes(summary, 2, item({"best"}, ""));
    add(3, summary);
    write(path_);
    poll(*tail);
    EXPECT_THAT(store_.parameters(),
                ElementsAre(Pair("lr", "0.001"), Pair("model/layers", "4"), Pair("run/notes", "a note"),
                            Pair("run/tags", "lora, 7b"), Pair("summary/loss/min", "1.5")));
    CurveBatch batch;
    tail->poll(batch, 1 << 20);
    EXPECT_TRUE(batch.empty()) << "nothing is reported twice";
}

}  // namespace
}  // namespace trainyard::desktop
