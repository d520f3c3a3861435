// SPDX-License-Identifier: GPL-3.0-or-later
// Task speech_pretraining: WAV files as inputs, masks and negatives, what is refused, layouts of ranks, and a model
// that learns.

#include <algorithm>
#include <cmath>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <limits>
#include <map>
#include <mutex>
#include <set>

#include <gmock/gmock.h>

#include "base/error.h"
#include "config/inputs/recipe_inputs.h"
#include "config/inputs/sound_processor.h"
#include "config/recipe/recipe.h"
#include "formats/tables/sound.h"
#include "models/spec/wav2vec2/wav2vec2_family.h"
#include "support/golden.h"
#include "support/ranks.h"
#include "support/says.h"
#include "support/temporary_folder.h"
#include "train/held_out_metrics.h"
#include "train/sample_set.h"
#include "train/trainer.h"

namespace trainyard::train {
namespace {

namespace fs = std::filesystem;
using test::says;
using testing::_;
using testing::AllOf;
using testing::HasSubstr;

template <class Number>
std::string little_bytes(Number number) {
    std::string bytes(sizeof number, '\0');
    std::memcpy(bytes.data(), &number, sizeof number);
    return bytes;
}

struct Wav {
    std::uint16_t tag = 1, channels = 1, bits = 16;
    std::uint32_t rate = 16'000;
    std::string data = {};
    bool extensible = false, unknown_size = false;

    std::string text() const {
        const std::uint16_t align = static_cast<std::uint16_t>(channels * bits / 8);
        std::string format = little_bytes(extensible ? std::uint16_t{0xfffe} : tag) + little_bytes(channels) +
                             little_bytes(rate) + little_bytes(rate * align) + little_bytes(align) + little_bytes(bits);
        if (extensible)
            format += little_bytes(std::uint16_t{22}) + little_bytes(bits) + little_bytes(std::uint32_t{3}) +
                      little_bytes(tag) + std::string(14, '\1');
        const std::string odd = "LIST" + little_bytes(std::uint32_t{3}) + "abc" + std::string(1, '\0');
        const auto size = unknown_size ? 0xffffffffU : static_cast<std::uint32_t>(data.size());
        const std::string chunks = "fmt " + little_bytes(static_cast<std::uint32_t>(format.size())) + format + odd +
                                   "data" + little_bytes(size) + data;
        return "RIFF" + little_bytes(static_cast<std::uint32_t>(chunks.size() + 4)) + "WAVE" + chunks;
    }
};

class Speech : public ::testing::Test {
  protected:
    void write(const std::string& name, const std::string& text) {
        fs::create_directories((folder_.path() / name).parent_path());
        std::ofstream(folder_.path() / name, std::ios::binary) << text;
    }
    /// Tones of these samples at 4,000 a second.
    void write_tone(const std::string& name, std::int64_t samples, double step = 0.1) {
        Wav wav{.rate = 4000};
        for (std::int64_t i = 0; i < samples; ++i)
            wav.data += little_bytes(static_cast<std::int16_t>(8000 * std::sin(step * static_cast<double>(i))));
        write(name, wav.text());
    }
    std::vector<float> read(const Wav& wav) {
        write("one.wav", wav.text());
        return formats::read_sound(folder_.path() / "one.wav");
    }
    static constexpr const char* kSmall =
        "conv_dim: [8, 8], conv_kernel: [10, 8], conv_stride: [5, 8], hidden_size: 16, num_hidden_layers: 2, "
        "num_attention_heads: 2, intermediate_size: 32, num_conv_pos_embeddings: 4, num_conv_pos_embedding_groups: 2, "
        "num_codevectors_per_group: 6, codevector_dim: 8, proj_codevector_dim: 8, num_negatives: 5, mask_time_length: "
        "3, "
        "mask_time_prob: 0.5";
    config::Recipe recipe(const std::string& data = {}, const std::string& model = {}, const std::string& more = {}) {
        return config::parse_recipe(
            std::string("model: {model_type: wav2vec2, ") + kSmall + model +
                "}\ndata: {format: audio, path: sounds, sampling_rate: 4000, max_duration_in_seconds: 0.25, "
                "validation_fraction: 0.25" +
                data + "}\ntraining: {steps: 3, batch_size: 4, seed: 3}\n" + more,
            folder_.path() / "recipe.yaml");
    }
    std::string refusal(const config::Recipe& recipe) {
        std::string said;
        try {
            (void)open_samples(recipe);
        } catch (const UserError& error) {
            said = error.what();
        }
        std::string before;
        for (const inputs::InputProblem& problem : inputs::check_recipe_inputs(recipe, 1))
            before += problem.key + ": " + problem.message.text();
        EXPECT_EQ(before.empty(), said.empty()) << before << said;
        return before;
    }

