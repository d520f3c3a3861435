// SPDX-License-Identifier: GPL-3.0-or-later
// Randomly mutated data files (support/byte_fuzz.h), starting from the golden files: each is read or refused with a
// sentence, within the memory limits.

#include <algorithm>
#include <cstdio>
#include <filesystem>
#include <random>
#include <string>
#include <vector>

#include "base/error.h"
#include "base/file.h"
#include "formats/tables/image.h"
#include "formats/tables/megatron_set.h"
#include "formats/tables/table_reader.h"
#include "support/byte_fuzz.h"
#include "support/golden.h"
#include "support/temporary_folder.h"

namespace {

using namespace trainyard;
using namespace trainyard::formats;

std::size_t sum = 0;  // prevents the compiler from removing the reads

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
    std::vector<std::filesystem::path> paths;
    std::vector<std::string> seeds;  // contents of the files
    for (const char* topic : {"data_formats", "megatron"})
        for (const auto& entry : std::filesystem::recursive_directory_iterator(test::golden(topic)))
            if (entry.is_regular_file() && entry.path().extension() != ".json" && entry.path().extension() != ".bin") {
                paths.push_back(entry.path());
                seeds.push_back(read_file(entry.path()));
            }
    test::TemporaryFolder folder;
    int status = test::fuzz_rounds(seeds.size(), rlim_t{2} << 30, [&](std::mt19937_64& random) {
        std::size_t from = random() % seeds.size();
        std::string input = test::changed(seeds[from], seeds, random);
        std::filesystem::path path = folder.path() / ("input" + paths[from].extension().string());
        if (path.extension() == ".idx")
            std::filesystem::copy_file(std::filesystem::path(paths[from]).replace_extension(".bin"),
                                       folder.path() / "input.bin", std::filesystem::copy_options::overwrite_existing);
        test::keep_input(input, path.extension());
        write_file_atomically(path, input, false);
        try {
            read_all(path);
        } catch (const UserError&) {
        }
    });
    std::printf("sum %zu\n", sum);
    return status;
}
