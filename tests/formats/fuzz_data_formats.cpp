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
#include "support/byte_fuzz.h"
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
    std::vector<std::filesystem::path> paths;
    std::vector<std::string> seeds;  // what they hold
    for (const char* topic : {"data_formats", "megatron"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden(topic)))
            if (entry.is_regular_file() && entry.path().extension() != ".json" && entry.path().extension() != ".bin") {
                paths.push_back(entry.path());
                seeds.push_back(read_file(entry.path()));
            }
    std::printf("%zu files to start from, seed %llu, %.1f s\n", seeds.size(), static_cast<unsigned long long>(seed),
                seconds);
    if (seeds.empty())
        return 1;
    test::TemporaryFolder folder;
    std::mt19937_64 random(seed);
    std::uint64_t rounds = 0, refused = 0;
    for (double end = monotonic_seconds() + seconds; monotonic_seconds() < end; ++rounds) {
        std::size_t from = random() % seeds.size();
        std::string input = test::changed(seeds[from], seeds, random);
        std::filesystem::path path = folder.path() / ("input" + paths[from].extension().string());
        if (path.extension() == ".idx")
            std::filesystem::copy_file(std::filesystem::path(paths[from]).replace_extension(".bin"),
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
