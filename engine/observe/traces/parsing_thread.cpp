// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/parsing_thread.h"

#include <algorithm>
#include <cstring>
#include <utility>

#include "observe/traces/text_window.h"

namespace trainyard::traces {

void EventBatch::clear() {
    bytes = 0;
    places.clear();
    unescaped.clear();
    if (text.size() > 2 * kBytes)  // an event of many megabytes is rare
        text = std::vector<char>();
}

void EventBatch::add(std::string_view event, std::uint64_t offset) {
    const std::size_t room = bytes + event.size() + TextWindow::kPadding;
    if (text.size() < room)
        text.resize(std::max(room, std::min(2 * text.size(), kBytes + kBytes / 4)));
    std::memcpy(text.data() + bytes, event.data(), event.size());
    places.push_back({offset, bytes, event.size()});
    bytes += event.size();
}

void EventBatch::parse(EventParser& parser) {
    if (places.empty())
        return;
    if (events.size() < places.size())
        events.resize(places.size());
    outcomes.resize(places.size());
    // Padding after the last event, which simdjson may read.
    std::memset(text.data() + bytes, 0, TextWindow::kPadding);
    // The parser's own memory is used again for the next event.
    const auto keep = [&](std::string_view& one) {
        if (!one.empty() && (one.data() < text.data() || one.data() >= text.data() + bytes))
            one = unescaped.emplace_back(one);
    };
    for (std::size_t i = 0; i < places.size(); ++i) {
        Event& event = events[i];
        outcomes[i] = parser.parse({text.data() + places[i].begin, places[i].size}, event);
        if (outcomes[i] != EventParser::Outcome::event)
            continue;
        for (std::string_view* one :
             {&event.name, &event.category, &event.process, &event.thread, &event.time, &event.duration, &event.id})
            keep(*one);
        for (auto& [key, value] : event.arguments) {
            keep(key);
            keep(value);
        }
    }
}

ParsingThread::ParsingThread() : thread_([this] { run(); }) {}

ParsingThread::~ParsingThread() {
    {
        std::lock_guard lock(mutex_);
        stop_ = true;
    }
    changed_.notify_all();
    thread_.join();
}

void ParsingThread::begin(EventBatch& batch) {
    {
        std::lock_guard lock(mutex_);
        batch_ = &batch;
    }
    changed_.notify_all();
}

void ParsingThread::finish() {
    std::unique_lock lock(mutex_);
    changed_.wait(lock, [&] { return batch_ == nullptr; });
    if (failure_)
        std::rethrow_exception(std::exchange(failure_, nullptr));
}

void ParsingThread::run() {
    EventParser parser;
    std::unique_lock lock(mutex_);
    for (;;) {
        changed_.wait(lock, [&] { return batch_ != nullptr || stop_; });
        if (batch_ == nullptr)
            return;
        EventBatch& batch = *batch_;
        lock.unlock();
        std::exception_ptr failure;
        try {
            batch.parse(parser);
        } catch (...) {
            failure = std::current_exception();
        }
        lock.lock();
        failure_ = failure;
        batch_ = nullptr;
        changed_.notify_all();
    }
}

}  // namespace trainyard::traces
