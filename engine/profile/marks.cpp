// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/marks.h"

#include <array>
#include <mutex>

#include <fmt/format.h>

namespace trainyard::profile {

namespace {

struct Marks {
    std::mutex mutex;
    std::vector<Mark> all;
};

Marks& process_marks() {
    static Marks marks;
    return marks;
}

}  // namespace

const char* to_string(Row row) {
    constexpr std::array<const char*, kRows> kNames{"steps and phases", "micro-batches", "units", "collectives",
                                                    "checkpoints and evaluation"};
    return kNames[static_cast<std::size_t>(row)];
}

void add_mark(Mark mark) {
    if (!marking())
        return;
    Marks& marks = process_marks();
    std::lock_guard lock(marks.mutex);
    marks.all.push_back(std::move(mark));
}

void begin_marks() {
    Marks& marks = process_marks();
    std::lock_guard lock(marks.mutex);
    marks.all.clear();
    detail::marking.store(true, std::memory_order_relaxed);
}

std::vector<Mark> take_marks() {
    detail::marking.store(false, std::memory_order_relaxed);
    Marks& marks = process_marks();
    std::lock_guard lock(marks.mutex);
    return std::exchange(marks.all, {});
}

Mark step_mark(std::int64_t step, double begin, double end) {
    return {Row::steps, "user_annotation", fmt::format("ProfilerStep#{}", step), begin, end};
}

std::string json_text(const std::string& text) {
    std::string quoted = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            quoted += '\\';
        if (static_cast<unsigned char>(c) < 0x20)
            quoted += fmt::format("\\u{:04x}", static_cast<unsigned>(c));
        else
            quoted += c;
    }
    return quoted + '"';
}

}  // namespace trainyard::profile
