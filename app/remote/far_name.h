#pragma once
// The name of a file or folder as another machine told it. What a server answers is not to be trusted: a name that leads elsewhere
// ("../.ssh/config", "checkpoint_/../../x"), that a terminal obeys (control bytes) or that no file can have never becomes a FarName, so that whatever
// is put behind a local folder stays in it.

#include <compare>
#include <filesystem>
#include <optional>
#include <string>
#include <string_view>

namespace trainyard::remote {

class FarName {
  public:
    FarName() = default;  ///< none: what has attributes alone
    /// Nothing, unless it is one component of a path: not empty, not "." or "..", at most 255 bytes, without a slash and control bytes.
    static std::optional<FarName> of(std::string_view given);

    const std::string& text() const { return text_; }
    operator const std::string&() const { return text_; }
    auto operator<=>(const FarName&) const = default;
    friend bool operator==(const FarName& name, std::string_view text) { return name.text_ == text; }

  private:
    explicit FarName(std::string_view text) : text_(text) {}
    std::string text_;
};

inline std::filesystem::path operator/(const std::filesystem::path& folder, const FarName& name) {
    return folder / name.text();
}

}  // namespace trainyard::remote
