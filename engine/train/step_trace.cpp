#include "train/step_trace.h"

#include <map>
#include <mutex>
#include <string>
#include <unordered_map>
#include <vector>

#include <ATen/record_function.h>

#include <fmt/format.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"

namespace trainyard::train {

namespace {

struct Operator {
    std::uint32_t name = 0;  ///< index
    bool backward = false;
    std::uint64_t thread = 0;
    double begin = 0, end = 0;  ///< monotonic seconds
};

/// LibTorch's callbacks are plain functions: what they record lies here.
struct Recording {
    std::mutex mutex;
    std::unordered_map<std::string, std::uint32_t> numbers;
    std::vector<std::string> names;
    std::vector<Operator> operators;
    std::size_t left_out = 0;

    void clear() {
        std::lock_guard lock(mutex);
        numbers.clear();
        names.clear();
        operators.clear();
        left_out = 0;
    }
};

Recording& recording() {
    static Recording one;
    return one;
}

struct Began final : at::ObserverContext {
    double at = monotonic_seconds();
};

std::unique_ptr<at::ObserverContext> on_begin(const at::RecordFunction&) {
    return std::make_unique<Began>();
}

void on_end(const at::RecordFunction& function, at::ObserverContext* context) {
    const double now = monotonic_seconds();
    Recording& all = recording();
    std::lock_guard lock(all.mutex);
    if (all.operators.size() >= StepTrace::kMostOperators) {
        ++all.left_out;
        return;
    }
    auto [place, added] = all.numbers.try_emplace(function.name(), static_cast<std::uint32_t>(all.names.size()));
    if (added)
        all.names.push_back(place->first);
    all.operators.push_back({place->second, function.scope() == at::RecordScope::BACKWARD_FUNCTION, function.threadId(),
                             static_cast<Began*>(context)->at, now});
}

std::string quoted(const std::string& text) {
    std::string result = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\')
            result += '\\';
        if (static_cast<unsigned char>(c) >= 0x20)
            result += c;
    }
    return result + "\"";
}

}  // namespace

StepTrace::StepTrace(Trainer& trainer, int rank, std::int64_t first_step)
    : trainer_(trainer), rank_(rank), first_step_(first_step) {
    recording().clear();
    callback_ = at::addGlobalCallback(
        at::RecordFunctionCallback(&on_begin, &on_end)
            .scopes({at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION, at::RecordScope::USER_SCOPE}));
    recording_ = true;
    trainer_.record_phases(&phases_);
}

StepTrace::~StepTrace() {
    end();
}

void StepTrace::end() {
    if (!recording_)
        return;
    recording_ = false;
    at::removeCallback(callback_);
    trainer_.record_phases(nullptr);
}

StepTrace::Written StepTrace::write(const std::filesystem::path& folder, std::int64_t last_step) {
    end();
    Recording& all = recording();
    std::lock_guard lock(all.mutex);
    // Ranks of one machine share the clock; the time of day places them beside other files.
    const double shift = wall_seconds() - monotonic_seconds();
    auto micros = [&](double at) { return (at + shift) * 1e6; };
    std::string json = fmt::format(
        "{{\"displayTimeUnit\":\"ms\",\"otherData\":{{\"rank\":{},\"first_step\":{},\"last_step\":{},\"operators\":{},"
        "\"left_out\":{},\"holds\":\"phases of the step and operators called by the host; no kernels of GPUs\"}},\n"
        "\"traceEvents\":[\n{{\"ph\":\"M\",\"name\":\"process_name\",\"pid\":{},\"args\":{{\"name\":\"rank {}\"}}}},\n"
        "{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":0,\"args\":{{\"name\":\"phases\"}}}}",
        rank_, first_step_, last_step, all.operators.size(), all.left_out, rank_, rank_, rank_);
    auto out = std::back_inserter(json);
    std::map<std::uint64_t, int> threads;
    for (const Operator& one : all.operators)
        if (threads.try_emplace(one.thread, static_cast<int>(threads.size()) + 1).second)
            fmt::format_to(out,
                           ",\n{{\"ph\":\"M\",\"name\":\"thread_name\",\"pid\":{},\"tid\":{},\"args\":{{\"name\":"
                           "\"thread {}\"}}}}",
                           rank_, threads.size(), threads.size());
    for (const PhaseSpan& span : phases_)
        fmt::format_to(
            out,
            ",\n{{\"ph\":\"X\",\"cat\":\"phase\",\"name\":\"{}\",\"pid\":{},\"tid\":0,\"ts\":{:.3f},\"dur\":{:.3f}}}",
            to_string(span.phase), rank_, micros(span.begin), (span.end - span.begin) * 1e6);
    std::vector<std::string> names;
    for (const std::string& name : all.names)
        names.push_back(quoted(name));
    for (const Operator& one : all.operators)
        fmt::format_to(
            out, ",\n{{\"ph\":\"X\",\"cat\":\"{}\",\"name\":{},\"pid\":{},\"tid\":{},\"ts\":{:.3f},\"dur\":{:.3f}}}",
            one.backward ? "backward" : "operator", names[one.name], rank_, threads[one.thread], micros(one.begin),
            (one.end - one.begin) * 1e6);
    json += "\n]}\n";
    make_private_folder(folder);
    Written written{folder / fmt::format("step-{:06}-rank-{}.trace.json", first_step_, rank_), all.operators.size(),
                    all.left_out};
    write_file_atomically(written.file, json, false);
    all.operators = {};
    phases_ = {};
    return written;
}

}  // namespace trainyard::train
