// SPDX-License-Identifier: GPL-3.0-or-later
// A host that lies about names, sizes, lists and runs, and sends what was not asked for: nothing is written outside of
// the mirror's folder, and memory, disk and time stay within limits. $TRAINYARD_HOSTILE_SECONDS sets how long random
// lies are tried ($TRAINYARD_HOSTILE_SEED, the first seed).

#include <cstdio>
#include <cstdlib>
#include <set>

#include <gmock/gmock.h>
#include <sys/resource.h>
#include <sys/stat.h>

#include "base/clock.h"
#include "base/file.h"
#include "launch/supervisor/connection_test.h"
#include "remote/folder_tree.h"
#include "remote/host_facts.h"
#include "remote/host_helper.h"
#include "remote/hostile.h"
#include "remote/launch_checks.h"
#include "remote/log_mirror.h"
#include "remote/remote_checkpoint.h"
#include "remote/trace_copy.h"
#include "run/state.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::remote {

namespace {

using test::says;
using test::says_only;
using testing::_;
using testing::EndsWith;
using ::testing::HasSubstr;
using testing::StartsWith;

TEST(HostileSftp, AnswersThatWereNotAskedForEndTheSession) {
    Sftp sftp = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kStat ? wire::status(request + 1000, 0) : std::string();
    });
    EXPECT_THAT(refusal([&] { sftp.find("/x"); }),
                says("{}: the SFTP server sent an answer that was not asked for", _));
    // The same answer twice.
    Sftp twice = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kStat ? wire::status(request, 2) + wire::status(request, 2) : std::string();
    });
    EXPECT_THAT(refusal([&] { twice.find("/x"); }),
                says("{}: the SFTP server sent an answer that was not asked for", _));
}

TEST(HostileSftp, AGreetingIsShortAndComesOnce) {
    EXPECT_THAT(refusal([] { connect([](auto, auto, auto) { return wire::version(1000); }); }),
                says("{}: the SFTP server names too many extensions", _));
    EXPECT_THAT(refusal([] { connect([](auto, auto, auto) { return wire::version() + wire::version(); }); }),
                says("{}: the SFTP server greets a second time", _));
    EXPECT_THAT(refusal([] { connect([](auto, auto, auto) { return wire::status(1, 0); }); }),
                says("{}: the SFTP server sent an answer that was not asked for", _));
    EXPECT_THAT(
        refusal([] { connect([](auto, auto, auto) { return std::string("Welcome to gpu-a!\n"); }); }),
        says("{}: the host did not answer as an SFTP server: do start-up files of the login shell print text?", _));
    EXPECT_THAT(refusal([] { connect([](auto, auto, auto) { return std::string(); }, false); }),
                HasSubstr("did not answer"));
}

TEST(HostileSftp, SilenceEndsARequest) {
    Sftp sftp = connect(
        [](std::uint8_t type, auto, auto) { return type == wire::kInit ? wire::version() : std::string(); }, false);
    EXPECT_THAT(refusal([&] { sftp.find("/x"); }), HasSubstr("did not answer"));
}

TEST(HostileSftp, DeclaredLengthsAreNotBelieved) {
    // 2^32 extended attributes in an answer of some bytes.
    Sftp attributes = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kStat
                   ? wire::message(wire::kAttributes, request, wire_number(0x80000000u) + wire_number(0xffffffffu))
                   : std::string();
    });
    EXPECT_TRUE(attributes.find("/x"));
    // Two gigabytes of data, of which 17 bytes follow.
    Sftp data = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kRead
                   ? wire::message(wire::kData, request, wire_number(0x7fffffffu) + std::string(17, 'x'))
                   : std::string();
    });
    refusal([&] { data.read_file("/x"); });
    Sftp length = connect_to_liar([](std::uint8_t type, auto, auto) {
        return type == wire::kReadDir ? wire_number(0xffffffffu) + std::string(17, 'x') : std::string();
    });
    EXPECT_THAT(
        refusal([&] { length.list("/x"); }),
        says("{}: the host did not answer as an SFTP server: do start-up files of the login shell print text?", _));
}

