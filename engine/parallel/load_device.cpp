#include "parallel/nccl/plugin.h"

#include <filesystem>

#include <dlfcn.h>

#include "base/error.h"

namespace trainyard::parallel {

const NcclPlugin& nccl_plugin() {
    static const NcclPlugin* plugin = [] {
        std::filesystem::path path =
            std::filesystem::read_symlink("/proc/self/exe").parent_path() / "libtrainyard_nccl.so";
        void* library = ::dlopen(path.c_str(), RTLD_NOW | RTLD_GLOBAL);
        if (library == nullptr) {
            const char* reason = ::dlerror();
            throw UserError("training on GPUs needs " + path.string() + ", which cannot be opened (" +
                            (reason != nullptr ? reason : "unknown reason") +
                            "): build it where CUDA's headers are, or train with --cpu");
        }
        void* symbol = ::dlsym(library, "trainyard_nccl_plugin");
        if (symbol == nullptr)
            throw UserError(path.string() + " is of another version of Trainyard: build it again");
        return static_cast<const NcclPlugin*>(symbol);
    }();
    return *plugin;
}

}  // namespace trainyard::parallel
