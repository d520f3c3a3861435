#pragma once
// A model of transformers as a tree of modules with tensor shapes, as building it on the meta device gives in Python.
// Layer sizes are computed from the tree (module_tree.cpp), the tree from a config.json (architectures.h).

#include <cstdint>
#include <list>
#include <set>
#include <string>
#include <vector>

namespace trainyard::estimate {

using Shape = std::vector<std::int64_t>;

struct ModuleTensor {
    std::string name;
    Shape shape;
    bool buffer = false;
    int element_bytes = 4;
    double elements() const;
};

struct Module {
    std::string name;
    std::string type;  ///< class in transformers, if it matters for placing modules on devices
    std::vector<ModuleTensor> tensors;
    std::list<Module> children;
    /// Number of identical modules, whose names count up from `name`, an integer: the layers of a model. So a
    /// configuration with any number of layers needs constant memory.
    std::int64_t repeat = 1;

    Module& child(std::string child_name, std::string child_type = "");
    /// `count` layers, numbered from `first`. If count is 0 or less, there are none, and the returned module is not
    /// counted.
    Module& layers(std::int64_t count, std::string child_type = "", std::int64_t first = 0);
    Module& parameter(std::string tensor, Shape shape);
    Module& buffer(std::string tensor, Shape shape, int element_bytes = 4);

    void linear(const std::string& child_name, std::int64_t in, std::int64_t out, bool bias = true);
    void embedding(const std::string& child_name, std::int64_t rows, std::int64_t width);
    /// LayerNorm, or RMSNorm without bias.
    void norm(const std::string& child_name, std::int64_t width, bool bias = true);
    void conv(const std::string& child_name, std::int64_t in, std::int64_t out, Shape kernel, bool bias = true);
};

struct TreeSizes {
    /// Elements; a shared weight counts once per use, as transformers counts a model on the meta device.
    double parameters = 0;
    double bytes = 0;  ///< parameters and buffers, in fp32
    double largest_layer = 0;
    std::vector<std::string> layers;  ///< names of all layers of that size, at most a thousand of each kind
};

/// As in accelerate.utils.get_max_layer_size, a layer is a module without children or of a class in `no_split`.
TreeSizes sizes_of(const Module& model, const std::set<std::string>& no_split);

/// Full names and shapes of all parameters, with layers expanded. For tests and small models only: a tree may have a
/// billion layers.
std::vector<ModuleTensor> parameters_of(const Module& model);

/// A parameter by its full name, for any layer number; nullptr if there is none.
const ModuleTensor* find_parameter(const Module& model, const std::string& name);

}  // namespace trainyard::estimate
