#pragma once
// How much memory a model takes when it is loaded, per dtype, and when Adam trains it: the figures of `accelerate estimate-memory`, from a
// Hugging Face config.json alone. Knows the classes of architectures.h, also those that are not trained here. A weight that two modules share is counted once (Accelerate counts it once per user).

#include <cstdint>
#include <filesystem>
#include <string>
#include <vector>

#include "families/model_config.h"

namespace trainyard::estimate {

struct ModelSize {
    std::string model_class;           ///< "GPT2Model", "GPT2LMHeadModel"
    std::uint64_t total_bytes = 0;     ///< fp32
    std::uint64_t largest_layer = 0;   ///< bytes in fp32 of the largest part that stays on one device
    std::vector<std::string> layers;   ///< its names, several when they are equal
    std::int64_t parameter_count = 0;  ///< shared ones once
    std::vector<std::string> tied;     ///< names that share one weight
};

/// Which class a config.json is loaded as: the first AutoModelFor... of its `auto_map`, else AutoModel. Throws UserError when the text is
/// no configuration, or (one sentence) of a model that is not known; `where` names it.
ModelSize model_size(const std::string& config_json, const std::string& where);
/// The same with the class given.
ModelSize model_size(const std::string& config_json, const std::string& where, const std::string& auto_class);
/// Of the model a recipe trains.
ModelSize model_size(const families::ModelConfig& model);

/// One row of the table. Sizes in bytes; fractions come from four-bit elements.
struct DtypeRow {
    std::string dtype;  ///< float32 float16 int8 int4
    double largest_layer = 0;
    double total = 0;
    bool trainable = false;  ///< Adam: the rest only then
    double weights = 0, gradients = 0, optimizer = 0, step = 0;
    /// The most that is needed at one time.
    double training() const;
};

inline const std::vector<std::string> kDtypes{"float32", "float16", "int8", "int4"};

/// Throws UserError for a dtype that is none of kDtypes.
DtypeRow dtype_row(const ModelSize& size, const std::string& dtype);

/// `474.7 MB`: binary units, two decimals without padding, as Accelerate prints them.
std::string loading_size(double bytes);

/// Lines of the table with frame and title, without newlines.
std::vector<std::string> loading_table(const std::string& name, const std::vector<DtypeRow>& rows);

}  // namespace trainyard::estimate
