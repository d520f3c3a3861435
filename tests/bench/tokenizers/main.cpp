// SPDX-License-Identifier: GPL-3.0-or-later
// bench_tokenizers [--text FILE] [--size N] [--peer PYTHON] [--rounds N] [--json]: megabytes of text per second on one
// thread, in turns with the tokenizers library: training of a byte-level BPE, and the ids of each line with the
// tokenizer that was trained. The text is Perl's manual (perl-doc), unless another is named. Exits with 1 where the two
// find other merges or other numbers of tokens.

#include <chrono>
#include <cstdio>
#include <filesystem>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "base/error.h"
#include "base/file.h"
#include "bench/engine/figure.h"
#include "bench/peer_program.h"
#include "formats/tokenizers/bpe_trainer.h"
#include "formats/tokenizers/tokenizer.h"
#include "support/temporary_folder.h"

namespace trainyard::bench {
namespace {

using Clock = std::chrono::steady_clock;

double seconds_since(Clock::time_point begin) {
    return std::chrono::duration<double>(Clock::now() - begin).count();
}

template <class Take>
void for_each_line(std::string_view text, Take take) {
    for (std::size_t at = 0; at < text.size();) {
        const std::size_t end = std::min(text.find('\n', at), text.size() - 1) + 1;
        take(text.substr(at, end - at));
        at = end;
    }
}

std::string perl_manual() {
    std::string text;
    for (const char* root : {"/usr/share/perl"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(root))
            if (entry.is_regular_file() && entry.path().extension() == ".pod")
                text += read_file(entry.path());
    return text;
}

int run(int argc, char** argv) {
    std::string peer, named;
    int rounds = 3;
    std::size_t size = 8000;
    bool json = false;
    CLI::App app("Tokenizers beside the tokenizers library");
    app.add_option("--text", named, "UTF-8 text; without it Perl's manual");
    app.add_option("--size", size, "Tokens of the vocabulary");
    app.add_option("--peer", peer, "Python with tests/bench/peer/requirements.txt");
    app.add_option("--rounds", rounds, "How often each is measured")->check(CLI::Range(1, 100));
    app.add_flag("--json", json, "For programs");
    CLI11_PARSE(app, argc, argv);

    test::TemporaryFolder folder;
    const std::string text = named.empty() ? perl_manual() : read_file(named, std::uint64_t{1} << 32);
    const std::filesystem::path text_file = folder.path() / "text", tokenizer_file = folder.path() / "tokenizer.json";
    write_file_atomically(text_file, text, false);
    const double megabytes = static_cast<double>(text.size()) / 1e6;
    const auto ask = [&](const char* action) {
        return nlohmann::json::parse(output_of({peer, TRAINYARD_TESTS_DIR "/bench/peer/tokenizer_files.py", action,
                                                text_file.string(), tokenizer_file.string(), std::to_string(size)}));
    };

    Figure training{"tokenizers.train",
                    fmt::format("training a BPE of {} tokens on {:.1f} MB", size, megabytes),
                    "MB/s",
                    {},
                    {},
                    {}};
    Figure encoding{"tokenizers.encode", fmt::format("ids of the lines of {:.1f} MB", megabytes), "MB/s", {}, {}, {}};
    for (int round = 0; round < rounds; ++round) {
        auto begin = Clock::now();
        tokenizers::BpeTrainerOptions options;
        options.vocabulary_size = size;
        tokenizers::BpeTrainer trainer(options);
        for_each_line(text, [&](std::string_view line) { trainer.add(line); });
        const std::string file = trainer.train();
        training.values.push_back(megabytes / seconds_since(begin));
        write_file_atomically(tokenizer_file, file, false);
        const tokenizers::Tokenizer tokenizer = tokenizers::Tokenizer::from_json(file);
        begin = Clock::now();
        std::size_t tokens = 0;
        for_each_line(text, [&](std::string_view line) { tokens += tokenizer.encode_ids(line).size(); });
        encoding.values.push_back(megabytes / seconds_since(begin));
        if (peer.empty())
            continue;
        const nlohmann::json trained = ask("train"), encoded = ask("encode");
        training.peer.push_back(megabytes / trained.at("seconds").get<double>());
        encoding.peer.push_back(megabytes / encoded.at("seconds").get<double>());
        if (encoded.at("tokens") != tokens ||
            trained.at("merges") != nlohmann::json::parse(file).at("model").at("merges").size())
            throw UserError("the library finds {} tokens and {} merges, and this engine {} tokens",
                            encoded.at("tokens").dump(), trained.at("merges").dump(), tokens);
    }
    if (!peer.empty()) {
        training.target = 0.5;  // within twice its time
        encoding.target = 1.0;
    }
    print({training, encoding}, json);
    return 0;
}

}  // namespace
}  // namespace trainyard::bench

int main(int argc, char** argv) {
    return trainyard::bench::main_of("bench_tokenizers", trainyard::bench::run, argc, argv);
}
