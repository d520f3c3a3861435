// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/model_look.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <memory>

#include <QRegularExpression>

#include "base/error.h"
#include "base/file.h"
#include "config/inputs/model_folder.h"
#include "desktop/text/qt_text.h"
#include "formats/hub/fetch.h"
#include "formats/weights/pickle.h"
#include "formats/weights/weight_source.h"
#include "models/spec/config_file.h"
#include "models/spec/family.h"

namespace trainyard::desktop {

namespace fs = std::filesystem;

namespace {

constexpr std::uint64_t kMostReadmeBytes = 1u << 20;

QString dtype_of(const fs::path& weights) {
    std::map<std::string, std::uint64_t> bytes;
    try {
        const std::unique_ptr<weights::WeightSource> source = weights::open_first_model(weights);
        for (const weights::SourceTensor& tensor : source->tensors())
            bytes[tensor.dtype] += tensor.bytes;
    } catch (const UserError&) {
        return {};  // the check of the recipe reports them
    }
    const auto most = std::ranges::max_element(bytes, {}, [](const auto& each) { return each.second; });
    if (most == bytes.end())
        return {};
    const std::string name = weights::torch_dtype(most->first);
    return qt(name.empty() ? most->first : name);
}

/// `license:` of the block of YAML that a model card begins with.
QString licence_of(const fs::path& folder) {
    std::string text;
    try {
        text = read_file(folder / "README.md", kMostReadmeBytes);
    } catch (const UserError&) {
        return {};
    }
    static const QRegularExpression head(QStringLiteral("^---\\r?\\n(.*?)\\n---"),
                                         QRegularExpression::DotMatchesEverythingOption);
    static const QRegularExpression line(QStringLiteral("^license:\\s*[\"']?([A-Za-z0-9_.+-]+)"),
                                         QRegularExpression::MultilineOption);
    return line.match(head.match(qt(text)).captured(1)).captured(1);
}

}  // namespace

ModelLook look_at_model(const QString& weights) {
    ModelLook look;
    const fs::path path = weights.toStdString();
    std::error_code error;
    if (weights.isEmpty() || !fs::exists(path, error))
        return look;
    const fs::path folder = fs::is_directory(path, error) ? path : path.parent_path();
    look.dtype = dtype_of(path);
    if (fs::is_regular_file(folder / "tokenizer.json", error))
        look.tokenizer = qt(folder.string());
    look.licence = licence_of(folder);
    try {
        const std::string config = inputs::config_text(path);
        if (config.empty())
            return look;
        const families::ConfigFile file = families::read_config(config, path.string());
        const families::Family& family = families::family_of(file.config);
        look.family = qt(file.config.model_type);
        look.task = qt(file.config.task);
        look.architecture = qt(family.architecture(file.config));
        if (family.lists_tensors())
            look.parameters = families::parameter_count(file.config);
        if (look.task.endsWith(QLatin1String("_classification")))
            look.labels = static_cast<int>(file.config.num_labels);
    } catch (const UserError&) {
        look.family.clear();  // the check of the recipe reports it
    }
    return look;
}

bool is_hub_name(const QString& text) {
    return hub::model_not_here(text.toStdString()).has_value();
}

QString cached_model_folder(const QString& name) {
    const auto repo = hub::model_not_here(name.toStdString());
    const auto found = repo ? hub::find_fetched(*repo, hub::files_of_model()) : std::nullopt;
    return found ? qt(found->folder.string()) : QString();
}

}  // namespace trainyard::desktop
