// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of the detection of programs, Python packages and ports of the machine, with a fake PATH and a fake Python.

#include "launch/plan/probe.h"

#include <cstdlib>
#include <fstream>
#include <map>
#include <optional>
#include <string>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include "base/file.h"
#include "base/file_descriptor.h"
#include "support/temporary_folder.h"

namespace trainyard::plan {
namespace {

namespace fs = std::filesystem;
using testing::ElementsAre;
using testing::IsEmpty;

class Probe : public testing::Test {
  protected:
    Probe() {
        for (const char* name : {"PYTHONPATH", "VIRTUAL_ENV", "HOME", "PATH"}) {
            const char* value = std::getenv(name);
            before_[name] = value == nullptr ? std::nullopt : std::optional<std::string>(value);
        }
        for (const char* name : {"PYTHONPATH", "VIRTUAL_ENV"})
            ::unsetenv(name);
        ::setenv("HOME", (folder_.path() / "home").c_str(), 1);
        ::setenv("PATH", (folder_.path() / "bin").c_str(), 1);
        fs::create_directories(folder_.path() / "bin");
    }
    ~Probe() override {
        for (const auto& [name, value] : before_)
            value ? ::setenv(name, value->c_str(), 1) : ::unsetenv(name);
    }
    void program(const std::string& name, const std::string& text) {
        fs::path file = folder_.path() / "bin" / name;
        std::ofstream(file) << "#!/bin/sh\n" << text << "\n";
        ::chmod(file.c_str(), 0755);
    }
    void package(const std::string& name) {
        fs::create_directories(folder_.path() / "lib/python3.11/site-packages" / name);
    }
    test::TemporaryFolder folder_;

  private:
    std::map<const char*, std::optional<std::string>> before_;
};

TEST_F(Probe, NothingIsThere) {
    settings::Machine machine = probe_machine();
    EXPECT_FALSE(machine.mpi);
    EXPECT_FALSE(machine.deepspeed);
    EXPECT_FALSE(machine.fp8);
    EXPECT_GE(machine.physical_cores, 1);
    EXPECT_GT(machine.free_port, 0);
    EXPECT_THAT(machine.ports_in_use, IsEmpty());
}

TEST_F(Probe, MpiByItsVersion) {
    program("mpiexec", "echo 'HYDRA build details: MVAPICH 4.0'");
    EXPECT_EQ(probe_machine().mpi, "mvapich");
    EXPECT_EQ(probe_machine().mpi_program, "mpiexec");
    program("mpirun", "echo 'mpirun (Open MPI) 4.1.4'");
    EXPECT_EQ(probe_machine().mpi, "openmpi");
    program("mpirun", "echo 'Intel(R) MPI Library for Linux* OS'");
    EXPECT_EQ(probe_machine().mpi, "intel");
    EXPECT_FALSE(probe_machine({}, false).mpi);
}

TEST_F(Probe, AnMpiThatDoesNotAnswerIsNotWaitedFor) {
    program("mpirun", "exec /bin/sleep 600");
    EXPECT_EQ(probe_machine().mpi, "mpich");
}

TEST_F(Probe, PackagesOfThePythonInThePath) {
    program("python3", "exit 1");
    std::ofstream(folder_.path() / "pyvenv.cfg") << "home = /usr/bin\n";
    EXPECT_FALSE(probe_machine().deepspeed);
    package("deepspeed-0.14.4.dist-info");
    package("torchao-0.9.0.dist-info");
    settings::Machine machine = probe_machine();
    EXPECT_EQ(machine.deepspeed, "0.14.4");
    EXPECT_TRUE(machine.fp8);
}

TEST_F(Probe, PortsThatOthersListenOn) {
    FileDescriptor socket(::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0));
    sockaddr_in address{};
    address.sin_family = AF_INET;
    address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    auto* generic = reinterpret_cast<sockaddr*>(&address);
    socklen_t size = sizeof address;
    ASSERT_EQ(::bind(socket.get(), generic, size), 0);
    ASSERT_EQ(::listen(socket.get(), 1), 0);
    ASSERT_EQ(::getsockname(socket.get(), generic, &size), 0);
    int port = ntohs(address.sin_port);
    settings::Machine machine = probe_machine({port, 0});
    EXPECT_THAT(machine.ports_in_use, ElementsAre(port));
    EXPECT_NE(machine.free_port, port);
}

}  // namespace
}  // namespace trainyard::plan
