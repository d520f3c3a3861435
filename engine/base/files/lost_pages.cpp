// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/files/lost_pages.h"

#include <atomic>
#include <cerrno>
#include <csignal>
#include <cstdint>
#include <mutex>
#include <string>
#include <utility>
#include <vector>

#include <sys/mman.h>

#include "base/error.h"
#include "base/files/page_size.h"

namespace trainyard::files {

/// Entries are reused and never deleted: the handler may walk over them at any time.
struct PageWatch::Entry {
    std::atomic<std::uintptr_t> begin = 0, end = 0;
    std::atomic<bool> lost = false;
    Message sentence;       ///< under the mutex
    Entry* next = nullptr;  ///< constant once the entry is in the list
};

namespace {

std::atomic<PageWatch::Entry*> first_entry = nullptr;
std::atomic<bool> any_page_lost = false;
std::mutex entries_mutex;
std::vector<PageWatch::Entry*>& free_entries() {
    static auto* const entries = new std::vector<PageWatch::Entry*>;
    return *entries;
}
std::uintptr_t watched_page_size = 4096;
struct sigaction action_before {};

/// Calls nothing but system calls.
void on_bus_error(int signal, siginfo_t* info, void*) {
    const int error = errno;
    const auto address = reinterpret_cast<std::uintptr_t>(info->si_addr);
    for (PageWatch::Entry* entry = info->si_code > 0 ? first_entry.load() : nullptr; entry != nullptr;
         entry = entry->next) {
        const std::uintptr_t end = entry->end.load();
        if (address < entry->begin.load() || address >= end)
            continue;
        const std::uintptr_t page = address / watched_page_size * watched_page_size;
        // If the file was truncated, all pages after this one are lost, too.
        if (::mmap(reinterpret_cast<void*>(page), end - page, PROT_READ | PROT_WRITE,
                   MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE | MAP_FIXED, -1, 0) == MAP_FAILED)
            break;
        entry->lost.store(true);
        any_page_lost.store(true);
        errno = error;
        return;
    }
    // Nobody's here: the access is repeated, and ends as it would have.
    ::sigaction(SIGBUS, &action_before, nullptr);
    if (info->si_code <= 0)
        ::raise(signal);
    errno = error;
}

void install_handler() {
    watched_page_size = page_size();
    struct sigaction action {};
    action.sa_sigaction = on_bus_error;
    action.sa_flags = SA_SIGINFO | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    ::sigaction(SIGBUS, &action, &action_before);
}

}  // namespace

PageWatch::PageWatch(const void* begin, std::size_t count, const std::filesystem::path& path, Message sentence) {
    static std::once_flag installed;
    std::call_once(installed, install_handler);
    const std::lock_guard lock(entries_mutex);
    if (free_entries().empty()) {
        entry_ = new Entry;
        entry_->next = first_entry.load();
        first_entry.store(entry_);
    } else {
        entry_ = free_entries().back();
        free_entries().pop_back();
    }
    entry_->sentence = !sentence.empty() ? std::move(sentence)
                                         : Message(
                                               "{} cannot be read any more: the file was cut while it "
                                               "was used, or its disk fails; put it back and load it "
                                               "again",
                                               path.string());
    entry_->lost.store(false);
    entry_->begin.store(reinterpret_cast<std::uintptr_t>(begin));
    entry_->end.store((reinterpret_cast<std::uintptr_t>(begin) + count + watched_page_size - 1) / watched_page_size *
                      watched_page_size);
}

void PageWatch::end() {
    if (entry_ == nullptr)
        return;
    const std::lock_guard lock(entries_mutex);
    entry_->end.store(0);
    entry_->begin.store(0);
    entry_->lost.store(false);
    free_entries().push_back(std::exchange(entry_, nullptr));
}

void throw_if_pages_were_lost() {
    if (!any_page_lost.load())
        return;
    const std::lock_guard lock(entries_mutex);
    for (const PageWatch::Entry* entry = first_entry.load(); entry != nullptr; entry = entry->next)
        if (entry->lost.load())
            throw UserError(entry->sentence);
}

}  // namespace trainyard::files
