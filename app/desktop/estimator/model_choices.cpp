// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/estimator/model_choices.h"

#include <algorithm>
#include <thread>

#include <QCoreApplication>

#include <fmt/format.h>

#include "base/error.h"
#include "desktop/text/qt_text.h"
#include "estimate/architectures.h"
#include "estimate/calibration.h"
#include "estimate/recipe_estimate.h"

namespace trainyard::desktop {

namespace {
constexpr int kMostRanksHere = 8;

QVector<ModelChoice> published_models() {
    return {
        {QStringLiteral("Llama 3.2 1B"),
         R"({"model_type":"llama","hidden_size":2048,"num_hidden_layers":16,"num_attention_heads":32,"num_key_value_heads":8,"head_dim":64,
             "intermediate_size":8192,"vocab_size":128256,"tie_word_embeddings":true,"max_position_embeddings":131072})"},
        {QStringLiteral("Llama 3 8B"),
         R"({"model_type":"llama","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,
             "intermediate_size":14336,"vocab_size":128256,"max_position_embeddings":8192})"},
        {QStringLiteral("Llama 3 70B"),
         R"({"model_type":"llama","hidden_size":8192,"num_hidden_layers":80,"num_attention_heads":64,"num_key_value_heads":8,
             "intermediate_size":28672,"vocab_size":128256,"max_position_embeddings":8192})"},
        {QStringLiteral("Mistral 7B"),
         R"({"model_type":"mistral","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,
             "intermediate_size":14336,"vocab_size":32000,"max_position_embeddings":32768})"},
        {QStringLiteral("Mixtral 8x7B"),
         R"({"model_type":"mixtral","hidden_size":4096,"num_hidden_layers":32,"num_attention_heads":32,"num_key_value_heads":8,
             "intermediate_size":14336,"vocab_size":32000,"num_local_experts":8,"num_experts_per_tok":2,"max_position_embeddings":32768})"},
        {QStringLiteral("GPT-2"), R"({"model_type":"gpt2","n_embd":768,"n_layer":12,"n_head":12,"n_positions":1024})"},
        {QStringLiteral("GPT-2 XL"),
         R"({"model_type":"gpt2","n_embd":1600,"n_layer":48,"n_head":25,"n_positions":1024})"},
        {QStringLiteral("BERT base"),
         R"({"model_type":"bert","hidden_size":768,"num_hidden_layers":12,"num_attention_heads":12,"max_position_embeddings":512})"}};
}

/// Convolutional networks are left out: what they need depends on the size of the pictures.
QVector<ModelChoice> families_with_memory() {
    QVector<ModelChoice> all;
    for (const std::string& name : estimate::architecture_names()) {
        const std::string config = fmt::format(R"({{"model_type":"{}"}})", name);
        try {
            estimate::model_parts(config, name);
            all.push_back({qt(name), config, true});
        } catch (const UserError&) {
            continue;
        }
    }
    return all;
}

}  // namespace

const QVector<ModelChoice>& modelChoices() {
    static const QVector<ModelChoice> all = published_models() + families_with_memory();
    return all;
}

bool are_same_devices(const estimate::Hardware& one, const estimate::Hardware& other) {
    return one.device.cpu == other.device.cpu && (one.device.cpu || one.device.name == other.device.name) &&
           one.hosts == other.hosts && one.devices_per_host == other.devices_per_host;
}

QVector<HardwareChoice> hardwareChoices() {
    QVector<HardwareChoice> all;
    all.push_back({QCoreApplication::translate("HardwareChoice", "This machine"), estimate::this_machine(1)});
    const auto cores = static_cast<int>(std::thread::hardware_concurrency());
    for (int ranks = 2; ranks <= std::min(cores, kMostRanksHere); ranks *= 2)
        all.push_back({QCoreApplication::translate("HardwareChoice", "This machine, %1 ranks").arg(ranks),
                       estimate::this_machine(ranks)});
    struct Cluster {
        const char* device;
        int hosts, each;
    };
    for (const Cluster& cluster : {Cluster{"RTX 4090", 1, 1},
                                   {"RTX 4090", 1, 2},
                                   {"A100 40", 1, 8},
                                   {"A100 80", 1, 8},
                                   {"H100 80", 1, 1},
                                   {"H100 80", 1, 8},
                                   {"H100 80", 2, 8},
                                   {"H100 80", 8, 8},
                                   {"H200", 1, 1},
                                   {"H200", 1, 8},
                                   {"B200", 1, 8},
                                   {"MI300X", 1, 8}}) {
        const estimate::Device* device = estimate::find_device(cluster.device);
        if (device == nullptr)
            continue;
        estimate::Hardware hardware;
        hardware.device = *device;
        estimate::calibrate(hardware.device);
        hardware.hosts = cluster.hosts;
        hardware.devices_per_host = cluster.each;
        hardware.network = estimate::usual_network(*device);
        const QString name = qt(device->name);
        all.push_back({cluster.hosts > 1 ? QStringLiteral("%1 × %2 %3").arg(cluster.hosts).arg(cluster.each).arg(name)
                                         : QStringLiteral("%1 × %2").arg(cluster.each).arg(name),
                       hardware});
    }
    return all;
}

}  // namespace trainyard::desktop
