// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Checked types for what another machine or another user's folder says: answers of hosts, mirrored files, imported run
// folders. A value that arrives as text becomes one of these before it reaches a path, a command, a label or a
// decision. Nothing else may build those from such text.

#include <compare>
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/error.h"
#include "base/filesystem.h"

namespace trainyard {

/// The name of a file or folder: one component of a path. Valid UTF-8 of at most 255 bytes, not "." or "..", without
/// slashes, control characters (C0, C1, DEL), bidirectional controls and invisible characters.
class SafeFileName {
  public:
    SafeFileName() = default;  ///< empty: the name is unknown
    /// Returns nothing if `given` is not such a name.
    static std::optional<SafeFileName> parse(std::string_view given);

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    auto operator<=>(const SafeFileName&) const = default;
    friend bool operator==(const SafeFileName& name, std::string_view text) { return name.text_ == text; }

  private:
    explicit SafeFileName(std::string_view text) : text_(text) {}
    std::string text_;
};

/// A path below a folder: one to `kDeepest` safe names, with a slash between two of them, at most 1024 bytes. It cannot
/// leave the folder.
class SafePath {
  public:
    static constexpr std::size_t kDeepest = 32;
    static std::optional<SafePath> parse(std::string_view given);

    const std::string& text() const { return text_; }
    const std::vector<SafeFileName>& names() const { return names_; }
    /// The path of a file or folder in this one; nothing if it would be too deep or too long.
    std::optional<SafePath> child(const SafeFileName& name) const;
    auto operator<=>(const SafePath& other) const { return text_ <=> other.text_; }
    bool operator==(const SafePath& other) const { return text_ == other.text_; }

  private:
    friend SafePath safe_path(const SafeFileName& name);
    SafePath() = default;
    std::string text_;
    std::vector<SafeFileName> names_;
};

SafePath safe_path(const SafeFileName& name);

inline fs::path operator/(const fs::path& folder, const SafeFileName& name) {
    return folder / name.text();
}
inline fs::path operator/(const fs::path& folder, const SafePath& path) {
    return folder / path.text();
}

/// Throws UserError "<origin>: '<given>' is not <description>".
[[noreturn]] void refuse_text(std::string_view given, const std::string& origin, const char* description);

/// Text that follows `Rule`, which has a function `accepts` and a `kDescription` for messages.
template <typename Rule>
class CheckedText {
  public:
    static std::optional<CheckedText> parse(std::string_view given) {
        return Rule::accepts(given) ? std::optional(CheckedText(given)) : std::nullopt;
    }
    /// Throws UserError that names `origin` ("gpu-a") if `given` does not follow the rule.
    static CheckedText require(std::string_view given, const std::string& origin) {
        if (!Rule::accepts(given))
            refuse_text(given, origin, Rule::kDescription);
        return CheckedText(given);
    }

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    bool operator==(const CheckedText&) const = default;

  private:
    explicit CheckedText(std::string_view text) : text_(text) {}
    std::string text_;
};

struct RunIdRule {
    static bool accepts(std::string_view given);
    static constexpr const char* kDescription = "the id of a run";
};
/// The id of a run, which is also the name of its folder: a SafeFileName of at most 200 bytes that begins with neither
/// '-' (an option of a command) nor '.' (files of our own in the runs folder).
using RunId = CheckedText<RunIdRule>;

inline fs::path operator/(const fs::path& folder, const RunId& id) {
    return folder / id.text();
}

struct HostPathRule {
    static bool accepts(std::string_view given);
    static constexpr const char* kDescription = "an absolute path";
};
/// An absolute path on a host, for commands on that same host only: at most 4096 bytes, valid UTF-8, without hidden
/// characters and without "." and ".." as components.
using HostPath = CheckedText<HostPathRule>;

/// Text for people: a label, a message, a line of a log. It is cut to a bounded length; control characters,
/// bidirectional controls and invisible characters are shown as escapes (base/printable.h). It is not safe as rich
/// text: a window shows it as plain text.
class HostText {
  public:
    static constexpr std::size_t kLabel = 400, kMessage = 4000;  ///< characters

    HostText() = default;
    /// One line.
    explicit HostText(std::string_view given, std::size_t most = kLabel);
    /// Several lines.
    static HostText lines(std::string_view given, std::size_t most = kMessage);
    /// The first line of what a program printed.
    static HostText first_line(std::string_view given, std::size_t most = kLabel);

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    bool empty() const { return text_.empty(); }
    bool operator==(const HostText&) const = default;

  private:
    std::string text_;
};

/// Limits of everything that is copied from a host. A copy that would exceed one ends with LimitReached.
struct Limits {
    int depth = 16;                          ///< folders below the one that is copied
    std::uint64_t files = 100'000;           ///< files and folders
    std::uint64_t bytes = 4ull << 40;        ///< of all files together
    std::uint64_t left_free = 512ull << 20;  ///< bytes that stay free on the disk of this machine
    double listing_s = 600;                  ///< seconds for looking through the folders
    double silence_s = 120;                  ///< seconds without an answer to a request
};

class LimitReached : public UserError {
  public:
    using UserError::UserError;
};

/// Counts one copy against its Limits. Each function throws LimitReached, with the limit and its value.
class CopyBudget {
  public:
    /// `what`: of messages, "the copy of gpu-a:/data/x".
    CopyBudget(const Limits& limits, std::string what);

    const Limits& limits() const { return limits_; }
    /// A file or folder.
    void add_entry();
    /// A file or folder that was removed or replaced.
    void release_entry();
    /// A file of so many bytes, or so many more bytes of one.
    void add_bytes(std::uint64_t bytes);
    /// A file that was removed or replaced.
    void release_bytes(std::uint64_t bytes);
    /// Checks that no more than Limits::listing_s have passed since the construction. For listings only: a copy that
    /// follows a run takes as long as the run.
    void require_time() const;
    std::uint64_t entries() const { return entries_; }
    std::uint64_t bytes() const { return bytes_; }
    /// Checks that the disk of `folder` (which exists) has room for `bytes` more.
    void require_room(const fs::path& folder, std::uint64_t bytes) const;

  private:
    Limits limits_;
    std::string what_;
    std::uint64_t entries_ = 0, bytes_ = 0;
    double begun_;
};

}  // namespace trainyard
