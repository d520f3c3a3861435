// SPDX-License-Identifier: GPL-3.0-or-later
#include "observe/traces/shares.h"

#include <algorithm>

#include "observe/traces/roles.h"

namespace trainyard::traces {

const char* to_string(ShareSource source) {
    switch (source) {
        case ShareSource::device:
            return "device";
        case ShareSource::phases:
            return "phases";
        case ShareSource::operations:
            break;
    }
    return "operations";
}

double Share::hidden() const {
    return communication() > 0 ? static_cast<double>(overlapped) / static_cast<double>(communication()) : 0.0;
}

void Share::add(const Share& other) {
    source = other.source;
    total += other.total;
    compute += other.compute;
    overlapped += other.overlapped;
    exposed += other.exposed;
    data += other.data;
    idle += other.idle;
}

Shares::Shares(const Trace& trace) {
    const std::vector<Role> roles = roles_of(trace);
    std::vector<std::uint8_t> communicates(trace.names.size(), 2), waits(trace.names.size(), 2);  // 2: not known yet
    Spans device, device_communication, host, host_communication, collectives;
    const auto known = [](std::uint8_t& place, auto ask) {
        if (place == 2)
            place = ask() ? 1 : 0;
        return place == 1;
    };
    for (const Slice& slice : trace.slices) {
        if (slice.duration == 0 || slice.kind == SliceKind::instant)
            continue;
        const Role role = roles[slice.category];
        const Span span{slice.begin, slice.end()};
        const auto communication = [&] {
            return known(communicates[slice.name], [&] { return is_communication(trace.name(slice), role); });
        };
        switch (role) {
            case Role::kernel:
                (communication() ? device_communication : device).push_back(span);
                break;
            case Role::copy:
                device.push_back(span);
                break;
            case Role::phase:
                phases_[std::string(trace.name(slice))].push_back(span);
                break;
            case Role::collective:
                collectives.push_back(span);
                break;
            case Role::operation:
            case Role::annotation:
                if (known(waits[slice.name], [&] { return is_data_wait(trace.name(slice), role); }))
                    data_.push_back(span);
                else if (communication())
                    host_communication.push_back(span);
                else if (role == Role::operation && slice.row < 64)
                    host.push_back(span);
                break;
            default:
                break;
        }
    }
    for (auto& [name, spans] : phases_)
        spans = union_of(std::move(spans));
    if (!device.empty() || !device_communication.empty()) {
        source_ = ShareSource::device;
        compute_ = union_of(std::move(device));
        communication_ = union_of(std::move(device_communication));
        if (const auto found = phases_.find("data"); found != phases_.end())
            data_.insert(data_.end(), found->second.begin(), found->second.end());
    } else if (!phases_.empty()) {
        source_ = ShareSource::phases;
        Spans compute;
        for (const auto& [name, spans] : phases_) {
            if (name == "communicate")
                collectives.insert(collectives.end(), spans.begin(), spans.end());
            else if (name == "data")
                data_.insert(data_.end(), spans.begin(), spans.end());
            else if (name != "other")
                compute.insert(compute.end(), spans.begin(), spans.end());
        }
        compute_ = union_of(std::move(compute));
        communication_ = union_of(std::move(collectives));
    } else {
        communication_ = union_of(std::move(host_communication));
        // An operator that contains a collective waits in it.
        compute_ = without(union_of(std::move(host)), communication_);
    }
    data_ = union_of(std::move(data_));
}

Share Shares::share(const Span& range) const {
    const Spans whole{range};
    const Spans compute = common(compute_, whole), communication = common(communication_, whole);
    Share share;
    share.source = source_;
    share.total = range.end - range.begin;
    share.overlapped = length(common(compute, communication));
    share.compute = length(compute) - share.overlapped;
    share.exposed = length(communication) - share.overlapped;
    Spans busy = compute;
    busy.insert(busy.end(), communication.begin(), communication.end());
    share.data = length(without(common(data_, whole), union_of(std::move(busy))));
    share.idle = share.total - share.compute - share.overlapped - share.exposed - share.data;
    return share;
}

std::map<std::string, std::int64_t> Shares::phases(const Span& range) const {
    std::map<std::string, std::int64_t> result;
    for (const auto& [name, spans] : phases_)
        result[name] = length(common(spans, {range}));
    return result;
}

}  // namespace trainyard::traces
