// SPDX-License-Identifier: GPL-3.0-or-later
// Models of a hub in the cache of huggingface_hub: layout, faults of networks and servers, several processes.

#include "formats/hub/fetch.h"

#include <list>
#include <thread>

#include <fcntl.h>
#include <gmock/gmock.h>
#include <sys/file.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/listen_socket.h"
#include "cli/program.h"
#include "hub/hub_test.h"
#include "support/says.h"

namespace trainyard::hub {
namespace {

namespace fs = std::filesystem;
using test::content_of;
using test::noise;
using test::says;
using testing::_;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::StartsWith;

constexpr const char* kConfigText = R"({"model_type": "gpt2"})";
const RepoName kRepo{RepoKind::model, "org/name"};

class Fetch : public test::HubTest {
  protected:
    Fetch() : weights_(noise(1'200'000)) {
        hub_.put("org/name", "config.json", kConfigText);
        hub_.put("org/name", "tokenizer.json", "{}");
        hub_.put("org/name", "README.md", "a card");
        hub_.put("org/name", "model.safetensors", weights_, true);
        hub_.put("org/name", "pytorch_model.bin", noise(1000, 7), true);
        hub_.put("org/name", "onnx/model.onnx", noise(1000, 8), true);
    }
    Fetched fetch_it(FetchOptions options = {}) {
        options.report = [this](const FetchProgress& progress) {
            if (!progress.note.empty())
                notes_.push_back(progress.note);
            last_ = progress;
        };
        return fetch(kRepo, files_of_model(options.pickles), options);
    }
    Message failure(const FetchOptions& options = {}) {
        try {
            fetch_it(options);
        } catch (const UserError& error) {
            return error.message();
        }
        return {};
    }
    std::vector<std::string> asked(const std::string& method, const std::string& part) {
        std::vector<std::string> ranges;
        for (const auto& request : hub_.requests())
            if (request.method == method && request.path.find(part) != std::string::npos)
                ranges.push_back(request.range);
        return ranges;
    }
    fs::path repo() const { return cache() / "models--org--name"; }
    std::string etag() const { return test::FakeHub::etag_of(weights_, true); }
    std::size_t blobs() const {
        std::error_code error;
        return static_cast<std::size_t>(
            std::distance(fs::directory_iterator(repo() / "blobs", error), fs::directory_iterator()));
    }

