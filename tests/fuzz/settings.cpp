// SPDX-License-Identifier: GPL-3.0-or-later
// Files of settings that anybody may have written: read, judged, written and rewritten. Whatever is read must be
// writable, and what was written must be read again as the same.

#include <cstdint>
#include <cstdlib>
#include <string>

#include "config/accelerate/check.h"
#include "config/accelerate/settings_file.h"

namespace {

using namespace trainyard::settings;

void must(bool holds) {
    if (!holds)
        std::abort();
}

void drive(const std::string& text, Format format) {
    Loaded loaded = read_settings(text, "fuzz", format);
    check(loaded.settings);
    std::vector<ReadNote> notes;
    to_fsdp2(loaded.settings, notes);
    std::string rewritten = rewrite(loaded, loaded.settings);
    if (!loaded.problems.empty())
        return;
    std::string written = to_text(with_defaults(loaded.settings), format);
    Loaded again = read_settings(written, "fuzz", format);
    must(again.problems.empty());
    must(to_text(again.settings, format) == written);
    Loaded same = read_settings(rewritten, "fuzz", format);
    must(same.problems.empty());
    must(to_text(same.settings, format) == to_text(loaded.settings, format));
    Settings changed = loaded.settings;
    changed.set("num_machines", 3);
    changed.set("fsdp_config.fsdp_version", 2);
    Loaded edited = read_settings(rewrite(loaded, changed), "fuzz", format);
    must(edited.settings.integer("num_machines", 1) == 3);
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    std::string text(reinterpret_cast<const char*>(data), size);
    drive(text, Format::yaml);
    drive(text, Format::json);
    read_deepspeed_json(text, "fuzz");
    return 0;
}
