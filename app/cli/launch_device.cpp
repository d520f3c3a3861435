#include "cli/launch_device.h"

#include "base/device_kinds.h"

namespace trainyard::cli {

launch::DeviceChoice typed_device(const plan::Flags& flags) {
    auto text = [&](std::string_view name) {
        auto found = flags.typed.find(name);
        return found == flags.typed.end() ? std::string() : found->second.display();
    };
    return {flags.is_on("cpu"), text("device"), text("device_library")};
}

launch::DeviceChoice with_file(launch::DeviceChoice typed, const plan::Resolved& resolved) {
    if (resolved.file.empty())
        return typed;
    typed.cpu = typed.cpu || (resolved.settings.boolean("use_cpu") && typed.device.empty());
    const DeviceKind* kind = device_kind_of_type(resolved.settings.text("distributed_type"));
    if (kind != nullptr && typed.device.empty() && !typed.cpu && kind->name != "cpu" && kind->name != "cuda" &&
        kind->name != "xla")
        typed.device = kind->name;
    return typed;
}

}  // namespace trainyard::cli
