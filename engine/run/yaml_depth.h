#pragma once
// The sentence on YAML that is nested too deeply; yaml-cpp itself calls it a "bad file". For the .cpp files of run/ alone.

#include <string>

#include <yaml-cpp/depthguard.h>

namespace trainyard::run {

inline std::string too_deep_words(const YAML::DeepRecursion& error) {
    return "lists and tables are nested too deeply here: at most " + std::to_string(error.depth()) +
           " levels can be read";
}

}  // namespace trainyard::run
