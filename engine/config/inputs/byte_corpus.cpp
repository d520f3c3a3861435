// SPDX-License-Identifier: GPL-3.0-or-later
#include "config/inputs/byte_corpus.h"

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <cstring>
#include <optional>
#include <set>
#include <utility>

#include <fmt/format.h>
#include <fnmatch.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/files/mapped_file.h"
#include "base/filesystem.h"
#include "base/text.h"
#include "base/text_file.h"

namespace trainyard::inputs {

namespace {

void search_folder(const fs::path& folder, const std::string& pattern, std::set<std::string>& found,
                   std::vector<Problem>& problems) {
    auto complain = [&](const fs::path& path, const std::error_code& error) {
        problems.push_back(
            {"", 0, 0, "data.path", Message("cannot read {}: {}", path.string(), system_message(error.value()))});
    };
    std::error_code error;
    fs::recursive_directory_iterator entry(folder, error), end;
    if (error)
        return complain(folder, error);
    while (entry != end) {
        std::string name = entry->path().filename().string();
        bool hidden = name.starts_with('.');
        std::error_code unknown;
        if (entry->is_directory(unknown)) {
            // The iterator would stop at a folder that it cannot open, so permissions are checked first.
            bool closed = ::access(entry->path().c_str(), R_OK | X_OK) != 0;
            if (closed && !hidden)
                complain(entry->path(), std::error_code(errno, std::generic_category()));
            if (hidden || closed)
                entry.disable_recursion_pending();
        } else if (!hidden && entry->is_regular_file(unknown) &&
                   ::fnmatch(pattern.c_str(), name.c_str(), FNM_PERIOD) == 0 && entry->file_size(unknown) > 0) {
            found.insert(entry->path().string());
        }
        entry.increment(error);
        if (error)
            return complain(folder, error);
    }
}

}  // namespace

std::vector<std::filesystem::path> corpus_files(const config::DataRecipe& recipe) {
    std::vector<Problem> problems;
    std::set<std::string> found;
    auto complain = [&](Message message) { problems.push_back({"", 0, 0, "data.path", std::move(message)}); };
    if (recipe.paths.empty())
        complain("missing: name the text files or folders to train on");
    for (const std::string& path : recipe.paths) {
        struct stat info {};
        if (::stat(path.c_str(), &info) != 0) {
            complain(errno == ENOENT ? Message("{} does not exist", path)
                                     : Message("cannot read {}: {}", path, system_message(errno)));
        } else if (S_ISDIR(info.st_mode)) {
            std::size_t files = found.size(), complaints = problems.size();
            search_folder(path, recipe.pattern, found, problems);
            if (found.size() == files && problems.size() == complaints && recipe.paths.size() == 1)
                complain(Message("{} contains no file that matches '{}' and is not empty", path, recipe.pattern));
        } else if (!S_ISREG(info.st_mode)) {
            complain(Message("{} is neither a file nor a folder", path));
        } else if (info.st_size == 0) {
            complain(Message("{} is empty", path));
        } else {
            found.insert(path);
        }
    }
    for (const std::string& file : found)
        if (::access(file.c_str(), R_OK) != 0)
            complain(Message("cannot read {}: {}", file, system_message(errno)));
    if (found.empty() && problems.empty())
        complain(Message("the folders hold no file that matches '{}' and is not empty", recipe.pattern));
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    return {found.begin(), found.end()};
}

namespace {

/// One file of the text.
class MappedText {
  public:
    /// Throws UserError for text in another encoding than UTF-8, if it is to be checked.
    MappedText(const fs::path& path, std::uint64_t start, bool is_checked)
        : path_(path),
          file_(std::make_unique<files::MappedFile>(path, files::MappedFile::Pages::shared)),
          start_(start),
          is_checked_(is_checked) {
        if (!is_checked)
            return;
        if (const char* encoding = text::foreign_encoding(whole()))
            throw UserError("{}: {}", path.string(), text::describe_encoding(encoding));
        mark_ = text::mark_bytes(whole());
    }

    /// Returns the text after the byte order mark.
    std::span<const unsigned char> bytes() const {
        const std::string_view text = whole().substr(mark_);
        return {reinterpret_cast<const unsigned char*>(text.data()), text.size()};
    }
    std::uint64_t start() const { return start_; }  ///< offset of the first byte in the whole text
    std::uint64_t end() const { return start_ + bytes().size(); }
    /// Throws UserError if bytes [begin, end) are not text in UTF-8. They may begin and end inside of a character.
    void check(std::size_t begin, std::size_t end) const {
        if (!is_checked_)
            return;
        const auto is_inside = [&](std::size_t at) { return at < bytes().size() && (bytes()[at] & 0xC0u) == 0x80; };
        constexpr int kMostInside = 3;
        for (int i = 0; i < kMostInside && begin > 0 && is_inside(begin); ++i)
            --begin;
        for (int i = 0; i < kMostInside && is_inside(end); ++i)
            ++end;
        const std::string_view text = whole().substr(mark_ + begin, end - begin);
        if (const std::optional<text::Fault> fault = text::find_fault(text)) {
            const std::string_view before = whole().substr(0, mark_ + begin + fault->at);
            throw UserError("{}:{}: {}", path_.string(), std::count(before.begin(), before.end(), '\n') + 1,
                            text::describe_fault(*fault, mark_ + begin));
        }
    }
    void has_read(std::size_t count) const { file_->has_read(count); }
    void release() const { file_->release(); }

