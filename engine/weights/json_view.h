#pragma once
// Internal to readers of JSON headers: simdjson's on-demand reader over bytes that lie in memory, names without a copy.

#include <algorithm>
#include <cstring>
#include <memory>
#include <string_view>

#include <simdjson.h>

namespace trainyard::weights {

/// JSON text with the readable bytes behind it that simdjson wants: the text itself where its buffer is large enough, else a
/// copy.
class JsonView {
  public:
    /// `readable`: bytes from the beginning of the text that may be read, at least its size.
    JsonView(std::string_view text, std::size_t readable) : view_(text.data(), text.size(), readable) {
        if (readable - text.size() >= simdjson::SIMDJSON_PADDING)
            return;
        const std::size_t capacity = text.size() + simdjson::SIMDJSON_PADDING;
        copy_ = std::make_unique<char[]>(capacity);
        std::memcpy(copy_.get(), text.data(), text.size());
        view_ = simdjson::padded_string_view(copy_.get(), text.size(), capacity);
    }
    const simdjson::padded_string_view& view() const { return view_; }

  private:
    std::unique_ptr<char[]> copy_;
    simdjson::padded_string_view view_;
};

/// The name of a field: a part of the text, or of the parser's memory where it has escapes.
inline simdjson::error_code name_of_field(simdjson::simdjson_result<simdjson::ondemand::field>& field,
                                          std::string_view& name) {
    simdjson::ondemand::raw_json_string raw;
    if (const simdjson::error_code error = field.key().get(raw); error != simdjson::SUCCESS)
        return error;
    // Every text of a document ends with a quote: the first part of the reader has seen to that.
    const char* end = static_cast<const char*>(::rawmemchr(raw.raw(), '"'));
    name = {raw.raw(), static_cast<std::size_t>(end - raw.raw())};
    return name.find('\\') == std::string_view::npos ? simdjson::SUCCESS : field.unescaped_key().get(name);
}

}  // namespace trainyard::weights