TEST(HostileSftp, AListWithoutEndIsCut) {
    std::uint64_t asked = 0;
    Sftp sftp = connect_to_liar([&](std::uint8_t type, std::uint32_t request, std::string_view) {
        if (type != wire::kReadDir)
            return std::string();
        ++asked;
        return wire::names(request, {{"a" + std::to_string(asked)}, {"b" + std::to_string(asked)}});
    });
    EXPECT_THAT(refusal<LimitReached>([&] { sftp.list("/x", {.files = 1000}); }),
                says("{} is limited to {} files and folders", _, EndsWith("1000")));
    EXPECT_LE(asked, 501u);
    // Lists of nothing, and of names that are all left out.
    Sftp nothing = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kReadDir ? wire::names(request, {}) : std::string();
    });
    EXPECT_THAT(refusal([&] { nothing.list("/x"); }), says("{}: the SFTP server repeatedly sent empty listings", _));
    Sftp bad = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kReadDir ? wire::names(request, {{".."}, {"../x"}}) : std::string();
    });
    refusal<LimitReached>([&] { bad.list("/x", {.files = 1000}); });
}

TEST(HostileSftp, NamesThatLeadElsewhereOrHideAreLeftOut) {
    bool told = false;
    Sftp sftp = connect_to_liar([&](std::uint8_t type, std::uint32_t request, std::string_view) {
        if (type != wire::kReadDir || std::exchange(told, true))
            return std::string();
        return wire::names(request, {{"good"},
                                     {"good"},
                                     {"."},
                                     {".."},
                                     {"../../x"},
                                     {"/etc/passwd"},
                                     {"a\x1b[31m"},
                                     {"\xe2\x80\xae"
                                      "fdp.exe"},
                                     {"\xc2\x9b"
                                      "2J"},
                                     {"caf\xe9"},
                                     {std::string("a\0b", 3)}});
    });
    std::size_t left_out = 0;
    const std::vector<RemoteFile> files = sftp.list("/x", {}, &left_out);
    ASSERT_EQ(files.size(), 1u);
    EXPECT_EQ(files[0].name, "good");
    EXPECT_EQ(left_out, 8u);
}

TEST(HostileSftp, FoldersWithoutEndAreNotFollowed) {
    test::TemporaryFolder folder;
    Sftp sftp = bottomless();
    const FolderTree tree = list_tree(sftp, "/x");
    EXPECT_EQ(tree.folders.size(), 16u);
    EXPECT_EQ(tree.files.size(), 17u);
    ASSERT_EQ(tree.problems.size(), 1u);
    EXPECT_THAT(tree.problems[0], HasSubstr("deep"));

    const run::RunPaths mirror = make_mirror(folder.path());
    Sftp again = bottomless();
    EXPECT_THAT(refusal([&] { fetch_checkpoint(again, mirror, ""); }),
                says("{}: {} cannot be copied whole: {}", _, _, _));
    EXPECT_FALSE(fs::exists(mirror.checkpoints() / "checkpoint_1"));

    Sftp logs = bottomless();
    LogMirror log_mirror("/x", folder.path() / "logs");
    EXPECT_EQ(log_mirror.pass(logs, [] { return true; }).files, 17u);
}

TEST(HostileSftp, AFileLargerThanItWasListedIsNotCopied) {
    test::TemporaryFolder folder;
    Sftp sftp = connect_to_liar([](std::uint8_t type, std::uint32_t request, std::string_view) {
        return type == wire::kFstat
                   ? wire::message(wire::kAttributes, request, wire::attributes(wire::kFile, 1ull << 62))
                   : std::string();
    });
    TransferOptions options;
    options.limits.bytes = 10;
    refusal<LimitReached>([&] { sftp.download("/x", folder.path() / "x", options); });
    refusal<LimitReached>([&] { sftp.download("/x", folder.path() / "x"); });  // no disk has that much
    EXPECT_TRUE(fs::is_empty(folder.path()));
    EXPECT_THAT(refusal([&] { sftp.read_file("/x"); }), says("{}: {} is too large to be read whole", _, _));
}