    test::TemporaryFolder folder_;
};

TEST_F(Speech, WavFilesOfEveryEncodingHaveTheSameSamples) {
    const std::vector<float> wanted{0, 0.5, -1, 0.25};
    const auto expect = [&](const Wav& wav, const char* what) {
        const std::vector<float> found = read(wav);
        ASSERT_EQ(found.size(), wanted.size()) << what;
        for (std::size_t i = 0; i < wanted.size(); ++i)
            EXPECT_FLOAT_EQ(found[i], wanted[i]) << what;
    };
    expect({.bits = 8, .data = {'\x80', '\xc0', '\0', '\xa0'}}, "8 bits");
    const auto bytes_of = [&](auto number_of) {
        std::string bytes;
        for (const float value : wanted)
            bytes += number_of(value);
        return bytes;
    };
    const std::string sixteen = bytes_of([](float x) { return little_bytes(static_cast<std::int16_t>(x * 32768)); });
    expect({.data = sixteen}, "16 bits");
    expect({.data = sixteen, .extensible = true}, "extensible");
    expect({.data = sixteen, .unknown_size = true}, "written to a pipe");
    expect({.bits = 24, .data = bytes_of([](float x) {
                            return little_bytes(static_cast<std::int32_t>(x * 8388608)).substr(0, 3);
                        })},
           "24 bits");
    expect({.bits = 32,
            .data = bytes_of([](float x) { return little_bytes(static_cast<std::int32_t>(x * 2147483648.0)); })},
           "32 bits");
    expect({.tag = 3, .bits = 32, .data = bytes_of([](float x) { return little_bytes(x); })}, "float");
    expect({.tag = 3, .bits = 64, .data = bytes_of([](float x) { return little_bytes(double{x}); })}, "double");
    std::string pairs;
    for (const auto& [left, right] : {std::pair{0.5, -0.5}, {0.75, 0.25}, {-1.0, -1.0}, {0.5, 0.0}})
        for (const double each : {left, right})
            pairs += little_bytes(static_cast<std::int16_t>(each * 32768));
    expect({.channels = 2, .data = pairs}, "two channels");
}

TEST_F(Speech, DamagedFilesAreNamed) {
    const auto said = [&](const std::string& text) -> std::string {
        write("one.wav", text);
        try {
            (void)formats::read_sound(folder_.path() / "one.wav");
        } catch (const UserError& error) {
            return error.what();
        }
        return "";
    };
    const std::string whole = Wav{.data = std::string(64, '\1')}.text();
    EXPECT_EQ(said(whole), "");
    for (std::size_t size = 0; size < whole.size(); ++size)
        EXPECT_NE(said(whole.substr(0, size)), "") << size;
    EXPECT_THAT(said(whole.substr(0, whole.size() - 1)),
                says("{} is damaged or truncated: its header announces more than the file has", _));
    EXPECT_THAT(said("fLaC and more of it"), says("{} is not a WAV file: convert it to WAV", _));
    EXPECT_THAT(
        said(Wav{.tag = 7, .bits = 8, .data = "1234"}.text()),
        says("{} has samples of the encoding {} with {} bits: this version reads PCM of 8, 16, 24 and 32 bits and "
             "floating point: convert it to PCM of 16 bits",
             _, 7, 8));
}

TEST_F(Speech, MasksAndNegativesAreOfTheRecording) {
    for (int i = 0; i < 8; ++i)
        write_tone("sounds/" + std::to_string(i) + ".wav", i == 0 ? 600 : 900 + 50 * i, 0.05 + 0.02 * i);
    write("sounds/transcript.txt", "not a recording");
    const config::Recipe own = recipe();
    const std::unique_ptr<SampleSet> samples = open_samples(own);
    EXPECT_EQ(samples->training_samples(), 6);
    EXPECT_EQ(samples->validation_samples(), 2);
    const std::vector<std::int64_t> all{0, 1, 2, 3, 4, 5}, first(6, 0), second(6, 1);
    const Tree batch = samples->batch_of_epochs(all, first, 1);
    const at::Tensor sound = batch.at("input_values").as_tensor(), labels = batch.at("labels").as_tensor(),
                     negatives = batch.at("sampled_negative_indices").as_tensor(),
                     attended = batch.at("attention_mask").as_tensor();
    EXPECT_EQ(sound.size(1), 1000) << "0.25 seconds: longer ones are cut";
    const std::int64_t frames = families::speech_frames(own.model, 1000);
    EXPECT_EQ(labels.size(1), frames);
    EXPECT_EQ(negatives.sizes(), at::IntArrayRef({6, frames, 5}));
    for (std::int64_t row = 0; row < 6; ++row) {
        const std::int64_t length = attended[row].sum().item<std::int64_t>();
        std::set<std::int64_t> masked;
        for (std::int64_t frame = 0; frame < frames; ++frame)
            if (labels[row][frame].item<std::int64_t>() == 0)
                masked.insert(frame);
        EXPECT_GE(masked.size(), 4u) << "two spans of three, which may overlap";
        EXPECT_LT(*masked.rbegin(), length) << "nothing after the end is masked";
        EXPECT_EQ(batch.at("targets").as_tensor()[row].item<std::int64_t>(), std::ssize(masked));
        for (const std::int64_t frame : masked)
            for (std::int64_t k = 0; k < 5; ++k) {
                const auto other = negatives[row][frame][k].item<std::int64_t>();
                EXPECT_TRUE(masked.contains(other) && other != frame);
            }
        const at::Tensor used = sound[row].narrow(0, 0, 600);
        EXPECT_LT(std::abs(sound[row].mean().item<double>()), 0.05);
        EXPECT_GT(used.std().item<double>(), 0.8);
    }
    // A function of seed, epoch and sample alone.
    const auto masks = [&](const std::vector<std::int64_t>& indices, const std::vector<std::int64_t>& epochs) {
        return samples->batch_of_epochs(indices, epochs, 1).at("labels").as_tensor();
    };
    EXPECT_TRUE(masks(all, first).equal(labels));
    EXPECT_FALSE(masks(all, second).equal(labels));
    EXPECT_TRUE(masks({3}, {0})[0].equal(labels[3]));
    const std::vector<std::int64_t> held{0, 1};
    EXPECT_TRUE(samples->batch(true, held, 1)
                    .at("labels")
                    .as_tensor()
                    .equal(samples->batch(true, held, 1).at("labels").as_tensor()));
    // Input values that a checkpoint stores.
    const auto files = samples->files_beside_model();
    const inputs::SoundProcessor again = inputs::read_sound_processor(files.at(0).content, "ours");
    EXPECT_EQ(again.sampling_rate, 4000);
    EXPECT_TRUE(again.do_normalize && again.return_attention_mask);
    EXPECT_THAT(files.at(0).content, HasSubstr("Wav2Vec2FeatureExtractor"));
}

TEST_F(Speech, CompressedRecordingsTrainAsTheirOriginals) {
    const auto batch_of = [&](const std::string& name) {
        fs::remove_all(folder_.path() / "sounds");
        for (int i = 0; i < 8; ++i) {
            fs::create_directories(folder_.path() / "sounds");
            fs::copy_file(test::own_golden("sounds") / name,
                          folder_.path() / "sounds" / (std::to_string(i) + fs::path(name).extension().string()));
        }
        config::Recipe own = recipe();
        own.data.sampling_rate = 8000;
        const std::unique_ptr<SampleSet> samples = open_samples(own);
        EXPECT_EQ(samples->training_samples(), 6) << name;
        const std::vector<std::int64_t> two{0, 1}, epochs(2, 0);
        return samples->batch_of_epochs(two, epochs, 1).at("input_values").as_tensor().clone();
    };
    const at::Tensor original = batch_of("original.wav");
    EXPECT_TRUE(batch_of("tone.flac").equal(original));
    for (const char* name : {"tone.ogg", "tone.opus", "tone.mp3"})
        EXPECT_NEAR(batch_of(name).std().item<double>(), 1, 0.05) << name;
}

TEST_F(Speech, WhatIsWrongIsNamedBeforeTheStart) {
    for (int i = 0; i < 4; ++i)
        write_tone("sounds/" + std::to_string(i) + ".wav", 1000);
    EXPECT_EQ(refusal(recipe()), "");
    config::Recipe other = recipe();
    other.data.sampling_rate = 8000;
    EXPECT_THAT(refusal(other),
                says("{} has {} samples a second, and the model takes {}: convert it to that rate, or set "
                     "data.sampling_rate for a model that starts from random weights",
                     _, 4000, 8000));
    config::Recipe longer = recipe();
    longer.data.min_duration_in_seconds = 0.251;
    longer.data.max_duration_in_seconds = 1;
    EXPECT_THAT(refusal(longer),
                says("all {} recordings are shorter than {:.3f} seconds, which model.mask_time_length and "
                     "data.min_duration_in_seconds ask for: give longer ones, or less there",
                     4, _));
    config::Recipe shorter = recipe();
    shorter.data.max_duration_in_seconds = 0.01;
    EXPECT_THAT(refusal(shorter), HasSubstr("data.max_duration_in_seconds is 0.01"));
    write("sounds/0.flac", "fLaC");
    EXPECT_THAT(refusal(recipe()), HasSubstr("0.flac cannot be read by the installed libsndfile"));
    fs::remove(folder_.path() / "sounds/0.flac");
    write("sounds/x.m4a", "x");
    EXPECT_THAT(refusal(recipe()), says("{} is of a format that this version does not read: convert it to WAV or FLAC",
                                        testing::EndsWith("x.m4a")));
    fs::remove(folder_.path() / "sounds/x.m4a");

    const auto problem_of = [](const std::string& text) -> std::string {
        try {
            config::parse_recipe(text, "/r.yaml");
        } catch (const InvalidInput& error) {
            return error.what();
        }
        return "";
    };
    const std::string model = "model: {model_type: wav2vec2", data = "}\ndata: {format: audio, path: x}\n";
    EXPECT_EQ(problem_of(model + data), "");
    EXPECT_THAT(problem_of(model + "}\ndata: {format: jsonl, path: x}\n"),
                says("{} reads recordings, not {}: take audio", "speech_pretraining", "jsonl"));
    EXPECT_THAT(problem_of("model: {model_type: gpt2}\ndata: {format: audio, path: x}\n"),
                says("recordings are not for {}: take another format", "causal_lm"));
    EXPECT_THAT(problem_of("model: {model_type: gpt2}\ndata: {path: x, sampling_rate: 8000}\n"),
                HasSubstr("data.sampling_rate"));
    EXPECT_THAT(problem_of(model + ", conv_stride: [2, 2]" + data),
                says("has {} numbers, and conv_dim has {}: give one for each convolution", 2, 7));
    EXPECT_THAT(problem_of(model + ", num_codevector_groups: 3" + data),
                says("{} do not divide {} ({}) evenly", 3, "codevector_dim", 32));
    EXPECT_THAT(problem_of(model + ", feat_extract_norm: batch" + data),
                says("'{}' is not known: use layer or group", "batch"));
    EXPECT_THAT(problem_of(model + ", mask_time_prob: 0" + data),
                says("no frame would be masked, and masked frames are what is learnt: give a share above 0"));
    EXPECT_THAT(problem_of(model + ", min_gumbel_temperature: 3" + data),
                says("is {}, above max_gumbel_temperature ({})", 3.0, 2.0));
    EXPECT_THAT(problem_of(model + "}\ndata: {format: audio, path: x, min_duration_in_seconds: 9}\n"),
                says("is {}, above data.max_duration_in_seconds ({}): no recording would be used", 9.0, 5.0));
    EXPECT_THAT(problem_of(model + data + "parallel: {tp_size: 2}\n"), HasSubstr("parallel.tp_size"));
    EXPECT_THAT(problem_of(model + data + "checkpoint: {best_metric: eval/mean_iou}\n"),
                says("evaluations of {} do not compute {}: take another curve", "speech_pretraining", "mean_iou"));
    EXPECT_EQ(problem_of(model + data + "checkpoint: {best_metric: eval/codevector_perplexity, best_mode: max}\n"), "");
}

/// Codes that are all the same leave nothing to find, and the loss is 0: neither counts as success.
TEST_F(Speech, CodesThatAreAllTheSameAreNotFound) {
    HeldOutMetrics metrics(recipe());
    const at::Tensor labels = at::zeros({1, 3}, at::kLong), outputs = at::zeros({1, 3, 4});
    outputs[0].narrow(0, 0, 2).narrow(1, 1, 3).fill_(-std::numeric_limits<float>::infinity());
    outputs[0][2][0] = 1;
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    const auto values = [&](std::int64_t frames) {
        metrics.reset();
        metrics.update(outputs.narrow(1, 0, frames), labels.narrow(1, 0, frames));
        const HeldOutValues made = metrics.values(mesh.everyone());
        return std::map<std::string, double>(made.begin(), made.end());
    };
    EXPECT_EQ(values(2).at("accuracy"), 0);
    EXPECT_EQ(values(2).at("contrastive_loss"), 0);
    EXPECT_EQ(values(3).at("accuracy"), 1) << "of the only frame with another code";
    EXPECT_NEAR(values(3).at("contrastive_loss"), std::log(1 + 3 * std::exp(-1)) / 3, 1e-6);
}

struct Trained {
    std::vector<double> losses;
    std::map<std::string, at::Tensor> weights;
};

Trained train(const config::Recipe& recipe, int ranks) {
    Trained made;
    std::mutex mutex;
    const auto body = [&](std::unique_ptr<parallel::World> world) {
        parallel::Mesh mesh(parallel::pipelines(static_cast<int>(recipe.parallel.pp_size), ranks), std::move(world));
        Trainer trainer(recipe, mesh, at::kCPU);
        trainer.start();
        std::vector<double> losses;
        while (trainer.position().step < recipe.training.steps)
            losses.push_back(trainer.step().loss);
        const NamedTensors weights = trainer.weights();
        std::lock_guard lock(mutex);
        made.losses = losses;
        for (const auto& [name, weight] : weights)
            made.weights.emplace(name, weight.clone());
    };
    if (ranks == 1)
        body(parallel::World::connect({}, "cpu"));
    else
        test::run_ranks(ranks, body);
    return made;
}

/// The loss of seldom used codes is that of a micro-batch: without it, every layout is the same; with it, those whose
/// micro-batches have the same recordings.
TEST_F(Speech, EveryLayoutOfRanksTrainsAlike) {
    for (int i = 0; i < 24; ++i)
        write_tone("sounds/" + std::to_string(i) + ".wav", 700 + 20 * i, 0.05 + 0.01 * i);
    const auto expect_same = [](const Trained& expected, const Trained& found, const std::string& what) {
        ASSERT_EQ(expected.losses.size(), found.losses.size());
        for (std::size_t i = 0; i < expected.losses.size(); ++i)
            EXPECT_NEAR(expected.losses[i], found.losses[i], 2e-5) << what << ", step " << i;
        for (const auto& [name, weight] : expected.weights)
            EXPECT_LT(weight.sub(found.weights.at(name)).abs().max().item<double>(), 2e-4) << what << ": " << name;
    };
    const std::string random = ", hidden_dropout: 0.1, feat_proj_dropout: 0.1, layerdrop: 0.3, activation_dropout: 0.1";
    const auto of = [&](const std::string& more, const std::string& weight = "0") {
        return recipe("", random + ", diversity_loss_weight: " + weight, "optimizer: {eps: 1.0e-4}\n" + more);
    };
    config::Recipe own = of("");
    own.training.batch_size = 8;
    const Trained alone = train(own, 1);
    own.training.activation_checkpointing = config::Recomputation::full;
    expect_same(alone, train(own, 1), "recomputed");
    own = of("parallel: {zero_stage: 3}\n");
    expect_same(alone, train(own, 2), "two ranks, ZeRO 3");
    own = of("parallel: {pp_size: 2}\n");
    own.training.gradient_accumulation_steps = 2;
    expect_same(alone, train(own, 2), "two stages");
    own = of("", "0.1");
    own.training.gradient_accumulation_steps = 2;
    const Trained accumulated = train(own, 1);
    own.training.gradient_accumulation_steps = 1;
    expect_same(accumulated, train(own, 2), "two ranks with the micro-batches of one");
    EXPECT_NE(alone.losses, accumulated.losses);
}

/// The sample learns: the code of a masked frame is found far more often than by chance, and not one code for all.
TEST_F(Speech, TheSampleLearns) {
    config::Recipe recipe = config::load_recipe(fs::path(TRAINYARD_TESTS_DIR).parent_path() / "resources" / "samples" /
                                                "sample-speech.yaml");
    parallel::Mesh mesh(parallel::pipelines(1, 1), parallel::World::connect({}, "cpu"));
    Trainer trainer(recipe, mesh, at::kCPU);
    trainer.start();
    const auto evaluate = [&] {
        const Evaluation made = trainer.evaluate().value();
        std::map<std::string, double> values(made.metrics.begin(), made.metrics.end());
        values["loss"] = made.loss;
        return values;
    };
    const auto before = evaluate();
    while (trainer.position().step < recipe.training.steps)
        trainer.step();
    const auto after = evaluate();
    const auto& model = recipe.model;
    const double codes = static_cast<double>(model.num_codevector_groups * model.num_codevectors_per_group);
    EXPECT_NEAR(after.at("loss"),
                after.at("contrastive_loss") +
                    model.diversity_loss_weight * (codes - after.at("codevector_perplexity")) / codes,
                1e-6);
    EXPECT_LT(after.at("contrastive_loss"), 0.8 * before.at("contrastive_loss"));
    EXPECT_GT(after.at("accuracy"), 3.0 / static_cast<double>(model.num_negatives + 1));
    EXPECT_GT(after.at("codevector_perplexity"), 4);
    EXPECT_LE(after.at("codevector_perplexity"), codes);
}

}  // namespace
}  // namespace trainyard::train
