// SPDX-License-Identifier: GPL-3.0-or-later
// Secrets of alarms in a real key ring: GNOME's, on a bus of its own.

#include <cstdlib>
#include <fstream>
#include <string>

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/file.h"
#include "cli/program.h"
#include "support/temporary_folder.h"

namespace trainyard {
namespace {

namespace fs = std::filesystem;
using testing::HasSubstr;
using testing::Not;

/// Gives a text to a program's standard input.
std::function<void()> with_input(const std::string& text) {
    return [text] {
        int ends[2];
        if (::pipe(ends) != 0 || ::write(ends[1], text.data(), text.size()) < 0)
            std::abort();
        ::close(ends[1]);
        ::dup2(ends[0], STDIN_FILENO);
    };
}

TEST(AlarmKeyRing, HoldsASecretThatIsInNoFile) {
    constexpr double kPatienceS = 30;
    const test::TemporaryFolder folder;
    const fs::path bus = folder.path() / "bus", config = folder.path() / "config";
    for (const auto& [name, value] : {std::pair("HOME", folder.path()),
                                      {"XDG_RUNTIME_DIR", folder.path()},
                                      {"XDG_DATA_HOME", folder.path() / "data"},
                                      {"XDG_CONFIG_HOME", config}})
        ::setenv(name, value.c_str(), 1);
    // Without the services that a bus starts on demand, such as a second key ring.
    write_file_atomically(folder.path() / "bus.conf",
                          "<busconfig><type>session</type><listen>unix:path=" + bus.string() +
                              "</listen><policy context=\"default\"><allow send_destination=\"*\" eavesdrop=\"true\"/>"
                              "<allow eavesdrop=\"true\"/><allow own=\"*\"/></policy></busconfig>");
    ::setenv("DBUS_SESSION_BUS_ADDRESS", ("unix:path=" + bus.string()).c_str(), 1);
    fs::create_directories(config / "trainyard");
    write_file_atomically(
        config / "trainyard" / "alarms.json",
        R"({"targets": [{"name": "phone", "kind": "webhook", "address": "https://example.org/{secret}"}]})");
    const auto alarms = [](std::vector<std::string> words, const std::string& input = {}) {
        words.insert(words.begin(), {TRAINYARD_BIN_DIR "/trainyard", "alarms"});
        test::Program program(words, with_input(input));
        return program.wait();
    };
    test::Program daemon(
        {"/usr/bin/dbus-daemon", "--nofork", "--config-file=" + (folder.path() / "bus.conf").string()});
    const double begin = monotonic_seconds();
    while (!fs::exists(bus) && monotonic_seconds() - begin < kPatienceS)
        ::usleep(10'000);
    // Without a key ring on the bus: a private file, which the command names.
    test::Said said = alarms({"secret", "phone"}, "hunter2\n");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("target-phone"));
    EXPECT_EQ(alarms({"secret", "phone", "--forget"}).code, 0);
    EXPECT_THAT(alarms({"show"}).out, HasSubstr("its secret is missing"));

    test::Program ring({"/usr/bin/gnome-keyring-daemon", "--foreground", "--unlock", "--components=secrets"},
                       with_input("password of the login"));
    for (said = {}; said.out.find("in the key ring") == std::string::npos && monotonic_seconds() - begin < kPatienceS;)
        said = alarms({"secret", "phone"}, "hunter2\n");
    EXPECT_THAT(said.out, HasSubstr("stored in the key ring"));
    EXPECT_THAT(alarms({"show"}).out, Not(HasSubstr("its secret is missing")));
    for (const auto& entry : fs::recursive_directory_iterator(folder.path()))
        if (entry.is_regular_file()) {
            EXPECT_THAT(read_file(entry.path()), Not(HasSubstr("hunter2"))) << entry.path();
        }
    EXPECT_EQ(alarms({"secret", "phone", "--forget"}).code, 0);
    EXPECT_THAT(alarms({"show"}).out, HasSubstr("its secret is missing"));

    // The same key ring, locked, on a machine without a display that cannot ask for its password.
    ::kill(ring.pid(), SIGTERM);
    ring.wait();
    fs::remove_all(folder.path() / "keyring");
    ::unsetenv("DISPLAY");
    test::Program locked({"/usr/bin/gnome-keyring-daemon", "--foreground", "--components=secrets"});
    while (!fs::exists(folder.path() / "keyring" / "control") && monotonic_seconds() - begin < 2 * kPatienceS)
        ::usleep(10'000);
    said = alarms({"secret", "phone"}, "hunter2\n");
    EXPECT_EQ(said.code, 0) << said.err;
    EXPECT_THAT(said.out, HasSubstr("target-phone"));
    EXPECT_THAT(alarms({"show"}).out, Not(HasSubstr("its secret is missing")));
}

}  // namespace
}  // namespace trainyard
