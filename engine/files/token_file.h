#pragma once
// Tokens of a data set in one file, which all ranks of a host map: 72 bytes of header, the tokens (1 or 4 bytes each), the ends of the documents
// (int64, in tokens), a sentence on what was left out. Written once from front to back; the header, with sizes and checksums, comes last, so that
// a file that was cut off is none.

#include <cstdint>
#include <memory>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "base/file.h"
#include "files/mapped_file.h"

namespace trainyard::files {

/// A file that cannot be written (full disk) or is none (cut off, changed, of another version); a clause.
struct TokenFileError : std::runtime_error {
    using std::runtime_error::runtime_error;
};

class TokenFileWriter {
  public:
    /// Into an empty file. `bytes`: of one token, 1 or 4.
    TokenFileWriter(int fd, int bytes);
    ~TokenFileWriter();
    TokenFileWriter(const TokenFileWriter&) = delete;
    TokenFileWriter& operator=(const TokenFileWriter&) = delete;

    /// Tokens of one byte.
    void add(std::string_view text);
    /// Tokens of four bytes, from 0 on.
    void add(std::int32_t token);
    /// Tokens that lie in another file (Megatron's sets): they count, and are not kept here.
    void pass_over(std::int64_t tokens, std::int64_t largest);
    std::int64_t tokens() const { return tokens_; }
    std::int64_t documents() const { return documents_; }
    /// The document that begins where the last one ended is over.
    void end_document();
    /// The last document goes on to the last token.
    void extend_document() { last_end_ = tokens_; }
    std::int64_t last_end() const { return last_end_; }
    /// `left_out`: what of the data is not here.
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
    /// Throws TokenFileError where the file is none. `path`: what messages call it. `whole`: the checksum of the content is compared, too.
    TokenFile(int fd, const std::filesystem::path& path, bool whole);

    std::int64_t tokens() const { return tokens_; }
    std::int64_t documents() const { return documents_; }
    std::int64_t begin_of(std::int64_t document) const { return document == 0 ? 0 : end_of(document - 1); }
    std::int64_t end_of(std::int64_t document) const;
    /// Number of the document that holds this token.
    std::int64_t document_at(std::int64_t token) const;
    /// Whether the tokens are here, and not passed over.
    bool holds_tokens() const { return kept_ == tokens_; }
    /// Tokens from `first` on.
    void copy(std::int64_t first, std::span<std::int64_t> out) const;
    std::int64_t largest() const { return largest_; }
    std::string_view left_out() const { return left_out_; }

  private:
    MappedFile file_;
    int bytes_ = 1;
    std::int64_t tokens_ = 0, kept_ = 0, documents_ = 0, largest_ = 0;
    const std::byte* first_ = nullptr;
    const std::int64_t* ends_ = nullptr;
    std::string_view left_out_;
};

}  // namespace trainyard::files