  private:
    std::string_view whole() const {
        return {reinterpret_cast<const char*>(file_->bytes().data()), file_->bytes().size()};
    }

    fs::path path_;
    std::unique_ptr<files::MappedFile> file_;
    std::uint64_t start_ = 0;
    std::size_t mark_ = 0;  ///< bytes of the byte order mark
    bool is_checked_;
};

}  // namespace

struct ByteCorpus::Impl {
    std::vector<MappedText> files;
    std::uint64_t bytes = 0;
    std::int64_t block = 0;
    std::int64_t training = 0;
    std::int64_t validation = 0;

    void copy(std::int64_t index, std::span<std::int64_t> out) const {
        std::uint64_t at = static_cast<std::uint64_t>(index) * static_cast<std::uint64_t>(block);
        std::uint64_t stop = at + static_cast<std::uint64_t>(block);
        auto file = std::upper_bound(files.begin(), files.end(), at,
                                     [](std::uint64_t place, const MappedText& text) { return place < text.start(); });
        std::int64_t* to = out.data();
        for (--file; at < stop; ++file) {
            std::uint64_t end = std::min(stop, file->end());
            if (at < end) {
                file->check(at - file->start(), end - file->start());
                auto part = file->bytes().subspan(at - file->start(), end - at);
                to = std::copy(part.begin(), part.end(), to);
                file->has_read(part.size());
                at = end;
            }
            if (at < stop) {
                *to++ = '\n';
                ++at;
            }
        }
    }
};

ByteCorpus::ByteCorpus(const config::DataRecipe& recipe) : impl_(std::make_unique<Impl>()) {
    std::vector<Problem> problems;
    for (const fs::path& path : corpus_files(recipe)) {
        std::uint64_t start = impl_->files.empty() ? 0 : impl_->files.back().end() + 1;
        try {
            impl_->files.emplace_back(path, start, recipe.on_corrupt != config::OnCorrupt::keep);
        } catch (const UserError& error) {
            problems.push_back({"", 0, 0, "data.path", error.message()});
        }
    }
    if (!problems.empty())
        throw InvalidInput(std::move(problems));
    impl_->bytes = impl_->files.back().end();
    impl_->block = recipe.sequence_length;
    std::int64_t blocks = static_cast<std::int64_t>(impl_->bytes) / recipe.sequence_length;
    if (blocks == 0)
        throw UserError(
            "the text has {}, less than one sample of data.sequence_length ({}) bytes: add text or "
            "shorten the samples",
            text::file_size(impl_->bytes), recipe.sequence_length);
    // If both parts are requested, each gets at least one block.
    auto held_out = static_cast<std::int64_t>(std::ceil(static_cast<double>(blocks) * recipe.validation_fraction));
    impl_->validation = recipe.validation_fraction > 0 ? std::min(held_out, blocks - 1) : 0;
    impl_->training = blocks - impl_->validation;
}

ByteCorpus::~ByteCorpus() = default;
ByteCorpus::ByteCorpus(ByteCorpus&&) noexcept = default;
ByteCorpus& ByteCorpus::operator=(ByteCorpus&&) noexcept = default;

std::uint64_t ByteCorpus::bytes() const {
    return impl_->bytes;
}

std::size_t ByteCorpus::files() const {
    return impl_->files.size();
}

unsigned char ByteCorpus::largest_byte() const {
    unsigned char largest = impl_->files.size() > 1 ? '\n' : 0;
    for (const MappedText& file : impl_->files) {
        for (const unsigned char byte : file.bytes())
            largest = std::max(largest, byte);
        file.release();
    }
    return largest;
}

std::int64_t ByteCorpus::training_blocks() const {
    return impl_->training;
}

std::int64_t ByteCorpus::validation_blocks() const {
    return impl_->validation;
}

void ByteCorpus::copy_training_block(std::int64_t index, std::span<std::int64_t> out) const {
    if (index < 0 || index >= impl_->training || std::ssize(out) != impl_->block)
        throw std::out_of_range("training block");
    impl_->copy(index, out);
}

void ByteCorpus::copy_validation_block(std::int64_t index, std::span<std::int64_t> out) const {
    if (index < 0 || index >= impl_->validation || std::ssize(out) != impl_->block)
        throw std::out_of_range("validation block");
    impl_->copy(impl_->training + index, out);
}

}  // namespace trainyard::inputs