/// A server with the files and folders of `list` in /x, each file with 10 bytes.
Sftp connect_to_folder(std::vector<wire::Entry> list) {
    auto told = std::make_shared<bool>(false);
    return connect_to_liar(
        [list = std::move(list), told](std::uint8_t type, std::uint32_t request, std::string_view body) {
            if (type == wire::kStat) {
                std::string_view rest = body;
                const std::string path(take_wire_text(rest).value_or(""));
                const bool is_file = path.ends_with(".json") || path.ends_with(".csv");
                return wire::message(wire::kAttributes, request,
                                     wire::attributes(is_file ? wire::kFile : wire::kFolder, 10));
            }
            if (type == wire::kOpenDir)
                *told = false;
            if (type == wire::kReadDir && !std::exchange(*told, true))
                return wire::names(request, list);
            return std::string();
        });
}

TEST(HostileSftp, ProblemsAndPathsOfATreeAreBounded) {
    std::vector<wire::Entry> folders;
    for (int i = 0; i < 500; ++i)
        folders.push_back({"d" + std::to_string(i), wire::kFolder, 0});
    Sftp sftp = connect_to_folder(folders);
    const FolderTree tree = list_tree(sftp, "/x", {.limits = {.depth = 0}});
    ASSERT_EQ(tree.problems.size(), 101u);
    EXPECT_THAT(tree.problems.back(), says_only("{} more problems like these", 400));
    // Names of 255 bytes in folders of such names: longer than any path here.
    Sftp deep = connect_to_folder({{std::string(255, 'd'), wire::kFolder, 0}});
    const FolderTree long_names = list_tree(deep, "/x");
    EXPECT_EQ(long_names.folders.size(), 4u);
    ASSERT_EQ(long_names.problems.size(), 1u);
    EXPECT_THAT(long_names.problems[0], says("{} is left out: its path is too long", _));
    // 100,000 long paths would take a gigabyte.
    std::uint64_t number = 0;
    bool more = false;
    Sftp wide = connect_to_liar([&](std::uint8_t type, std::uint32_t request, std::string_view) {
        if (type == wire::kOpenDir)
            more = true;
        if (type != wire::kReadDir || !std::exchange(more, false))
            return std::string();
        std::vector<wire::Entry> list;
        for (int i = 0; i < 500; ++i)
            list.push_back({std::to_string(++number) + std::string(230, 'x'), i < 20 ? wire::kFolder : wire::kFile, 1});
        return wire::names(request, list);
    });
    const FolderTree bounded = list_tree(wide, "/x");
    EXPECT_LT(bounded.files.size(), 80'000u);
    ASSERT_FALSE(bounded.problems.empty());
    EXPECT_THAT(bounded.problems.back(), says("{} is limited to {} MB of file names", _, _));
}

TEST(HostileSftp, ALogCopyKeepsItsLimitsWhenTheHostListsOtherFilesEachTime) {
    test::TemporaryFolder folder;
    const fs::path copy = folder.path() / "logs";
    const Limits limits{.files = 8, .bytes = 45};
    LogMirror mirror("/x", copy, {.logs = 3, .all = limits});
    for (int i = 0; i < 20; ++i) {
        Sftp sftp = connect_to_folder(
            {{"a" + std::to_string(i) + ".csv", wire::kFile, 10}, {"b" + std::to_string(i) + ".csv", wire::kFile, 10}});
        EXPECT_TRUE(mirror.pass(sftp, [] { return true; }).complete());
        std::uint64_t bytes = 0, entries = 0;
        for (const auto& entry : fs::recursive_directory_iterator(copy)) {
            ++entries;
            bytes += entry.is_regular_file() ? entry.file_size() : 0;
        }
        EXPECT_LE(bytes, 45u);
        EXPECT_LE(entries, 8u);
        EXPECT_TRUE(fs::exists(copy / ("b" + std::to_string(i) + ".csv")));
    }
    // Files that are listed now are not removed to make room.
    Sftp large = connect_to_folder(
        {{"a19.csv", wire::kFile, 10}, {"b19.csv", wire::kFile, 10}, {"large.csv", wire::kFile, 1000}});
    EXPECT_THAT(mirror.pass(large, [] { return true; }).missing,
                ::testing::ElementsAre(
                    says("the copy is limited to {} and {} files and folders: what exceeds that stays on the host",
                         StartsWith("45 B"), _)));
    EXPECT_TRUE(fs::exists(copy / "a19.csv"));
    EXPECT_TRUE(fs::exists(folder.path()));
}

TEST(HostileSftp, FilesOfCopiesAreNotWrittenThroughLinks) {
    test::TemporaryFolder folder;
    const fs::path mine = folder.path() / "mine", copy = folder.path() / "copy";
    write_file_atomically(mine, "thesis", false);
    fs::create_directories(copy);
    fs::create_hard_link(mine, copy / "a.csv");
    fs::create_hard_link(mine, copy / "x.part");
    ASSERT_EQ(::mkfifo((copy / "y.part").c_str(), 0600), 0);
    Sftp sftp = connect_to_folder({{"a.csv", wire::kFile, 20}});
    sftp.download("/x.json", copy / "x");
    sftp.download("/y.json", copy / "y");
    EXPECT_EQ(read_file(copy / "x"), "0123456789");
    EXPECT_EQ(read_file(copy / "y"), "0123456789");
    // A longer file of which the first bytes are the same.
    Sftp logs =
        connect_to_liar([told = false](std::uint8_t type, std::uint32_t request, std::string_view body) mutable {
            if (type == wire::kStat)
                return wire::message(wire::kAttributes, request, wire::attributes(wire::kFolder, 0));
            if (type == wire::kFstat)
                return wire::message(wire::kAttributes, request, wire::attributes(wire::kFile, 16));
            if (type == wire::kRead) {
                take_wire_text(body);
                const std::uint64_t offset = take_uint64(body);
                return wire::message(wire::kData, request,
                                     wire_text(std::string("thesis0123456789").substr(offset, take_uint32(body))));
            }
            return type == wire::kReadDir && !std::exchange(told, true)
                       ? wire::names(request, {{"a.csv", wire::kFile, 16}})
                       : std::string();
        });
    LogMirror("/x", copy).pass(logs, [] { return true; });
    EXPECT_GT(fs::file_size(copy / "a.csv"), 6u);  // the new part, in a file of its own
    EXPECT_EQ(read_file(mine), "thesis");
}

TEST(HostileSftp, AnInterruptedCheckpointLeavesNothingThatTheHostDoesNotListAnyMore) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    const fs::path aside = mirror.checkpoints() / ".checkpoint_1.part";
    fs::create_directories(aside / "old");
    write_file_atomically(aside / "old" / "large.bin", "x", false);
    write_file_atomically(aside / "gone.json.part", "x", false);
    fs::create_symlink("/etc", aside / "link");
    auto in_checkpoint = std::make_shared<bool>(false);
    Sftp sftp = connect_to_liar(
        [in_checkpoint, told = false](std::uint8_t type, std::uint32_t request, std::string_view body) mutable {
            if (type == wire::kOpenDir) {
                *in_checkpoint = take_wire_text(body).value_or("").ends_with("checkpoint_1");
                told = false;
            }
            if (type == wire::kReadDir && !std::exchange(told, true))
                return wire::names(request, {*in_checkpoint ? wire::Entry{"manifest.json", wire::kFile, 10}
                                                            : wire::Entry{"checkpoint_1", wire::kFolder, 0}});
            return std::string();
        });
    const fs::path place = fetch_checkpoint(sftp, mirror, "");
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(place))
        names.push_back(entry.path().filename());
    EXPECT_THAT(names, ::testing::ElementsAre("manifest.json"));
}

