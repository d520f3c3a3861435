// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/tables/text_check.h"

#include <algorithm>
#include <optional>
#include <span>
#include <string_view>
#include <vector>

#include "base/text_file.h"

namespace trainyard::formats {

Message first_text_fault(const std::filesystem::path& path, RecordKind kind, std::uint64_t most) {
    constexpr std::uint64_t kPiece = 1 << 20;
    constexpr std::size_t kLongestCharacter = 4;
    const SourceFile file(path);
    const TextLayout layout = text_layout(file, kind);
    const std::uint64_t end = std::min(file.size(), layout.begin + most);
    std::vector<char> buffer;
    for (std::uint64_t begin = layout.begin; begin < end;) {
        const std::uint64_t size = std::min(kPiece, end - begin);
        buffer.resize(size);
        file.read(begin, std::as_writable_bytes(std::span(buffer)));
        const std::string_view piece(buffer.data(), buffer.size());
        const std::optional<text::Fault> fault = text::find_fault(piece);
        // A character that the end of the piece cuts in two is read again with the next piece.
        const bool is_cut =
            fault && !fault->zeros && begin + size < file.size() && piece.size() - fault->at < kLongestCharacter;
        if (is_cut && begin + size == end)
            break;
        if (fault && !is_cut)
            return Message("{}:{}: {}", path.string(), line_of(file, begin + fault->at, {}, layout.line_end).line,
                           text::describe_fault(*fault, begin));
        begin += is_cut ? fault->at : size;
    }
    return {};
}

}  // namespace trainyard::formats
