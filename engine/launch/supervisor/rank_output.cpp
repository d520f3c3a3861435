// SPDX-License-Identifier: GPL-3.0-or-later
#include "launch/supervisor/rank_output.h"

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "base/filesystem.h"
#include "base/number.h"
#include "base/system_call.h"

namespace trainyard::launch {

namespace {

constexpr int kBothStreams = 3;

int stream_bit(bool standard_error) {
    return standard_error ? 2 : 1;
}

/// Bit 1: stdout, bit 2: stderr.
int streams_of(const char* flag, const std::string& text, int local_rank) {
    auto digit = [&](const std::string& one) {
        if (one.size() != 1 || one[0] < '0' || one[0] > '3')
            throw UserError(
                "{} {}: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single ranks as "
                "in 0:1,1:3",
                flag, text);
        return one[0] - '0';
    };
    if (text.find(':') == std::string::npos)
        return digit(text);
    int found = 0;
    for (std::size_t start = 0; start <= text.size();) {
        std::size_t end = std::min(text.find(',', start), text.size());
        std::string part = text.substr(start, end - start);
        std::size_t colon = std::min(part.find(':'), part.size());
        int what = digit(colon == part.size() ? part : part.substr(colon + 1));
        if (part.substr(0, colon) == std::to_string(local_rank))
            found = what;
        start = end + 1;
    }
    return found;
}

std::set<int> filtered_ranks(const std::string& text) {
    std::set<int> ranks;
    for (std::size_t begin = 0; begin < text.size();) {
        std::size_t end = std::min(text.find(',', begin), text.size());
        const auto rank = parse_number<int>(std::string_view(text).substr(begin, end - begin), 0);
        if (!rank)
            throw UserError("--local_ranks_filter {}: give the numbers of processes as in 0,2", text);
        ranks.insert(*rank);
        begin = end + 1;
    }
    return ranks;
}

bool names_a_stream(const std::string& text) {
    for (std::size_t at = 0; at < text.size(); ++at) {
        const bool what = text.find(':') == std::string::npos || (at > 0 && text[at - 1] == ':');
        if (what && text[at] >= '1' && text[at] <= '0' + kBothStreams)
            return true;
    }
    return false;
}

}  // namespace

StreamRules::StreamRules(const run::OutputSpec& spec)
    : spec_(spec), local_ranks_(filtered_ranks(spec.local_ranks_filter)) {
    streams_of("--redirects", spec_.redirects, 0);
    streams_of("--tee", spec_.tee, 0);
}

bool StreamRules::is_teed(int local_rank, bool standard_error) const {
    return (streams_of("--tee", spec_.tee, local_rank) & stream_bit(standard_error)) != 0;
}

bool StreamRules::is_redirected(int local_rank, bool standard_error) const {
    return (streams_of("--redirects", spec_.redirects, local_rank) & stream_bit(standard_error)) != 0;
}

bool StreamRules::tees_anything() const {
    return names_a_stream(spec_.tee);
}

RankOutput::RankOutput(const run::OutputSpec& spec, Options options) : rules_(spec), options_(std::move(options)) {
    if (!options_.sink)
        options_.sink = [](std::string_view bytes, bool standard_error) {
            std::FILE* terminal = standard_error ? stderr : stdout;
            std::fwrite(bytes.data(), 1, bytes.size(), terminal);
            std::fflush(terminal);
        };
}

void RankOutput::write(int rank, int local_rank, std::string_view bytes, bool standard_error) {
    if (!rules_.is_chosen(local_rank))
        return;
    if (!rules_.is_teed(local_rank, standard_error)) {
        if (!options_.teed_only && !rules_.is_redirected(local_rank, standard_error))
            options_.sink(bytes, standard_error);
        return;
    }
    std::string& pending = pending_[{rank, standard_error}];
    pending += bytes;
    std::size_t start = 0;
    std::string lines;
    for (std::size_t end; (end = pending.find('\n', start)) != std::string::npos; start = end + 1)
        lines += fmt::format("[{}{}]:{}\n", options_.role, rank, std::string_view(pending).substr(start, end - start));
    pending.erase(0, start);
    if (!lines.empty())
        options_.sink(lines, standard_error);
}

void RankOutput::finish() {
    for (auto& [which, pending] : pending_)
        if (!pending.empty())
            options_.sink(fmt::format("[{}{}]:{}\n", options_.role, which.first, pending), which.second);
    pending_.clear();
}

RankFiles::RankFiles(const run::OutputSpec& spec, int ranks_here)
    : rules_(spec), folder_(spec.log_dir), ranks_here_(ranks_here) {
    if (folder_.empty())
        return;
    std::error_code failed;
    fs::create_directories(folder_, failed);
    if (!failed && ::access(folder_.c_str(), W_OK | X_OK) != 0)
        failed = std::error_code(errno, std::generic_category());
    if (failed)
        throw UserError("--log_dir {} cannot be written: {}: name another folder", folder_.string(), failed.message());
}

void RankFiles::write(int rank, int local_rank, std::string_view bytes, bool standard_error) {
    if (folder_.empty() || rank >= ranks_here_ ||
        !(rules_.is_teed(local_rank, standard_error) || rules_.is_redirected(local_rank, standard_error)))
        return;
    auto [file, first] = files_.try_emplace({rank, standard_error});
    if (first) {
        const fs::path folder = folder_ / std::to_string(local_rank);
        std::error_code failed;
        fs::create_directories(folder, failed);
        const fs::path path = folder / (standard_error ? "stderr.log" : "stdout.log");
        file->second = FileDescriptor(::open(path.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
        if (!file->second)
            std::fprintf(stderr, "%s cannot be written: %s\n", path.c_str(), std::strerror(errno));
    }
    write_all(file->second.get(), bytes);
}

}  // namespace trainyard::launch
