// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/device_map.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

#include <fmt/format.h>

#include "base/error.h"

namespace trainyard::estimate {

namespace {

/// A module or a tensor that is to be placed.
struct Piece {
    std::string name;
    const ModelPart* module = nullptr;  ///< null: a tensor
};

std::string member_name(const std::string& prefix, const std::string& name) {
    return prefix.empty() ? name : prefix + '.' + name;
}

double elements_of(const Shape& shape) {
    double count = 1;
    for (const std::int64_t size : shape)
        count *= static_cast<double>(size);
    return count;
}

bool is_number_name(const std::string& device) {
    return !device.empty() && device.size() < 10 && device.find_first_not_of("0123456789") == std::string::npos;
}

/// Calls `take` with the full name of every tensor: parameters of all modules, then buffers.
template <class Take>
void for_each_tensor(const ModelPart& part, const std::string& prefix, bool buffers, const Take& take) {
    for (const PartTensor& tensor : buffers ? part.buffers : part.parameters)
        take(member_name(prefix, tensor.name), tensor);
    for (const auto& [name, child] : part.children)
        for_each_tensor(child, member_name(prefix, name), buffers, take);
}

double tensor_bytes(const std::string& name, const PartTensor& tensor, const PlacementOptions& options) {
    const double own = element_bytes_of(tensor.dtype);
    double size = own;
    if (const auto special = options.special_dtypes.find(name); special != options.special_dtypes.end())
        size = element_bytes_of(special->second);
    else if (const bool whole = tensor.dtype.starts_with("uint") || tensor.dtype.starts_with("int") ||
                                tensor.dtype.starts_with("bool");
             options.dtype && !whole)
        size = std::min(own, element_bytes_of(*options.dtype));  // whole numbers are not converted
    return elements_of(tensor.shape) * size;
}

/// Names of tied parameters but for the one of each group that is met first.
std::unordered_map<std::string, std::string> first_names(const ModelPart& model, const PlacementOptions& options) {
    std::unordered_map<std::string, std::string> first;
    for (const auto& group : options.tied) {
        const std::unordered_set<std::string> names(group.begin(), group.end());
        std::string found;
        for_each_tensor(model, "", false, [&](const std::string& name, const PartTensor&) {
            if (!names.contains(name))
                return;
            if (found.empty())
                found = name;
            else
                first[name] = found;
        });
    }
    return first;
}

/// Sizes by name, with those of every module above a tensor.
class Sizes {
  public:
    void add(const std::string& name, double bytes) {
        add_one("", bytes);
        for (std::size_t dot = name.find('.'); dot != std::string::npos; dot = name.find('.', dot + 1))
            add_one(name.substr(0, dot), bytes);
        add_one(name, bytes);
    }
    /// 0 for what has no tensors of its own, such as a tied parameter.
    double bytes(const std::string& name) const {
        const auto found = index_.find(name);
        return found == index_.end() ? 0 : all_[found->second].second;
    }
    const std::vector<std::pair<std::string, double>>& all() const { return all_; }

