#pragma once
// A model of transformers as its tree of modules with the shapes of their tensors: what building it on the meta device gives in Python. Sizes of layers
// follow from it alone (module_tree.cpp), its shape from a config.json (architectures.h).

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
    std::string type;  ///< class of transformers, where it matters what stays on one device
    std::vector<ModuleTensor> tensors;
    std::list<Module> children;
    /// So many alike, whose names count on from `name`, a number: the layers of a model, however many a configuration claims.
    std::int64_t repeat = 1;

    Module& child(std::string child_name, std::string child_type = "");
    /// `count` layers from number `first` on; none where count is 0 or less, and then a module that counts nothing is given back.
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
    double parameters = 0;  ///< elements; a shared weight once per user, as transformers counts a model without storage
    double bytes = 0;       ///< parameters and buffers, in fp32
    double largest_layer = 0;
    std::vector<std::string> layers;  ///< names of all that are as large, at most a thousand of each kind
};

/// A layer is a module without children, or of a class of `no_split`, as in accelerate.utils.get_max_layer_size.
TreeSizes sizes_of(const Module& model, const std::set<std::string>& no_split);

/// Full names of all parameters with their shapes, layers counted out. Of tests and of small models: a tree may claim a billion layers.
std::vector<ModuleTensor> parameters_of(const Module& model);

/// The parameter of a full name; null when there is none. A layer's number is found, whatever it is.
const ModuleTensor* find_parameter(const Module& model, const std::string& name);

}  // namespace trainyard::estimate
