// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// The rows of the question tree and what they may look at. Internal: users of the tree include questionnaire.h. One file per
// topic; a new question is one row. The ids of questions are those of the golden dialogues.

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/message.h"
#include "config/accelerate/questionnaire.h"
#include "config/accelerate/schema.h"

namespace trainyard::settings::questions {

struct Row;

/// Answers as one row sees them: given or default, and only of questions that are shown. Caches results, so it must not
/// outlive a change of the answers.
class Context {
  public:
    Context(const Machine& machine, bool detect, const Answers& answers);

    const Machine& machine() const { return machine_; }
    bool detect() const { return detect_; }
    bool shown(std::string_view id) const;
    /// Given or default, shown or not.
    const std::string& answer(std::string_view id) const;
    /// Empty when the question is not shown.
    const std::string& value(std::string_view id) const;
    bool is(std::string_view id, std::string_view wanted) const { return value(id) == wanted; }
    bool yes(std::string_view id) const;
    std::int64_t integer(std::string_view id, std::int64_t otherwise) const;

    bool sagemaker() const { return is("env", "AMAZON_SAGEMAKER"); }
    /// Returns true for MULTI_GPU and similar machine types, before DeepSpeed, FSDP or Megatron-LM is chosen.
    bool accelerators() const;
    /// distributed_type as written.
    std::string_view distributed_type() const;
    bool on_cpu() const;
    /// Returns true if an Apple GPU will be used.
    bool on_mps() const { return machine_.device == "mps" && !on_cpu(); }

  private:
    const Machine& machine_;
    bool detect_;
    const Answers& answers_;
    mutable std::vector<signed char> shown_;  ///< by row: -1 unknown
    mutable std::vector<std::optional<std::string>> defaults_;
};

/// How an answer becomes a value.
enum class Stored { by_kind, integer, list };

struct Row {
    Question question{};
    std::function<bool(const Context&)> shown{};               ///< empty: always (within its environment)
    std::string_view hidden{};                                 ///< message about why the question is not shown
    std::string fallback{};                                    ///< Accelerate's default
    std::function<std::string(const Context&)> fallback_of{};  ///< where the default depends on answers
    std::function<std::string(const Context&)> detected{};     ///< the default this machine suggests; empty text: none
    Range range{};
    std::string_view required{};  ///< message if there is neither an answer nor a default
    Stored stored = Stored::by_kind;
    std::function<std::vector<Option>(const Context&)> options_of{};
    std::function<std::string(const Context&)> label_of{};
    std::function<std::optional<Message>(const Context&, const std::string&)> problem{};
    /// If set, called instead of storing the answer under the question's path.
    std::function<void(const Context&, const std::string&, Settings&)> write{};
    /// If set, called instead of reading the value under the path.
    std::function<std::optional<std::string>(const Settings&)> read{};
};

/// In asking order.
const std::vector<Row>& rows();
/// -1: no such question.
int row_index(std::string_view id);

// The parts of the tree, in asking order within each.
std::vector<Row> topology_rows();
std::vector<Row> compile_rows(bool sagemaker);
std::vector<Row> deepspeed_rows();
std::vector<Row> fsdp_rows();
std::vector<Row> mesh_rows();
std::vector<Row> megatron_rows();
std::vector<Row> device_rows();
std::vector<Row> tpu_rows();
std::vector<Row> precision_rows();
std::vector<Row> sagemaker_rows();

// Functions used by the rows of several topics.
Question question(std::string_view id, Topic topic, QuestionKind kind, std::string_view title, std::string_view label,
                  std::string_view help, std::string_view path = {}, std::vector<Option> options = {});
std::optional<std::int64_t> whole_number(std::string_view text);
std::optional<double> real_number(std::string_view text);
/// Expands `~` and `~/x` with $HOME.
std::string with_home(const std::string& path);
Value list_of(const std::string& text, char separator);
/// "yes" when one of the paths is there.
std::function<std::optional<std::string>(const Settings&)> yes_when_there(std::vector<std::string> paths,
                                                                          std::string_view table);
/// "yes" when distributed_type is that.
std::function<std::optional<std::string>(const Settings&)> yes_when_type(std::string_view type);
std::vector<Option> plain_options(std::initializer_list<std::string_view> values);

}  // namespace trainyard::settings::questions