  private:
    void add_one(const std::string& name, double bytes) {
        const auto [place, is_new] = index_.try_emplace(name, all_.size());
        if (is_new)
            all_.emplace_back(name, 0);
        all_[place->second].second += bytes;
    }
    std::vector<std::pair<std::string, double>> all_;
    std::unordered_map<std::string, std::size_t> index_;
};

Sizes sizes_in(const ModelPart& model, const PlacementOptions& options) {
    Sizes sizes;
    const auto tied = first_names(model, options);
    for_each_tensor(model, "", false, [&](const std::string& name, const PartTensor& tensor) {
        if (!tied.contains(name))
            sizes.add(name, tensor_bytes(name, tensor, options));
    });
    for_each_tensor(model, "", true, [&](const std::string& name, const PartTensor& tensor) {
        sizes.add(name, tensor_bytes(name, tensor, options));
    });
    return sizes;
}

std::vector<Piece> children_of(const Piece& piece) {
    std::vector<Piece> children;
    for (const auto& [name, child] : piece.module->children)
        children.push_back({member_name(piece.name, name), &child});
    return children;
}

/// What takes a module's place when it is divided. Its own buffers go with none of them, as in Accelerate.
std::vector<Piece> parts_of(const Piece& piece) {
    std::vector<Piece> parts;
    for (const PartTensor& tensor : piece.module->parameters)
        parts.push_back({member_name(piece.name, tensor.name), nullptr});
    for (Piece& child : children_of(piece))
        parts.push_back(std::move(child));
    return parts;
}

bool is_whole(const Piece& piece, const std::set<std::string>& no_split) {
    return piece.module == nullptr || piece.module->children.empty() || no_split.contains(piece.module->type);
}

std::pair<double, std::vector<std::string>> largest_of(std::vector<Piece> pieces, const Sizes& sizes,
                                                       const std::set<std::string>& no_split) {
    double most = 0;
    std::vector<std::string> names;
    std::reverse(pieces.begin(), pieces.end());  // the next one is at the end
    while (!pieces.empty()) {
        const Piece piece = std::move(pieces.back());
        pieces.pop_back();
        if (!is_whole(piece, no_split)) {
            std::vector<Piece> children = children_of(piece);
            pieces.insert(pieces.end(), std::make_move_iterator(children.rbegin()),
                          std::make_move_iterator(children.rend()));
            continue;
        }
        const double size = sizes.bytes(piece.name);
        if (size > most) {
            most = size;
            names = {piece.name};
        } else if (size == most) {
            names.push_back(piece.name);
        }
    }
    return {most, names};
}

/// Returns the names of modules without submodules; the whole model is not among them.
std::vector<std::string> leaves_of(const std::vector<std::pair<std::string, double>>& sizes) {
    std::unordered_set<std::string> parents;
    for (const auto& [name, size] : sizes)
        if (const std::size_t dot = name.rfind('.'); dot != std::string::npos)
            parents.insert(name.substr(0, dot));
    std::vector<std::string> leaves;
    for (const auto& [name, size] : sizes)
        if (!name.empty() && !parents.contains(name))
            leaves.push_back(name);
    return leaves;
}

const ModelPart* module_at(const ModelPart& model, const std::string& name) {
    const ModelPart* module = &model;
    for (std::size_t begin = 0; begin <= name.size();) {
        const std::size_t end = std::min(name.find('.', begin), name.size());
        const auto child = std::find_if(module->children.begin(), module->children.end(),
                                        [&](const auto& one) { return one.name == name.substr(begin, end - begin); });
        if (child == module->children.end())
            return nullptr;
        module = &child->module;
        begin = end + 1;
    }
    return module;
}

/// Devices in the order in which they are filled. Throws UserError.
std::vector<std::string> ordered_devices(const DeviceMemory& limits) {
    std::vector<std::string> numbers, others;
    for (const auto& [device, bytes] : limits)
        if (is_number_name(device))
            numbers.push_back(device);
        else if (device != "mps" && device != "cpu" && device != "disk")
            throw UserError(
                "the device '{}' is not known: devices are whole numbers (accelerators), "
                "mps, cpu and disk",
                device);
    std::sort(numbers.begin(), numbers.end(),
              [](const std::string& one, const std::string& other) { return std::stol(one) < std::stol(other); });
    for (const char* device : {"mps", "cpu", "disk"})
        if (limits.contains(device))
            numbers.emplace_back(device);
    return numbers;
}

/// The search for places, which changes its list of pieces as it divides modules.
class Placement {
  public:
    Placement(const ModelPart& model, const DeviceMemory& limits, const DeviceMapOptions& options)
        : limits_(limits),
          options_(options),
          sizes_(sizes_in(model, options)),
          tied_(tied_groups(model, options)),
          devices_(ordered_devices(limits)) {
        if (!limits.contains("disk"))
            devices_.emplace_back("disk");
        for (const std::string& device : devices_)
            if (device != "cpu" && device != "disk")
                accelerators_.push_back(device);
        if (limits.contains("mps"))
            keep_room_ = {"mps"};
        else if (!accelerators_.empty())
            keep_room_ = {accelerators_.front(), "cpu"};
        else
            keep_room_ = {"cpu"};
        for (const PartTensor& tensor : model.parameters)
            pieces_.push_back({tensor.name, nullptr});
        for (Piece& child : children_of({"", &model}))
            pieces_.push_back(std::move(child));
        for (const PartTensor& tensor : model.buffers)
            pieces_.push_back({tensor.name, nullptr});
        std::tie(largest_, largest_names_) = largest_of(pieces_, sizes_, options.no_split);
    }

