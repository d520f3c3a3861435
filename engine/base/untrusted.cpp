// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/untrusted.h"

#include <algorithm>
#include <utility>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/printable.h"
#include "base/text.h"
#include "base/utf8.h"

namespace trainyard {

namespace {

constexpr std::size_t kLongestFileName = 255;  // bytes, NAME_MAX of Linux
constexpr std::size_t kLongestId = 200, kLongestPath = 1024, kLongestHostPath = 4096;

bool has_hidden_characters(std::string_view text) {
    return !text::is_utf8(text) || text.find('\t') != std::string_view::npos ||
           text::printable(text, std::string_view::npos) != text;
}

/// Calls `take` for the components of a path, empty ones included, until it returns false.
template <typename Take>
bool for_each_component(std::string_view path, Take take) {
    for (std::size_t begin = 0; begin <= path.size();) {
        const std::size_t end = std::min(path.find('/', begin), path.size());
        if (!take(path.substr(begin, end - begin)))
            return false;
        begin = end + 1;
    }
    return true;
}

}  // namespace

std::optional<SafeFileName> SafeFileName::parse(std::string_view given) {
    if (given.empty() || given == "." || given == ".." || given.size() > kLongestFileName ||
        given.find('/') != std::string_view::npos || has_hidden_characters(given))
        return std::nullopt;
    return SafeFileName(given);
}

std::optional<SafePath> SafePath::parse(std::string_view given) {
    if (given.size() > kLongestPath)
        return std::nullopt;
    SafePath path;
    const bool good = for_each_component(given, [&](std::string_view component) {
        std::optional<SafeFileName> name = SafeFileName::parse(component);
        if (!name || path.names_.size() == kDeepest)
            return false;
        path.names_.push_back(std::move(*name));
        return true;
    });
    if (!good)
        return std::nullopt;
    path.text_ = given;
    return path;
}

std::optional<SafePath> SafePath::child(const SafeFileName& name) const {
    if (names_.size() == kDeepest || text_.size() + 1 + name.text().size() > kLongestPath)
        return std::nullopt;
    SafePath path = *this;
    path.text_ += '/' + name.text();
    path.names_.push_back(name);
    return path;
}

SafePath safe_path(const SafeFileName& name) {
    SafePath path;
    path.text_ = name.text();
    path.names_.push_back(name);
    return path;
}

void refuse_text(std::string_view given, const std::string& origin, const char* description) {
    throw UserError("{}: '{}' is not {}", origin, text::printable(given, 100), description);
}

bool RunIdRule::accepts(std::string_view given) {
    return !given.starts_with('-') && !given.starts_with('.') && given.size() <= kLongestId &&
           SafeFileName::parse(given);
}

bool HostPathRule::accepts(std::string_view given) {
    return given.starts_with('/') && given.size() <= kLongestHostPath && !has_hidden_characters(given) &&
           for_each_component(given, [](std::string_view component) { return component != "." && component != ".."; });
}

HostText::HostText(std::string_view given, std::size_t most) : text_(text::printable(given, most)) {}

HostText HostText::lines(std::string_view given, std::size_t most) {
    HostText made;
    made.text_ = text::printable_lines(given, most);
    return made;
}

HostText HostText::first_line(std::string_view given, std::size_t most) {
    return HostText(given.substr(0, given.find('\n')), most);
}

CopyBudget::CopyBudget(const Limits& limits, std::string what)
    : limits_(limits), what_(std::move(what)), begun_(monotonic_seconds()) {}

void CopyBudget::add_entry() {
    if (entries_ >= limits_.files)
        throw LimitReached(Message("{} is limited to {} files and folders", what_, limits_.files));
    ++entries_;
}

void CopyBudget::release_entry() {
    entries_ -= std::min<std::uint64_t>(1, entries_);
}

void CopyBudget::require_time() const {
    if (monotonic_seconds() - begun_ > limits_.listing_s)
        throw LimitReached(
            Message("{}: listing its files took more than {}", what_, text::duration(limits_.listing_s)));
}

void CopyBudget::add_bytes(std::uint64_t bytes) {
    if (bytes > limits_.bytes || bytes_ > limits_.bytes - bytes)
        throw LimitReached(Message("{} is limited to {}", what_, text::file_size(limits_.bytes)));
    bytes_ += bytes;
}

void CopyBudget::release_bytes(std::uint64_t bytes) {
    bytes_ -= std::min(bytes, bytes_);
}

void CopyBudget::require_room(const fs::path& folder, std::uint64_t bytes) const {
    std::error_code error;
    const fs::space_info space = fs::space(folder, error);
    if (error || (space.available >= limits_.left_free && bytes <= space.available - limits_.left_free))
        return;
    throw LimitReached(
        Message("{} needs {} more on the disk of {}: {} are free there, and {} of them stay "
                "free",
                what_, text::file_size(bytes), folder.string(), text::file_size(space.available),
                text::file_size(limits_.left_free)));
}

}  // namespace trainyard
