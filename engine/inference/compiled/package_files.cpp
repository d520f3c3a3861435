// SPDX-License-Identifier: GPL-3.0-or-later
#include "inference/compiled/package_files.h"

#include <algorithm>
#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <fstream>
#include <set>
#include <span>
#include <sstream>
#include <string_view>
#include <vector>

#include <elf.h>
#include <nlohmann/json.hpp>
#include <sys/utsname.h>

#include "base/error.h"
#include "base/file.h"
#include "base/files/mapped_file.h"
#include "base/files/zip_archive.h"
#include "base/json.h"
#include "base/letter_case.h"

namespace trainyard::compiled {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kModels = "data/aotinductor/";
constexpr const char* kHowToMake = "torch._inductor.aoti_compile_and_package";

/// Names of the models in a package, each a folder of it.
std::set<std::string> models_of(const files::ZipArchive& archive) {
    std::set<std::string> models;
    for (const auto& [name, entry] : archive.entries())
        if (name.starts_with(kModels))
            if (const std::size_t end = name.find('/', kModels.size()); end != std::string::npos)
                models.insert(name.substr(kModels.size(), end - kModels.size()));
    return models;
}

/// The entries of the package's only model, or of the one that PyTorch calls "model" where none is named.
std::string model_folder(const files::ZipArchive& archive, const fs::path& package) {
    const std::set<std::string> models = models_of(archive);
    if (models.empty())
        throw UserError("{} has no compiled model: make the package with {}", package.string(), kHowToMake);
    if (models.size() > 1 && !models.contains("model")) {
        std::vector<Message> names;
        for (const std::string& name : models)
            names.push_back(Message::verbatim(name));
        throw UserError("{} has several compiled models ({}): package each in a file of its own", package.string(),
                        Message::joined(names, ", "));
    }
    return std::string(kModels) + (models.size() > 1 ? "model" : *models.begin()) + "/";
}

/// The instructions that this processor has, as Linux names them.
std::set<std::string> processor_flags() {
    std::set<std::string> flags;
    std::ifstream in("/proc/cpuinfo");
    for (std::string line; std::getline(in, line);)
        if (line.starts_with("flags")) {
            std::istringstream words(line.substr(line.find(':') + 1));
            for (std::string word; words >> word;)
                flags.insert(word);
            break;
        }
    return flags;
}

/// The instructions of a package's list ("AVX512 AVX512_VNNI") that this processor does not have.
std::string missing_instructions(const std::string& needed) {
    const std::set<std::string> flags = processor_flags();
    std::istringstream words(needed);
    for (std::string word; words >> word;) {
        const std::string name = text::lower(word);
        const std::vector<std::string> wanted =
            name == "avx512" ? std::vector<std::string>{"avx512f", "avx512dq", "avx512vl", "avx512bw"}
                             : std::vector<std::string>{name};
        const bool is_checked = name.starts_with("avx") || name.starts_with("amx");
        if (is_checked && !std::ranges::all_of(wanted, [&](const std::string& flag) { return flags.contains(flag); }))
            return word;
    }
    return {};
}

void check_target(const std::string& metadata, const fs::path& package, c10::Device device) {
    const nlohmann::json values = read_json(metadata);
    if (!values.is_object())
        throw UserError("{} does not say what it was compiled for: make it again with {}", package.string(),
                        kHowToMake);
    const auto text = [&](const char* key) {
        const auto found = values.find(key);
        return found != values.end() && found->is_string() ? found->get<std::string>() : std::string();
    };
    const std::string kind = text("AOTI_DEVICE_KEY"), own = c10::DeviceTypeName(device.type(), true);
    if (!kind.empty() && kind != own)
        throw UserError("{} was compiled for the device '{}', and the model is on '{}': compile it for this device",
                        package.string(), kind, own);
    utsname system{};
    ::uname(&system);
    for (const auto& [key, here] : {std::pair{"AOTI_PLATFORM", text::lower(system.sysname)},
                                    std::pair{"AOTI_MACHINE", std::string(system.machine)}})
        if (const std::string there = text(key); !there.empty() && there != here)
            throw UserError("{} was compiled for '{}', and this machine is '{}': compile it on a machine of this kind",
                            package.string(), there, here);
    if (const std::string missing = missing_instructions(text("AOTI_CPU_ISA")); !missing.empty())
        throw UserError(
            "{} uses instructions that this processor does not have ({}): compile it on this machine, or on one with "
            "an older processor",
            package.string(), missing);
}

template <class Value>
Value* at_offset(std::string& bytes, std::uint64_t offset) {
    return offset <= bytes.size() && bytes.size() - offset >= sizeof(Value)
               ? reinterpret_cast<Value*>(bytes.data() + offset)
               : nullptr;
}

/// PyTorch links packages with libtorch.so, a library without code that names LibTorch's parts. It also names
/// libtorch_cuda.so, which cannot be loaded where CUDA is not installed. So the package's library names libtorch_cpu.so
/// there, which is loaded already.
void skip_umbrella_library(std::string& bytes) {
    const auto* header = at_offset<Elf64_Ehdr>(bytes, 0);
    if (header == nullptr || std::memcmp(header->e_ident, ELFMAG, SELFMAG) != 0 ||
        header->e_ident[EI_CLASS] != ELFCLASS64)
        return;
    for (std::size_t number = 0; number < header->e_shnum; ++number) {
        const auto* section = at_offset<Elf64_Shdr>(bytes, header->e_shoff + number * sizeof(Elf64_Shdr));
        if (section == nullptr || section->sh_type != SHT_DYNAMIC)
            continue;
        const auto* names = at_offset<Elf64_Shdr>(bytes, header->e_shoff + section->sh_link * sizeof(Elf64_Shdr));
        std::vector<Elf64_Dyn*> umbrella;
        std::uint64_t cpu = 0;
        for (std::uint64_t place = 0; names != nullptr && place < section->sh_size; place += sizeof(Elf64_Dyn)) {
            auto* entry = at_offset<Elf64_Dyn>(bytes, section->sh_offset + place);
            if (entry == nullptr || entry->d_tag == DT_NULL)
                break;
            if (entry->d_tag != DT_NEEDED || names->sh_offset + entry->d_un.d_val >= bytes.size())
                continue;
            const std::string_view name = bytes.c_str() + names->sh_offset + entry->d_un.d_val;
            if (name == "libtorch.so")
                umbrella.push_back(entry);
            else if (name == "libtorch_cpu.so")
                cpu = entry->d_un.d_val;
        }
        for (Elf64_Dyn* entry : umbrella)
            if (cpu != 0)
                entry->d_un.d_val = cpu;
    }
}

fs::path make_temporary_folder() {
    std::string name = (fs::temp_directory_path() / "trainyard-pt2-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr)
        throw_file_error("cannot make a folder for a compiled package:", name, errno);
    return name;
}

}  // namespace

PackageFiles::PackageFiles(const fs::path& package, c10::Device device) {
    try {
        unpack(package, device);
    } catch (...) {
        std::error_code ignored;
        if (!folder_.empty())
            fs::remove_all(folder_, ignored);
        throw;
    }
}

PackageFiles::~PackageFiles() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
}

