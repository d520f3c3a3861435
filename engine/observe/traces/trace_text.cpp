// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/trace_text.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <memory>
#include <vector>

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>
#include <zstd.h>

#include "base/error.h"
#include "base/file.h"
#include "base/regular_file.h"
#include "base/system_call.h"

namespace trainyard::traces {

namespace {

constexpr std::size_t kPiece = 1 << 20;

ssize_t read_at(int fd, char* into, std::size_t count, std::uint64_t offset) {
    return retry_interrupted([&] { return ::pread(fd, into, count, static_cast<off_t>(offset)); });
}

FileDescriptor unnamed_file() {
    const char* folder = std::getenv("TMPDIR");
    const std::string where = folder != nullptr && *folder != '\0' ? folder : "/tmp";
    FileDescriptor file(::open(where.c_str(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600));
    if (!file) {  // file systems without O_TMPFILE
        std::string name = where + "/trainyard-trace-XXXXXX";
        file = FileDescriptor(::mkostemp(name.data(), O_CLOEXEC));
        if (file)
            ::unlink(name.c_str());
    }
    if (!file)
        throw_file_error("cannot create a temporary file in", where, errno);
    return file;
}

}  // namespace

TraceText::TraceText(const std::filesystem::path& path) : path_(path), file_(open_regular_file(path)) {
    struct stat status {};
    if (::fstat(file_.get(), &status) != 0)
        throw_file_error("cannot read", path, errno);
    file_bytes_ = static_cast<std::uint64_t>(status.st_size);
    unsigned char head[4] = {};
    const ssize_t got = read_at(file_.get(), reinterpret_cast<char*>(head), sizeof head, 0);
    if (got < 0)
        throw_file_error("cannot read", path, errno);
    zstd_ = got == 4 && head[0] == 0x28 && head[1] == 0xb5 && head[2] == 0x2f && head[3] == 0xfd;
    compressed_ = zstd_ || (got >= 2 && head[0] == 0x1f && head[1] == 0x8b);
    if (!compressed_)
        return;
    spool_ = unnamed_file();
    thread_ = std::thread([this] { unpack(); });
}

TraceText::~TraceText() {
    stop_ = true;
    if (thread_.joinable())
        thread_.join();
}

std::uint64_t TraceText::consumed(std::uint64_t read_bytes) const {
    return compressed_ ? consumed_.load(std::memory_order_relaxed) : read_bytes;
}

Message TraceText::problem() const {
    std::lock_guard lock(mutex_);
    return problem_;
}

std::size_t TraceText::read(char* into, std::size_t count, std::uint64_t offset) const {
    if (compressed_) {
        std::unique_lock lock(mutex_);
        more_.wait(lock, [&] { return done_ || ready_ > offset; });
        if (ready_ <= offset)
            return 0;
        count = std::min<std::uint64_t>(count, ready_ - offset);
    }
    const ssize_t got = read_at(compressed_ ? spool_.get() : file_.get(), into, count, offset);
    if (got < 0)
        throw_file_error("cannot read", path_, errno);
    return static_cast<std::size_t>(got);
}

bool TraceText::give(const char* bytes, std::size_t count) {
    const std::uint64_t at = ready_;  // written by this thread only
    if (!write_all_at(spool_.get(), {bytes, count}, at))
        throw_file_error("cannot unpack into a temporary file:", path_, errno);
    {
        std::lock_guard lock(mutex_);
        ready_ = at + count;
    }
    more_.notify_all();
    return !stop_;
}

void TraceText::unpack() {
    Message problem;
    try {
        problem = zstd_ ? unpack_zstd() : unpack_gzip();
    } catch (const UserError& error) {
        problem = message_of(error);
    }
    {
        std::lock_guard lock(mutex_);
        problem_ = std::move(problem);
        done_ = true;
    }
    more_.notify_all();
}

Message TraceText::unpack_gzip() {
    struct Inflater {
        z_stream stream{};
        bool ok = inflateInit2(&stream, 16 + MAX_WBITS) == Z_OK;
        Inflater() = default;
        Inflater(const Inflater&) = delete;
        Inflater& operator=(const Inflater&) = delete;
        ~Inflater() { inflateEnd(&stream); }
    } inflater;
    if (!inflater.ok)
        return "the compressed data cannot be unpacked: no memory";
    z_stream& stream = inflater.stream;
    std::vector<char> in(kPiece), out(kPiece);
    std::uint64_t at = 0;
    bool between = false;  // after a whole member
    for (;;) {
        if (stream.avail_in == 0) {
            const ssize_t got = read_at(file_.get(), in.data(), in.size(), at);
            if (got < 0)
                throw_file_error("cannot read", path_, errno);
            if (got == 0)
                return between ? Message() : Message("the compressed data is cut: the file ends before its end mark");
            at += static_cast<std::uint64_t>(got);
            consumed_ = at;
            stream.next_in = reinterpret_cast<Bytef*>(in.data());
            stream.avail_in = static_cast<uInt>(got);
        }
        if (between) {
            if (*stream.next_in == 0) {  // padding
                ++stream.next_in;
                --stream.avail_in;
                continue;
            }
            if (inflateReset(&stream) != Z_OK)
                return "the compressed data is damaged";
            between = false;
        }
        stream.next_out = reinterpret_cast<Bytef*>(out.data());
        stream.avail_out = static_cast<uInt>(out.size());
        const int state = inflate(&stream, Z_NO_FLUSH);
        const std::size_t made = out.size() - stream.avail_out;
        if (made > 0 && !give(out.data(), made))
            return {};
        if (state == Z_STREAM_END)
            between = true;
        else if (state != Z_OK && state != Z_BUF_ERROR)
            return stream.msg != nullptr ? Message("the compressed data is damaged ({})", stream.msg)
                                         : Message("the compressed data is damaged");
    }
}

Message TraceText::unpack_zstd() {
    const std::unique_ptr<ZSTD_DStream, std::size_t (*)(ZSTD_DStream*)> stream(ZSTD_createDStream(), &ZSTD_freeDStream);
    if (!stream)
        return "the compressed data cannot be unpacked: no memory";
    std::vector<char> in(kPiece), out(kPiece);
    std::uint64_t at = 0;
    std::size_t expected = 1;
    for (;;) {
        const ssize_t got = read_at(file_.get(), in.data(), in.size(), at);
        if (got < 0)
            throw_file_error("cannot read", path_, errno);
        if (got == 0)
            return expected == 0 ? Message() : Message("the compressed data is cut: the file ends before its end mark");
        at += static_cast<std::uint64_t>(got);
        consumed_ = at;
        ZSTD_inBuffer from{in.data(), static_cast<std::size_t>(got), 0};
        bool full = true;
        while (from.pos < from.size || full) {
            ZSTD_outBuffer to{out.data(), out.size(), 0};
            expected = ZSTD_decompressStream(stream.get(), &to, &from);
            if (ZSTD_isError(expected) != 0)
                return Message("the compressed data is damaged ({})", ZSTD_getErrorName(expected));
            if (to.pos > 0 && !give(out.data(), to.pos))
                return {};
            full = to.pos == to.size;
            if (expected == 0 && from.pos == from.size)
                break;
        }
    }
}

}  // namespace trainyard::traces
