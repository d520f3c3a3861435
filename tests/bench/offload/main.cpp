// SPDX-License-Identifier: GPL-3.0-or-later
// bench_offload [--peer PYTHON] [--way WAY] [--model-mb N] [--limit-mb N] [--tokens N] [--rounds N] [--folder FOLDER]
//               [--json]
//
// Measures greedy generation with a model that is larger than the memory, and compares it with Accelerate's disk
// offload of the same weights. Each runs in a process of its own with a memory limit set by a control group (version 1
// or 2; if none can be created, RLIMIT_DATA, which does not count file pages) and with a page cache that holds nothing
// of the model. The tokens must equal those of the resident model. If the peer is killed, that is reported and its
// limit is raised by half until it survives; both are then measured with that limit, and ours also with the first one.

#include <algorithm>
#include <cstdio>
#include <optional>
#include <stdexcept>

#include <ATen/Parallel.h>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <sys/resource.h>
#include <sys/time.h>

#include "base/clock.h"
#include "bench/engine/figure.h"
#include "cli/program.h"
#include "inference/generate/generate.h"
#include "inference/generate/loaded_model.h"
#include "support/control_group.h"
#include "support/page_cache.h"
#include "support/random_model.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

namespace fs = std::filesystem;
using nlohmann::json;

constexpr double kMostSeconds = 300;  ///< of one program
constexpr std::uint64_t kMegabyte = 1'000'000;
constexpr std::int64_t kPositions = 256;

struct Asked {
    std::string peer, way = "disk_offload", folder = fs::temp_directory_path().string();
    std::uint64_t model_mb = 1500, limit_mb = 700;
    std::int64_t tokens = 4;
    int rounds = 3;
    bool json = false;
};

/// Llama of about so many bytes in fp32, with blocks of 67 MB.
std::string model_of(std::uint64_t bytes) {
    const std::uint64_t blocks = std::max<std::uint64_t>(1, bytes / 67'000'000);
    return json{{"model_type", "llama"},
                {"architectures", {"LlamaForCausalLM"}},
                {"vocab_size", 2048},
                {"hidden_size", 1024},
                {"intermediate_size", 4096},
                {"num_attention_heads", 16},
                {"num_key_value_heads", 16},
                {"num_hidden_layers", blocks},
                {"max_position_embeddings", kPositions},
                {"tie_word_embeddings", false}}
        .dump();
}

/// The measured program: loads the model, generates tokens, and prints them with the elapsed seconds.
int generate_here(const json& given) {
    const double begin = monotonic_seconds();
    generate::ModelPlacement placement;
    placement.device_map = given.at("device_map");
    const generate::LoadedModel model(
        {.path = given.at("model").get<std::string>(), .tokenizer = {}, .adapters = {}, .placement = placement});
    generate::GenerationOptions options;
    options.max_new_tokens = given.at("tokens");
    const double loaded = monotonic_seconds();
    const generate::Generated made =
        generate::generate(model.model(), given.at("prompt").get<std::vector<std::int64_t>>(), kPositions,
                           model.dispatched().first_device(), options);
    const dispatch::PrefetchFigures figures = model.dispatched().figures();
    fmt::print("{}\n", json{{"tokens", made.tokens},
                            {"seconds", monotonic_seconds() - loaded},
                            {"load_seconds", loaded - begin},
                            {"waited_seconds", figures.waited_seconds},
                            {"cached_mb", figures.cached / kMegabyte}}
                           .dump());
    return 0;
}

struct Made {
    std::vector<std::int64_t> tokens;
    double seconds = 0;
    json all;
};

/// A limit of memory for programs that are started one after the other.
class MemoryLimit {
  public:
    explicit MemoryLimit(std::uint64_t bytes) : bytes_(bytes) {
        try {
            group_.emplace("memory");
            group_->limit_memory(bytes);
            kind_ = group_->version_one() ? "control group, version 1" : "control group, version 2";
        } catch (const std::runtime_error&) {
            group_.reset();
        }
    }
    const std::string& kind() const { return kind_; }
    /// Called in the child process.
    bool enter(const std::string& members) const {
        if (group_)
            return test::enter_control_group(members.c_str());
        const rlimit limit{bytes_, bytes_};
        return ::setrlimit(RLIMIT_DATA, &limit) == 0;
    }
    std::string members() const { return group_ ? group_->members().string() : std::string(); }

