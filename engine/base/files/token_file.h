// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Tokens of a data set in one file that all ranks of a host map: a header of 72 bytes, the tokens (1 or 4 bytes each),
// the ends of the documents (int64, counted in tokens), a sentence about skipped data. The header, with sizes and
// checksums, is written last, so that an incomplete file is recognised.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/files/mapped_file.h"

namespace trainyard::files {

/// The file cannot be written (disk full) or is invalid (truncated, modified, another version). `what()` is a clause.
struct TokenFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class TokenFileWriter {
  public:
    /// Writes to an empty file. `bytes`: per token, 1 or 4.
    TokenFileWriter(int fd, int bytes);
    ~TokenFileWriter();
    TokenFileWriter(const TokenFileWriter&) = delete;
    TokenFileWriter& operator=(const TokenFileWriter&) = delete;

    /// Appends tokens of one byte.
    void add(std::string_view text);
    /// Appends a token of four bytes, not negative.
    void add(std::int32_t token);
    /// Counts tokens that are stored in another file (Megatron's indexed sets).
    void pass_over(std::int64_t tokens, std::int64_t largest);
    std::int64_t tokens() const { return tokens_; }
    std::int64_t documents() const { return documents_; }
    /// Ends the current document, which begins where the last one ended.
    void end_document();
    /// Extends the last document to the last token.
    void extend_document() { last_end_ = tokens_; }
    std::int64_t last_end() const { return last_end_; }
    /// `left_out`: a sentence about data that was skipped.
    void finish(std::string_view left_out);

  private:
    struct Stream;
    void put_end();

    int fd_, bytes_;
    std::unique_ptr<Stream> body_, ends_;
    std::int64_t tokens_ = 0, documents_ = 0, largest_ = 0, last_end_ = -1;
};

class TokenFile {
  public:
    /// Throws TokenFileError if the file is invalid. `path`: for messages. `whole`: also verifies the checksum of the
    /// content.
    TokenFile(int fd, const std::filesystem::path& path, bool whole);

    std::int64_t tokens() const { return tokens_; }
    std::int64_t documents() const { return documents_; }
    std::int64_t begin_of(std::int64_t document) const { return document == 0 ? 0 : end_of(document - 1); }
    std::int64_t end_of(std::int64_t document) const;
    /// Index of the document that contains this token.
    std::int64_t document_at(std::int64_t token) const;
    /// Copies tokens, starting with `first`.
    void copy(std::int64_t first, std::span<std::int64_t> out) const;
    std::int64_t largest() const { return largest_; }
    std::string_view left_out() const { return left_out_; }

  private:
    MappedFile file_;
    int bytes_ = 1;
    std::int64_t tokens_ = 0, documents_ = 0, largest_ = 0;
    const std::byte* first_ = nullptr;
    const std::int64_t* ends_ = nullptr;
    std::string_view left_out_;
};

}  // namespace trainyard::files