TEST(HostileSftp, AMessageNamesSomeOfManyCheckpoints) {
    test::TemporaryFolder folder;
    const run::RunPaths mirror = make_mirror(folder.path());
    std::vector<wire::Entry> list;
    for (int i = 0; i < 1000; ++i)
        list.push_back({"checkpoint_" + std::to_string(i), wire::kFolder, 0});
    Sftp sftp = connect_to_folder(list);
    const std::string sentence = refusal([&] { fetch_checkpoint(sftp, mirror, "checkpoint_x"); });
    EXPECT_THAT(sentence, says("{} and {} more", _, 980));
    EXPECT_LT(sentence.size(), 1000u);
}

TEST(HostilePrograms, ProcessesOfGpusAreNotMultiplied) {
    std::string said = "@nvidia\n";
    for (int i = 0; i < 1000; ++i)
        said += std::to_string(i) + ",A,GPU-1,0,1,2,nan,inf,5,6,7\n";
    said += "@nvidia_processes\n";
    for (int i = 0; i < 1000; ++i)
        said += "GPU-1," + std::to_string(i) + ",5,x\n";
    const HostFacts facts = parse_host_script(said + "@end\n", "gpu-a");
    ASSERT_EQ(facts.gpus.size(), 1000u);
    std::size_t processes = 0;
    for (const GpuFacts& gpu : facts.gpus)
        processes += gpu.processes.size();
    EXPECT_EQ(processes, 1000u);
    EXPECT_FALSE(facts.gpus[0].temperature_c || facts.gpus[0].power_w) << "not numbers of a sensor";
}

