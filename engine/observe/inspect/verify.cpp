// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/inspect/verify.h"

#include <algorithm>
#include <map>
#include <optional>
#include <set>

#include <fmt/format.h>
#include <openssl/evp.h>

#include "base/error.h"
#include "base/files/file_pieces.h"
#include "base/files/mapped_file.h"
#include "base/files/zip_archive.h"
#include "base/filesystem.h"
#include "checkpoint/files/manifest.h"
#include "observe/inspect/quantized_values.h"
#include "observe/inspect/reader.h"
#include "observe/inspect/statistics.h"

namespace trainyard::inspect {

namespace {

constexpr std::size_t kSha256Digits = 64;

/// Blobs of Hugging Face's cache are named by the SHA-256 of what was fetched, and the model's files are links to them.
std::optional<std::string> digest_in_name(const fs::path& file) {
    std::error_code error;
    if (!fs::is_symlink(file, error))
        return std::nullopt;
    const fs::path target = fs::read_symlink(file, error);
    const std::string name = target.filename().string();
    const bool digest = name.size() == kSha256Digits && name.find_first_not_of("0123456789abcdef") == std::string::npos;
    return digest && target.parent_path().filename() == "blobs" ? std::optional(name) : std::nullopt;
}

std::string sha256_of(const fs::path& file, std::uint64_t bytes, Progress& progress) {
    const std::unique_ptr<EVP_MD_CTX, void (*)(EVP_MD_CTX*)> context(EVP_MD_CTX_new(), EVP_MD_CTX_free);
    EVP_DigestInit_ex(context.get(), EVP_sha256(), nullptr);
    files::PieceReaders readers;
    readers.in_order = [&](std::span<const std::byte> piece) {
        EVP_DigestUpdate(context.get(), piece.data(), piece.size());
        progress.add(piece.size());
    };
    files::read_pieces(fs::canonical(file), bytes, readers);
    unsigned char digest[EVP_MAX_MD_SIZE];
    unsigned int size = 0;
    EVP_DigestFinal_ex(context.get(), digest, &size);
    std::string text;
    for (unsigned int i = 0; i < size; ++i)
        text += fmt::format("{:02x}", digest[i]);
    return text;
}

class Verifier {
  public:
    Verifier(const fs::path& path, Progress& progress) : contents_(read_contents(path)), progress_(progress) {
        if (checkpoint::has_manifest(contents_.root))
            try {
                manifest_ = checkpoint::read_manifest(contents_.root);
            } catch (const UserError&) {
                // A problem of the contents already.
            }
    }

    Verdict run(bool look_for_nan) {
        verdict_.problems = contents_.problems;
        std::uint64_t total = look_for_nan ? tensor_bytes() : 0;
        for (const File& file : contents_.files)
            total += file.bytes;
        progress_.begin(total);
        for (const File& file : contents_.files)
            check(file);
        if (look_for_nan)
            check_finite();
        return std::move(verdict_);
    }

  private:
    std::uint64_t tensor_bytes() const {
        std::uint64_t bytes = 0;
        for (const Tensor& tensor : contents_.tensors)
            bytes += tensor.bytes;
        return bytes;
    }

    void check(const File& file) {
        CheckedFile checked{file.name, file.bytes, CheckedFile::How::header_only, file.problem};
        const fs::path path = contents_.root / file.name;
        if (checked.problem.empty()) {
            try {
                checked.problem = look_through(file, path, checked.how);
            } catch (const Cancelled&) {
                throw;
            } catch (const UserError& error) {
                checked.problem = error.message();
            }
            if (!checked.problem.empty())
                verdict_.problems.push_back(checked.problem);
        }
        verdict_.files.push_back(std::move(checked));
    }

