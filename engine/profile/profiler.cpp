// SPDX-License-Identifier: GPL-3.0-or-later
#include "profile/profiler.h"

#include <algorithm>
#include <atomic>
#include <functional>
#include <iterator>
#include <map>
#include <set>
#include <string_view>
#include <system_error>
#include <tuple>
#include <utility>

#include <ATen/record_function.h>
#include <torch/csrc/autograd/profiler_kineto.h>

#include <fmt/ranges.h>

#include "base/error.h"
#include "base/file.h"
#include "base/text.h"
#include "profile/marks.h"
#include "profile/trace_file.h"

namespace torch::autograd::profiler {
TORCH_API void addMetadataJson(const std::string& key, const std::string& value);  // its header needs Kineto's
}

namespace trainyard::profile {

namespace {

using torch::profiler::impl::ActivityType;

std::atomic<bool> taken{false};  ///< Kineto records once in a process

std::set<ActivityType> activity_types(const ProfileOptions& options, const ProfilePlace& place) {
    static const std::vector<std::string> known{"cpu", "cuda", "xpu", "mtia", "hpu"};
    std::set<ActivityType> types;
    std::vector<Message> problems;
    for (const std::string& name : options.activities) {
        if (name == "cpu")
            types.insert(ActivityType::CPU);
        else if (name == "cuda" && place.has_cuda)
            types.insert(ActivityType::CUDA);
        else if (name == "cuda")
            problems.push_back("activities: cuda has nothing to record, this run does not compute on a CUDA device");
        else if (std::find(known.begin(), known.end(), name) != known.end())
            problems.push_back(Message("activities: this build has no {}: it records cpu and cuda", name));
        else
            problems.push_back(Message("activities: {} is not known: use cpu, xpu, mtia, hpu or cuda{}", name,
                                       text::did_you_mean(name, known)));
    }
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
    if (types.empty()) {
        types.insert(ActivityType::CPU);
        if (place.has_cuda)
            types.insert(ActivityType::CUDA);
    }
    return types;
}

torch::profiler::impl::ProfilerConfig config_of(const ProfileOptions& options) {
    return torch::profiler::impl::ProfilerConfig(torch::profiler::impl::ProfilerState::KINETO,
                                                 options.record_shapes || options.with_flops, options.profile_memory,
                                                 /*with_stack=*/false, options.with_flops, /*with_modules=*/false);
}

}  // namespace

struct Profiler::Result {
    std::unique_ptr<torch::autograd::profiler::ProfilerResult> kineto;
    std::vector<Mark> marks;
    std::filesystem::path saved;  ///< Kineto writes a result once: where it is
};

/// Counts operators of this thread, and of those that autograd works on for it, while it lives. Made and ended in one thread.
struct Profiler::Counting {
    Counting()
        : handle(at::addThreadLocalCallback(at::RecordFunctionCallback(&count).scopes(
              {at::RecordScope::FUNCTION, at::RecordScope::BACKWARD_FUNCTION}))) {
        operators.store(0, std::memory_order_relaxed);
    }
    ~Counting() { at::removeCallback(handle); }
    Counting(const Counting&) = delete;
    Counting& operator=(const Counting&) = delete;
    static std::unique_ptr<at::ObserverContext> count(const at::RecordFunction&) {
        operators.fetch_add(1, std::memory_order_relaxed);
        return nullptr;
    }
    static inline std::atomic<std::uint64_t> operators{0};
    at::CallbackHandle handle;
};

/// The annotation that Python's profiler puts around every step.
struct Profiler::StepMark {
    explicit StepMark(std::int64_t step) : function(at::RecordScope::USER_SCOPE) {
        if (function.isActive())
            function.before(fmt::format("ProfilerStep#{}", step));
    }
    at::RecordFunction function;
};

Profiler::Profiler(ProfileOptions options, ProfilePlace place)
    : options_(std::move(options)), place_(std::move(place)) {
    activity_types(options_, place_);
    if (options_.schedule_option)
        if (const std::vector<Message> problems = options_.schedule_option->problems(); !problems.empty())
            throw UserError("schedule_option: {}", Message::joined(problems));
}

Profiler::~Profiler() {
    step_mark_.reset();
    if (running_)
        end(false);
    if (prepared_)
        taken = false;
}

bool Profiler::is_recording() const {
    return running_;
}

void Profiler::prepare() {
    if (taken.exchange(true))
        throw UserError("another profiler of this process is recording: end it first");
    prepared_ = true;
    torch::autograd::profiler::prepareProfiler(config_of(options_), activity_types(options_, place_));
}

void Profiler::begin() {
    torch::autograd::profiler::enableProfiler(
        config_of(options_), activity_types(options_, place_),
        {at::RecordScope::FUNCTION, at::RecordScope::USER_SCOPE, at::RecordScope::BACKWARD_FUNCTION});
    running_ = true;
    counting_ = std::make_unique<Counting>();
    recording_.clear();
    begin_marks();
    using torch::autograd::profiler::addMetadataJson;
    for (const auto& [name, set] : {std::pair("profile_memory", options_.profile_memory),
                                    std::pair("record_shapes", options_.record_shapes || options_.with_flops),
                                    std::pair("with_flops", options_.with_flops)})
        if (set)
            addMetadataJson(name, "1");
    if (place_.world_size > 1)
        addMetadataJson("distributedInfo", fmt::format("{{\"backend\": {}, \"rank\": {}, \"world_size\": {}}}",
                                                       json_text(place_.backend), place_.rank, place_.world_size));
}

void Profiler::end(bool keep) {
    std::vector<Mark> marks = take_marks();
    counting_.reset();
    auto result = torch::autograd::profiler::disableProfiler();
    running_ = prepared_ = false;
    taken = false;
    if (!keep)
        return;
    recorded_ = std::exchange(recording_, {});
    result_ = std::make_unique<Result>(Result{std::move(result), std::move(marks), {}});
}

void Profiler::enter(Action next, bool ends) {
    // torch.profiler's table of transitions. A cycle always ends with record_and_save, unless stop() ends it.
    if (action_ == Action::record_and_save)
        full_ = false;  // that cycle is over
    if (running_ && !ends && action_ == Action::record)
        full_ = Counting::operators.load(std::memory_order_relaxed) >= options_.most_operators;
    const bool records = !ends && !full_ && (next == Action::record || next == Action::record_and_save);
    if (running_ && (ends || full_ || action_ == Action::record_and_save)) {
        end(true);
        if (options_.on_trace_ready)
            options_.on_trace_ready(*this);
    } else if (prepared_ && !running_ && ends) {
        begin();
        end(false);
    }
    if (!ends && !full_ && next != Action::none && !prepared_)
        prepare();
    if (records && !running_)
        begin();
    action_ = ends ? Action::none : next;
    if (running_)
        recording_.push_back(step_);
}

void Profiler::begin_step_mark() {
    if (options_.schedule_option && marks_steps_)
        step_mark_ = std::make_unique<StepMark>(step_);
}

void Profiler::start() {
    if (std::exchange(started_, true))
        throw UserError("the profiler has been started already");
    step_ = 0;
    enter(options_.schedule_option ? options_.schedule_option->action(0) : Action::record, false);
    begin_step_mark();
}

void Profiler::step() {
    if (!started_)
        return;
    step_mark_.reset();
    ++step_;
    enter(options_.schedule_option ? options_.schedule_option->action(step_) : Action::record, false);
    begin_step_mark();
}

void Profiler::stop() {
    if (!std::exchange(started_, false))
        return;
    step_mark_.reset();
    enter(Action::none, true);
}

Profiler::Written Profiler::export_chrome_trace(const std::filesystem::path& file) {
    if (!has_trace())
        throw UserError("{}: no trace was recorded: no step of the schedule was an active one", file.string());
    Written written{file, result_->kineto->events().size() + result_->marks.size(), 0};
    std::error_code error;
    if (file.has_parent_path())
        make_private_folder(file.parent_path());
    if (!result_->saved.empty()) {
        std::filesystem::copy_file(result_->saved, file, std::filesystem::copy_options::overwrite_existing, error);
        if (error)
            throw UserError("{}: the trace cannot be written: {}", file.string(), error.message());
        written.bytes = std::filesystem::file_size(file, error);
        return written;
    }
    const std::filesystem::path kineto = file.string() + ".kineto";
    result_->kineto->save(kineto.string());
    written.bytes = write_with_marks(kineto, file, result_->marks);
    std::filesystem::remove(kineto, error);
    result_->saved = file;
    return written;
}

namespace {

using torch::autograd::profiler::KinetoEvent;

/// Allocations and frees: their bytes, less those that were freed, and their number.
struct MemorySum {
    std::int64_t bytes = 0, count = 0;
    MemorySum operator-(const MemorySum& other) const { return {bytes - other.bytes, count - other.count}; }
};

/// The sums of memory records between two times.
class MemoryRecords {
  public:
    void add(const KinetoEvent& event) { records_.emplace_back(event.startNs(), event.nBytes()); }
    void finish() {
        std::ranges::sort(records_);
        sums_.push_back({});
        for (const auto& [time, bytes] : records_)
            sums_.push_back({sums_.back().bytes + bytes, sums_.back().count + 1});
    }
    /// Both times included.
    MemorySum between(std::uint64_t begin, std::uint64_t end) const { return until(end + 1) - until(begin); }
    MemorySum all() const { return sums_.back(); }

