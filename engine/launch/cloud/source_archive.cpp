// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/cloud/source_archive.h"

#include <algorithm>
#include <memory>
#include <system_error>

#include <fmt/format.h>
#include <libdeflate.h>

#include "base/error.h"
#include "base/file.h"

namespace trainyard::cloud {

namespace fs = std::filesystem;

namespace {

constexpr std::size_t kBlock = 512;

void put(std::string& block, std::size_t at, const std::string& text) {
    std::ranges::copy(text, block.begin() + static_cast<std::ptrdiff_t>(at));
}

/// A header of POSIX's ustar format.
std::string header(const std::string& name, std::size_t size, char kind) {
    std::string block(kBlock, '\0');
    put(block, 0, name.substr(0, 100));
    put(block, 100, "0000644");
    put(block, 108, "0000000");
    put(block, 116, "0000000");
    put(block, 124, fmt::format("{:011o}", size));
    put(block, 136, fmt::format("{:011o}", 0));
    put(block, 148, "        ");
    block[156] = kind;
    put(block, 257, "ustar");
    put(block, 263, "00");
    unsigned sum = 0;
    for (const char c : block)
        sum += static_cast<unsigned char>(c);
    put(block, 148, fmt::format("{:06o}", sum));
    block[154] = '\0';
    return block;
}

void add(std::string& tar, const std::string& name, const std::string& content) {
    const auto body = [&](const std::string& text) {
        tar += text;
        tar.append((kBlock - text.size() % kBlock) % kBlock, '\0');
    };
    if (name.size() > 100) {  // an extended header has the whole name
        std::string record = fmt::format(" path={}\n", name);
        std::size_t size = record.size() + 1;
        while (std::to_string(size).size() + record.size() != size)
            size = std::to_string(size).size() + record.size();
        record = std::to_string(size) + record;
        tar += header("PaxHeader", record.size(), 'x');
        body(record);
    }
    tar += header(name, content.size(), '0');
    body(content);
}

std::string compressed(const std::string& bytes) {
    const std::unique_ptr<libdeflate_compressor, void (*)(libdeflate_compressor*)> compressor(
        libdeflate_alloc_compressor(6), libdeflate_free_compressor);
    std::string made(libdeflate_gzip_compress_bound(compressor.get(), bytes.size()), '\0');
    made.resize(libdeflate_gzip_compress(compressor.get(), bytes.data(), bytes.size(), made.data(), made.size()));
    return made;
}

}  // namespace

SourceArchive pack_sources(const fs::path& folder, const std::vector<fs::path>& left_out, std::uint64_t most) {
    SourceArchive made;
    std::error_code failed;
    for (fs::recursive_directory_iterator at(folder, failed), end; !failed && at != end; at.increment(failed)) {
        const std::string name = at->path().filename().string();
        if (at->is_directory() && (name.starts_with('.') || name == "__pycache__"))
            at.disable_recursion_pending();
        else if (at->is_regular_file() && !name.starts_with('.') &&
                 std::ranges::find(left_out, fs::canonical(at->path())) == left_out.end())
            made.files.push_back(fs::relative(at->path(), folder).generic_string());
    }
    if (failed)
        throw UserError("cannot read {}: {}", folder.string(), failed.message());
    std::ranges::sort(made.files);
    std::uint64_t size = 0;
    for (const std::string& file : made.files)
        size += fs::file_size(folder / file);
    if (size > most)
        throw UserError(
            "{} has files of {} MB, and at most {} MB are sent: put the script into a folder of its own, and data into "
            "a "
            "bucket",
            folder.string(), size >> 20, most >> 20);
    std::string tar;
    for (const std::string& file : made.files)
        add(tar, file, read_file(folder / file, most));
    tar.append(2 * kBlock, '\0');
    made.bytes = compressed(tar);
    return made;
}

}  // namespace trainyard::cloud
