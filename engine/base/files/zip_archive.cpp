// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/zip_archive.h"

#include <optional>
#include <utility>

#include <fmt/format.h>
#include <libdeflate.h>

#include "base/error.h"
#include "base/files/zip_directory.h"

namespace trainyard::files {

ZipArchive::ZipArchive(std::span<const std::byte> bytes, std::string where) : where_(std::move(where)) {
    const Message refused = Message("{} is not a whole torch.save archive", where_);
    std::optional<std::string> folder;
    for (const ZipEntry& entry : read_zip_directory(bytes, refused)) {
        if (entry.deflated)
            throw UserError("{}: its entry '{}' is compressed, which torch.save never does", refused, entry.name);
        const std::string own = entry.name.substr(0, entry.name.find('/') + 1);
        if (own.empty() || (folder && *folder != own))
            throw UserError("{}: its entries are not all in one folder", refused);
        folder = own;
        entries_.emplace(entry.name.substr(own.size()), Entry{bytes.subspan(entry.begin, entry.bytes), entry.crc});
    }
}

bool ZipArchive::begins_like_one(std::span<const std::byte> bytes) {
    return begins_like_zip(bytes);
}

const ZipArchive::Entry* ZipArchive::find(std::string_view name) const {
    auto found = entries_.find(name);
    return found == entries_.end() ? nullptr : &found->second;
}

std::span<const std::byte> ZipArchive::read(std::string_view name) const {
    const Entry* entry = find(name);
    if (entry == nullptr)
        throw UserError("{} is not a whole torch.save archive: it has no '{}'", where_, name);
    if (crc32(entry->bytes) != entry->crc)
        throw UserError("{} is damaged: the checksum of its entry '{}' is wrong", where_, name);
    return entry->bytes;
}

std::uint32_t crc32(std::span<const std::byte> bytes) {
    return ::libdeflate_crc32(0, bytes.data(), bytes.size());
}

}  // namespace trainyard::files
