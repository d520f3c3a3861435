// SPDX-License-Identifier: GPL-3.0-or-later
// Replaces libFuzzer for g++: mutates a corpus with a fixed seed, without coverage guidance. Sanitizers report the
// errors.
//
//   fuzz_x [-runs=N] [-seed=N] [-seconds=N] [-slowest=FILE] folder or file...
//
// $TRAINYARD_FUZZ_SECONDS and $TRAINYARD_FUZZ_SEED, as for the other fuzz targets (support/byte_fuzz.h), override the
// options.

#include <algorithm>
#include <chrono>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <limits>
#include <random>
#include <string>
#include <vector>

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace {

using Clock = std::chrono::steady_clock;

std::string read(const std::filesystem::path& file) {
    std::ifstream stream(file, std::ios::binary);
    return {std::istreambuf_iterator<char>(stream), {}};
}

std::vector<std::string> corpus_of(const std::vector<std::string>& places) {
    std::vector<std::string> corpus;
    for (const std::string& place : places) {
        if (!std::filesystem::is_directory(place)) {
            corpus.push_back(read(place));
            continue;
        }
        std::vector<std::filesystem::path> files;
        for (const auto& entry : std::filesystem::directory_iterator(place))
            files.push_back(entry.path());
        std::sort(files.begin(), files.end());
        for (const auto& file : files)
            corpus.push_back(read(file));
    }
    return corpus;
}

class Mutator {
  public:
    Mutator(std::vector<std::string> corpus, std::uint64_t seed) : corpus_(std::move(corpus)), random_(seed) {}

    std::string next() {
        std::string text = corpus_[below(corpus_.size())];
        for (std::size_t changes = 1 + below(8); changes > 0; --changes)
            change(text);
        return text;
    }

  private:
    std::size_t below(std::size_t limit) { return limit == 0 ? 0 : random_() % limit; }

    void change(std::string& text) {
        static const std::string kPieces[] = {":",
                                              ": ",
                                              "- ",
                                              "\n",
                                              "\n  ",
                                              "{",
                                              "}",
                                              "[",
                                              "]",
                                              ",",
                                              "'",
                                              "\"",
                                              "#",
                                              "&a ",
                                              "*a",
                                              "<<: ",
                                              "!",
                                              "|\n",
                                              ">-\n",
                                              "\t",
                                              "\\",
                                              "%",
                                              "---\n",
                                              "...",
                                              "~",
                                              "null",
                                              "true",
                                              "NO",
                                              "1e8",
                                              "0x",
                                              "1:30",
                                              "-1",
                                              "99999999999999999999",
                                              "\xEF\xBB\xBF",
                                              "\xC3",
                                              "\r\n",
                                              std::string(1, '\0'),
                                              std::string(300, '[')};
        std::size_t at = below(text.size() + 1);
        switch (below(6)) {
            case 0:
                text.insert(at, kPieces[below(std::size(kPieces))]);
                break;
            case 1:
                text.erase(at, below(20));
                break;
            case 2:
                if (at < text.size())
                    text[at] = static_cast<char>(below(256));
                break;
            case 3: {  // a part of this text again
                std::string part = text.substr(at, below(60));
                text.insert(below(text.size() + 1), part);
                break;
            }
            case 4: {  // a part of another text
                const std::string& other = corpus_[below(corpus_.size())];
                text.insert(at, other.substr(below(other.size() + 1), below(80)));
                break;
            }
            default:
                if (at < text.size())
                    text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
        }
    }

    std::vector<std::string> corpus_;
    std::mt19937_64 random_;
};

}  // namespace

int main(int argc, char** argv) {
    std::uint64_t runs = 10000;
    std::uint64_t seed = 1;
    double seconds = 1e9;
    std::string slowest_file;
    std::vector<std::string> places;
    for (int i = 1; i < argc; ++i) {
        std::string word = argv[i];
        if (word.starts_with("-runs="))
            runs = std::stoull(word.substr(6));
        else if (word.starts_with("-seed="))
            seed = std::stoull(word.substr(6));
        else if (word.starts_with("-seconds="))
            seconds = std::stod(word.substr(9));
        else if (word.starts_with("-slowest="))
            slowest_file = word.substr(9);
        else
            places.push_back(word);
    }
    if (const char* wanted = std::getenv("TRAINYARD_FUZZ_SECONDS")) {
        seconds = std::stod(wanted);
        runs = std::numeric_limits<std::uint64_t>::max();
    }
    if (const char* wanted = std::getenv("TRAINYARD_FUZZ_SEED"))
        seed = std::stoull(wanted);
    std::vector<std::string> corpus = corpus_of(places);
    if (corpus.empty()) {
        std::fprintf(stderr, "no corpus: name a folder or files\n");
        return 2;
    }
    auto run = [](const std::string& text) {
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(text.data()), text.size());
    };
    for (const std::string& text : corpus)
        run(text);
    Mutator mutator(corpus, seed);
    auto start = Clock::now();
    auto since = [](Clock::time_point from) { return std::chrono::duration<double>(Clock::now() - from).count(); };
    double slowest = 0;
    std::string slowest_text;
    std::uint64_t done = 0;
    for (; done < runs && since(start) < seconds; ++done) {
        std::string text = mutator.next();
        auto before = Clock::now();
        run(text);
        if (double took = since(before); took > slowest) {
            slowest = took;
            slowest_text = text;
        }
    }
    std::printf("%llu inputs, slowest %.1f ms with %zu bytes\n", static_cast<unsigned long long>(done), slowest * 1e3,
                slowest_text.size());
    if (!slowest_file.empty())
        std::ofstream(slowest_file, std::ios::binary) << slowest_text;
    return 0;
}
