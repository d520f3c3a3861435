#include "desktop/wizard/data_look.h"

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <map>
#include <vector>

#include "base/error.h"
#include "config/inputs/byte_corpus.h"
#include "desktop/qt_text.h"
#include "formats/tables/table_set.h"

namespace trainyard::desktop {

namespace {

namespace fs = std::filesystem;

constexpr std::size_t kSampleBytes = 160;
constexpr std::size_t kSampleFiles = 3;

std::vector<fs::path> files_of(const config::DataRecipe& data) {
    return data.format == config::DataFormat::bytes ? inputs::corpus_files(data)
                                                    : formats::find_files(data.paths, data.pattern);
}

std::uint64_t size_of(const fs::path& file) {
    std::error_code error;
    const std::uint64_t size = fs::file_size(file, error);
    return error ? 0 : size;
}

/// Some words from the middle of a file: many begin with the same head.
QString sample_of(const fs::path& file) {
    std::ifstream in(file, std::ios::binary);
    const std::uint64_t size = size_of(file);
    in.seekg(static_cast<std::streamoff>(size > 2 * kSampleBytes ? size / 2 : 0));
    std::string bytes(kSampleBytes, '\0');
    in.read(bytes.data(), static_cast<std::streamsize>(bytes.size()));
    bytes.resize(static_cast<std::size_t>(in.gcount()));
    // The first letter may have been cut in two.
    std::size_t first = 0;
    while (first < bytes.size() && first < 3 && (static_cast<unsigned char>(bytes[first]) & 0xC0u) == 0x80)
        ++first;
    return QString::fromUtf8(bytes.data() + first, static_cast<qsizetype>(bytes.size() - first)).simplified();
}

/// By ending: files and bytes. Files without one are not counted: `*` would take everything else, too.
std::map<std::string, std::pair<std::size_t, std::uint64_t>> endings_of(const config::DataRecipe& data) {
    std::map<std::string, std::pair<std::size_t, std::uint64_t>> endings;
    config::DataRecipe all = data;
    all.pattern.assign(1, '*');  // g++ 12 warns of the assignment of a literal here
    try {
        for (const fs::path& file : files_of(all))
            if (const std::string ending = file.extension().string(); ending.size() > 1) {
                auto& [files, bytes] = endings[ending];
                ++files;
                bytes += size_of(file);
            }
    } catch (const UserError&) {
        // Nothing there matches anything.
    }
    return endings;
}

}  // namespace

DataLook look_at_data(const config::DataRecipe& data) {
    DataLook look;
    std::vector<fs::path> files;
    try {
        files = files_of(data);
    } catch (const UserError&) {
        const auto endings = endings_of(data);
        const auto most = std::max_element(endings.begin(), endings.end(), [](const auto& a, const auto& b) {
            return a.second.second < b.second.second;
        });
        if (most != endings.end()) {
            look.pattern = QLatin1Char('*') + qt(most->first);
            std::tie(look.pattern_files, look.pattern_bytes) = most->second;
        }
        return look;
    }
    look.files = files.size();
    for (const fs::path& file : files)
        look.bytes += size_of(file);
    if (data.format == config::DataFormat::bytes)
        look.tokens = look.bytes + (files.empty() ? 0 : files.size() - 1);
    using enum config::DataFormat;
    if (is_one_of(data.format, {bytes, text, jsonl, csv}))
        for (std::size_t i = 0; i < std::min(kSampleFiles, files.size()); ++i)
            look.samples << sample_of(files[i * files.size() / std::min(kSampleFiles, files.size())]);
    return look;
}

}  // namespace trainyard::desktop
