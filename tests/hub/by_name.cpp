// SPDX-License-Identifier: GPL-3.0-or-later
// Models and data sets by name through the real programs: download, launch, generate, estimate.

#include <csignal>

#include <gmock/gmock.h>
#include <nlohmann/json.hpp>

#include "cli/program.h"
#include "hub/hub_test.h"
#include "run/listing.h"
#include "support/says.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;
using test::content_of;
using test::Said;
using test::says;
using testing::_;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

constexpr const char* kSecret = "hf_notToBeSeen";

class ByName : public test::HubTest {
  protected:
    void SetUp() override {
        ::setenv("TRAINYARD_RUNS", (folder_.path() / "runs").c_str(), 1);
        ::setenv("OMP_NUM_THREADS", "1", 1);
        ::unsetenv("TRAINYARD_CONFIG");
        for (int i = 0; i < 400; ++i)
            text_ += "line " + std::to_string(i * 7919 % 400) + " of a text\n";
        std::ofstream(folder_.path() / "text.txt") << text_;
    }
    Said launch(const std::string& name, const std::string& model, const std::string& data,
                std::vector<std::string> flags = {"--num_processes", "2"}) {
        std::ofstream(folder_.path() / (name + ".yaml"))
            << "name: " << name << "\nmodel: " << model << "\ndata: " << data
            << "\noptimizer: {lr: 1e-2}\n"
               "training: {steps: 4, batch_size: 1, evaluate_every: 4, evaluate_batches: 1}\ncheckpoint: {every: 4}\n";
        flags.insert(flags.begin(), {"launch", "--cpu"});
        flags.push_back((folder_.path() / (name + ".yaml")).string());
        return test::trainyard(flags);
    }
    fs::path run_of(const std::string& name) {
        for (const auto& run : run::list_runs(folder_.path() / "runs"))
            if (run.paths.id().find(name) != std::string::npos)
                return run.paths.root();
        return {};
    }
    /// Trains one from random weights and puts it on the hub.
    void put_model() {
        const Said said = launch("base", "{n_layer: 1, n_head: 2, n_embd: 16, n_positions: 16, vocab_size: 256}",
                                 "{path: text.txt, sequence_length: 8}", {"--num_processes", "1"});
        ASSERT_EQ(said.code, 0) << said.err;
        model_ = run_of("base") / "checkpoints" / "checkpoint_4";
        for (const char* file : {"config.json", "model.safetensors"})
            hub_.put("org/tiny", file, content_of(model_ / file), std::string(file) == "model.safetensors");
    }
    std::string snapshot() {
        return (cache() / "models--org--tiny" / "snapshots" / hub_.commit_of("org/tiny")).string();
    }

    std::string text_;
    fs::path model_;
};

TEST_F(ByName, ARunStartsFromNames) {
    put_model();
    hub_.put("datasets/org/rows", "data/train-00000-of-00001.parquet",
             content_of(TRAINYARD_TESTS_DIR "/golden/data_formats/plain.parquet"), true);
    ::setenv("HF_TOKEN", kSecret, 1);
    hub_.forget_requests();
    const std::string rest = ", format: parquet, column: text, sequence_length: 8}";
    const Said said = launch("named", "{weights: org/tiny}", "{path: 'hub:org/rows'" + rest);
    ASSERT_EQ(said.code, 0) << said.err << said.out;
    EXPECT_THAT(said.err, HasSubstr("downloading org/tiny: 2 files"));
    EXPECT_THAT(said.err, HasSubstr("downloading org/rows: 1 file"));
    EXPECT_THAT(said.err, HasSubstr("downloaded org/rows"));
    EXPECT_EQ(hub_.sent("model.safetensors"), fs::file_size(model_ / "model.safetensors")) << "once for both ranks";
    const fs::path named = run_of("named");
    EXPECT_THAT(content_of(named / "run.yaml"), HasSubstr(snapshot())) << "the commit is pinned";
    for (const auto& entry : fs::recursive_directory_iterator(named))
        if (entry.is_regular_file()) {
            EXPECT_THAT(content_of(entry.path()), Not(HasSubstr(kSecret))) << entry.path();
        }
    // The same as by path.
    const Said other = launch("pathed", "{weights: " + model_.string() + "}",
                              "{path: '" TRAINYARD_TESTS_DIR "/golden/data_formats/plain.parquet'" + rest);
    ASSERT_EQ(other.code, 0) << other.err;
    EXPECT_EQ(content_of(named / "checkpoints/checkpoint_4/model.safetensors"),
              content_of(run_of("pathed") / "checkpoints/checkpoint_4/model.safetensors"));
    // Files of the cache are used without a request, also offline.
    hub_.forget_requests();
    ::setenv("HF_HUB_OFFLINE", "1", 1);
    EXPECT_EQ(launch("again", "{weights: 'hub:org/tiny'}", "{path: 'hub:org/rows'" + rest).code, 0);
    EXPECT_THAT(hub_.requests(), IsEmpty());
    // A run whose files were removed from the cache brings them again, of the same commit.
    ::unsetenv("HF_HUB_OFFLINE");
    fs::remove_all(cache());
    const Said anew = test::trainyard({"launch", (named / "run.yaml").string()});
    EXPECT_EQ(anew.code, 0) << anew.err;
    EXPECT_EQ(hub_.sent("model.safetensors"), fs::file_size(model_ / "model.safetensors"));
}

