// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/track/line_file.h"

#include <cerrno>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/system_call.h"

namespace trainyard::track {

namespace {

/// Bytes up to and with the last newline.
off_t whole_lines(int file, off_t size) {
    char block[4096];
    for (off_t end = size; end > 0;) {
        const off_t begin = std::max<off_t>(0, end - static_cast<off_t>(sizeof block));
        const ssize_t n = ::pread(file, block, static_cast<std::size_t>(end - begin), begin);
        if (n <= 0)
            return size;
        for (ssize_t i = n; i > 0; --i)
            if (block[i - 1] == '\n')
                return begin + i;
        end = begin;
    }
    return 0;
}

}  // namespace

LineFile::LineFile(fs::path path) : path_(std::move(path)) {
    file_ = FileDescriptor(::open(path_.c_str(), O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC | O_NOFOLLOW, 0600));
    struct stat info {};
    if (!file_ || ::fstat(file_.get(), &info) != 0)
        throw_file_error("cannot write", path_, errno);
    const off_t whole = whole_lines(file_.get(), info.st_size);
    if (whole != info.st_size && ::ftruncate(file_.get(), whole) != 0)
        throw_file_error("cannot write", path_, errno);
    empty_ = whole == 0;
}

LineFile::~LineFile() {
    try {
        if (file_)
            flush();
    } catch (const UserError&) {
        // The disk is full and nobody is left to tell; flush() has told before.
    }
}

void LineFile::flush() {
    while (!buffer_.empty()) {
        const ssize_t n = retry_interrupted([&] { return ::write(file_.get(), buffer_.data(), buffer_.size()); });
        if (n < 0)
            throw_file_error("cannot write", path_, errno);
        buffer_.erase(0, static_cast<std::size_t>(n));
        empty_ = false;
    }
}

std::string csv_field(std::string_view field, char separator) {
    const std::string special = std::string("\"\r\n") + separator;
    if (field.find_first_of(special) == std::string_view::npos)
        return std::string(field);
    std::string out = "\"";
    for (char c : field)
        out += c == '"' ? "\"\"" : std::string(1, c);
    return out + '"';
}

}  // namespace trainyard::track