    DeviceMap run() {
        while (!pieces_.empty()) {
            const Piece piece = pieces_.front();
            pieces_.erase(pieces_.begin());
            place(piece);
        }
        if (options_.clean)
            clean("");
        warn_of_buffers();
        return std::move(map_);
    }

  private:
    /// Parameters outside of a piece that share a tensor with one inside. Names are compared as Accelerate does, by the
    /// piece's name with a dot anywhere.
    std::vector<std::string> tied_outside(const std::string& name) const {
        std::vector<std::string> outside;
        for (const auto& group : tied_) {
            const auto inside = [&](const std::string& one) {
                return (one + '.').find(name + '.') != std::string::npos;
            };
            if (std::any_of(group.begin(), group.end(), inside) && !std::all_of(group.begin(), group.end(), inside))
                std::copy_if(group.begin(), group.end(), std::back_inserter(outside),
                             [&](const std::string& one) { return !inside(one); });
        }
        return outside;
    }

    /// The piece's bytes with those of the pieces that hold what it is tied to; these go to `with`.
    double size_with(const std::string& name, const std::vector<std::string>& tied, const std::vector<Piece>& pieces,
                     std::vector<Piece>& with) const {
        double size = sizes_.bytes(name);
        for (const std::string& parameter : tied) {
            const auto holder = std::find_if(pieces.begin(), pieces.end(), [&](const Piece& one) {
                return parameter == one.name || parameter.starts_with(one.name + '.');
            });
            if (holder == pieces.end())
                continue;  // placed already, alone
            size += sizes_.bytes(holder->name) - sizes_.bytes(parameter);
            with.push_back(*holder);
        }
        return size;
    }

    void find_largest() {
        std::vector<Piece> modules;
        std::copy_if(pieces_.begin(), pieces_.end(), std::back_inserter(modules),
                     [](const Piece& one) { return one.module != nullptr; });
        std::tie(largest_, largest_names_) = largest_of(std::move(modules), sizes_, options_.no_split);
    }

    void put_first(std::vector<Piece> pieces) {
        pieces_.insert(pieces_.begin(), std::make_move_iterator(pieces.begin()), std::make_move_iterator(pieces.end()));
    }

    void place(const Piece& piece) {
        std::erase_if(largest_names_,
                      [&](const std::string& one) { return one == piece.name || one.starts_with(piece.name + '.'); });
        if (largest_names_.empty())
            find_largest();
        const std::string& device = devices_[current_];
        const bool limited = device != "disk";
        double limit = limited ? limits_.at(device) : 0;
        if (std::find(keep_room_.begin(), keep_room_.end(), device) != keep_room_.end())
            limit -= largest_;
        const double size = sizes_.bytes(piece.name);
        const std::vector<std::string> tied = tied_outside(piece.name);
        std::vector<Piece> with;
        const double whole = size_with(piece.name, tied, pieces_, with);
        double& used = used_[device];

        if (!limited || used + whole <= limit)
            return assign(piece, with, device, whole);
        if (!tied.empty() && used + size <= limit && divide_tied(piece, with))
            return;
        if (used + size >= limit && !is_whole(piece, options_.no_split)) {
            put_first(parts_of(piece));
            return find_largest();
        }
        if (used == 0 && options_.fallback && fall_back(piece, limits_.at(device) - std::max(largest_, whole)))
            return;
        if (std::find(keep_room_.begin(), keep_room_.end(), device) != keep_room_.end())
            used += largest_;
        ++current_;
        put_first({piece});
    }

    void assign(const Piece& piece, const std::vector<Piece>& with, const std::string& device, double bytes) {
        used_[device] += bytes;
        map_.devices[piece.name] = device;
        for (const Piece& other : with) {
            std::erase_if(pieces_, [&](const Piece& one) { return one.name == other.name; });
            map_.devices[other.name] = device;
        }
        if (!options_.offload_buffers && piece.module != nullptr)
            buffers_[device] += buffer_bytes(*piece.module, options_);
    }

