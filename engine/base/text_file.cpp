// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/text_file.h"

#include <algorithm>

#include <fmt/format.h>

#include "base/error.h"
#include "base/file.h"
#include "base/utf8.h"

namespace trainyard::text {

namespace {

constexpr std::string_view kMark = "\xef\xbb\xbf";

/// Offset of the first of two zero bytes; npos if there is none.
std::size_t find_zeros(std::string_view text) {
    for (std::size_t at = text.find('\0'); at != std::string_view::npos; at = text.find('\0', at + 1))
        if (at + 1 < text.size() && text[at + 1] == '\0')
            return at;
    return std::string_view::npos;
}

}  // namespace

std::size_t mark_bytes(std::string_view head) {
    return head.starts_with(kMark) ? kMark.size() : 0;
}

const char* foreign_encoding(std::string_view head) {
    using namespace std::string_view_literals;
    if (head.starts_with("\xff\xfe\0\0"sv) || head.starts_with("\0\0\xfe\xff"sv))
        return "UTF-32";
    if (head.starts_with("\xff\xfe"sv) || head.starts_with("\xfe\xff"sv))
        return "UTF-16";
    // Without a mark: ASCII characters, whose other byte is zero.
    head = head.substr(0, kHeadBytes);
    const std::size_t pairs = head.size() / 2;
    if (pairs < 2)
        return nullptr;
    std::size_t zeros[2] = {}, both = 0;
    for (std::size_t i = 0; i < 2 * pairs; i += 2) {
        zeros[0] += head[i] == '\0' ? 1 : 0;
        zeros[1] += head[i + 1] == '\0' ? 1 : 0;
        both += head[i] == '\0' && head[i + 1] == '\0' ? 1 : 0;
    }
    if (both > 0)
        return nullptr;
    const auto [less, more] = std::minmax(zeros[0], zeros[1]);
    return less == 0 && 4 * more >= 3 * pairs ? "UTF-16" : nullptr;
}

std::optional<Fault> find_fault(std::string_view text) {
    const std::size_t invalid = valid_utf8_bytes(text), zeros = find_zeros(text.substr(0, invalid));
    if (zeros != std::string_view::npos)
        return Fault{zeros, true, 0};
    if (invalid < text.size())
        return Fault{invalid, false, static_cast<unsigned char>(text[invalid])};
    return std::nullopt;
}

Message name_fault(const Fault& fault, std::uint64_t offset) {
    return fault.zeros ? Message("zero bytes begin at byte {}", offset + fault.at)
                       : Message("byte {} (0x{:02x}) is not valid UTF-8", offset + fault.at, fault.byte);
}

Message describe_fault(const Fault& fault, std::uint64_t offset) {
    if (fault.zeros)
        return Message(
            "zero bytes begin at byte {}: the file is damaged or is not text, so restore it or "
            "remove them",
            offset + fault.at);
    return Message(
        "byte {} (0x{:02x}) is not valid UTF-8: save the file as UTF-8, Latin-1 text for example "
        "with iconv -f WINDOWS-1252 -t UTF-8",
        offset + fault.at, fault.byte);
}

std::optional<Message> argument_problem(std::string_view text) {
    const std::optional<Fault> fault = find_fault(text);
    if (!fault)
        return std::nullopt;
    return Message(
        "byte {} (0x{:02x}) of the argument is not valid UTF-8: give it in UTF-8, as a terminal "
        "with a UTF-8 locale does",
        fault->at, fault->byte);
}

void check_argument(std::string_view text, const std::string& argument) {
    if (std::optional<Message> problem = argument_problem(text))
        throw InvalidInput({Problem{argument, 0, 0, "", std::move(*problem)}});
}

Message describe_encoding(const char* encoding) {
    return Message("the text is {0}: save it as UTF-8, for example with iconv -f {0} -t UTF-8", encoding);
}

std::optional<Problem> text_problem(std::string_view text, const std::string& file) {
    if (const char* encoding = foreign_encoding(text))
        return Problem{file, 0, 0, "", describe_encoding(encoding)};
    const std::optional<Fault> fault = find_fault(text);
    if (!fault)
        return std::nullopt;
    const std::string_view before = text.substr(0, fault->at);
    const auto line = std::count(before.begin(), before.end(), '\n') + 1;
    const std::size_t begin = before.rfind('\n') + 1;  // 0 in the first line
    return Problem{file, static_cast<int>(line), static_cast<int>(fault->at - begin) + 1, "",
                   describe_fault(*fault, 0)};
}

std::string_view checked_text(std::string_view text, const std::string& file) {
    if (std::optional<Problem> problem = text_problem(text, file))
        throw InvalidInput({std::move(*problem)});
    return text.substr(mark_bytes(text));
}

std::string read_text_file(const fs::path& path, std::uint64_t limit) {
    std::string text = read_file(path, limit);
    text.erase(0, text.size() - checked_text(text, path.string()).size());
    return text;
}

}  // namespace trainyard::text