TEST_F(ByName, WhatIsMissingIsSaidBeforeTheStart) {
    const std::string data = "{path: text.txt, sequence_length: 8}";
    const Said unknown = launch("unknown", "{weights: org/nothing}", data);
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, says("{} is not a file or folder here, and {}", "org/nothing",
                                  HasSubstr(hub_.address() + " has no public model named org/nothing"))
                                 .after((folder_.path() / "unknown.yaml").string() + ": model.weights: "));
    const Said rows = launch("rows", "{vocab_size: 256}", "{path: 'hub:org/none/x:test', format: parquet}");
    EXPECT_EQ(rows.code, 2);
    EXPECT_THAT(rows.err, says("{} has no public data set named {}: {}", hub_.address(), "org/none", _));
    hub_.forget_requests();
    hub_.put("org/tiny", "model.safetensors", "x", true);
    const Said dry = launch("dry", "{weights: org/tiny}", data, {"--dry-run"});
    EXPECT_EQ(dry.code, 2);
    EXPECT_THAT(
        dry.err,
        says("{} is not in the cache of the hub on this machine ({}): download it with `trainyard download {}{}`",
             "org/tiny", _, "", "org/tiny"));
    EXPECT_THAT(hub_.requests(), IsEmpty());
    EXPECT_THAT(launch("bad", "{weights: 'hub:a/b/c'}", data).err,
                says("'{}' is not a name of a model: write hub:org/name or hub:org/name@REVISION", "hub:a/b/c"));
    EXPECT_THAT(run::list_runs(folder_.path() / "runs"), IsEmpty());
}

TEST_F(ByName, TextIsGeneratedAndMemoryEstimated) {
    put_model();
    const auto generate = [&](const std::string& model) {
        return test::trainyard({"generate", model, "--prompt", "line", "--max_new_tokens", "8", "--threads", "1"});
    };
    hub_.put("org/tiny", "tokenizer.json",
             R"({"model": {"type": "BPE", "vocab": {"l": 0, "i": 1, "n": 2, "e": 3}, "merges": []}})");
    const Said by_name = generate("org/tiny");
    EXPECT_EQ(by_name.code, 0) << by_name.err;
    EXPECT_EQ(by_name.out, generate(snapshot()).out);
    EXPECT_THAT(generate("org/nothing").err, says("{} has no public model named {}: {}", _, "org/nothing", _));
    std::ofstream(folder_.path() / "estimate.yaml")
        << "model: {weights: org/tiny}\ndata: {path: text.txt, sequence_length: 8}\n";
    const Said estimate = test::trainyard({"estimate-memory", (folder_.path() / "estimate.yaml").string()});
    EXPECT_EQ(estimate.code, 0) << estimate.err;
}

