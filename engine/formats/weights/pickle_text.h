// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Internal to pickle.h: reads the bytes and opcodes of a pickle.

#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <span>
#include <string>
#include <string_view>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::weights {

/// Reads from a bounded text. Lengths with 8 bytes may have any value, so each is compared with what is left of the
/// text.
class Cursor {
  public:
    Cursor(std::span<const std::byte> bytes, const std::string& where) : bytes_(bytes), where_(where) {}

    std::size_t position() const { return position_; }
    [[noreturn]] void fail(const Message& what) const {
        throw UserError("{} is refused: {} (byte {} of its pickle)", where_, what, std::min(position_, bytes_.size()));
    }

    std::string_view take(std::uint64_t count) {
        if (count > bytes_.size() - position_)
            fail(Message("it announces {} bytes where {} are left", count, bytes_.size() - position_));
        std::string_view part(reinterpret_cast<const char*>(bytes_.data()) + position_,
                              static_cast<std::size_t>(count));
        position_ += static_cast<std::size_t>(count);
        return part;
    }
    template <class T>
    T number() {
        T value;
        std::memcpy(&value, take(sizeof value).data(), sizeof value);
        return value;
    }
    std::string_view line() {
        std::string_view rest(reinterpret_cast<const char*>(bytes_.data()) + position_, bytes_.size() - position_);
        std::size_t end = rest.find('\n');
        if (end == std::string_view::npos)
            fail("it is cut");
        position_ += end + 1;
        return rest.substr(0, end);
    }
    bool at_end() const { return position_ == bytes_.size(); }
    std::size_t left() const { return bytes_.size() - position_; }

  private:
    std::span<const std::byte> bytes_;
    const std::string& where_;
    std::size_t position_ = 0;
};

// clang-format off: grouped as in the protocol
/// Opcodes of Python's pickletools.
enum Op : unsigned char {
    kMark = '(',
    kStop = '.',
    kPop = '0',
    kPopMark = '1',
    kDup = '2',
    kNone = 'N',
    kBinInt = 'J',
    kBinInt1 = 'K',
    kBinInt2 = 'M',
    kBinFloat = 'G',
    kBinString = 'T',
    kShortBinString = 'U',
    kBinUnicode = 'X',
    kBinBytes = 'B',
    kShortBinBytes = 'C',
    kEmptyList = ']',
    kAppend = 'a',
    kAppends = 'e',
    kList = 'l',
    kEmptyTuple = ')',
    kTuple = 't',
    kEmptyDict = '}',
    kDict = 'd',
    kSetItem = 's',
    kSetItems = 'u',
    kBinGet = 'h',
    kLongBinGet = 'j',
    kBinPut = 'q',
    kLongBinPut = 'r',
    kGlobal = 'c',
    kReduce = 'R',
    kBuild = 'b',
    kBinPersonalId = 'Q',
    kInst = 'i',
    kObj = 'o',
    kProtocol = 0x80,
    kNewObj = 0x81,
    kTuple1 = 0x85,
    kTuple2 = 0x86,
    kTuple3 = 0x87,
    kNewTrue = 0x88,
    kNewFalse = 0x89,
    kLong1 = 0x8a,
    kLong4 = 0x8b,
    kShortBinUnicode = 0x8c,
    kBinUnicode8 = 0x8d,
    kBinBytes8 = 0x8e,
    kEmptySet = 0x8f,
    kAddItems = 0x90,
    kFrozenSet = 0x91,
    kStackGlobal = 0x93,
    kMemoize = 0x94,
    kFrame = 0x95,
    kByteArray8 = 0x96,
};
// clang-format on

}  // namespace trainyard::weights
