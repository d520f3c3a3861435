// SPDX-License-Identifier: GPL-3.0-or-later
#include "formats/weights/pickle_globals.h"

#include <map>
#include <string>
#include <utility>
#include <vector>

#include "formats/weights/pickle.h"

namespace trainyard::weights {

namespace {

struct ElementType {
    std::string_view torch;
    std::string_view safetensors;
    std::size_t size;
    std::string_view storage;  ///< torch's storage class; empty if there is none
};

constexpr ElementType kTypes[] = {
    {"float64", "F64", 8, "DoubleStorage"},
    {"float32", "F32", 4, "FloatStorage"},
    {"float16", "F16", 2, "HalfStorage"},
    {"bfloat16", "BF16", 2, "BFloat16Storage"},
    {"float8_e4m3fn", "F8_E4M3", 1, ""},
    {"float8_e5m2", "F8_E5M2", 1, ""},
    {"int64", "I64", 8, "LongStorage"},
    {"int32", "I32", 4, "IntStorage"},
    {"int16", "I16", 2, "ShortStorage"},
    {"int8", "I8", 1, "CharStorage"},
    {"uint8", "U8", 1, "ByteStorage"},
    {"uint16", "U16", 2, ""},
    {"uint32", "U32", 4, ""},
    {"uint64", "U64", 8, ""},
    {"bool", "BOOL", 1, "BoolStorage"},
    {"complex64", "C64", 8, "ComplexFloatStorage"},
    {"complex128", "", 16, "ComplexDoubleStorage"},
};

std::vector<Global> table() {
    std::vector<Global> all{
        {"collections", "OrderedDict", Meaning::ordered_dict, ""},
        {"torch._utils", "_rebuild_tensor", Meaning::tensor, ""},
        {"torch._utils", "_rebuild_tensor_v2", Meaning::tensor, ""},
        {"torch._utils", "_rebuild_tensor_v3", Meaning::tensor_with_dtype, ""},
        {"torch._utils", "_rebuild_parameter", Meaning::parameter, ""},
        {"torch._utils", "_rebuild_parameter_with_state", Meaning::parameter, ""},
        {"torch._tensor", "_rebuild_from_type_v2", Meaning::subclass, ""},
        {"torch", "Tensor", Meaning::tensor_class, ""},
        {"torch.nn.parameter", "Parameter", Meaning::tensor_class, ""},
        {"torch.storage", "UntypedStorage", Meaning::storage, ""},
        {"torch", "UntypedStorage", Meaning::storage, ""},
        {"torch", "Size", Meaning::size, ""},
        {"torch", "device", Meaning::device, ""},
        {"_codecs", "encode", Meaning::encode, ""},
        {"torch.serialization", "_get_layout", Meaning::record, "layout"},
        {"numpy", "ndarray", Meaning::record, "numpy.ndarray"},
        {"numpy", "dtype", Meaning::record, "numpy.dtype"},
    };
    for (std::string_view module : {"builtins", "__builtin__"}) {
        all.push_back({module, "set", Meaning::set, ""});
        all.push_back({module, "frozenset", Meaning::set, ""});
        all.push_back({module, "bytes", Meaning::bytes, ""});
        all.push_back({module, "bytearray", Meaning::bytes, ""});
        all.push_back({module, "complex", Meaning::record, "complex"});
    }
    for (std::string_view module : {"numpy._core.multiarray", "numpy.core.multiarray"}) {
        all.push_back({module, "_reconstruct", Meaning::record, "numpy.ndarray"});
        all.push_back({module, "scalar", Meaning::record, "numpy.scalar"});
    }
    for (std::string_view module :
         {"torch.distributed.checkpoint.metadata", "torch.distributed._shard.sharded_tensor.metadata"}) {
        all.push_back({module, "TensorProperties", Meaning::record, "TensorProperties"});
        all.push_back({module, "_MEM_FORMAT_ENCODING", Meaning::record, "memory format"});
        all.push_back({module, "MEM_FORMAT_ENCODING", Meaning::record, "memory format"});
    }
    for (std::string_view name : {"Metadata", "TensorStorageMetadata", "BytesStorageMetadata", "ChunkStorageMetadata",
                                  "MetadataIndex", "StorageMeta"})
        all.push_back({"torch.distributed.checkpoint.metadata", name, Meaning::record, name});
    all.push_back({"torch.distributed.checkpoint.filesystem", "_StorageInfo", Meaning::record, "_StorageInfo"});
    for (std::string_view module : {"pathlib", "pathlib._local"})
        for (std::string_view name : {"Path", "PosixPath", "WindowsPath", "PurePosixPath", "PureWindowsPath"})
            all.push_back({module, name, Meaning::record, "path"});
    // Classes that DeepSpeed stores besides the tensors of a ZeRO checkpoint.
    all.push_back({"deepspeed.runtime.zero.config", "ZeroStageEnum", Meaning::record, "ZeroStageEnum"});
    for (std::string_view name : {"LossScaler", "DynamicLossScaler"})
        all.push_back({"deepspeed.runtime.fp16.loss_scaler", name, Meaning::record, name});
    for (std::string_view name : {"fragment_address", "tensor_fragment"})
        all.push_back({"deepspeed.utils.tensor_fragment", name, Meaning::record, name});
    // Arguments of a run of Megatron-LM, and what its files have besides tensors.
    all.push_back({"argparse", "Namespace", Meaning::record, "Namespace"});
    all.push_back({"_io", "BytesIO", Meaning::record, "BytesIO"});
    all.push_back({"signal", "Signals", Meaning::record, "Signals"});
    for (std::string_view module : {"megatron.core.enums", "megatron.core.transformer.enums", "megatron.model.enums",
                                    "megatron.legacy.model.enums"})
        for (std::string_view name : {"ModelType", "LayerType", "AttnType", "AttnMaskType", "AttnBackend", "Fp8Recipe"})
            all.push_back({module, name, Meaning::record, name});
    for (std::string_view name : {"RerunMode", "RerunState"})
        all.push_back({"megatron.core.rerun_state_machine", name, Meaning::record, name});
    all.push_back({"packaging.version", "Version", Meaning::record, "Version"});
    for (const ElementType& type : kTypes) {
        all.push_back({"torch", type.torch, Meaning::dtype, type.torch});
        if (!type.storage.empty())
            all.push_back({"torch", type.storage, Meaning::storage, type.torch});
    }
    return all;
}

const std::vector<Global>& globals() {
    static const std::vector<Global> all = table();
    return all;
}

}  // namespace

std::optional<std::size_t> find_global(std::string_view module, std::string_view name) {
    static const auto index = [] {
        std::map<std::pair<std::string_view, std::string_view>, std::size_t> positions;
        for (std::size_t i = 0; i < globals().size(); ++i)
            positions.emplace(std::pair{globals()[i].module, globals()[i].name}, i);
        return positions;
    }();
    auto found = index.find({module, name});
    return found == index.end() ? std::nullopt : std::optional(found->second);
}

const Global& global_at(std::size_t position) {
    return globals().at(position);
}

std::string_view storage_class_of(std::string_view torch_dtype) {
    for (const ElementType& type : kTypes)
        if (type.torch == torch_dtype)
            return type.storage;
    return {};
}

std::size_t element_size(std::string_view torch_dtype) {
    for (const ElementType& type : kTypes)
        if (type.torch == torch_dtype)
            return type.size;
    return 0;
}

std::string safetensors_dtype(std::string_view torch_dtype) {
    for (const ElementType& type : kTypes)
        if (type.torch == torch_dtype)
            return std::string(type.safetensors);
    return {};
}

std::string torch_dtype(std::string_view safetensors_dtype) {
    for (const ElementType& type : kTypes)
        if (!type.safetensors.empty() && type.safetensors == safetensors_dtype)
            return std::string(type.torch);
    return {};
}

}  // namespace trainyard::weights
