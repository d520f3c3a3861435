// Torch's files, changed at random: whatever comes, it is read or refused with a sentence, within the limits of memory. The entry
// point is libFuzzer's, so that `clang++ -fsanitize=fuzzer,address` can link this file too; here a driver of our own changes the golden
// files for $TRAINYARD_FUZZ_SECONDS (3), starting from $TRAINYARD_FUZZ_SEED (1).

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include <sys/resource.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "legacy/dcp_metadata.h"
#include "legacy/torch_file.h"
#include "support/golden.h"

namespace {

using namespace trainyard;

constexpr std::size_t kLargestInput = 1 << 20;

void read_torch_file(std::span<const std::byte> bytes) {
    try {
        legacy::TorchFile file(bytes, "input");
        std::size_t sum = 0;
        for (const legacy::Object* tensor : file.pickle().tensors())
            file.stream(*tensor->tensor, [&](std::span<const std::byte> piece) {
                for (std::byte byte : piece)
                    sum += static_cast<std::size_t>(byte);
            });
        if (sum == 1)  // so that reading the bytes is not left out
            std::puts("");
    } catch (const UserError&) {
    }
}

void read_metadata(std::span<const std::byte> bytes) {
    try {
        legacy::read_dcp_metadata(bytes, "input");
    } catch (const UserError&) {
    }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::span<const std::byte> bytes(reinterpret_cast<const std::byte*>(data), size);
    read_torch_file(bytes);
    if (!legacy::ZipArchive::begins_like_one(bytes))
        read_metadata(bytes);
    return 0;
}

#if !defined(TRAINYARD_LIBFUZZER)

namespace {

/// The checksums of an archive would stop nearly every change at the door: put the right ones in.
void mend_checksums(std::string& text) {
    for (std::size_t at = text.find("PK\1\2"); at != std::string::npos && at + 46 <= text.size();
         at = text.find("PK\1\2", at + 4)) {
        auto number = [&](std::size_t place, std::size_t bytes) {
            std::uint64_t value = 0;
            for (std::size_t i = bytes; i-- > 0;)
                value = value << 8 | static_cast<unsigned char>(text[place + i]);
            return value;
        };
        std::uint64_t size = number(at + 24, 4), header = number(at + 42, 4);
        if (header + 30 > text.size())
            continue;
        std::uint64_t data = header + 30 + number(header + 26, 2) + number(header + 28, 2);
        if (data + size > text.size())
            continue;
        std::uint32_t crc = legacy::crc32(std::as_bytes(std::span(text.data() + data, size)));
        for (std::size_t i = 0; i < 4; ++i)
            text[at + 16 + i] = static_cast<char>(crc >> 8 * i);
    }
}

std::string changed(std::string text, const std::vector<std::string>& seeds, std::mt19937_64& random) {
    auto below = [&](std::size_t limit) {
        return static_cast<std::size_t>(random() % std::max<std::size_t>(limit, 1));
    };
    for (std::size_t changes = 1 + below(6); changes-- > 0 && !text.empty();) {
        std::size_t at = below(text.size());
        switch (below(6)) {
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
            default: {
                const std::string& other = seeds[below(seeds.size())];
                text.replace(at, below(64), other.substr(below(other.size()), 1 + below(64)));
            }
        }
    }
    if (below(4) != 0)
        mend_checksums(text);
    return text;
}

}  // namespace

int main() {
    const char* wanted = std::getenv("TRAINYARD_FUZZ_SECONDS");
    const char* start = std::getenv("TRAINYARD_FUZZ_SEED");
    double seconds = wanted != nullptr ? std::atof(wanted) : 3;
    std::uint64_t seed = start != nullptr ? std::strtoull(start, nullptr, 10) : 1;
#if !defined(__SANITIZE_ADDRESS__)
    rlimit memory{1u << 30, 1u << 30};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    std::vector<std::string> seeds;
    for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden("checkpoints")))
        if (std::string suffix = entry.path().extension();
            entry.is_regular_file() && entry.file_size() < kLargestInput && entry.file_size() > 0 &&
            (suffix == ".bin" || suffix == ".pkl" || suffix == ".pt" || entry.path().filename() == ".metadata"))
            seeds.push_back(read_file(entry.path()));
    std::printf("%zu files to start from, seed %llu, %.1f s\n", seeds.size(), static_cast<unsigned long long>(seed),
                seconds);
    if (seeds.empty())
        return 1;
    std::mt19937_64 random(seed);
    std::uint64_t rounds = 0;
    for (double end = monotonic_seconds() + seconds; monotonic_seconds() < end; ++rounds) {
        std::string input = changed(seeds[random() % seeds.size()], seeds, random);
        // A crash leaves the input that caused it.
        if (const char* keep = std::getenv("TRAINYARD_FUZZ_KEEP"))
            write_file_atomically(keep, input, false);
        LLVMFuzzerTestOneInput(reinterpret_cast<const std::uint8_t*>(input.data()), input.size());
    }
    std::printf("%llu inputs read or refused\n", static_cast<unsigned long long>(rounds));
    return rounds > 0 ? 0 : 1;
}

#endif