    /// Divides the first of the pieces that is tied to `piece` and can be divided.
    bool divide_tied(const Piece& piece, const std::vector<Piece>& with) {
        for (const Piece& other : with) {
            if (is_whole(other, options_.no_split))
                continue;
            const auto place =
                std::find_if(pieces_.begin(), pieces_.end(), [&](const Piece& one) { return one.name == other.name; });
            std::vector<Piece> parts = parts_of(other);
            pieces_.insert(pieces_.erase(place), std::make_move_iterator(parts.begin()),
                           std::make_move_iterator(parts.end()));
            put_first({piece});
            find_largest();
            return true;
        }
        return false;
    }

    /// Moves the first part, in the order of the members, that has at most `room` bytes before `piece`.
    bool fall_back(const Piece& piece, double room) {
        if (room < 0)
            return false;
        std::vector<Piece> search = pieces_;
        std::optional<Piece> found;
        while (!search.empty() && !found) {
            const Piece next = search.front();
            search.erase(search.begin());
            std::vector<Piece> with;
            if (size_with(next.name, tied_outside(next.name), search, with) <= room) {
                found = next;
            } else if (!is_whole(next, options_.no_split)) {
                std::vector<Piece> parts = parts_of(next);
                search.insert(search.begin(), std::make_move_iterator(parts.begin()),
                              std::make_move_iterator(parts.end()));
            }
        }
        if (!found)
            return false;
        // The modules above it are divided, so that it stands for itself.
        for (std::size_t dot = found->name.find('.'); dot != std::string::npos; dot = found->name.find('.', dot + 1)) {
            const auto parent = std::find_if(pieces_.begin(), pieces_.end(),
                                             [&](const Piece& one) { return one.name == found->name.substr(0, dot); });
            if (parent == pieces_.end())
                continue;
            std::vector<Piece> parts = parts_of(*parent);
            pieces_.insert(pieces_.erase(parent), std::make_move_iterator(parts.begin()),
                           std::make_move_iterator(parts.end()));
        }
        std::erase_if(pieces_, [&](const Piece& one) { return one.name == found->name; });
        put_first({*found, piece});
        return true;
    }

    /// One entry for modules whose parts are all on one device.
    void clean(const std::string& module) {
        const std::string prefix = module.empty() ? "" : module + '.';
        std::vector<std::string> below;
        std::set<std::string> devices;
        for (const auto& [name, device] : map_.devices)
            if (name.starts_with(prefix)) {
                below.push_back(name);
                devices.insert(device);
            }
        if (devices.size() == 1 && below.size() > 1) {
            for (const std::string& name : below)
                map_.devices.erase(name);
            map_.devices[module] = *devices.begin();
        }
        std::set<std::string> children;
        for (const auto& [name, device] : map_.devices)
            if (name.starts_with(prefix) && name.size() > module.size())
                children.insert(name.substr(0, name.find('.', prefix.size())));
        for (const std::string& child : children)
            clean(child);
    }

    void warn_of_buffers() {
        const double bytes = buffers_["cpu"] + buffers_["disk"];
        if (bytes <= 0 || options_.offload_buffers || accelerators_.empty())
            return;
        for (const auto& [device, limit] : limits_)
            if (device != "cpu" && device != "disk" && limit >= bytes + used_[device])
                return;
        map_.warnings.push_back(
            Message("the offloaded layers have buffers of {} bytes, and no accelerator has room for them: "
                    "offload the buffers, too (offload_buffers)",
                    bytes));
    }

