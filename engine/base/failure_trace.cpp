// SPDX-License-Identifier: GPL-3.0-or-later
#include "base/failure_trace.h"

#include <algorithm>
#include <array>
#include <atomic>
#include <csignal>
#include <cstdlib>
#include <cstring>
#include <exception>
#include <memory>
#include <typeinfo>

#include <cxxabi.h>
#include <dlfcn.h>
#include <execinfo.h>
#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>
#ifdef TRAINYARD_LIBBACKTRACE
#include <backtrace.h>
#endif

#include "base/error.h"
#include "base/letter_case.h"

namespace trainyard {

namespace {

constexpr std::size_t kMostFrames = 64;
constexpr unsigned kPatience = 10;  ///< time limit for the trace, in seconds: the process's heap may be corrupt

std::string demangled(const char* name) {
    int status = 0;
    const std::unique_ptr<char, decltype(&std::free)> text(abi::__cxa_demangle(name, nullptr, nullptr, &status),
                                                           &std::free);
    return status == 0 && text ? text.get() : name;
}

#ifdef TRAINYARD_LIBBACKTRACE

void ignore_error(void*, const char*, int) {}

backtrace_state* debug_information() {
    static backtrace_state* state = backtrace_create_state(nullptr, 1, ignore_error, nullptr);
    return state;
}

/// The symbol's name, for frames without debugging information.
std::string symbol_at(std::uintptr_t address) {
    std::string name = "??";
    backtrace_syminfo(
        debug_information(), address,
        [](void* data, std::uintptr_t, const char* symbol, std::uintptr_t, std::uintptr_t) {
            if (symbol != nullptr)
                *static_cast<std::string*>(data) = demangled(symbol);
        },
        ignore_error, &name);
    return name;
}

#else

void* debug_information() {
    std::array<void*, 1> first{};
    ::backtrace(first.data(), 1);  // loads libgcc now, because loading it is not allowed inside a signal handler
    return first[0];
}

#endif

[[gnu::noinline]] void print(const std::string& heading, int skip) {
    const bool colour = ::isatty(STDERR_FILENO) == 1;
    const std::string text =
        (colour ? "\x1b[1;31m" + heading + "\x1b[0m" : heading) + "\n" + trace_text(capture_trace(skip + 1), colour);
    for (std::size_t done = 0; done < text.size();) {
        const ssize_t n = ::write(STDERR_FILENO, text.data() + done, text.size() - done);
        if (n <= 0)
            return;
        done += static_cast<std::size_t>(n);
    }
}

std::atomic<bool> told{false};
volatile std::sig_atomic_t dying_of = 0;

void die_now(int) {
    std::signal(dying_of, SIG_DFL);
    ::raise(dying_of);
}

std::atomic<bool> prints = false;  ///< a trace on standard error is wanted

/// Path and beginning of the crash file, prepared before a signal arrives.
struct CrashFile {
    std::string path, heading;
    std::array<char, 256> exception{};  ///< type of an uncaught exception; empty: none
};
CrashFile* crash_file = nullptr;  ///< null: none is wanted; never freed

constexpr std::array kFatal{SIGSEGV, SIGBUS, SIGFPE, SIGILL, SIGABRT};

const char* name_of(int signal) {
    switch (signal) {
        case SIGSEGV:
            return "SIGSEGV";
        case SIGBUS:
            return "SIGBUS";
        case SIGFPE:
            return "SIGFPE";
        case SIGILL:
            return "SIGILL";
        default:
            return "SIGABRT";
    }
}

/// Runs in a signal handler: system calls, and backtrace(), which was called before so that its library is loaded.
void write_crash_file(int signal) {
    const int file = ::open(crash_file->path.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0600);
    if (file < 0)
        return;
    const auto put = [file](const char* text, std::size_t size) {
        while (size > 0) {
            const ssize_t n = ::write(file, text, size);
            if (n <= 0)
                return;
            text += n;
            size -= static_cast<std::size_t>(n);
        }
    };
    const auto put_line = [&put](const char* label, const char* text) {
        put(label, std::strlen(label));
        put(text, std::strlen(text));
        put("\n", 1);
    };
    put(crash_file->heading.data(), crash_file->heading.size());
    put_line("Signal: ", name_of(signal));
    if (crash_file->exception[0] != '\0')
        put_line("Uncaught exception: ", crash_file->exception.data());
    put_line("Calls, newest first:", "");
    std::array<void*, kMostFrames> calls{};
    ::backtrace_symbols_fd(calls.data(), ::backtrace(calls.data(), static_cast<int>(calls.size())), file);
    ::close(file);
}

void on_signal(int signal) {
    // SA_RESETHAND has already removed the handler, so a second fault, or the raise() below, ends the process.
    if (!told.exchange(true)) {
        dying_of = signal;
        std::signal(SIGALRM, die_now);
        ::alarm(kPatience);
        if (crash_file != nullptr)
            write_crash_file(signal);
        if (prints.exchange(false))
            print(fmt::format("died of {} (signal {})", ::strsignal(signal), signal), 1);
    }
    ::raise(signal);
}

/// For the crash file, which the signal of abort() writes.
void note_exception() {
    if (const std::type_info* type = abi::__cxa_current_exception_type(); crash_file != nullptr && type != nullptr)
        demangled(type->name()).copy(crash_file->exception.data(), crash_file->exception.size() - 1);
}

void handle_fatal_signals(bool replace) {
    // The handler needs its own stack, because after a stack overflow nothing is left of the normal one.
    static std::array<char, 1 << 17> spare_stack;
    stack_t stack{};
    stack.ss_sp = spare_stack.data();
    stack.ss_size = spare_stack.size();
    ::sigaltstack(&stack, nullptr);
    struct sigaction action {};
    action.sa_handler = on_signal;
    action.sa_flags = static_cast<int>(SA_RESETHAND) | SA_NODEFER | SA_ONSTACK;
    ::sigemptyset(&action.sa_mask);
    for (const int signal : kFatal) {
        struct sigaction now {};
        ::sigaction(signal, nullptr, &now);
        if (replace || now.sa_handler == SIG_DFL)
            ::sigaction(signal, &action, nullptr);
    }
}

[[noreturn]] void on_terminate() {
    note_exception();
    if (prints.exchange(false)) {
        std::string what = "std::terminate without an exception";
        if (const std::exception_ptr current = std::current_exception()) {
            const std::type_info* type = abi::__cxa_current_exception_type();
            const std::string name = type != nullptr ? demangled(type->name()) : "unknown exception";
            try {
                std::rethrow_exception(current);
            } catch (const std::exception& error) {
                what = fmt::format("what(): {} ({})", error.what(), name);
            } catch (...) {
                what = fmt::format("an exception of type {}", name);
            }
        }
        print(what, 1);
    }
    std::abort();
}

bool asked_for() {
    for (const char* variable : {"TRAINYARD_TRACE", "ACCELERATE_ENABLE_RICH"})
        if (const char* value = std::getenv(variable); value != nullptr) {
            const std::string word = text::lower(value);
            if (word == "1" || word == "true" || word == "yes" || word == "on" || word == "y" || word == "t")
                return true;
        }
    return false;
}

}  // namespace

// Never inlined: the number of frames to skip is fixed.
#ifdef TRAINYARD_LIBBACKTRACE
[[gnu::noinline]] std::vector<TraceFrame> capture_trace(int skip) {
    std::vector<TraceFrame> frames;
    backtrace_full(
        debug_information(), skip + 1,
        [](void* data, std::uintptr_t address, const char* file, int line, const char* function) {
            auto& all = *static_cast<std::vector<TraceFrame>*>(data);
            if (address == static_cast<std::uintptr_t>(-1))
                return 0;
            all.push_back(
                {function != nullptr ? demangled(function) : symbol_at(address), file != nullptr ? file : "", line});
            return all.size() == kMostFrames ? 1 : 0;
        },
        ignore_error, &frames);
    return frames;
}
#else
[[gnu::noinline]] std::vector<TraceFrame> capture_trace(int skip) {
    std::array<void*, kMostFrames> addresses{};
    const int count = ::backtrace(addresses.data(), static_cast<int>(addresses.size()));
    std::vector<TraceFrame> frames;
    for (int i = skip + 1; i < count; ++i) {
        Dl_info info{};
        const bool known = ::dladdr(addresses[static_cast<std::size_t>(i)], &info) != 0;
        frames.push_back({known && info.dli_sname != nullptr ? demangled(info.dli_sname) : "??",
                          known && info.dli_fname != nullptr ? info.dli_fname : "", 0});
    }
    return frames;
}
#endif

std::string trace_text(std::span<const TraceFrame> frames, bool colour) {
    std::size_t width = 0;
    for (const TraceFrame& frame : frames)
        width = std::max(width, std::min<std::size_t>(frame.function.size(), 70));
    std::string text;
    for (std::size_t i = 0; i < frames.size(); ++i) {
        const TraceFrame& frame = frames[i];
        const std::string file = frame.file.substr(frame.file.rfind('/') + 1);
        const std::string place = frame.line > 0 ? fmt::format("{}:{}", file, frame.line) : file;
        text += fmt::format("{:4}  {}{:<{}}{}{}{}{}{}\n", i, colour ? "\x1b[36m" : "", frame.function,
                            place.empty() ? 0 : width, colour ? "\x1b[0m" : "", place.empty() ? "" : "  ",
                            colour ? "\x1b[2m" : "", place, colour ? "\x1b[0m" : "");
    }
    return text;
}

bool install_failure_trace() {
    if (!asked_for())
        return false;
    debug_information();
    prints = true;
    handle_fatal_signals(true);
    std::set_terminate(on_terminate);
    return true;
}

void install_crash_file(const std::filesystem::path& file, const std::string& heading) {
    std::array<void*, 1> first{};
    ::backtrace(first.data(), 1);  // loads libgcc now, because loading it is not allowed inside a signal handler
    crash_file = new CrashFile{file.string(), heading};
    handle_fatal_signals(false);
    std::set_terminate(on_terminate);
}

}  // namespace trainyard