TEST_F(ByName, CommandsOfCheckpointsTakeNames) {
    put_model();
    const auto checkpoints = [](std::vector<std::string> rest) {
        rest.insert(rest.begin(), "checkpoints");
        return test::trainyard(rest);
    };
    const std::string weights = model_ / "model.safetensors";
    hub_.forget_requests();
    const Said shown = checkpoints({"show", "org/tiny", "--json"});
    ASSERT_EQ(shown.code, 0) << shown.err;
    EXPECT_THAT(shown.err, HasSubstr("downloading org/tiny: 2 files"));
    EXPECT_EQ(json::parse(shown.out)["tensors"], json::parse(checkpoints({"show", weights, "--json"}).out)["tensors"]);
    hub_.forget_requests();
    EXPECT_EQ(checkpoints({"diff", "hub:org/tiny", weights}).code, 0);
    EXPECT_EQ(checkpoints({"verify", "org/tiny@main"}).code, 0);
    const fs::path out = folder_.path() / "exported";
    const Said exported = checkpoints({"export", "org/tiny", out.string()});
    EXPECT_EQ(exported.code, 0) << exported.err;
    EXPECT_EQ(content_of(out / "model.safetensors"), content_of(model_ / "model.safetensors"));
    EXPECT_THAT(hub_.requests(), IsEmpty()) << "it is in the cache";
    const Said unknown = checkpoints({"show", "org/nothing"});
    EXPECT_EQ(unknown.code, 2);
    EXPECT_THAT(unknown.err, says("{} is not a file or folder here, and {}", "org/nothing",
                                  HasSubstr(hub_.address() + " has no public model named org/nothing")));
    // FOLDER@STEP is the checkpoint of a folder, not a revision.
    const fs::path before = fs::current_path();
    fs::current_path(folder_.path());
    hub_.forget_requests();
    const Said step = checkpoints({"show", "runs/" + run_of("base").filename().string() + "@4"});
    fs::current_path(before);
    EXPECT_EQ(step.code, 0) << step.err;
    EXPECT_THAT(hub_.requests(), IsEmpty());
}

TEST_F(ByName, ADownloadTellsHowFarItIs) {
    hub_.put("org/tiny", "model.safetensors", test::noise(500'000), true);
    hub_.put("org/tiny", "config.json", "{}");
    const Said said = test::trainyard({"download", "org/tiny", "--json"});
    ASSERT_EQ(said.code, 0) << said.err;
    std::istringstream lines(said.out);
    std::vector<json> events;
    for (std::string line; std::getline(lines, line);)
        events.push_back(json::parse(line));
    ASSERT_GE(events.size(), 2u);
    EXPECT_EQ(events.back()["event"], "done");
    EXPECT_EQ(events.back()["path"], snapshot());
    EXPECT_EQ(events[events.size() - 2]["event"], "progress");
    EXPECT_EQ(events[events.size() - 2]["bytes"], 500'002);
    EXPECT_EQ(events[events.size() - 2]["of"], 500'002);
    EXPECT_EQ(test::trainyard({"download", "org/tiny"}).out, snapshot() + "\n");
    const Said bad = test::trainyard({"download", "a/b/c"});
    EXPECT_EQ(bad.code, 2);
    EXPECT_THAT(bad.err, says("'{}' is not a name of a model: write org/name or org/name@REVISION", "a/b/c"));
}

TEST_F(ByName, AnInterruptedDownloadSaysThatItContinues) {
    const std::string weights = test::noise(2'000'000);
    hub_.put("org/tiny", "model.safetensors", weights, true);
    const std::string etag = test::FakeHub::etag_of(weights, true);
    hub_.fail(etag, {.times = 1, .pause_ms = 50});
    const fs::path incomplete = cache() / "models--org--tiny" / "blobs" / (etag + ".incomplete");
    test::Program program({TRAINYARD_BIN_DIR "/trainyard", "download", "org/tiny"});
    std::error_code error;
    program.read_until(
        [&](const Said&) { return fs::exists(incomplete, error) && fs::file_size(incomplete, error) > 200'000; });
    ::kill(program.pid(), SIGINT);
    const Said said = program.wait();
    EXPECT_EQ(said.code, 130);
    EXPECT_THAT(said.err, HasSubstr("interrupted: the next download continues from here"));
    const std::uint64_t there = fs::file_size(incomplete);
    hub_.forget_requests();
    EXPECT_EQ(test::trainyard({"download", "org/tiny"}).code, 0);
    std::vector<std::string> ranges;
    for (const auto& request : hub_.requests())
        if (request.cdn)
            ranges.push_back(request.range);
    EXPECT_THAT(ranges, testing::ElementsAre(fmt::format("bytes={}-", there)));
}

}  // namespace
}  // namespace trainyard
