#include "launch/rank_output.h"

#include <algorithm>
#include <cerrno>
#include <cstring>

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include "base/error.h"
#include "launch/write_best_effort.h"

namespace trainyard::launch {

namespace {

/// Bit 1: stdout, bit 2: stderr.
int streams_of(const char* flag, const std::string& text, int local_rank) {
    auto digit = [&](const std::string& one) {
        if (one.size() != 1 || one[0] < '0' || one[0] > '3')
            throw UserError(
                fmt::format("{} {}: give 0 (nothing), 1 (stdout), 2 (stderr) or 3 (both), or for single ranks as in "
                            "0:1,1:3",
                            flag, text));
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

}  // namespace

RankOutput::RankOutput(RankOutputOptions options) : options_(std::move(options)) {
    streams_of("--redirects", options_.redirects, 0);
    streams_of("--tee", options_.tee, 0);
}

RankOutput::Stream& RankOutput::stream(int rank, int local_rank, bool standard_error) {
    auto [found, made] = streams_.try_emplace({rank, standard_error});
    Stream& stream = found->second;
    if (!made)
        return stream;
    int bit = standard_error ? 2 : 1;
    bool teed = (streams_of("--tee", options_.tee, local_rank) & bit) != 0;
    bool redirected = (streams_of("--redirects", options_.redirects, local_rank) & bit) != 0;
    bool chosen = options_.local_ranks.empty() || options_.local_ranks.contains(local_rank);
    stream.named = teed;
    stream.shown = chosen && (teed || !redirected);
    stream.prefix = fmt::format("[{}{}]:", options_.role, rank);
    if (options_.log_dir.empty() || !(teed || redirected))
        return stream;
    fs::path folder = options_.log_dir / std::to_string(local_rank);
    std::error_code failed;
    fs::create_directories(folder, failed);
    fs::path file = folder / (standard_error ? "stderr.log" : "stdout.log");
    stream.file = FileDescriptor(::open(file.c_str(), O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0600));
    if (!stream.file)
        throw UserError(fmt::format("{} cannot be written: {}: name another folder with --log_dir", file.string(),
                                    std::strerror(errno)));
    return stream;
}

void RankOutput::write(int rank, int local_rank, std::string_view bytes, bool standard_error) {
    Stream& to = stream(rank, local_rank, standard_error);
    if (to.file)
        write_best_effort(to.file.get(),
                          bytes);  // when the log's disk is full, the run's folder and the console still have it
    if (!to.shown)
        return;
    std::FILE* shown = standard_error ? stderr : stdout;
    if (!to.named) {
        std::fwrite(bytes.data(), 1, bytes.size(), shown);
        std::fflush(shown);
        return;
    }
    to.pending += bytes;
    std::size_t start = 0;
    for (std::size_t end; (end = to.pending.find('\n', start)) != std::string::npos; start = end + 1)
        std::fprintf(shown, "%s%.*s\n", to.prefix.c_str(), static_cast<int>(end - start), to.pending.data() + start);
    to.pending.erase(0, start);
    std::fflush(shown);
}

void RankOutput::finish() {
    for (auto& [which, stream] : streams_) {
        if (!stream.pending.empty())
            std::fprintf(which.second ? stderr : stdout, "%s%s\n", stream.prefix.c_str(), stream.pending.c_str());
        stream.pending.clear();
    }
    std::fflush(stdout);
    std::fflush(stderr);
}

}  // namespace trainyard::launch
