// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A text file that grows by whole lines: a buffer, and one write(2) per flush. What could not be written stays for the next try. Inside
// this library.

#include <string>
#include <string_view>

#include "base/file_descriptor.h"
#include "base/filesystem.h"

namespace trainyard::track {

class LineFile {
  public:
    /// Appends to `path` (mode 0600). A torn last line, which a killed run left, is cut off.
    explicit LineFile(fs::path path);
    ~LineFile();
    LineFile(LineFile&&) = default;

    void add(std::string_view line) { (buffer_ += line) += '\n'; }
    void flush();
    bool empty() const { return empty_ && buffer_.empty(); }
    const fs::path& path() const { return path_; }

  private:
    fs::path path_;
    FileDescriptor file_;
    std::string buffer_;
    bool empty_ = true;
};

/// A field of a CSV or TSV file, quoted as Python's csv module does when it must be.
std::string csv_field(std::string_view field, char separator);

}  // namespace trainyard::track
