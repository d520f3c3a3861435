// SPDX-License-Identifier: GPL-3.0-or-later
// bench_checkpoint [--peer PYTHON] [--rounds N] [--json]: saving and loading GPT-2 124 M with AdamW's state (1.49 GB),
// alternating with Accelerate's save_state and load_state. Prints one line per figure; exits with 0 if all could be
// measured.
//   pause   seconds for which a save blocks the training; the peer blocks until everything is written
//   write   seconds until the checkpoint is on the disk
//   load    seconds from the folder to the tensors, with verified hashes and files in the page cache
//   tensor_hashes, not_finite, archive_sums    seconds of the writer thread within write: hashes of tensors, the search for NaN, and the
//           checksums of optimizer.bin for torch's archive
// Both write to the temporary directory (TMPDIR), which needs 5 GB.

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <ATen/ops/equal.h>
#include <ATen/ops/ones_like.h>
#include <ATen/ops/rand.h>

#include <CLI/CLI.hpp>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/files/hash.h"
#include "base/files/zip_archive.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "checkpoint/not_finite.h"
#include "checkpoint/saver.h"
#include "formats/weights/safetensors.h"
#include "models/nn/model.h"
#include "optim/state_dict.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

/// Random weights and optimizer state of GPT-2 124 M.
checkpoint::Content gpt2_124m() {
    config::ModelRecipe recipe;
    recipe.vocab_size = 50257;
    recipe.n_positions = 1024;
    recipe.n_embd = 768;
    recipe.n_layer = 12;
    recipe.n_head = 12;
    auto model = models::make_model(recipe);
    checkpoint::Content content;
    optim::StateGroup all{config::OptimizerSettings(*config::find_optimizer("adamw"))};
    for (const parallel::GroupRequest& group : model->groups())
        for (const parallel::Parameter* parameter : group.parameters) {
            using checkpoint::LogicalTensor;
            content.weights.push_back(LogicalTensor::of_whole(parameter->name(), at::rand(parameter->shape())));
            optim::ParameterState& state = all.parameters.emplace_back(optim::ParameterState{parameter->shape()});
            state.name = parameter->name();
            state.updated = true;
            state.scalars = {{"step", 1}};
            for (const char* part : {"exp_avg.", "exp_avg_sq."}) {
                state.tensors.push_back(at::rand(parameter->shape()));
                content.optimizer.push_back(LogicalTensor::of_whole(part + parameter->name(), state.tensors.back()));
            }
        }
    content.optimizer_state = optim::write_state_dict({all});
    content.position.step = 1;
    content.config_json = model->config_json();
    content.mesh = "1 rank";
    return content;
}

/// An existing model with touched memory and other values.
checkpoint::Content other_values(const checkpoint::Content& content) {
    checkpoint::Content other = content;
    for (auto* list : {&other.weights, &other.optimizer})
        for (checkpoint::LogicalTensor& tensor : *list)
            tensor.local = at::ones_like(tensor.local);
    return other;
}

bool equal(const checkpoint::Content& a, const checkpoint::Content& b) {
    for (std::size_t i = 0; i < a.optimizer.size(); ++i)
        if (!at::equal(a.optimizer[i].local, b.optimizer[i].local))
            return false;
    return true;
}

using Tensors = std::vector<checkpoint::LogicalTensor>;

template <class Pass>
double seconds_of(const std::vector<const Tensors*>& lists, Pass pass) {
    const auto begin = Clock::now();
    for (const Tensors* tensors : lists)
        for (const checkpoint::LogicalTensor& tensor : *tensors)
            pass(weights::TensorToWrite{
                tensor.name,
                "F32",
                tensor.shape,
                {static_cast<const std::byte*>(tensor.local.const_data_ptr()), tensor.local.nbytes()}});
    return since(begin);
}

int run(int argc, char** argv) {
    std::string peer;
    int rounds = 3;
    bool json = false;
    CLI::App app("Saving and loading 1.49 GB beside Accelerate");
    app.add_option("--peer", peer, "Python with tests/bench/peer/requirements.txt");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    test::TemporaryFolder work;
    checkpoint::Content content = gpt2_124m();
    checkpoint::SaverOptions options;
    options.retention.keep_last = 1;
    checkpoint::Saver saver(std::move(options));
    Figure pause{"pause", "training stands still for a save", "s", {}, {}, {}, true},
        write{"write", "until the checkpoint is on the disk", "s", {}, {}, {}, true},
        load{"load", "folder to tensors, verified", "s", {}, {}, {}, true},
        hashes{"tensor_hashes", "hash of each tensor, within write", "s", {}, {}, {}, true},
        search{"not_finite", "search for NaN, within write", "s", {}, {}, {}, true},
        sums{"archive_sums", "CRC-32 of optimizer.bin, within write", "s", {}, {}, {}, true};
    // As in training, where the buffers are allocated during the first steps; the first save is measured like the
    // others.
    saver.prepare(checkpoint::files_of(content));
    saver.flush();
    for (int round = 0; round < rounds; ++round) {
        content.position.step = round + 1;
        auto begin = Clock::now();
        saver.save(work.path() / "checkpoints", content);
        pause.values.push_back(since(begin));
        auto result = saver.flush();
        write.values.push_back(since(begin));
        const std::vector<const Tensors*> all{&content.weights, &content.optimizer};
        std::string digest;
        hashes.values.push_back(seconds_of(all, [&](const weights::TensorToWrite& tensor) {
            files::Xxh128 hash;
            hash.add(tensor.bytes);
            digest = hash.digest();
        }));
        search.values.push_back(seconds_of(all, [&](const weights::TensorToWrite& tensor) {
            checkpoint::NotFinite found;
            checkpoint::add_not_finite(tensor, found);
            if (!found.nan.empty())
                throw std::runtime_error("random numbers are finite");
        }));
        std::uint32_t sum = 0;
        sums.values.push_back(seconds_of(
            {&content.optimizer}, [&](const weights::TensorToWrite& tensor) { sum ^= files::crc32(tensor.bytes); }));
        if (digest.empty() || sum == 0)
            throw std::runtime_error("nothing was computed");
        checkpoint::Content loaded = other_values(content);
        begin = Clock::now();
        checkpoint::load(result->folder, loaded);
        load.values.push_back(since(begin));
        if (!equal(content, loaded))
            throw std::runtime_error("what was loaded is not what was saved");
        if (!peer.empty()) {
            auto figures = nlohmann::json::parse(
                output_of({peer, TRAINYARD_TESTS_DIR "/bench/peer/checkpoint.py", (work.path() / "peer").string()},
                          {"HF_HUB_OFFLINE=1"}));
            pause.peer.push_back(figures.at("save_s"));
            write.peer.push_back(figures.at("save_s"));
            load.peer.push_back(figures.at("load_s"));
        }
    }
    if (!peer.empty()) {
        pause.target = 0.05;
        write.target = 1.0;
        load.target = 1.0;
    }
    std::vector<Figure> figures{pause, write, load, hashes, search, sums};
    print(figures, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_checkpoint", trainyard::bench::run, argc, argv);
}
