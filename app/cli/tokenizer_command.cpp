// SPDX-License-Identifier: GPL-3.0-or-later
// trainyard tokenizer: trains a byte-level BPE on text, encodes text with a tokenizer.json, and decodes ids.

#include <cstdio>
#include <fstream>
#include <iostream>
#include <memory>
#include <sstream>
#include <utility>
#include <vector>

#include <CLI/CLI.hpp>
#include <fmt/format.h>
#include <fmt/ranges.h>
#include <nlohmann/json.hpp>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/file_mode.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/text_file.h"
#include "cli/commands.h"
#include "cli/print_json.h"
#include "cli/say.h"
#include "config/inputs/byte_corpus.h"
#include "formats/tables/text_check.h"
#include "formats/tokenizers/bpe_trainer.h"
#include "formats/tokenizers/tokenizer.h"

namespace trainyard::cli {

namespace {

constexpr std::size_t kPieceBytes = 1 << 20;  ///< of text that is looked at together; a piece ends with a line
/// The division into words of Llama 3, which keeps up to three digits together.
constexpr const char* kLlama3Pattern =
    R"((?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}{1,3}| ?[^\s\p{L}\p{N}]+[\r\n]*|\s*[\r\n]+|\s+(?!\S)|\s+)";

tokenizers::Tokenizer tokenizer_in(const fs::path& path) {
    std::error_code error;
    return tokenizers::Tokenizer::from_file(fs::is_directory(path, error) ? path / "tokenizer.json" : path);
}

struct Train {
    std::vector<std::string> paths;
    std::string pattern = "*", output = "tokenizer.json", words = "gpt2";
    std::size_t vocabulary_size = 8000;
    std::uint64_t min_frequency = 2;
    std::vector<std::string> special_tokens{"<|endoftext|>"};
    bool json = false;
};

int train(const Train& flags) {
    fs::path output = flags.output;
    std::error_code error;
    if (fs::is_directory(output, error))
        output /= "tokenizer.json";
    config::DataRecipe data;
    for (const std::string& path : flags.paths)
        data.paths.push_back(fs::absolute(path).lexically_normal().string());
    data.pattern = flags.pattern;
    const std::vector<fs::path> files = inputs::corpus_files(data);
    tokenizers::BpeTrainerOptions options;
    options.vocabulary_size = flags.vocabulary_size;
    options.min_frequency = flags.min_frequency;
    options.special_tokens = flags.special_tokens;
    if (flags.words == "llama3")
        options.pattern = kLlama3Pattern;
    tokenizers::BpeTrainer trainer(options);
    std::uint64_t bytes = 0;
    std::vector<Problem> problems;
    for (const fs::path& file : files) {
        try {
            if (Message fault = formats::first_text_fault(file, formats::RecordKind::lines, fs::file_size(file));
                !fault.empty())
                problems.push_back({"", 0, 0, "", std::move(fault)});
        } catch (const UserError& unreadable) {
            problems.push_back({"", 0, 0, "", unreadable.message()});
        }
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    for (const fs::path& file : files) {
        std::ifstream stream(file, std::ios::binary);
        if (!stream)
            throw UserError("{} cannot be read", file.string());
        std::string piece;
        bool first = true;
        for (std::string line; std::getline(stream, line);) {
            if (std::exchange(first, false))
                line.erase(0, text::mark_bytes(line));
            piece += line;
            if (!stream.eof())
                piece += '\n';
            if (piece.size() >= kPieceBytes) {
                bytes += piece.size();
                trainer.add(piece);
                piece.clear();
            }
        }
        bytes += piece.size();
        trainer.add(piece);
    }
    const std::string text = trainer.train();
    write_file_atomically(output, text + "\n", true, kUserFileMode);
    const std::size_t tokens = tokenizers::Tokenizer::from_json(text, output.string()).vocabulary_size();
    if (flags.json)
        print_json(nlohmann::ordered_json{{"file", output.string()},
                                          {"files", files.size()},
                                          {"bytes", bytes},
                                          {"words", trainer.words()},
                                          {"vocabulary_size", tokens}});
    else
        say_format(stdout, "%s: %zu tokens from %s in %zu file%s (%s different words)\n", output.c_str(), tokens,
                   text::file_size(bytes).c_str(), files.size(), files.size() == 1 ? "" : "s",
                   text::grouped(static_cast<std::int64_t>(trainer.words())).c_str());
    if (tokens < flags.vocabulary_size && !flags.json)
        say_format(stderr,
                   "trainyard: note: no more pairs occur %llu times: give more text, or a lower --min_frequency\n",
                   static_cast<unsigned long long>(flags.min_frequency));
    return kExitDone;
}

int encode(const fs::path& file, const std::string& given, bool special, bool json) {
    const tokenizers::Tokenizer tokenizer = tokenizer_in(file);
    std::string text = given;
    if (given == "-") {
        std::ostringstream all;
        all << std::cin.rdbuf();
        text = all.str();
    }
    const tokenizers::Encoding encoding = tokenizer.encode(text, special);
    if (json) {
        nlohmann::ordered_json offsets = nlohmann::ordered_json::array();
        for (const auto& [begin, end] : encoding.offsets)
            offsets.push_back({begin, end});
        print_json(nlohmann::ordered_json{{"ids", encoding.ids}, {"tokens", encoding.tokens}, {"offsets", offsets}});
        return kExitDone;
    }
    for (std::size_t i = 0; i < encoding.size(); ++i)
        say_format(stdout, "%u\t%s\n", encoding.ids[i], text::printable(encoding.tokens[i]).c_str());
    say_format(stderr, "%zu tokens for %zu bytes\n", encoding.size(), text.size());
    return kExitDone;
}

}  // namespace

void add_tokenizer(CLI::App& app, Action& chosen) {
    CLI::App* command = app.add_subcommand(
        "tokenizer", "Train a byte-level BPE, turn text into tokens and back (tokenizer.json of Hugging Face)");
    command->require_subcommand(1);

    auto flags = std::make_shared<Train>();
    CLI::App* training = command->add_subcommand("train", "Train a byte-level BPE on text files");
    training->add_option("text", flags->paths, "Text files, or folders with them")->required();
    training->add_option("--pattern", flags->pattern, "Which files of a folder, e.g. '*.pod'");
    training->add_option("-o,--output", flags->output, "File or folder to write to")->capture_default_str();
    training
        ->add_option("--vocab_size", flags->vocabulary_size,
                     "Size of the vocabulary, including the 256 bytes and special tokens")
        ->capture_default_str();
    training->add_option("--min_frequency", flags->min_frequency, "Pairs that occur less often are not merged")
        ->capture_default_str();
    training->add_option("--words", flags->words, "How text is divided into words")
        ->check(CLI::IsMember({"gpt2", "llama3"}))
        ->capture_default_str();
    training
        ->add_option("--special_tokens", flags->special_tokens,
                     "Special tokens, which ordinary text is never encoded to")
        ->capture_default_str();
    training->add_flag("--json", flags->json, "For programs");
    training->callback([flags, &chosen] { chosen = [flags] { return train(*flags); }; });

    struct Use {
        std::string file, text;
        std::vector<tokenizers::Id> ids;
        bool special = true, skip_special = false, json = false;
    };
    auto use = std::make_shared<Use>();
    CLI::App* encoding = command->add_subcommand("encode", "Encode a text to tokens");
    encoding->add_option("tokenizer", use->file, "tokenizer.json, or a folder with one")->required();
    encoding->add_option("text", use->text, "The text; -: standard input")->required();
    encoding->add_flag("!--no_special_tokens", use->special, "Do not add the tokens of a template");
    encoding->add_flag("--json", use->json, "For programs");
    encoding->callback(
        [use, &chosen] { chosen = [use] { return encode(use->file, use->text, use->special, use->json); }; });

    CLI::App* decoding = command->add_subcommand("decode", "Decode ids to text");
    decoding->add_option("tokenizer", use->file, "tokenizer.json, or a folder with one")->required();
    decoding->add_option("ids", use->ids, "Ids")->required();
    decoding->add_flag("--skip_special_tokens", use->skip_special, "Leave special tokens out");
    decoding->callback([use, &chosen] {
        chosen = [use] {
            const std::string text = tokenizer_in(use->file).decode(use->ids, use->skip_special);
            // Control characters are escaped for a terminal; a file or a pipe gets the unchanged text.
            say_format(stdout, "%s\n",
                       ::isatty(STDOUT_FILENO) != 0 ? text::printable(text, text.size() * 4).c_str() : text.c_str());
            return kExitDone;
        };
    });
}

}  // namespace trainyard::cli