    const DeviceMemory& limits_;
    const DeviceMapOptions& options_;
    Sizes sizes_;
    std::vector<std::vector<std::string>> tied_;
    std::vector<std::string> devices_, accelerators_, keep_room_;
    std::vector<Piece> pieces_;
    double largest_ = 0;
    std::vector<std::string> largest_names_;
    std::size_t current_ = 0;
    std::map<std::string, double> used_, buffers_;
    DeviceMap map_;
};

}  // namespace

double element_bytes_of(const std::string& dtype) {
    if (dtype == "bool")
        return 0.125;
    if (dtype.starts_with("float8_"))
        return 1;
    if (dtype == "int4")
        return 0.5;
    std::size_t digits = dtype.size();
    while (digits > 0 && dtype[digits - 1] >= '0' && dtype[digits - 1] <= '9')
        --digits;
    const std::string bits = dtype.substr(digits);
    if (digits == 0 || bits.empty() || bits.size() > 4 || std::stoi(bits) < 8)
        throw UserError("'{}' is not the name of a dtype: float32, bfloat16, int8, bool ...", dtype);
    return std::stoi(bits) / 8;
}

std::vector<std::pair<std::string, double>> part_sizes(const ModelPart& model, const PlacementOptions& options) {
    return sizes_in(model, options).all();
}

double buffer_bytes(const ModelPart& model, const PlacementOptions& options) {
    double bytes = 0;
    for_each_tensor(model, "", true, [&](const std::string& name, const PartTensor& tensor) {
        bytes += tensor_bytes(name, tensor, options);
    });
    return bytes;
}

std::pair<double, std::vector<std::string>> largest_part(const ModelPart& model, const PlacementOptions& options) {
    return largest_of(children_of({"", &model}), sizes_in(model, options), options.no_split);
}

std::vector<std::vector<std::string>> tied_groups(const ModelPart& model, const PlacementOptions& options) {
    std::map<std::string, std::vector<std::string>> groups;
    for (const auto& [name, first] : first_names(model, options)) {
        std::vector<std::string>& group = groups[first];
        if (group.empty())
            group.push_back(first);
        group.push_back(name);
    }
    std::vector<std::vector<std::string>> sorted;
    for (auto& [first, group] : groups) {
        std::sort(group.begin(), group.end());
        sorted.push_back(std::move(group));
    }
    std::sort(sorted.begin(), sorted.end());
    return sorted;
}

DeviceMemory balanced_memory(const ModelPart& model, const DeviceMemory& limits, const PlacementOptions& options,
                             bool low_zero) {
    DeviceMemory balanced = limits;
    std::vector<std::string> accelerators;
    for (const std::string& device : ordered_devices(limits))
        if (is_number_name(device) && limits.at(device) > 0)
            accelerators.push_back(device);
    if (accelerators.empty())
        return balanced;
    low_zero = low_zero && accelerators.size() > 1;
    const auto sizes = part_sizes(model, options);
    const double whole = sizes.empty() ? 0 : sizes.front().second;

    // Equal shares would be too small, since layers are not divided: each has room for the greatest module that stays
    // whole, or for a layer of mean size.
    double room = 0;
    std::set<std::string> seen;
    for (const auto& [name, size] : sizes)
        if (const ModelPart* module = name.empty() ? nullptr : module_at(model, name);
            module != nullptr && options.no_split.contains(module->type) && seen.insert(module->type).second)
            room = std::max(room, size);
    const std::vector<std::string> tensors = leaves_of(sizes);
    const std::unordered_set<std::string> is_tensor(tensors.begin(), tensors.end());
    std::vector<std::pair<std::string, double>> modules;
    std::copy_if(sizes.begin(), sizes.end(), std::back_inserter(modules),
                 [&](const auto& one) { return !is_tensor.contains(one.first); });
    std::unordered_map<std::string, double> size_of(modules.begin(), modules.end());
    const std::vector<std::string> layers = leaves_of(modules);
    double sum = 0;
    for (const std::string& layer : layers)
        sum += size_of.at(layer);
    room = std::max(room, std::floor(sum / std::max<double>(static_cast<double>(layers.size()), 1)));
    const double share =
        std::floor(whole / static_cast<double>(accelerators.size() - (low_zero ? 1 : 0))) + std::floor(1.25 * room);

    for (std::size_t i = 0; i + 1 < accelerators.size(); ++i)
        if (!low_zero || accelerators[i] != "0")
            balanced[accelerators[i]] = std::min(share, balanced[accelerators[i]]);
    if (low_zero) {
        double rest = whole;
        for (std::size_t i = 0; i < accelerators.size(); ++i) {
            const auto device = balanced.find(std::to_string(i));
            if (device == balanced.end())
                throw UserError("device 0 can be spared only among devices that are numbered from 0 without a gap");
            rest -= i > 0 ? device->second : 0;
        }
        balanced["0"] = std::min(std::max(0.0, rest), balanced["0"]);
    }
    return balanced;
}

DeviceMap infer_device_map(const ModelPart& model, const DeviceMemory& limits, const DeviceMapOptions& options) {
    return Placement(model, limits, options).run();
}

}  // namespace trainyard::estimate