  private:
    MemorySum until(std::uint64_t time) const {
        const auto place = std::ranges::lower_bound(records_, time, {}, &std::pair<std::uint64_t, std::int64_t>::first);
        return sums_[static_cast<std::size_t>(place - records_.begin())];
    }
    std::vector<std::pair<std::uint64_t, std::int64_t>> records_;
    std::vector<MemorySum> sums_;
};

std::string shapes_text(const KinetoEvent& event) {
    std::vector<std::string> shapes;
    for (const std::vector<std::int64_t>& shape : event.shapes())
        shapes.push_back(fmt::format("[{}]", fmt::join(shape, ", ")));
    return fmt::format("[{}]", fmt::join(shapes, ", "));
}

struct Order {
    std::string_view name;
    double (*value)(const KeyAverage&);
};

constexpr Order kOrders[] = {
    {"self_cpu_time_total", [](const KeyAverage& one) { return static_cast<double>(one.self); }},
    {"cpu_time_total", [](const KeyAverage& one) { return static_cast<double>(one.total); }},
    {"cpu_time",
     [](const KeyAverage& one) {
         return static_cast<double>(one.total) / static_cast<double>(std::max<std::int64_t>(1, one.count));
     }},
    {"device_time_total", [](const KeyAverage& one) { return static_cast<double>(one.device_total); }},
    {"cpu_memory_usage", [](const KeyAverage& one) { return static_cast<double>(one.memory); }},
    {"self_cpu_memory_usage", [](const KeyAverage& one) { return static_cast<double>(one.self_memory); }},
    {"device_memory_usage", [](const KeyAverage& one) { return static_cast<double>(one.device_memory); }},
    {"self_device_memory_usage", [](const KeyAverage& one) { return static_cast<double>(one.self_device_memory); }},
    {"count", [](const KeyAverage& one) { return static_cast<double>(one.count); }},
    {"flops", [](const KeyAverage& one) { return static_cast<double>(one.flops); }}};

std::string signed_bytes(std::int64_t bytes) {
    const std::string size = text::memory_size(static_cast<std::uint64_t>(bytes < 0 ? -bytes : bytes));
    return bytes < 0 ? "-" + size : size;
}

}  // namespace

std::vector<KeyAverage> Profiler::key_averages(bool group_by_input_shape) const {
    if (!has_trace())
        return {};
    std::vector<const KinetoEvent*> events;
    MemoryRecords memory, device_memory;
    for (const KinetoEvent& event : result_->kineto->events()) {
        if (event.name() == "[memory]")
            (event.deviceType() == c10::DeviceType::CPU ? memory : device_memory).add(event);
        else if (!event.isHiddenEvent() && event.endNs() >= event.startNs())
            events.push_back(&event);
    }
    memory.finish();
    device_memory.finish();
    const auto key = [](const KinetoEvent* event) {
        return std::tuple(static_cast<int>(event->deviceType()), event->startThreadId(), event->startNs());
    };
    std::stable_sort(events.begin(), events.end(), [&](const KinetoEvent* a, const KinetoEvent* b) {
        return key(a) != key(b) ? key(a) < key(b) : a->durationNs() > b->durationNs();
    });
    std::map<std::pair<std::string, std::string>, KeyAverage> rows;
    std::vector<std::pair<const KinetoEvent*, KeyAverage*>> open;  // events around, the innermost last
    MemorySum outside = memory.all(), outside_on_device = device_memory.all();
    for (const KinetoEvent* event : events) {
        const auto duration = static_cast<std::int64_t>(event->durationNs());
        const std::string shapes = group_by_input_shape && event->hasShapes() ? shapes_text(*event) : std::string();
        KeyAverage& row = rows[{event->name(), shapes}];
        row.key = event->name();
        row.input_shapes = shapes;
        row.count += 1;
        if (event->deviceType() != c10::DeviceType::CPU) {
            row.device_total += duration;
            continue;
        }
        while (!open.empty() && (open.back().first->startThreadId() != event->startThreadId() ||
                                 open.back().first->endNs() < event->endNs()))
            open.pop_back();
        const MemorySum own = memory.between(event->startNs(), event->endNs());
        const MemorySum of_device = device_memory.between(event->startNs(), event->endNs());
        const std::int64_t bytes = own.bytes, device_bytes = of_device.bytes;
        if (open.empty()) {
            outside = outside - own;
            outside_on_device = outside_on_device - of_device;
        } else {
            KeyAverage& around = *open.back().second;
            around.self -= duration;
            around.self_memory -= bytes;
            around.self_device_memory -= device_bytes;
        }
        row.total += duration;
        row.self += duration;
        row.memory += bytes;
        row.self_memory += bytes;
        row.device_memory += device_bytes;
        row.self_device_memory += device_bytes;
        row.flops += event->flops();
        open.emplace_back(event, &row);
    }
    std::vector<KeyAverage> result;
    for (auto& [name, row] : rows)
        result.push_back(std::move(row));
    if (const std::int64_t count = outside.count + outside_on_device.count; count > 0)  // as torch's table has it
        result.push_back({.key = "[memory]",
                          .count = count,
                          .memory = outside.bytes,
                          .self_memory = outside.bytes,
                          .device_memory = outside_on_device.bytes,
                          .self_device_memory = outside_on_device.bytes});
    return sorted_by(std::move(result), "self_cpu_time_total");
}

std::vector<KeyAverage> sorted_by(std::vector<KeyAverage> averages, const std::string& sort_by) {
    std::string name = sort_by;
    if (const std::size_t cuda = name.find("cuda"); cuda != std::string::npos)
        name.replace(cuda, 4, "device");
    const auto* order = std::ranges::find(kOrders, name, &Order::name);
    if (order == std::end(kOrders)) {
        std::vector<std::string_view> names;
        for (const Order& each : kOrders)
            names.push_back(each.name);
        throw UserError("sort_by '{}' is not a column of the profiler's table: choose one of {}", sort_by,
                        fmt::format("{}", fmt::join(names, ", ")));
    }
    std::ranges::stable_sort(averages, std::ranges::greater(), order->value);
    return averages;
}

std::string table_of(const std::vector<KeyAverage>& averages, const TableOptions& options) {
    const std::vector<KeyAverage> rows = sorted_by(averages, options.sort_by);
    KeyAverage all;
    bool has_shapes = false, has_memory = false, has_device_memory = false;
    for (const KeyAverage& one : rows) {
        all.self += one.self;
        all.device_total += one.device_total;
        all.self_memory += one.self_memory;
        all.self_device_memory += one.self_device_memory;
        all.flops += one.flops;
        has_shapes |= !one.input_shapes.empty();
        has_memory |= one.memory != 0 || one.self_memory != 0;
        has_device_memory |= one.device_memory != 0 || one.self_device_memory != 0;
    }
    const auto span = [](std::int64_t ns) { return text::duration(static_cast<double>(ns) * 1e-9); };
    const auto flops = [](std::uint64_t operations) { return text::quantity(static_cast<double>(operations)); };
    std::string text =
        fmt::format("{:<48}{:>12}{:>9}{:>12}{:>12}{:>9}", "Name", "Self CPU", "%", "CPU total", "Mean", "Calls");
    const auto add = [&](bool is_there, int width, const auto& value) {
        if (is_there)
            text += fmt::format("{:>{}}", value, width);
    };
    add(all.device_total > 0, 14, "Device total");
    add(has_memory, 13, "Self memory");
    add(has_memory, 13, "Memory");
    add(has_device_memory, 17, "Self device mem.");
    add(has_device_memory, 13, "Device mem.");
    add(all.flops > 0, 11, "FLOPs");
    if (has_shapes)
        text += "  Input shapes";
    text += '\n';
    for (std::size_t i = 0; i < std::min(options.row_limit, rows.size()); ++i) {
        const KeyAverage& one = rows[i];
        text += fmt::format("{:<48}{:>12}{:>8.1f}%{:>12}{:>12}{:>9}", one.key.substr(0, 47), span(one.self),
                            all.self > 0 ? 100.0 * static_cast<double>(one.self) / static_cast<double>(all.self) : 0.0,
                            span(one.total), span(one.total / std::max<std::int64_t>(1, one.count)), one.count);
        add(all.device_total > 0, 14, span(one.device_total));
        add(has_memory, 13, signed_bytes(one.self_memory));
        add(has_memory, 13, signed_bytes(one.memory));
        add(has_device_memory, 17, signed_bytes(one.self_device_memory));
        add(has_device_memory, 13, signed_bytes(one.device_memory));
        add(all.flops > 0, 11, flops(one.flops));
        if (has_shapes)
            text += "  " + one.input_shapes;
        text += '\n';
    }
    text += fmt::format("Self CPU time total: {}\n", span(all.self));
    if (all.device_total > 0)
        text += fmt::format("Device time total: {}\n", span(all.device_total));
    if (has_memory)
        text += fmt::format("Memory at the end: {}\n", signed_bytes(all.self_memory + all.self_device_memory));
    if (all.flops > 0)
        text += fmt::format("FLOPs total: {}\n", flops(all.flops));
    return text;
}

}  // namespace trainyard::profile
