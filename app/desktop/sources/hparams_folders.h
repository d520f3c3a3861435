// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Hyper-parameters that torch's SummaryWriter.add_hparams() wrote. It writes them to an event file in a new folder next
// to the curves, named by the time ("1767222000.12"), which TensorBoard shows as a run of its own. Accelerate and the
// Trainer of transformers call it once for each run: here they are columns of the run whose folder contains them. For
// reading threads.

#include <filesystem>
#include <map>
#include <memory>
#include <string>

#include "desktop/curves/curve_source.h"
#include "formats/events/event_folder.h"

namespace trainyard::desktop {

/// A value of an event file as text.
std::string word_of(const events::HyperParameters::value_type::second_type& value);
/// Replaces the value of a parameter, or adds the parameter. Returns whether anything changed.
bool set_parameter(ParameterWords& parameters, const std::string& name, std::string word);

class HparamsFolders : private events::EventListener {
  public:
    /// `folder`: of the curves.
    explicit HparamsFolders(std::filesystem::path folder) : folder_(std::move(folder)) {}
    /// Whether a folder of this name may be one of them.
    static bool is_name(const std::string& folder_name);

    /// Reads what was added. Returns whether parameters() changed.
    bool poll();
    /// Parameters and the metrics that were given with them.
    const ParameterWords& parameters() const { return parameters_; }

  private:
    void scalar(int tag, std::int64_t step, double wall_time, double value) override;
    void record(const std::string& group, const events::EventRecord& record, std::string_view payload,
                const std::filesystem::path& file, std::uint64_t at) override;
    void restart(const std::string&, std::int64_t) override {}
    void reset() override {}

    std::filesystem::path folder_;
    std::map<std::string, std::unique_ptr<events::EventFolder>> found_;  ///< by name
    events::EventFolder* polled_ = nullptr;
    ParameterWords parameters_;
    bool changed_ = false;
};

}  // namespace trainyard::desktop