  private:
    std::uint64_t bytes_;
    std::optional<test::ControlGroup> group_;
    std::string kind_ = "RLIMIT_DATA";
};

/// Nothing: it did not live under the limit. `model` is not in the page cache before.
std::optional<Made> made_by(const std::vector<std::string>& words, const fs::path& model,
                            std::optional<std::uint64_t> limit_bytes) {
    test::drop_from_page_cache(model);
    std::optional<MemoryLimit> limit;
    if (limit_bytes)
        limit.emplace(*limit_bytes);
    const std::string members = limit ? limit->members() : std::string();
    test::Program program(words, [&] {
        if (limit && !limit->enter(members))
            ::_exit(99);
    });
    const double begin = monotonic_seconds();
    const test::Said& said = program.wait(kMostSeconds);
    if (monotonic_seconds() - begin >= kMostSeconds)
        throw std::runtime_error(fmt::format("{} did not end within {} s", words[0], kMostSeconds));
    const bool no_memory =
        std::ranges::any_of(std::initializer_list<const char*>{"MemoryError", "bad_alloc", "allocate memory"},
                            [&](const char* word) { return said.err.find(word) != std::string::npos; });
    if (limit && (said.code == -SIGKILL || no_memory)) {
        std::fprintf(stderr, "%s: killed at %ju MB (%s)\n", words[0].c_str(),
                     static_cast<std::uintmax_t>(*limit_bytes / kMegabyte), limit->kind().c_str());
        return std::nullopt;
    }
    if (said.code != 0)
        throw std::runtime_error(fmt::format("{} ended with {}: {}", words[0], said.code, said.err));
    Made made;
    made.all = json::parse(said.out);
    made.tokens = made.all.at("tokens").get<std::vector<std::int64_t>>();
    made.seconds = made.all.at("seconds");
    return made;
}

class Contest {
  public:
    explicit Contest(const Asked& asked)
        : asked_(asked), folder_(asked.folder), model_(folder_.path() / "model"), offload_(folder_.path() / "offload") {
        const test::RandomModel random(model_of(asked.model_mb * kMegabyte));
        bytes_ = random.bytes();
        if (bytes_ <= asked.limit_mb * kMegabyte)
            throw std::runtime_error(fmt::format("a model of {} MB is not larger than the limit of {} MB",
                                                 bytes_ / kMegabyte, asked.limit_mb));
        random.write(model_);
        if (!asked.peer.empty() && asked.way == "disk_offload")
            random.write_offload_folder(offload_);
        for (std::int64_t i = 0; i < 8; ++i)
            prompt_.push_back(5 + i * 37 % 2000);
    }

    std::vector<Figure> run() {
        const Made resident = made_by(our_words("cpu"), model_, std::nullopt).value();
        resident_ = resident.tokens;
        std::fprintf(stderr, "model: %ju MB in fp32; resident: %s tokens/s, tokens %s\n",
                     static_cast<std::uintmax_t>(bytes_ / kMegabyte), fmt::format("{:.2f}", rate(resident)).c_str(),
                     fmt::format("{}", fmt::join(resident_, " ")).c_str());
        std::vector<Figure> figures;
        for (std::uint64_t limit = asked_.limit_mb * kMegabyte;; limit += limit / 2) {
            Figure figure = measured(limit);
            const bool done = asked_.peer.empty() || std::ssize(figure.peer) == asked_.rounds;
            if (!done) {
                figure.peer.clear();  // an incomplete series of rounds cannot be compared
                figure.target.reset();
            }
            if (done || figures.empty())
                figures.push_back(figure);
            if (done)
                return figures;
            if (limit > 8 * bytes_)
                throw std::runtime_error("the peer lives under no limit: see what it printed");
        }
    }

