// SPDX-License-Identifier: GPL-3.0-or-later
// Gloo's headers are not part of LibTorch, so engine/distributed/parallel/gloo_abi declares its interface. Virtual functions are called by their place in a
// table: this test takes the table that LibTorch was built with and calls every function through our declarations.
#include <chrono>
#include <cstring>
#include <string>
#include <vector>

#include <torch/csrc/distributed/c10d/HashStore.hpp>
#include <torch/csrc/distributed/c10d/ProcessGroupGloo.hpp>

#include <dlfcn.h>
#include <gtest/gtest.h>

namespace {

using Bytes = std::vector<char>;
using GlooStore = c10d::ProcessGroupGloo::GlooStore;

/// An object of this program whose functions are those of the library.
class LibraryStore {
  public:
    LibraryStore() : store_(c10::make_intrusive<c10d::HashStore>()) {
        void* library = dlopen("libtorch_cpu.so", RTLD_NOLOAD | RTLD_LAZY);
        auto* table = library ? static_cast<char*>(dlsym(library, "_ZTVN4c10d16ProcessGroupGloo9GlooStoreE")) : nullptr;
        if (table == nullptr)
            throw std::runtime_error("libtorch_cpu.so has no table of c10d::ProcessGroupGloo::GlooStore");
        char* functions = table + 2 * sizeof(void*);  // after the offset and the type
        std::memcpy(&own_functions_, static_cast<void*>(&store_), sizeof(void*));
        std::memcpy(static_cast<void*>(&store_), &functions, sizeof(void*));
        different_ = functions != own_functions_;
    }
    ~LibraryStore() { std::memcpy(static_cast<void*>(&store_), &own_functions_, sizeof(void*)); }
    LibraryStore(const LibraryStore&) = delete;
    LibraryStore& operator=(const LibraryStore&) = delete;

    // Through a pointer that the compiler knows nothing about, so that it does not call our own functions directly.
    gloo::rendezvous::Store& operator*() { return *pointer_; }
    gloo::rendezvous::Store* operator->() { return pointer_; }
    bool has_functions_of_its_own() const { return different_; }

  private:
    GlooStore store_;
    gloo::rendezvous::Store* volatile pointer_ = &store_;
    char* own_functions_ = nullptr;
    bool different_ = false;
};

Bytes bytes(const std::string& text) {
    return {text.begin(), text.end()};
}

TEST(GlooAbi, EveryFunctionOfAStoreIsAtItsPlace) {
    using namespace std::chrono_literals;
    LibraryStore store;
    store->set("one", bytes("first"));
    EXPECT_EQ(store->get("one"), bytes("first"));
    EXPECT_EQ(store->wait_get("one", 100ms), bytes("first"));
    store->wait({"one"});
    EXPECT_THROW(store->wait({"missing"}, 20ms), std::exception);
    EXPECT_TRUE(store->has_v2_support());
    store->multi_set({"two", "three"}, {bytes("second"), bytes("third")});
    EXPECT_EQ(store->multi_get({"three", "two"}), (std::vector<Bytes>{bytes("third"), bytes("second")}));
    store->append("one", bytes(" and more"));
    EXPECT_EQ(store->get("one"), bytes("first and more"));
    EXPECT_EQ(store->add("count", 40), 40);
    EXPECT_EQ(store->add("count", 2), 42);
}

TEST(GlooAbi, TheTestReadsTheTableOfTheLibrary) {
    EXPECT_TRUE(LibraryStore().has_functions_of_its_own());
}

}  // namespace
