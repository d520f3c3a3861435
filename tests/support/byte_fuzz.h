// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Driver for fuzz targets that read binary files: mutates seed files at random for $TRAINYARD_FUZZ_SECONDS (3), with
// the seed $TRAINYARD_FUZZ_SEED (1) and at most 1 GiB of memory. $TRAINYARD_FUZZ_KEEP names a file for the current
// input, so that a crash leaves its cause. The entry point is libFuzzer's, so that `clang++ -fsanitize=fuzzer,address
// -DTRAINYARD_LIBFUZZER` can link a target, too.

#include <algorithm>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <functional>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "base/clock.h"
#include "base/file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size);

namespace trainyard::test {

constexpr std::size_t kLargestFuzzInput = 1 << 20;

inline std::string changed(std::string text, const std::vector<std::string>& seeds, std::mt19937_64& random) {
    auto below = [&](std::size_t limit) {
        return static_cast<std::size_t>(random() % std::max<std::size_t>(limit, 1));
    };
    for (std::size_t changes = 1 + below(6); changes-- > 0 && !text.empty();) {
        // Headers and footers contain the lengths.
        std::size_t at = below(3) == 0   ? below(std::min<std::size_t>(text.size(), 128))
                         : below(2) == 0 ? text.size() - 1 - below(std::min<std::size_t>(text.size(), 1024))
                                         : below(text.size());
        switch (below(7)) {
            case 0:
                text[at] = static_cast<char>(text[at] ^ (1 << below(8)));
                break;
            case 1:
                text[at] = static_cast<char>(random());
                break;
            case 2:
                text.erase(at, 1 + below(16));
                break;
            case 3:
                text.insert(at, text.substr(below(text.size()), 1 + below(64)));
                break;
            case 4:
                for (std::size_t i = 0; i < 8 && at + i < text.size(); ++i)
                    text[at + i] = below(2) == 0 ? '\xff' : '\x7f';
                break;
            case 5:
                text.resize(at);
                break;
            default: {
                const std::string& other = seeds[below(seeds.size())];
                text.replace(at, below(64), other.substr(below(other.size()), 1 + below(64)));
            }
        }
    }
    return text;
}

/// Files under a folder for which `wanted` returns true.
inline std::vector<std::string> fuzz_seeds(const std::filesystem::path& folder,
                                           const std::function<bool(const std::filesystem::path&)>& wanted) {
    std::vector<std::string> seeds;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(folder))
        if (entry.is_regular_file() && entry.file_size() < kLargestFuzzInput && entry.file_size() > 0 &&
            wanted(entry.path()))
            seeds.push_back(read_file(entry.path()));
    return seeds;
}

/// Calls `round` until the time is over, with the address space limited to `memory` bytes (unlimited under a sanitizer,
/// which needs all of it).
inline int fuzz_rounds(std::size_t seeds, rlim_t memory, const std::function<void(std::mt19937_64&)>& round) {
    const char* wanted = std::getenv("TRAINYARD_FUZZ_SECONDS");
    const char* start = std::getenv("TRAINYARD_FUZZ_SEED");
    double seconds = wanted != nullptr ? std::atof(wanted) : 3;
    std::uint64_t seed = start != nullptr ? std::strtoull(start, nullptr, 10) : 1;
#if !defined(__SANITIZE_ADDRESS__)
    rlimit limit{memory, memory};
    ::setrlimit(RLIMIT_AS, &limit);
#else
    static_cast<void>(memory);
#endif
    std::printf("%zu files to start from, seed %llu, %.1f s\n", seeds, static_cast<unsigned long long>(seed), seconds);
    if (seeds == 0)
        return 1;
    std::mt19937_64 random(seed);
    std::uint64_t rounds = 0;
    for (double end = monotonic_seconds() + seconds; monotonic_seconds() < end; ++rounds)
        round(random);
    std::printf("%llu inputs read or refused\n", static_cast<unsigned long long>(rounds));
    return rounds > 0 ? 0 : 1;
}

/// Keeps the input that causes a crash, if requested.
inline void keep_input(const std::string& input, const std::filesystem::path& extension = {}) {
    if (const char* keep = std::getenv("TRAINYARD_FUZZ_KEEP"))
        write_file_atomically(std::filesystem::path(keep).replace_extension(
                                  extension.empty() ? std::filesystem::path(keep).extension() : extension),
                              input, false);
}

/// The callback corrects the checksums of an input, because otherwise nearly all mutations would be rejected at once.
/// It is not applied to a quarter of the inputs.
inline int fuzz(const std::vector<std::string>& seeds, const std::function<void(std::string&)>& mend) {
    return fuzz_rounds(seeds.size(), 1u << 30, [&](std::mt19937_64& random) {
        std::string input = changed(seeds[random() % seeds.size()], seeds, random);
        if (random() % 4 != 0)
            mend(input);
        keep_input(input);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    });
}

}  // namespace trainyard::test
