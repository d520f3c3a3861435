// SPDX-License-Identifier: GPL-3.0-or-later
#include "estimate/module_roles.h"

#include <array>
#include <set>
#include <string_view>

namespace trainyard::estimate {

namespace {

using Names = std::set<std::string_view>;

const Names kAttentionInputs{"q_proj",          "k_proj",     "v_proj",   "qkv_proj",  "query", "key",
                             "value",           "c_attn",     "q_attn",   "q_lin",     "k_lin", "v_lin",
                             "in_proj",         "q",          "k",        "v",         "Wqkv",  "qkv",
                             "query_key_value", "query_proj", "key_proj", "value_proj"};
const Names kOpen{"fc1",  "c_fc", "gate_proj", "up_proj", "gate_up_proj", "dense_h_to_4h", "wi",     "wi_0", "wi_1",
                  "lin1", "ffn",  "pwconv1",   "w1",      "w3",           "fc_in",         "linear1"};
const Names kClose{"fc2",     "down_proj", "dense_4h_to_h", "wo",     "lin2", "ffn_output",
                   "pwconv2", "w2",        "fc_out",        "linear2"};
const Names kAttentionClose{"o_proj", "out_proj", "out_lin", "o", "Wo"};

bool has(const std::string& path, std::string_view part) {
    return path.find(part) != std::string::npos;
}

}  // namespace

ModuleRole role_of(const std::string& path) {
    const std::string name = path.substr(path.rfind('.') + 1);
    if (has(name, "norm") || has(name, "Norm") || name.starts_with("ln"))
        return ModuleRole::norm;
    if (kAttentionInputs.contains(name))
        return ModuleRole::attention_input;
    if (kOpen.contains(name))
        return ModuleRole::open;
    if (kClose.contains(name))
        return ModuleRole::close;
    if (kAttentionClose.contains(name))
        return ModuleRole::attention_close;
    const bool in_attention = has(path, "att");
    if (name == "c_proj")
        return in_attention ? ModuleRole::attention_close : ModuleRole::close;
    if (name == "dense")
        return has(path, "intermediate") ? ModuleRole::open
               : in_attention            ? ModuleRole::attention_close
                                         : ModuleRole::close;
    return ModuleRole::other;
}

bool is_transposed(const std::string& path) {
    const std::string name = path.substr(path.rfind('.') + 1);
    return name == "c_attn" || name == "c_proj" || name == "c_fc" || name == "q_attn";
}

bool is_embedding(const std::string& path) {
    return has(path, "embed") || has(path, "wte") || has(path, "wpe") || has(path, "shared");
}

}  // namespace trainyard::estimate
