#include "checkpoint/not_finite.h"

#include <algorithm>
#include <cstdint>
#include <cstring>

namespace trainyard::checkpoint {

namespace {

/// An element whose exponent bits are all set is infinite, or NaN when its other bits below the sign are not all zero.
template <class Bits>
void look_for_not_finite(const io::TensorToWrite& tensor, Bits exponent, NotFinite& found) {
    constexpr std::size_t kBlock =
        4096;  // elements: a loop of one comparison and no branch, which the compiler vectorises
    const Bits sign = static_cast<Bits>(Bits{1} << (sizeof(Bits) * 8 - 1));
    const std::size_t count = tensor.bytes.size() / sizeof(Bits);
    Bits block[kBlock];
    for (std::size_t begin = 0; begin < count; begin += kBlock) {
        const std::size_t size = std::min(kBlock, count - begin);
        std::memcpy(block, tensor.bytes.data() + begin * sizeof(Bits), size * sizeof(Bits));
        Bits any = 0;
        for (std::size_t i = 0; i < size; ++i)
            any |= static_cast<Bits>((block[i] & exponent) == exponent);
        if (any == 0)
            continue;
        for (std::size_t i = 0; i < size; ++i) {
            if ((block[i] & exponent) != exponent)
                continue;
            const bool nan = static_cast<Bits>(block[i] & ~sign) != exponent;
            std::string& first = nan ? found.nan : found.infinite;
            if (first.empty())
                first = tensor.name;
        }
        if (!found.nan.empty() && !found.infinite.empty())
            return;
    }
}

}  // namespace

NotFinite not_finite_in(std::span<const io::TensorToWrite> tensors) {
    NotFinite found;
    for (const io::TensorToWrite& tensor : tensors) {
        if (tensor.dtype == "F32")
            look_for_not_finite<std::uint32_t>(tensor, 0x7f80'0000U, found);
        else if (tensor.dtype == "F64")
            look_for_not_finite<std::uint64_t>(tensor, 0x7ff0'0000'0000'0000U, found);
        else if (tensor.dtype == "BF16")
            look_for_not_finite<std::uint16_t>(tensor, 0x7f80U, found);
        else if (tensor.dtype == "F16")
            look_for_not_finite<std::uint16_t>(tensor, 0x7c00U, found);
        if (!found.nan.empty() && !found.infinite.empty())
            break;
    }
    return found;
}

}  // namespace trainyard::checkpoint