    Message look_through(const File& file, const fs::path& path, CheckedFile::How& how) {
        if (manifest_)
            if (const auto record = manifest_->files.find(file.name); record != manifest_->files.end()) {
                how = CheckedFile::How::hash;
                return by_manifest(path, record->second);
            }
        if (const auto digest = digest_in_name(path)) {
            how = CheckedFile::How::hash;
            return sha256_of(path, file.bytes, progress_) == *digest
                       ? Message()
                       : Message(
                             "{} is damaged: its SHA-256 is not that of the file that was fetched, fetch "
                             "it again",
                             path.string());
        }
        if (file.bytes == 0)
            return {};
        const files::MappedFile mapped(path);
        if (files::ZipArchive::begins_like_one(mapped.bytes())) {
            how = CheckedFile::How::checksums;
            if (file.name.ends_with(".distcp"))
                return by_chunks(file, mapped);
            by_entries(mapped.bytes(), path.string());
        }
        return {};
    }

    Message by_manifest(const fs::path& path, const checkpoint::FileRecord& record) {
        bool cancelled = false;
        Message problem = checkpoint::check_content(path, record, files::Cache::fill,
                                                    [&](std::uint64_t, std::span<const std::byte> piece) {
                                                        try {
                                                            progress_.add(piece.size());
                                                        } catch (const Cancelled&) {
                                                            cancelled = true;
                                                            throw;
                                                        }
                                                    });
        if (cancelled)
            throw Cancelled();
        return problem;
    }

    void by_entries(std::span<const std::byte> bytes, const std::string& where) {
        const files::ZipArchive archive(bytes, where);
        for (const auto& [name, entry] : archive.entries()) {
            archive.read(name);
            files::release_pages(entry.bytes);
            progress_.add(entry.bytes.size());
        }
    }

    /// Archives one behind the other, at the places that the metadata tells.
    Message by_chunks(const File& file, const files::MappedFile& mapped) {
        std::set<std::pair<std::uint64_t, std::uint64_t>> chunks;
        const auto number = static_cast<std::uint32_t>(&file - contents_.files.data());
        for (const Tensor& tensor : contents_.tensors)
            for (const ByteRange& range : tensor.ranges)
                if (range.file == number && tensor.archived)
                    chunks.emplace(range.offset, range.bytes);
        for (const auto& [offset, bytes] : chunks)
            by_entries(mapped.bytes().subspan(offset, bytes),
                       Message("{} (at byte {})", mapped.path().string(), offset));
        return {};
    }

    void check_finite() {
        std::vector<std::size_t> wanted;
        for (std::size_t i = 0; i < contents_.tensors.size(); ++i)
            if (contents_.tensors[i].section != Section::state)
                wanted.push_back(i);
        if (wanted.empty())
            return;
        const Reader reader(contents_);
        if (const Message& problem = reader.quantized().problem(); !problem.empty())
            verdict_.problems.push_back(problem);
        std::map<std::size_t, Statistics> found;
        const OnStatistics on_tensor = [&](std::size_t tensor, const Statistics& figures) {
            if (figures.nan + figures.infinite > 0)
                found.emplace(tensor, figures);
        };
        std::uint64_t last = 0;
        Progress pass([&](std::uint64_t done, std::uint64_t) {
            const std::uint64_t more = done > last ? done - last : 0;
            last = std::max(last, done);
            progress_.add(more);
            return true;
        });
        for (Message& problem : statistics_pass(reader, wanted, on_tensor, pass, 1).problems)
            verdict_.problems.push_back(std::move(problem));
        for (const auto& [tensor, figures] : found)
            verdict_.not_finite.push_back({contents_.tensors[tensor].name, figures.nan, figures.infinite});
    }

    Contents contents_;
    Progress& progress_;
    std::optional<checkpoint::Manifest> manifest_;
    Verdict verdict_;
};

}  // namespace

std::string_view name_of(CheckedFile::How how) {
    switch (how) {
        case CheckedFile::How::hash:
            return "hash";
        case CheckedFile::How::checksums:
            return "checksums";
        case CheckedFile::How::header_only:
            return "header only";
    }
    return {};
}

std::size_t Verdict::unchecked() const {
    return static_cast<std::size_t>(std::ranges::count_if(files, [](const CheckedFile& file) {
        return file.how == CheckedFile::How::header_only &&
               (file.name.ends_with(".safetensors") || file.name.ends_with(".gguf"));
    }));
}

Verdict verify(const fs::path& path, bool look_for_nan, Progress& progress) {
    return Verifier(path, progress).run(look_for_nan);
}

}  // namespace trainyard::inspect
