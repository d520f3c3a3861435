// SPDX-License-Identifier: GPL-3.0-or-later
#include <algorithm>
#include <array>
#include <charconv>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <map>
#include <new>
#include <optional>
#include <stdexcept>

#include <ATen/DeviceAccelerator.h>
#include <c10/util/Exception.h>

#include <fmt/format.h>
#include <trainyard/memory.h>

#include "base/error.h"
#include "base/number.h"

namespace trainyard::accelerator {

bool should_reduce_batch_size(const std::exception& error) {
    if (dynamic_cast<const std::bad_alloc*>(&error) != nullptr ||
        dynamic_cast<const c10::OutOfMemoryError*>(&error) != nullptr)
        return true;
    // Only errors of LibTorch and runtime errors; a logic_error that mentions memory is about a wrong argument.
    const auto* torch_error = dynamic_cast<const c10::Error*>(&error);
    if (torch_error == nullptr && dynamic_cast<const std::runtime_error*>(&error) == nullptr)
        return false;
    const std::string text = torch_error != nullptr ? torch_error->what_without_backtrace() : error.what();
    constexpr std::array kWords = {" out of memory.",  // CUDA, HIP, XPU
                                   "MPS backend out of memory",
                                   "cuDNN error: CUDNN_STATUS_NOT_SUPPORTED.",
                                   "DefaultCPUAllocator: can't allocate memory",
                                   "DefaultCPUAllocator: not enough memory",  // the same on other systems
                                   "FATAL ERROR :: MODULE:PT_DEVMEM Allocation failed"};
    return std::any_of(kWords.begin(), kWords.end(),
                       [&](const char* words) { return text.find(words) != std::string::npos; });
}

void clear_device_cache() {
    if (at::getAccelerator().has_value())
        at::accelerator::emptyCache();
}

BatchSizeSearch::BatchSizeSearch(std::int64_t starting_batch_size, Reduce reduce)
    : size_(starting_batch_size), reduce_(std::move(reduce)) {
    if (!reduce_)
        reduce_ = [](std::int64_t size) { return static_cast<std::int64_t>(static_cast<double>(size) * 0.9); };
}

std::int64_t smaller_batch_size(std::int64_t samples_of_update, std::int64_t batch_size) {
    std::int64_t size = batch_size / 2;
    while (size > 0 && samples_of_update % size != 0)
        --size;
    return size;
}

void BatchSizeSearch::require_positive() const {
    if (size_ <= 0)
        throw UserError(
            "no batch size fits into memory, not even 1: use a smaller model, shorter samples or bf16, or accumulate "
            "gradients");
}

namespace {

constexpr std::array kUnits = {"KB", "MB", "GB", "TB"};

/// As Python writes a number rounded to two decimals: the shortest text of it, with ".0" behind a whole one.
std::string two_decimals(double number) {
    std::array<char, 400> text{};
    std::snprintf(text.data(), text.size(), "%.2f", number);
    const double rounded = std::strtod(text.data(), nullptr);
    const auto format = std::abs(rounded) < 1e16 ? std::chars_format::fixed : std::chars_format::scientific;
    std::string shortest(text.data(), std::to_chars(text.data(), text.data() + text.size(), rounded, format).ptr);
    if (shortest.find_first_of(".e") == std::string::npos)
        shortest += ".0";
    return shortest;
}

std::string larger_unit(double size) {
    size /= 1024.0;
    std::size_t unit = 0;
    for (; unit < kUnits.size() && !(size < 1024.0); ++unit)
        size /= 1024.0;
    return two_decimals(size) + " " + (unit < kUnits.size() ? kUnits[unit] : "PB");
}

}  // namespace

std::string memory_size_text(std::int64_t bytes) {
    return bytes < 1024 ? fmt::format("{} bytes", bytes) : larger_unit(static_cast<double>(bytes));
}

std::string memory_size_text(double bytes) {
    if (!(bytes < 1024.0))
        return larger_unit(bytes);
    return two_decimals(bytes) + " bytes";
}

MaxMemory max_memory(const std::vector<MemoryLimit>& given, std::int64_t device_count) {
    std::vector<Message> problems;
    std::map<std::int64_t, std::int64_t> numbered;
    std::map<std::string, std::int64_t> named;
    for (const auto& [device, limit] : given) {
        std::int64_t bytes = 0;
        try {
            bytes = std::holds_alternative<std::int64_t>(limit) ? std::get<std::int64_t>(limit)
                                                                : parse_memory_size(std::get<std::string>(limit));
        } catch (const UserError& error) {
            problems.push_back(Message("device {}: {}", device, message_of(error)));
        }
        if (const auto number = parse_number<std::int64_t>(device))
            numbered[*number] = bytes;
        else if (device == "mps" || device == "cpu" || device == "disk")
            named[device] = bytes;
        else
            problems.push_back(Message("'{}' is not a device: use numbers of accelerators, mps, cpu or disk", device));
    }
    if (!problems.empty())
        throw UserError(Message::joined(problems, "\n"));
    MaxMemory result;
    for (const auto& [number, bytes] : numbered) {
        result.limits.emplace_back(std::to_string(number), bytes);
        if (number < 0 || number >= device_count)
            result.warnings.push_back(Message("device {} has a memory limit but does not exist: {}", number,
                                              device_count == 0 ? Message("there is no accelerator")
                                              : device_count == 1
                                                  ? Message("there is only device 0")
                                                  : Message("there are devices 0 to {}", device_count - 1)));
    }
    for (const char* device : {"mps", "cpu", "disk"})
        if (const auto place = named.find(device); place != named.end())
            result.limits.emplace_back(device, place->second);
    return result;
}

}  // namespace trainyard::accelerator