    std::string weights_;
    std::vector<Message> notes_;
    FetchProgress last_;
};

TEST_F(Fetch, AModelArrivesInTheLayoutOfHuggingFace) {
    const Fetched fetched = fetch_it();
    const std::string commit = hub_.commit_of("org/name");
    EXPECT_EQ(fetched.folder, repo() / "snapshots" / commit);
    EXPECT_EQ(fetched.commit, commit);
    EXPECT_EQ(content_of(repo() / "refs" / "main"), commit);
    EXPECT_EQ(content_of(fetched.folder / "model.safetensors"), weights_);
    EXPECT_EQ(content_of(fetched.folder / "config.json"), kConfigText);
    EXPECT_EQ(fs::read_symlink(fetched.folder / "model.safetensors"), fs::path("../../blobs") / etag());
    EXPECT_THAT(files_of_snapshot(fetched.folder), ElementsAre("config.json", "model.safetensors", "tokenizer.json"))
        << "what is not needed stays on the hub";
    EXPECT_EQ(blobs(), 3u);
    EXPECT_TRUE(fs::exists(cache() / ".locks" / "models--org--name" / (etag() + ".lock")));
    EXPECT_EQ(last_.bytes, last_.of);
    EXPECT_EQ(last_.of, weights_.size() + std::string(kConfigText).size() + 2);
    // `git hash-object` of "hello\n".
    EXPECT_EQ(test::FakeHub::etag_of("hello\n", false), "ce013625030ba8dba906f756967f9e9ca394464a");
}

TEST_F(Fetch, TheTokenIsSentToTheHubAlone) {
    for (const bool by_file : {false, true}) {
        fs::remove_all(cache());
        hub_.forget_requests();
        ::unsetenv("HF_TOKEN");
        if (by_file)
            std::ofstream(folder_.path() / "huggingface" / "token") << "hf_secret\n";
        else
            ::setenv("HF_TOKEN", "hf_secret", 1);
        fetch_it();
        int cdn = 0;
        for (const auto& request : hub_.requests()) {
            EXPECT_EQ(request.authorization, request.cdn ? "" : "Bearer hf_secret") << request.path;
            cdn += request.cdn ? 1 : 0;
        }
        EXPECT_EQ(cdn, 1);
    }
}

TEST_F(Fetch, WhatIsInTheCacheIsUsedWithoutARequest) {
    const Fetched first = fetch_it();
    hub_.forget_requests();
    EXPECT_EQ(fetch_it().folder, first.folder);
    EXPECT_EQ(find_fetched(kRepo, files_of_model())->folder, first.folder);
    EXPECT_THAT(hub_.requests(), IsEmpty());
    // A newer commit counts when it is asked for, and shares what did not change.
    hub_.put("org/name", "config.json", R"({"model_type": "llama"})");
    hub_.commit("org/name");
    EXPECT_EQ(fetch_it().folder, first.folder);
    const Fetched second = fetch_it({.refresh = true});
    EXPECT_NE(second.folder, first.folder);
    EXPECT_EQ(hub_.sent("model.safetensors"), 0u);
    EXPECT_EQ(content_of(second.folder / "model.safetensors"), weights_);
    EXPECT_EQ(content_of(first.folder / "config.json"), kConfigText);
    EXPECT_EQ(fetch_it().folder, second.folder);
    // A commit as revision.
    hub_.forget_requests();
    EXPECT_EQ(fetch({RepoKind::model, "org/name", first.commit}, files_of_model()).folder, first.folder);
    EXPECT_THAT(hub_.requests(), IsEmpty());
}

TEST_F(Fetch, ABrokenConnectionContinuesWhereItBroke) {
    hub_.fail(etag(), {.times = 3, .cut_after = 300'000});
    EXPECT_EQ(content_of(fetch_it().folder / "model.safetensors"), weights_);
    EXPECT_THAT(asked("GET", etag()), ElementsAre("", "bytes=300000-", "bytes=600000-", "bytes=900000-"));
    EXPECT_EQ(hub_.sent("model.safetensors"), weights_.size()) << "no byte was sent twice";
    EXPECT_EQ(notes_.size(), 3u);
    EXPECT_THAT(notes_.front(), says("the connection to {} broke after {} of {}: continuing", hub_.address(),
                                     "300.0 kB", "model.safetensors"));
}

TEST_F(Fetch, AProcessThatWasKilledIsContinued) {
    hub_.fail(etag(), {.pause_ms = 30});
    const fs::path incomplete = repo() / "blobs" / (etag() + ".incomplete");
    {
        test::Program program({TRAINYARD_BIN_DIR "/trainyard", "download", "org/name"});
        std::error_code error;
        program.read_until([&](const test::Said&) {
            return fs::exists(incomplete, error) && fs::file_size(incomplete, error) > 300'000;
        });
    }  // kills it
    ASSERT_TRUE(fs::exists(incomplete));
    const std::uint64_t there = fs::file_size(incomplete);
    ASSERT_LT(there, weights_.size());
    hub_.forget_requests();
    EXPECT_EQ(content_of(fetch_it().folder / "model.safetensors"), weights_);
    EXPECT_THAT(asked("GET", etag()), ElementsAre(fmt::format("bytes={}-", there)));
    EXPECT_FALSE(fs::exists(incomplete));
}

TEST_F(Fetch, TheSizeIsKnownBeforeAnythingIsDownloaded) {
    FetchPlan plan;
    const auto refuse = [&](const FetchPlan& missing) {
        plan = missing;
        return false;
    };
    EXPECT_THROW(fetch(kRepo, files_of_model(), {.confirm = refuse}), DeclinedError);
    EXPECT_GE(plan.files, 2u);
    EXPECT_GT(plan.bytes, 0u);
    EXPECT_GT(plan.room.value_or(0), 0u);
    EXPECT_EQ(hub_.sent("model.safetensors"), 0u);
    EXPECT_TRUE(cached_repos(RepoKind::model).empty());
    // confirm is not called if all files are in the cache.
    fetch_it();
    plan = {};
    fetch(kRepo, files_of_model(), {.confirm = refuse});
    EXPECT_EQ(plan, FetchPlan());
    const std::vector<CachedRepo> cached = cached_repos(RepoKind::model);
    ASSERT_EQ(cached.size(), 1u);
    EXPECT_EQ(cached.front().repo, kRepo);
    EXPECT_GT(cached.front().bytes, 0u);
}

TEST_F(Fetch, AWrongHashIsNotStored) {
    hub_.fail(etag(), {.times = 2, .corrupt = true});
    EXPECT_THAT(failure(),
                says("{} of {} arrived with the hash {} instead of {}: a proxy or the disk changes it, or the "
                     "hub is at fault; nothing of it was stored",
                     "model.safetensors", "org/name", _, etag()));
    EXPECT_EQ(asked("GET", etag()).size(), 2u);
    EXPECT_FALSE(fs::exists(repo() / "blobs" / etag()));
    EXPECT_FALSE(fs::exists(repo() / "blobs" / (etag() + ".incomplete")));
    // Small files have git's hash.
    fs::remove_all(cache());
    hub_.fail("config.json", {.times = 2, .corrupt = true});
    EXPECT_THAT(failure(),
                says("{} of {} arrived with the hash {} instead of {}: a proxy or the disk changes it, or the "
                     "hub is at fault; nothing of it was stored",
                     "config.json", _, _, test::FakeHub::etag_of(kConfigText, false)));
    EXPECT_EQ(content_of(fetch_it().folder / "config.json"), kConfigText);
}

TEST_F(Fetch, WhatAnotherProgramLeftIsReplacedIfItIsWrong) {
    fs::create_directories(repo() / "blobs");
    std::ofstream(repo() / "blobs" / (etag() + ".incomplete")) << noise(400'000, 99);
    EXPECT_EQ(content_of(fetch_it().folder / "model.safetensors"), weights_);
    EXPECT_THAT(asked("GET", etag()), ElementsAre("bytes=400000-", ""));
}

TEST_F(Fetch, ABusyServerIsAskedAgain) {
    hub_.fail("/api/models/org/name", {.times = 2, .status = 503});
    hub_.fail("resolve", {.times = 1, .status = 429, .headers = "Retry-After: 1\r\n"});
    EXPECT_EQ(content_of(fetch_it().folder / "model.safetensors"), weights_);
    EXPECT_THAT(notes_,
                testing::Contains(says("{} answered with status {} when it was asked for {}: asking again in {}",
                                       hub_.address(), 429, _, "1.00 s")));
    fs::remove_all(cache());
    hub_.fail("/api/models/org/name", {.times = 100, .status = 429, .headers = "Retry-After: 3000\r\n"});
    EXPECT_THAT(failure(),
                says("{} refuses to answer for {} because of too many requests (status 429): try again in {}", _,
                     "org/name", "50 min"));
}

TEST_F(Fetch, WhatTheHubDoesNotGiveIsNamed) {
    const auto failure_of = [](const RepoName& repo) {
        try {
            fetch(repo, files_of_model());
        } catch (const UserError& error) {
            return error.message();
        }
        return Message();
    };
    EXPECT_THAT(failure_of({RepoKind::model, "org/nothing"}),
                says("{} has no public model named {}: {}", hub_.address(), "org/nothing",
                     "check the name, or set HF_TOKEN to a token that may read it"));
    EXPECT_THAT(failure_of({RepoKind::dataset, "org/nothing"}),
                says("{} has no public data set named {}: {}", _, _, _));
    EXPECT_THAT(failure_of({RepoKind::model, "org/name", "v2"}),
                says("{} on {} does not have the revision {}: check the branch, tag or commit", "org/name", _, "v2"));
    hub_.put("org/gated", "model.safetensors", noise(10), true);
    hub_.gate("org/gated", "hf_member");
    const auto gated =
        says("{} is gated: ask for access on {}, and set HF_TOKEN to a token of that account (hf auth login)",
             "org/gated", hub_.address() + "/org/gated");
    EXPECT_THAT(failure_of({RepoKind::model, "org/gated"}), gated);
    ::setenv("HF_TOKEN", "hf_other", 1);
    EXPECT_THAT(failure_of({RepoKind::model, "org/gated"}), gated);
    EXPECT_THAT(failure_of({RepoKind::model, "org/nothing"}).text(), Not(HasSubstr("hf_other")));
    ::setenv("HF_TOKEN", "hf_member", 1);
    EXPECT_EQ(failure_of({RepoKind::model, "org/gated"}), Message());
    hub_.put("org/pickles", "pytorch_model.bin", noise(10), true);
    EXPECT_THAT(failure_of({RepoKind::model, "org/pickles"}),
                says("{} on {} cannot be used: {}", "org/pickles", hub_.address(), HasSubstr("on request alone")));
    hub_.put("org/empty", "README.md", "nothing");
    EXPECT_THAT(failure_of({RepoKind::model, "org/empty"}),
                says("{} on {} cannot be used: {}", _, _, StartsWith("it does not have weights")));
    hub_.fail("/api/models/org/name", {.times = 100, .status = 500});
    EXPECT_THAT(failure_of(kRepo),
                says("{} answered with status {} when it was asked for {}: try again later", _, 500, "org/name"));
    ::setenv("HF_ENDPOINT", "http://127.0.0.1:1", 1);
    EXPECT_THAT(failure_of(kRepo),
                says("{} cannot be asked for {}: {}: check the network, https_proxy and HF_ENDPOINT; with "
                     "HF_HUB_OFFLINE=1 only what is in the cache is used",
                     "http://127.0.0.1:1", "org/name", _));
}

TEST_F(Fetch, PickleFilesComeOnRequestAlone) {
    hub_.put("org/pickles", "pytorch_model.bin", noise(10'000), true);
    const RepoName pickles{RepoKind::model, "org/pickles"};
    const Fetched fetched = fetch(pickles, files_of_model(true), {.pickles = true});
    EXPECT_EQ(content_of(fetched.folder / "pytorch_model.bin"), noise(10'000));
    // Later they are used like others.
    EXPECT_EQ(fetch(pickles, files_of_model()).folder, fetched.folder);
}

TEST_F(Fetch, ShardsAreThoseOfTheIndex) {
    hub_.put("org/large", "model.safetensors.index.json",
             R"({"weight_map": {"a": "model-00001-of-00002.safetensors", "b": "model-00002-of-00002.safetensors"}})");
    for (const char* name :
         {"model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors", "other.safetensors"})
        hub_.put("org/large", name, noise(5000, static_cast<unsigned>(name[7])), true);
    const Fetched fetched = fetch({RepoKind::model, "org/large"}, files_of_model());
    EXPECT_THAT(files_of_snapshot(fetched.folder),
                ElementsAre("model-00001-of-00002.safetensors", "model-00002-of-00002.safetensors",
                            "model.safetensors.index.json"));
    fs::remove(fetched.folder / "model-00002-of-00002.safetensors");
    EXPECT_FALSE(find_fetched({RepoKind::model, "org/large"}, files_of_model()));
    hub_.put("org/bad", "model.safetensors.index.json", R"({"weight_map": {"a": "../../secret.safetensors"}})");
    EXPECT_THROW(fetch({RepoKind::model, "org/bad"}, files_of_model()), UnusableError);
}

TEST_F(Fetch, OfflineOnlyTheCacheCounts) {
    for (const char* variable : {"HF_HUB_OFFLINE", "TRANSFORMERS_OFFLINE", "HF_DATASETS_OFFLINE"}) {
        ::setenv(variable, "1", 1);
        EXPECT_THAT(failure(), says("{}, on a machine with the network: {} forbids requests",
                                    HasSubstr("download it with `trainyard download org/name`"), variable));
        EXPECT_THAT(hub_.requests(), IsEmpty());
        ::unsetenv(variable);
    }
    const Fetched fetched = fetch_it();
    hub_.forget_requests();
    // As huggingface_hub fills a cache: without this program's list of all files.
    fs::remove_all(folder_.path() / "cache");
    ::setenv("HF_HUB_OFFLINE", "yes", 1);
    EXPECT_EQ(fetch_it().folder, fetched.folder);
    EXPECT_THAT(hub_.requests(), IsEmpty());
    ::unsetenv("HF_HUB_OFFLINE");
    EXPECT_EQ(fetch_it().folder, fetched.folder);
    EXPECT_EQ(hub_.requests().size(), 1u) << "the list of files";
    fetch_it();
    EXPECT_EQ(hub_.requests().size(), 1u);
    // Files of a cache that was filled by commit, or copied in part, are named (huggingface_hub pull request 4492,
    // optimum pull request 2470); a reference may end in a new line (a cache that was filled by hand).
    ::setenv("HF_HUB_OFFLINE", "1", 1);
    const fs::path reference = repo() / "refs" / "main";
    const std::string commit = hub_.commit_of("org/name");
    std::ofstream(reference) << commit << "\n";
    EXPECT_EQ(fetch_it().folder, fetched.folder);
    fs::remove(reference);
    EXPECT_THAT(failure(),
                says("{}: the cache of the hub on this machine ({}) has no commit for the revision {}, and {} "
                     "forbids requests: name a snapshot that it has, such as {}@{}",
                     "org/name", repo().string(), "main", "HF_HUB_OFFLINE", "org/name", commit));
    std::ofstream(reference) << commit;
    fs::rename(fetched.folder / "model.safetensors", folder_.path() / "moved");
    for (const bool listed : {true, false}) {
        EXPECT_THAT(
            failure(),
            says("{} is incomplete in the cache of the hub on this machine ({}): {}; download the rest "
                 "where {} does not forbid requests",
                 "org/name", fetched.folder.string(),
                 HasSubstr(listed ? "model.safetensors is missing" : "weights in safetensors"), "HF_HUB_OFFLINE"));
        fs::remove_all(folder_.path() / "cache");
    }
    fs::rename(folder_.path() / "moved", fetched.folder / "model.safetensors");
    ::unsetenv("HF_HUB_OFFLINE");
    // Cached files are used although the hub cannot be reached.
    fs::remove_all(folder_.path() / "cache");
    ::setenv("HF_ENDPOINT", "http://127.0.0.1:1", 1);
    EXPECT_EQ(fetch_it().folder, fetched.folder);
    fs::remove(fetched.folder / "model.safetensors");
    EXPECT_FALSE(failure().empty());
}

TEST_F(Fetch, SeveralProcessesDownloadOnce) {
    hub_.fail(etag(), {.times = 8, .pause_ms = 5});
    std::list<test::Program> programs;
    for (int i = 0; i < 4; ++i)
        programs.emplace_back(std::vector<std::string>{TRAINYARD_BIN_DIR "/trainyard", "download", "org/name"});
    for (test::Program& program : programs) {
        const test::Said said = program.wait();
        EXPECT_EQ(said.code, 0) << said.err;
    }
    EXPECT_EQ(content_of(repo() / "snapshots" / hub_.commit_of("org/name") / "model.safetensors"), weights_);
    EXPECT_EQ(hub_.sent("model.safetensors"), weights_.size());
    EXPECT_EQ(hub_.sent("config.json"), std::string(kConfigText).size());
}

TEST_F(Fetch, AProcessThatDownloadsNothingIsNamed) {
    ::setenv("HF_HUB_DOWNLOAD_TIMEOUT", "1", 1);
    const fs::path lock = cache() / ".locks" / "models--org--name" / (etag() + ".lock");
    fs::create_directories(lock.parent_path());
    const FileDescriptor held(::open(lock.c_str(), O_RDWR | O_CREAT | O_CLOEXEC, 0600));
    ASSERT_EQ(::flock(held.get(), LOCK_EX), 0);
    EXPECT_THAT(failure(), says("{} downloads {} of {}, but nothing has arrived for {}: end that process and start "
                                "again, which continues the download ({})",
                                StartsWith(fmt::format("process {} (", ::getpid())), "model.safetensors", "org/name", _,
                                lock.string()));
    EXPECT_THAT(notes_, ElementsAre(says("{} downloads {}: waiting for it",
                                         StartsWith(fmt::format("process {} (", ::getpid())), "model.safetensors")));
    // It is waited for as long as bytes arrive: longer than that, and then its content is used.
    notes_.clear();
    hub_.forget_requests();
    const fs::path content = repo() / "blobs" / etag();
    std::jthread other([&] {
        std::ofstream out(content.string() + ".1a2b.incomplete", std::ios::binary);
        for (std::size_t at = 0; at < weights_.size(); at += 150'000, ::sleep(1))
            out.write(weights_.data() + at,
                      static_cast<std::streamsize>(std::min<std::size_t>(150'000, weights_.size() - at)))
                .flush();
        out.close();
        fs::rename(content.string() + ".1a2b.incomplete", content);
        ::flock(held.get(), LOCK_UN);
    });
    EXPECT_EQ(content_of(fetch_it().folder / "model.safetensors"), weights_);
    EXPECT_EQ(hub_.sent("model.safetensors"), 0u);
}

TEST_F(Fetch, ATransferThatHardlyMovesEnds) {
    // Every connection breaks after a few bytes.
    hub_.fail(etag(), {.times = 100, .cut_after = 1'000});
    EXPECT_THAT(failure(), says("{} of {} arrives too slowly, or in too small parts, from {}: {} of {} are here: check "
                                "the network and https_proxy; the next download continues it",
                                "model.safetensors", "org/name", hub_.address(), "5.0 kB", "1.2 MB"));
    EXPECT_EQ(asked("GET", etag()).size(), 5u);
    // A server that does not answer: 5 attempts of the time-out, by default 20 s each.
    ::setenv("HF_HUB_DOWNLOAD_TIMEOUT", "1", 1);
    int port = 0;
    const FileDescriptor silent = listen_on("127.0.0.1", port);
    ::setenv("HF_ENDPOINT", fmt::format("http://127.0.0.1:{}", port).c_str(), 1);
    const double start = monotonic_seconds();
    EXPECT_THAT(failure(), says("{} cannot be asked for {}: {}: check the network, https_proxy and HF_ENDPOINT; with "
                                "HF_HUB_OFFLINE=1 only what is in the cache is used",
                                _, "org/name", _));
    EXPECT_LT(monotonic_seconds() - start, 90);
    for (const char* wrong : {"0", "-1", "ten", "1e9", "100000"}) {
        ::setenv("HF_HUB_DOWNLOAD_TIMEOUT", wrong, 1);
        EXPECT_THAT(failure(), says("HF_HUB_DOWNLOAD_TIMEOUT must be a whole number of seconds from 1 to {}", "86400"));
    }
}

TEST_F(Fetch, AFullDiskIsNamedBeforeTheDownload) {
    hub_.say_size("model.safetensors", 1'000'000'000'000'000'000ull);
    EXPECT_THAT(failure(), says("{} needs {}, and the disk of {} has {} free: make room, or choose another place with "
                                "HF_HOME or HF_HUB_CACHE",
                                "org/name", _, repo().string(), _));
    EXPECT_EQ(hub_.sent("model.safetensors"), 0u);
    ::setenv("HF_HUB_CACHE", "/proc/nowhere", 1);
    EXPECT_THAT(failure(), says("the cache of the hub cannot be written: {}: {}: choose another place with HF_HOME or "
                                "HF_HUB_CACHE",
                                StartsWith("/proc/nowhere"), _));
}

TEST_F(Fetch, NamesThatLeaveTheCacheAreNotWritten) {
    hub_.put("org/name", "../../../evil/config.json", "x");
    hub_.put("org/name", "/etc/evil", "x");
    const Fetched fetched = fetch_it();
    EXPECT_EQ(files_of_snapshot(fetched.folder).size(), 3u);
    for (const auto& request : hub_.requests())
        EXPECT_THAT(request.path, Not(HasSubstr("evil")));
}

TEST_F(Fetch, ADownloadCanBeCancelled) {
    hub_.fail(etag(), {.times = 1, .pause_ms = 20});
    std::stop_source stop;
    FetchOptions options{.stop = stop.get_token()};
    options.report = [&](const FetchProgress& progress) {
        if (progress.bytes > 300'000)
            stop.request_stop();
    };
    EXPECT_THROW(fetch(kRepo, files_of_model(), options), UserError);
    EXPECT_GT(fs::file_size(repo() / "blobs" / (etag() + ".incomplete")), 200'000u);
    EXPECT_EQ(content_of(fetch_it().folder / "model.safetensors"), weights_);
}

}  // namespace
}  // namespace trainyard::hub
