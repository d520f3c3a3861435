// SPDX-License-Identifier: GPL-3.0-or-later
// kAccelerateVariables has every variable of Accelerate that an Accelerator asks the environment for, and no other.

#include <cstdlib>
#include <cstring>
#include <map>
#include <mutex>
#include <set>
#include <string>
#include <vector>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <trainyard/accelerator.h>
#include <trainyard/rank_logger.h>
#include <unistd.h>

#include "base/environment_names.h"
#include "base/error.h"

namespace {

std::mutex asking;
std::set<std::string>* asked_names = nullptr;  ///< names that the program has looked up; nullptr: nobody wants to know

}  // namespace

/// Replaces the function of the C library in this program and in the libraries that it links.
extern "C" char* getenv(const char* name) noexcept {
    {
        const std::lock_guard lock(asking);
        if (asked_names != nullptr)
            asked_names->insert(name);
    }
    const std::size_t length = std::strlen(name);
    for (char** entry = environ; entry != nullptr && *entry != nullptr; ++entry)
        if (std::strncmp(*entry, name, length) == 0 && (*entry)[length] == '=')
            return *entry + length + 1;
    return nullptr;
}

namespace trainyard {
namespace {

/// Names that an Accelerator with these variables looks up, until it is made or refuses one.
void look_up(const std::map<std::string, std::string>& variables) {
    for (const auto& [name, value] : variables)
        ::setenv(name.c_str(), value.c_str(), 1);
    try {
        const Accelerator accelerator;
        const parallel::RankLogger logger(accelerator.process(), "variables");
    } catch (const UserError&) {
        // Refusing a variable is one way of acting on it.
    }
    for (const auto& [name, value] : variables)
        ::unsetenv(name.c_str());
}

TEST(AccelerateVariables, AreThoseThatTheLibraryLooksUp) {
    std::set<std::string> names;
    {
        const std::lock_guard lock(asking);
        asked_names = &names;
    }
    look_up({});
    look_up({{kEnvUseDeepspeed, "true"}});
    look_up({{kEnvUseMegatron, "true"}});
    look_up({{kEnvUseMesh, "true"}});
    for (const char* policy : {"TRANSFORMER_BASED_WRAP", "SIZE_BASED_WRAP"})
        look_up({{kEnvUseFsdp, "true"},
                 {kEnvFsdpStrategy, "NO_SHARD"},
                 {kEnvFsdpCheckpointing, "true"},
                 {kEnvFsdpWrapPolicy, policy}});
    look_up({{kEnvUseDeepspeed, "true"}, {kEnvZeroStage, "3"}});
    look_up({{kEnvUseDeepspeed, "true"}, {kEnvDeepspeedFile, "{}"}});
    for (const char* library : {"TE", "AO"})
        look_up({{kEnvMixedPrecision, "fp8"}, {kEnvFp8Backend, library}});
    {
        const std::lock_guard lock(asking);
        asked_names = nullptr;
    }
    std::erase_if(names, [](const std::string& name) { return !is_accelerate_variable(name); });
    names.erase("ACCELERATE_ENABLE_RICH");  // base/failure_trace.cpp: of every program, set by no launcher
    EXPECT_THAT(names, testing::UnorderedElementsAreArray(kAccelerateVariables.begin(), kAccelerateVariables.end()));
}

}  // namespace
}  // namespace trainyard
