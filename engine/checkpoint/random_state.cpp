// SPDX-License-Identifier: GPL-3.0-or-later
#include "checkpoint/random_state.h"

#include <array>
#include <cstring>
#include <string>

#include <ATen/CPUGeneratorImpl.h>
#include <ATen/Context.h>
#include <ATen/core/Generator.h>

#include "base/error.h"
#include "formats/weights/pickle_writer.h"

namespace trainyard::checkpoint {

namespace {

/// The Mersenne Twister of Python and NumPy (Matsumoto and Nishimura, 2002).
class Twister {
  public:
    static constexpr std::size_t kWords = 624;

    /// numpy.random.seed(seed)
    explicit Twister(std::uint32_t seed) {
        words_[0] = seed;
        for (std::uint32_t i = 1; i < kWords; ++i)
            words_[i] = 1812433253u * (words_[i - 1] ^ words_[i - 1] >> 30) + i;
    }
    /// random.seed(number), which takes the number's 32-bit digits as key.
    static Twister of_python(std::uint64_t number) {
        std::array<std::uint32_t, 2> key{static_cast<std::uint32_t>(number), static_cast<std::uint32_t>(number >> 32)};
        std::size_t length = key[1] != 0 ? 2 : 1;
        Twister twister(19650218u);
        auto& words = twister.words_;
        std::size_t i = 1, j = 0;
        auto advance = [&] {
            if (++i >= kWords) {
                words[0] = words[kWords - 1];
                i = 1;
            }
        };
        for (std::size_t k = kWords; k > 0; --k) {
            words[i] =
                (words[i] ^ (words[i - 1] ^ words[i - 1] >> 30) * 1664525u) + key[j] + static_cast<std::uint32_t>(j);
            j = (j + 1) % length;
            advance();
        }
        for (std::size_t k = kWords - 1; k > 0; --k) {
            words[i] = (words[i] ^ (words[i - 1] ^ words[i - 1] >> 30) * 1566083941u) - static_cast<std::uint32_t>(i);
            advance();
        }
        words[0] = 0x80000000u;
        return twister;
    }

    const std::array<std::uint32_t, kWords>& words() const { return words_; }

  private:
    std::array<std::uint32_t, kWords> words_{};
};

Tree python_state(std::uint64_t seed) {
    Tree::List words;
    for (std::uint32_t word : Twister::of_python(seed).words())
        words.push_back(static_cast<std::int64_t>(word));
    words.push_back(static_cast<std::int64_t>(Twister::kWords));  // position: the next draw makes new words
    Tree state = Tree::tuple();                                   // (version, words, no second Gaussian)
    state.append(3);
    state.append(Tree::tuple(std::move(words)));
    state.append({});
    return state;
}

Tree numpy_state(std::uint64_t seed) {
    Twister twister(static_cast<std::uint32_t>(seed));
    std::string words(sizeof twister.words(), '\0');
    std::memcpy(words.data(), twister.words().data(), words.size());
    Tree state = Tree::tuple();  // (name, words, position, no second Gaussian)
    state.append("MT19937");
    state.append(Tree::PickledObject{"numpy.ndarray", weights::numpy_array("u4", Twister::kWords, words)});
    state.append(static_cast<std::int64_t>(Twister::kWords));
    state.append(0);
    state.append(0.0);
    return state;
}

at::Tensor state_of(const at::Generator& generator) {
    return generator.get_state().cpu();
}

constexpr const char* kCpu = "torch_manual_seed";
constexpr const char* kCuda = "torch_cuda_manual_seed";

}  // namespace

Tree capture_random_state(std::int64_t step, const Tree& carried) {
    const at::Generator& cpu = at::detail::getDefaultCPUGenerator();
    std::uint64_t seed = cpu.current_seed();
    Tree state;
    state.set("step", step);
    const Tree* python = carried.find("random_state");
    const Tree* numpy = carried.find("numpy_random_seed");
    state.set("random_state", python != nullptr ? *python : python_state(seed));
    state.set("numpy_random_seed", numpy != nullptr ? *numpy : numpy_state(seed));
    state.set(kCpu, state_of(cpu));
    if (at::globalContext().hasCUDA()) {
        Tree devices = Tree::list();
        for (c10::DeviceIndex i = 0; i < at::globalContext().getAcceleratorHooksInterface(at::kCUDA).deviceCount(); ++i)
            devices.append(state_of(at::globalContext().defaultGenerator(at::Device(at::kCUDA, i))));
        state.set(kCuda, devices);
    }
    return state;
}

void restore_random_state(const Tree& state) {
    if (const Tree* seed = state.find("derived_seed"))
        return at::manual_seed(static_cast<std::uint64_t>(seed->as_integer()));  // all devices
    const Tree* cpu = state.find(kCpu);
    if (cpu == nullptr || !cpu->is_tensor())
        throw UserError("the random state has no torch_manual_seed");
    at::Generator generator = at::detail::getDefaultCPUGenerator();
    const at::Tensor& bytes = cpu->as_tensor();
    if (bytes.scalar_type() != at::kByte || bytes.numel() != generator.get_state().numel())
        throw UserError(
            "the random state is of another version of torch: it has {} bytes where this "
            "one's has {}",
            bytes.numel(), generator.get_state().numel());
    generator.set_state(bytes.contiguous());
    const Tree* devices = state.find(kCuda);
    if (devices == nullptr || !at::globalContext().hasCUDA())
        return;
    auto count = static_cast<std::size_t>(at::globalContext().getAcceleratorHooksInterface(at::kCUDA).deviceCount());
    for (std::size_t i = 0; i < std::min(count, devices->items().size()); ++i) {
        at::Generator device =
            at::globalContext().defaultGenerator(at::Device(at::kCUDA, static_cast<c10::DeviceIndex>(i)));
        device.set_state(devices->items()[i].as_tensor().contiguous());
    }
}

std::uint64_t derived_seed(const Tree& state_of_rank_0, int rank) {
    // FNV-1a over the bytes of rank 0's generator, then the rank through a bijective mixer (SplitMix64): different ranks never agree.
    std::uint64_t hash = 14695981039346656037ull;
    if (const Tree* cpu = state_of_rank_0.find(kCpu); cpu != nullptr && cpu->is_tensor()) {
        at::Tensor bytes = cpu->as_tensor().contiguous();
        const auto* data = static_cast<const unsigned char*>(bytes.const_data_ptr());
        for (std::size_t i = 0; i < bytes.nbytes(); ++i)
            hash = (hash ^ data[i]) * 1099511628211ull;
    }
    std::uint64_t mixed = hash + 0x9e3779b97f4a7c15ull * static_cast<std::uint64_t>(rank);
    mixed = (mixed ^ mixed >> 30) * 0xbf58476d1ce4e5b9ull;
    mixed = (mixed ^ mixed >> 27) * 0x94d049bb133111ebull;
    return (mixed ^ mixed >> 31) >> 1;
}

}  // namespace trainyard::checkpoint
