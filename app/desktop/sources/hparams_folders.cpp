// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/sources/hparams_folders.h"

#include <algorithm>

#include <fmt/format.h>

namespace trainyard::desktop {

namespace {
constexpr std::size_t kMostFolders = 100;
}

std::string word_of(const events::HyperParameters::value_type::second_type& value) {
    if (const bool* truth = std::get_if<bool>(&value))
        return *truth ? "true" : "false";
    if (const double* number = std::get_if<double>(&value))
        return fmt::format("{}", *number);
    return std::get<std::string>(value);
}

bool set_parameter(ParameterWords& parameters, const std::string& name, std::string word) {
    const auto known = std::ranges::find(parameters, name, &ParameterWords::value_type::first);
    if (known == parameters.end()) {
        parameters.emplace_back(name, std::move(word));
        return true;
    }
    if (known->second == word)
        return false;
    known->second = std::move(word);
    return true;
}

bool HparamsFolders::is_name(const std::string& folder_name) {
    constexpr std::size_t kSeconds = 10;  // digits, from 2001 to 2286
    const auto is_digit = [](char letter) { return letter >= '0' && letter <= '9'; };
    const std::size_t dot = std::min(folder_name.find('.'), folder_name.size());
    return dot == kSeconds && std::all_of(folder_name.begin(), folder_name.begin() + kSeconds, is_digit) &&
           std::all_of(folder_name.begin() + static_cast<std::ptrdiff_t>(std::min(dot + 1, folder_name.size())),
                       folder_name.end(), is_digit);
}

bool HparamsFolders::poll() {
    std::error_code error;
    for (std::filesystem::directory_iterator entry(folder_, error), end; !error && entry != end;
         entry.increment(error)) {
        std::error_code ignored;
        const std::string name = entry->path().filename().string();
        if (is_name(name) && found_.size() < kMostFolders && !found_.contains(name) && entry->is_directory(ignored))
            found_.emplace(name, std::make_unique<events::EventFolder>(entry->path()));
    }
    changed_ = false;
    for (auto& [name, folder] : found_) {
        polled_ = folder.get();
        folder->poll(*this);
    }
    return changed_;
}

void HparamsFolders::scalar(int tag, std::int64_t, double, double value) {
    // Event files hold scalars as fp32: more digits would be noise.
    const std::string word = fmt::format("{}", static_cast<float>(value));
    changed_ = set_parameter(parameters_, polled_->tag_name(tag), word) || changed_;
}

void HparamsFolders::record(const std::string&, const events::EventRecord& record, std::string_view,
                            const std::filesystem::path&, std::uint64_t) {
    for (const auto& [name, value] : record.parameters)
        changed_ = set_parameter(parameters_, name, word_of(value)) || changed_;
}

}  // namespace trainyard::desktop