  private:
    /// Rounds of both; once the peer was killed, of ours alone.
    Figure measured(std::uint64_t limit) const {
        bool with_peer = !asked_.peer.empty();
        Figure figure{fmt::format("offload.{}mb", limit / kMegabyte),
                      fmt::format("greedy, {} MB on disk under {} MB ({}), {} tokens behind {}", bytes_ / kMegabyte,
                                  limit / kMegabyte, MemoryLimit(limit).kind(), asked_.tokens, prompt_.size()),
                      "tokens/s",
                      {},
                      {},
                      with_peer ? std::optional(2.0) : std::nullopt};
        for (int round = 0; round < asked_.rounds; ++round) {
            const std::optional<Made> ours = made_by(our_words("disk"), model_, limit);
            if (!ours)
                throw std::runtime_error("our program does not live under the limit");
            same_as_resident(*ours, "ours");
            std::fprintf(stderr, "ours %s\n", ours->all.dump().c_str());
            figure.values.push_back(rate(*ours));
            if (!with_peer)
                continue;
            const std::optional<Made> theirs = made_by(peer_words(), peer_folder(), limit);
            if (!theirs) {
                if (limit != asked_.limit_mb * kMegabyte)
                    return figure;  // only the first limit is reported without a peer
                with_peer = false;
                continue;
            }
            std::fprintf(stderr, "peer %s\n", theirs->all.dump().c_str());
            same_as_resident(*theirs, "the peer");
            figure.peer.push_back(rate(*theirs));
        }
        return figure;
    }
    double rate(const Made& made) const { return static_cast<double>(asked_.tokens) / made.seconds; }
    void same_as_resident(const Made& made, const char* who) const {
        if (made.tokens != resident_)
            throw std::runtime_error(
                fmt::format("{} wrote other tokens than the resident model: {}", who, fmt::join(made.tokens, " ")));
    }
    json asked_of(const char* device_map) const {
        return {{"model", model_.string()}, {"offload", offload_.string()}, {"way", asked_.way},
                {"prompt", prompt_},        {"tokens", asked_.tokens},      {"device_map", device_map}};
    }
    std::vector<std::string> our_words(const char* device_map) const {
        return {"/proc/self/exe", "--child", asked_of(device_map).dump()};
    }
    std::vector<std::string> peer_words() const {
        return {asked_.peer, TRAINYARD_TESTS_DIR "/bench/peer/offload.py", asked_of("disk").dump()};
    }
    fs::path peer_folder() const { return asked_.way == "disk_offload" ? offload_ : model_; }

    Asked asked_;
    test::TemporaryFolder folder_;
    fs::path model_, offload_;
    std::uint64_t bytes_ = 0;
    std::vector<std::int64_t> prompt_, resident_;
};

int run(int argc, char** argv) {
    Asked asked;
    std::string child;
    CLI::App app("Generation with a model that is larger than the memory, beside Accelerate's disk offload");
    app.add_option("--peer", asked.peer, "Python with torch, transformers and accelerate");
    app.add_option("--way", asked.way, "How the peer has its weights on disk")
        ->check(CLI::IsMember({"disk_offload", "safetensors"}));
    app.add_option("--model-mb", asked.model_mb, "Size of the model");
    app.add_option("--limit-mb", asked.limit_mb, "Memory that a program may have, page cache included");
    app.add_option("--tokens", asked.tokens, "New tokens")->check(CLI::Range(1, 200));
    app.add_option("--rounds", asked.rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_option("--folder", asked.folder, "On the disk that is measured")->check(CLI::ExistingDirectory);
    app.add_flag("--json", asked.json, "For programs");
    app.add_option("--child", child, "What the measured program is given")->group("");
    CLI11_PARSE(app, argc, argv);
    if (!child.empty())
        return generate_here(json::parse(child));
    ::setenv("HF_HUB_OFFLINE", "1", 1);
    ::setenv("OMP_NUM_THREADS", std::to_string(at::get_num_threads()).c_str(), 1);
    print(Contest(asked).run(), asked.json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_offload", trainyard::bench::run, argc, argv);
}
