// SPDX-License-Identifier: GPL-3.0-or-later
// Modules that torch.jit.save wrote. torch::jit::load reads nothing else: no pickled Python objects are made. The code in
// the file is a program of its author all the same, run with the rights of the run.

#include <algorithm>
#include <unordered_map>

#include <torch/csrc/jit/api/module.h>
#include <torch/csrc/jit/serialization/import.h>

#include <fmt/format.h>
#include <fmt/ranges.h>

#include "base/error.h"
#include "models/nn/external/external_model.h"
#include "models/nn/external/module_unit.h"

namespace trainyard::models {

namespace {

/// The first line of what LibTorch says.
std::string first_line(const std::exception& error) {
    const auto* own = dynamic_cast<const c10::Error*>(&error);
    const std::string text = own != nullptr ? own->what_without_backtrace() : error.what();
    return text.substr(0, text.find('\n'));
}

torch::jit::Module loaded(const std::string& file) {
    try {
        torch::jit::Module module = torch::jit::load(file, at::kCPU);
        if (!module.find_method("forward"))
            throw UserError("model.script: the module in {} has no method forward", file);
        return module;
    } catch (const UserError&) {
        throw;
    } catch (const std::exception& error) {
        throw UserError(
            "model.script: {} was not written by torch.jit.save, or it is damaged ({}): write it with "
            "torch.jit.save(torch.jit.script(module), file)",
            file, first_line(error));
    }
}

class ScriptUnit final : public ModuleUnit {
  public:
    ScriptUnit(const families::ModelConfig& config, const std::string& file)
        : ModuleUnit(fmt::format("the module in {}", file), config), module_(loaded(file)) {
        NamedTensors parameters, buffers;
        for (const auto& item : module_.named_parameters())
            parameters.emplace_back(item.name, item.value);
        for (const auto& item : module_.named_buffers())
            buffers.emplace_back(item.name, item.value);
        adopt(parameters, buffers);
        const std::vector<c10::Argument>& all = module_.get_method("forward").function().getSchema().arguments();
        arguments_.assign(all.begin() + 1, all.end());  // without self
    }

  private:
    /// By the names of forward's arguments; a single one takes whatever the batch has.
    at::Tensor run(const NamedTensors& inputs) override {
        std::vector<c10::IValue> given;
        std::unordered_map<std::string, c10::IValue> named;
        for (const c10::Argument& argument : arguments_) {
            const auto found = std::ranges::find(inputs, argument.name(), &NamedTensors::value_type::first);
            if (found != inputs.end())
                named.emplace(argument.name(), found->second);
            else if (arguments_.size() == 1 && !inputs.empty())
                given.emplace_back(inputs.front().second);
            else if (!argument.default_value())
                throw UserError(
                    "{} wants the input '{}', and a batch has {}: name the arguments of its forward "
                    "like these",
                    name(), argument.name(), fmt::join(names(inputs), ", "));
        }
        try {
            const c10::IValue made = module_.get_method("forward")(std::move(given), named);
            if (!made.isTensor())
                throw UserError("{} gives {}, and must give one tensor", name(), made.tagKind());
            return made.toTensor();
        } catch (const UserError&) {
            throw;
        } catch (const std::exception& error) {
            throw UserError("{} stopped: {}", name(), first_line(error));
        }
    }
    static std::vector<std::string> names(const NamedTensors& inputs) {
        std::vector<std::string> made;
        for (const auto& input : inputs)
            made.push_back(input.first);
        return made;
    }
    void set_training(bool training) override { module_.train(training); }

    torch::jit::Module module_;
    std::vector<c10::Argument> arguments_;
};

class ScriptModel final : public ExternalModel {
  public:
    ScriptModel(const families::ModelConfig& config, const std::string& file)
        : ExternalModel(config, std::make_unique<ScriptUnit>(config, file)) {}
};

}  // namespace

std::unique_ptr<Model> make_script_model(const families::ModelConfig& config, const std::string& file) {
    return std::make_unique<ScriptModel>(config, file);
}

}  // namespace trainyard::models