TEST(HostilePrograms, AHelpersLineHasAnEnd) {
    test::HostileShell shell([] { return std::string(1u << 20, 'x'); });
    HostHelper helper(shell, {{"trainyard"}, {}, {}}, "gpu-a");
    EXPECT_THAT(refusal([&] { helper.check(""); }), says("{} answered with a line of more than 8 MB", _));
}

TEST(HostilePrograms, RunsWithIdsThatAreNoneAreLeftOut) {
    const std::vector<RemoteRun> runs = parse_remote_runs(
        R"([{"run_id":"../../Documents","path":"/x"},{"run_id":"-rf","path":"/x"},{"run_id":"a","path":"relative"},)"
        R"({"run_id":"b","path":"/runs/b","shown_status":"run\u001b[2J","message":"\u202egnp"}])",
        "gpu-a");
    ASSERT_EQ(runs.size(), 1u);
    EXPECT_EQ(runs[0].id.text(), "b");
    EXPECT_EQ(runs[0].status.text(), "run\\x1b[2J");
    EXPECT_EQ(runs[0].message.text(), "\\u202egnp");
    refusal([] { parse_remote_runs("no list", "gpu-a"); });
    refusal([] { parse_remote_runs(std::string(100'000, '['), "gpu-a"); });
}

TEST(HostilePrograms, AddressesAreNumeric) {
    refusal([] { launch::parse_connection_tests(R"([{"from":"a","to":"b","ok":true,"address":"evil.example;id"}])"); });
    refusal([] {
        launch::parse_connection_target(R"({"host":"a","token":"x","addresses":[{"address":"10.0.0.1","port":-5}]})");
    });
    EXPECT_EQ(launch::parse_connection_tests(R"([{"ok":true,"address":"10.0.0.1","local_address":"fe80::1"}])").size(),
              1u);
}

/// Every file and link below `root` but those in `without`, with sizes.
std::set<std::string> snapshot(const fs::path& root, const fs::path& without) {
    std::set<std::string> all;
    for (fs::recursive_directory_iterator entry(root), end; entry != end; ++entry) {
        if (entry->path() == without) {
            entry.disable_recursion_pending();
            continue;
        }
        all.insert(entry->path().string() + (entry->is_regular_file() ? ' ' + std::to_string(entry->file_size()) : ""));
    }
    return all;
}

/// Bytes, and files and folders.
struct Usage {
    std::uint64_t bytes = 0, entries = 0;
};
Usage usage_of(const fs::path& root) {
    Usage usage;
    std::error_code error;
    for (fs::recursive_directory_iterator entry(root, error), end; !error && entry != end; entry.increment(error)) {
        ++usage.entries;
        usage.bytes += entry->is_regular_file(error) ? entry->file_size(error) : 0;
    }
    return usage;
}

const Limits kRoundLimits{.depth = 6, .files = 500, .bytes = 4u << 20, .listing_s = 5, .silence_s = 0.02};

/// All readers of a host's answers, once, with the lies of a seed. Returns the number of answers; `full` counts the
/// connections that ended at a limit of the mirror.
std::uint64_t one_round(const fs::path& base, const run::RunPaths& mirror, std::uint64_t seed, std::uint64_t& full) {
    test::Liar liar(seed);
    const Limits& limits = kRoundLimits;
    const auto attempt = [](const std::function<void()>& work) {
        try {
            work();
        } catch (const UserError& error) {
            EXPECT_FALSE(std::string(error.what()).empty());
        }
    };
    const auto server = [&] {
        return connect([&](std::uint8_t type, std::uint32_t request,
                           std::string_view body) { return liar.sftp_answer(type, request, body); },
                       liar.one_in(10) ? false : true, limits);
    };
    int budget = 2000;  // pieces of a connection
    attempt([&] {
        Sftp sftp = server();
        fetch_checkpoint(sftp, mirror, "", {}, limits);
    });
    attempt([&] {
        Sftp sftp = server();
        LogMirror logs("/logs", base / "runs" / "logs", {.logs = 20, .all = limits});
        for (int i = 0; i < 3; ++i)
            logs.pass(sftp, [&] { return --budget > 0; });
    });
    attempt([&] {
        RemoteCheckpoint checkpoint(server(), "gpu-a", "/x");
        for (const inspect::File& file : checkpoint.contents().files)
            checkpoint.bring(file.name, liar.below(1000), liar.below(100'000));
    });
    attempt([&] {
        Sftp sftp = server();
        fs::create_directories(base / "runs" / "traces");
        copy_traces(sftp, "/runs/x", base / "runs" / "traces",
                    [&](const TraceCopyProgress& progress) { return progress.done < (4u << 20); });
    });
    attempt([&] {
        Sftp sftp = server();
        list_tree(sftp, "/x", {.limits = limits, .follow_links = true, .skip_unreadable = true});
        sftp.real_path(".");
        sftp.read_range("/x", liar.size(), liar.size() % (1u << 20));
    });
    // Most connections end with the first lie that is seen, and the mirror connects again.
    for (int connection = 0; connection < 8; ++connection)
        attempt([&] {
            int pieces = 600;
            test::HostileLink link([&] { return --pieces > 0 ? liar.stream_piece() : std::string(); });
            MirrorOptions options;
            options.silence_s = 1;
            options.alive_every_s = 100;
            full += follow_run(link, mirror, options).end == MirrorEnd::refused ? 1 : 0;
        });
    attempt([&] {
        test::HostileShell shell([&] {
            return liar.one_in(9)
                       ? std::string()
                       : liar.changed(
                             R"({"problems":[{"check":"data","text":"x"}],"found":[{"check":"disk","state":2}],"time":5,"target":{"token":"x","addresses":[{"address":"10.0.0.1","port":5}]}})") +
                             "\n";
        });
        HostHelper helper(shell, {{"trainyard"}, {}, {}}, "gpu-a", 0.2);
        helper.check("");
        helper.reach({});
    });
    attempt([&] {
        parse_remote_runs(liar.changed(R"([{"run_id":"a","path":"/runs/a","shown_status":"running","message":"m"}])"),
                          "gpu-a");
    });
    attempt([&] {
        parse_host_script(liar.changed("@uname\nLinux\n@nvidia\n0, A100, GPU-1, 0, 1, 2, 3, 4, 5, 6, "
                                       "7\n@nvidia_processes\nGPU-1, 7, 5, x\n@end\n"),
                          "gpu-a");
    });
    attempt([&] {
        launch::parse_connection_tests(
            liar.changed(R"([{"from":"a","to":"b","ok":true,"address":"10.0.0.1","round_trip_s":0.1}])"));
    });
    attempt([&] {
        run::parse_state(liar.changed(
            R"({"run_id":"x","name":"n","status":"running","progress":{"step":1,"of":2},"ranks":[{"rank":0,"host":"h"}]})"));
    });
    return liar.answers();
}

TEST(HostileHost, RandomLiesChangeNothingOutsideOfTheMirror) {
    const char* seconds_text = std::getenv("TRAINYARD_HOSTILE_SECONDS");
    const char* seed_text = std::getenv("TRAINYARD_HOSTILE_SEED");
    const double seconds = seconds_text == nullptr ? 0 : std::atof(seconds_text);
    std::uint64_t seed = seed_text == nullptr ? 1 : std::strtoull(seed_text, nullptr, 10);
    constexpr std::uint64_t kRoundsOfTheTest = 40, kMirrorBytes = 4u << 20;
    constexpr std::uint64_t kMirrorEntries = 20'000;  // as mirror_limits() has it
    constexpr long kMostMemory = 400;                 // MiB more than at the start

    test::TemporaryFolder folder;
    const fs::path runs = folder.path() / "runs";
    fs::create_directories(folder.path() / "Documents");
    write_file_atomically(folder.path() / "Documents" / "thesis.txt", "mine", false);
    fs::create_directories(runs / "other");
    write_file_atomically(runs / "other" / "run.yaml", "mine", false);
    ::setenv("TRAINYARD_MIRROR_LIMIT", std::to_string(kMirrorBytes).c_str(), 1);
    const std::set<std::string> before = snapshot(folder.path(), runs);
    rusage start{}, now{};
    ::getrusage(RUSAGE_SELF, &start);

    std::uint64_t rounds = 0, answers = 0, full = 0, largest = 0, most_entries = 0, most_disk = 0;
    const double until = monotonic_seconds() + seconds;
    for (; seconds > 0 ? monotonic_seconds() < until : rounds < kRoundsOfTheTest; ++rounds, ++seed) {
        if (rounds % 20 == 0) {
            fs::remove_all(runs / "far");
            fs::remove_all(runs / "logs");
            fs::remove_all(runs / "traces");
        }
        const run::RunPaths mirror = make_mirror(runs);
        answers += one_round(folder.path(), mirror, seed, full);
        ASSERT_EQ(snapshot(folder.path(), runs), before) << "seed " << seed;
        ASSERT_EQ(read_file(runs / "other" / "run.yaml"), "mine") << "seed " << seed;
        for (const auto& entry : fs::directory_iterator(runs))
            ASSERT_TRUE((std::set<std::string>{"far", "other", "logs", "traces"}).contains(entry.path().filename()))
                << entry.path() << ", seed " << seed;
        std::uint64_t bytes = 0;
        for (const auto& entry : fs::recursive_directory_iterator(mirror.root())) {
            const fs::path path = entry.path().lexically_relative(mirror.root());
            ASSERT_FALSE(entry.is_symlink()) << path << ", seed " << seed;
            if (!entry.is_regular_file())
                continue;
            ASSERT_TRUE(is_mirrored(path) || *path.begin() == "checkpoints" || path == "mirror.json" ||
                        path == "mirror-files.json" || path.string().starts_with('.'))
                << path << ", seed " << seed;
            if (is_mirrored(path))
                bytes += entry.file_size();
        }
        largest = std::max(largest, bytes);
        const Usage all = usage_of(mirror.root()), checkpoints = usage_of(mirror.checkpoints()),
                    logs = usage_of(runs / "logs"), traces = usage_of(runs / "traces");
        most_entries = std::max(most_entries, all.entries);
        most_disk = std::max(most_disk, all.bytes + logs.bytes + traces.bytes);
        ASSERT_LE(all.entries, kMirrorEntries + checkpoints.entries + 20) << "seed " << seed;
        ASSERT_LE(logs.bytes, kRoundLimits.bytes) << "seed " << seed;
        ASSERT_LE(logs.entries, kRoundLimits.files) << "seed " << seed;
        ASSERT_LE(checkpoints.bytes, 20 * (kRoundLimits.bytes + (1u << 20))) << "seed " << seed;
        ASSERT_LE(bytes, kMirrorBytes + (9u << 20)) << "seed " << seed;  // and what checkpoints have as manifest.json
        ::getrusage(RUSAGE_SELF, &now);
        ASSERT_LE((now.ru_maxrss - start.ru_maxrss) / 1024, kMostMemory) << "seed " << seed;
    }
    ::unsetenv("TRAINYARD_MIRROR_LIMIT");
    std::printf(
        "%llu rounds, last seed %llu, %llu answers, %llu connections ended at a limit; at most %llu bytes of mirrored "
        "files, %llu bytes and %llu files and folders on the disk; %ld MiB of memory, %ld more than at the start\n",
        static_cast<unsigned long long>(rounds), static_cast<unsigned long long>(seed - 1),
        static_cast<unsigned long long>(answers), static_cast<unsigned long long>(full),
        static_cast<unsigned long long>(largest), static_cast<unsigned long long>(most_disk),
        static_cast<unsigned long long>(most_entries), now.ru_maxrss / 1024, (now.ru_maxrss - start.ru_maxrss) / 1024);
}

}  // namespace

}  // namespace trainyard::remote
