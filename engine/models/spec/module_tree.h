// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// A model of transformers as a tree of modules with tensor shapes, as building it on the meta device gives in Python.
// The trees of families follow from their rows (family.h); estimate/architectures.h has those of further models.

#include <cstdint>
#include <functional>
#include <list>
#include <map>
#include <set>
#include <string>
#include <vector>

#include "models/spec/model_config.h"

namespace trainyard::families {

class Family;
struct ModuleRow;

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

    Module& child(std::string child_name);
    /// `count` layers, numbered from 0. If count is 0 or less, there are none, and the returned module is not
    /// counted.
    Module& layers(std::int64_t count);
    Module& parameter(std::string tensor, Shape shape);
    Module& buffer(std::string tensor, Shape shape, int element_bytes = 4);

    void linear(const std::string& child_name, std::int64_t in, std::int64_t out, bool bias = true);
    void embedding(const std::string& child_name, std::int64_t rows, std::int64_t width);
    /// LayerNorm, or RMSNorm without bias.
    void norm(const std::string& child_name, std::int64_t width, bool bias = true);
    void conv(const std::string& child_name, std::int64_t in, std::int64_t out, Shape kernel, bool bias = true);
};

struct ModelTree {
    std::string model_class;  ///< "LlamaForCausalLM"
    Module root;
    std::set<std::string> no_split;              ///< classes whose modules must stay on one device
    std::vector<std::vector<std::string>> tied;  ///< full names of parameters that share a weight
};

/// The classes that a family's models can be loaded as: "AutoModel", "AutoModelForCausalLM" ...
std::set<std::string> auto_classes(const Family& family);
/// The tree of a family's class. Throws UserError if auto_classes() lacks it.
ModelTree model_tree(const ModelConfig& config, const std::string& auto_class);

/// Gives a tree the classes, the order and the shared parameters of a row. `full_name`: of a parameter in this tree,
/// for the row's name. Parameters that the tree lacks are not shared.
void finish_tree(ModelTree& tree, const ModuleRow& row, bool ties,
                 const std::function<std::string(const std::string&)>& full_name);

/// How many modules there are in lists of numbered ones, by what is in front of the number: {"model.layers.", 32}.
using LayerCounts = std::map<std::string, std::int64_t>;

/// The type of modules with a number for a name, unless a family gives them another one.
inline constexpr const char* kNumbered = "numbered";

/// A tree from full names, in the order given; `sorted`: by name, because files differ in their order. Consecutive
/// modules with numbers for names that are alike become one with `repeat`. Lists in `counts` continue with modules like
/// their last one.
Module tree_of_names(const std::vector<ModuleTensor>& tensors, bool sorted, const LayerCounts& counts = {});

/// The name of the i-th of `repeat` modules.
std::string module_name_at(const Module& module, std::int64_t i);

/// Full names and shapes of all parameters, with layers expanded. For tests and small models only: a tree may have a
/// billion layers.
std::vector<ModuleTensor> parameters_of(const Module& model);

/// A parameter by its full name, for any layer number; nullptr if there is none.
const ModuleTensor* find_parameter(const Module& model, const std::string& name);

}  // namespace trainyard::families
