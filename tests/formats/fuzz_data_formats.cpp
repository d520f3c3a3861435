// Data files changed at random: whatever comes, it is read or refused with a sentence, within the limits of memory. Starts from the golden
// files, for $TRAINYARD_FUZZ_SECONDS (3), with $TRAINYARD_FUZZ_SEED (1).

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
#include "formats/image.h"
#include "formats/megatron_set.h"
#include "formats/table_reader.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace {

using namespace trainyard;
using namespace trainyard::formats;

std::size_t sum = 0;  // so that reading is not left out

void read_all(const std::filesystem::path& path) {
    std::string ending = path.extension();
    if (ending == ".png" || ending == ".jpg" || ending == ".jpeg") {
        for (std::uint8_t pixel : read_image(path).pixels)
            sum += pixel;
    } else if (ending == ".idx") {
        MegatronSet set(path);
        std::vector<std::int64_t> tokens;
        for (std::int64_t i = 0; i < std::min<std::int64_t>(set.sequences(), 100); ++i) {
            tokens.resize(static_cast<std::size_t>(set.lengths()[static_cast<std::size_t>(i)]));
            set.read(i, 0, tokens);
            for (std::int64_t token : tokens)
                sum += static_cast<std::size_t>(token);
        }
    } else {
        auto reader = open_table(path, {.record_limit = 1 << 20, .memory_limit = 64 << 20, .threads = 1});
        for (Table table = reader->next(10); table.rows > 0; table = reader->next(10))
            for (const Column& column : table.columns)
                for (std::byte byte : column.data)
                    sum += static_cast<std::size_t>(byte);
        std::int64_t rows = reader->rows();
        if (rows > 0)
            sum += static_cast<std::size_t>(reader->read(rows / 2, std::min<std::int64_t>(rows - rows / 2, 5)).rows);
    }
}

struct Seed {
    std::filesystem::path path;
    std::string text;
};

std::string changed(std::string text, const std::vector<Seed>& seeds, std::mt19937_64& random) {
    auto below = [&](std::size_t limit) {
        return static_cast<std::size_t>(random() % std::max<std::size_t>(limit, 1));
    };
    for (std::size_t changes = 1 + below(6); changes-- > 0 && !text.empty();) {
        // Heads and tails hold the lengths.
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
                const std::string& other = seeds[below(seeds.size())].text;
                text.replace(at, below(64), other.substr(below(other.size()), 1 + below(64)));
            }
        }
    }
    return text;
}

}  // namespace

int main() {
    const char* wanted = std::getenv("TRAINYARD_FUZZ_SECONDS");
    const char* start = std::getenv("TRAINYARD_FUZZ_SEED");
    double seconds = wanted != nullptr ? std::atof(wanted) : 3;
    std::uint64_t seed = start != nullptr ? std::strtoull(start, nullptr, 10) : 1;
#if !defined(__SANITIZE_ADDRESS__)
    rlimit memory{2u << 30, 2u << 30};
    ::setrlimit(RLIMIT_AS, &memory);
#endif
    std::vector<Seed> seeds;
    for (const char* topic : {"data_formats", "megatron"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden(topic)))
            if (entry.is_regular_file() && entry.path().extension() != ".json" && entry.path().extension() != ".bin")
                seeds.push_back({entry.path(), read_file(entry.path())});
    std::printf("%zu files to start from, seed %llu, %.1f s\n", seeds.size(), static_cast<unsigned long long>(seed),
                seconds);
    if (seeds.empty())
        return 1;
    test::TemporaryFolder folder;
    std::mt19937_64 random(seed);
    std::uint64_t rounds = 0, refused = 0;
    for (double end = monotonic_seconds() + seconds; monotonic_seconds() < end; ++rounds) {
        const Seed& from = seeds[random() % seeds.size()];
        std::string input = changed(from.text, seeds, random);
        std::filesystem::path path = folder.path() / ("input" + from.path.extension().string());
        if (path.extension() == ".idx")
            std::filesystem::copy_file(std::filesystem::path(from.path).replace_extension(".bin"),
                                       folder.path() / "input.bin", std::filesystem::copy_options::overwrite_existing);
        // A crash leaves the input that caused it.
        if (const char* keep = std::getenv("TRAINYARD_FUZZ_KEEP"))
            write_file_atomically(std::filesystem::path(keep).replace_extension(path.extension()), input, false);
        write_file_atomically(path, input, false);
        try {
            read_all(path);
        } catch (const UserError&) {
            ++refused;
        }
    }
    std::printf("%llu inputs, %llu of them refused (%zu)\n", static_cast<unsigned long long>(rounds),
                static_cast<unsigned long long>(refused), sum);
    return rounds > 0 ? 0 : 1;
}