void PackageFiles::unpack(const fs::path& package, c10::Device device) {
    const files::MappedFile file(package, files::MappedFile::Pages::shared);
    if (!files::ZipArchive::begins_like_one(file.bytes()))
        throw UserError("{} is not a compiled package (.pt2): make one with {}", package.string(), kHowToMake);
    const files::ZipArchive archive(file.bytes(), package.string());
    const std::string model = model_folder(archive, package);
    std::vector<std::pair<std::string, std::string>> contents;
    for (const auto& [name, entry] : archive.entries()) {
        if (!name.starts_with(model))
            continue;
        const std::string own = name.substr(model.size());
        if (own.find('/') != std::string::npos || own.starts_with('.'))
            continue;
        const std::span<const std::byte> bytes = archive.read(name);
        std::string content(reinterpret_cast<const char*>(bytes.data()), bytes.size());
        if (own.ends_with("_metadata.json"))
            check_target(content, package, device);
        contents.emplace_back(own, std::move(content));
    }
    folder_ = make_temporary_folder();
    for (auto& [name, content] : contents) {
        if (name.ends_with(".so")) {
            skip_umbrella_library(content);
            library_ = folder_ / name;
        }
        write_file_atomically(folder_ / name, content, false);
    }
    if (library_.empty())
        throw UserError("{} has no library for this machine: make the package with {}", package.string(), kHowToMake);
}

}  // namespace trainyard::compiled
