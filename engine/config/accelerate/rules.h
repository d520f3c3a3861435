// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rules over several keys, one table per subject. Internal to the library; check.cpp runs them all.

#include <span>
#include <string>
#include <vector>

#include "base/message.h"
#include "config/accelerate/check.h"

namespace trainyard::settings {

/// The settings and machine that a rule checks, and the list that it reports to.
class Judgement {
  public:
    Judgement(const Settings& settings, const Machine* machine, std::vector<Finding>& findings)
        : settings_(settings), machine_(machine), findings_(findings) {}

    const Settings& settings() const { return settings_; }
    const Machine* machine() const { return machine_; }  ///< nullptr: unknown
    std::string type() const { return settings_.text("distributed_type"); }
    bool is_sagemaker() const { return settings_.text("compute_environment") == "AMAZON_SAGEMAKER"; }
    /// One process for each accelerator of some maker, under any way of training.
    bool on_accelerators() const;
    /// Present and not null.
    bool given(std::string_view path) const;
    std::int64_t integer(std::string_view path, std::int64_t otherwise) const {
        return settings_.integer(path, otherwise);
    }

    void error(std::string_view path, Message message, std::optional<Value> fix = std::nullopt) {
        add(Finding::Severity::error, path, std::move(message), std::move(fix));
    }
    void warning(std::string_view path, Message message, std::optional<Value> fix = std::nullopt) {
        add(Finding::Severity::warning, path, std::move(message), std::move(fix));
    }

  private:
    void add(Finding::Severity severity, std::string_view path, Message message, std::optional<Value> fix);

    const Settings& settings_;
    const Machine* machine_;
    std::vector<Finding>& findings_;
};

struct Rule {
    std::string_view name;  ///< for tests and the table in README.md: `ports`
    std::string_view says;  ///< one sentence
    void (*judge)(Judgement&);
};

std::span<const Rule> machine_rules();   ///< processes, machines, devices, ports
std::span<const Rule> sharding_rules();  ///< FSDP, mesh, Megatron-LM
std::span<const Rule> deepspeed_rules();
std::span<const Rule> precision_rules();  ///< mixed precision, FP8, compilation
std::span<const Rule> cloud_rules();      ///< TPU, SageMaker

}  // namespace trainyard::settings
