// SPDX-License-Identifier: GPL-3.0-or-later
#include "bench/peer_program.h"

#include <array>
#include <csignal>
#include <stdexcept>
#include <utility>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"
#include "base/file_descriptor.h"

namespace trainyard::bench {

namespace {

/// Starts a program without a shell, its standard output on `output` and, unless negative, its input on `input`.
pid_t start(const std::vector<std::string>& words, const std::vector<std::string>& variables, int output, int input) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    const pid_t child = ::fork();
    if (child == 0) {
        ::dup2(output, STDOUT_FILENO);
        if (input >= 0)
            ::dup2(input, STDIN_FILENO);
        for (const std::string& variable : variables)
            ::putenv(const_cast<char*>(variable.c_str()));
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    if (child < 0)
        throw std::runtime_error("cannot start " + words[0]);
    return child;
}

/// Read end, write end.
std::pair<FileDescriptor, FileDescriptor> make_pipe(const std::string& name) {
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe for " + name);
    return {FileDescriptor(pipe[0]), FileDescriptor(pipe[1])};
}

}  // namespace

std::string output_of(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
    auto [read_end, write_end] = make_pipe(words[0]);
    const pid_t child = start(words, variables, write_end.get(), -1);
    write_end.close();
    std::string text;
    std::array<char, 4096> piece{};
    for (ssize_t count = 0; (count = ::read(read_end.get(), piece.data(), piece.size())) > 0;)
        text.append(piece.data(), static_cast<std::size_t>(count));
    int status = 0;
    ::waitpid(child, &status, 0);
    if (!WIFEXITED(status) || WEXITSTATUS(status) != 0)
        throw std::runtime_error(words[0] + " failed; it printed: " + text);
    return text;
}

PeerServer::PeerServer(const std::vector<std::string>& words, const std::vector<std::string>& variables)
    : name_(words.at(0)) {
    ::signal(SIGPIPE, SIG_IGN);  // a script that ended is an exception of ask()
    auto [output_read, output_write] = make_pipe(name_);
    auto [input_read, input_write] = make_pipe(name_);
    child_ = start(words, variables, output_write.get(), input_read.get());
    from_ = std::move(output_read);
    to_ = std::move(input_write);
}

PeerServer::~PeerServer() {
    to_.close();  // the script ends with its input
    from_.close();
    int status = 0;
    ::waitpid(child_, &status, 0);
}

std::string PeerServer::ask(const std::string& line) {
    const std::string sent = line + "\n";
    for (std::size_t at = 0; at < sent.size();) {
        const ssize_t count = ::write(to_.get(), sent.data() + at, sent.size() - at);
        if (count <= 0)
            throw std::runtime_error(name_ + " takes no more questions");
        at += static_cast<std::size_t>(count);
    }
    std::array<char, 4096> piece{};
    std::size_t end = 0;
    while ((end = read_.find('\n')) == std::string::npos) {
        const ssize_t count = ::read(from_.get(), piece.data(), piece.size());
        if (count <= 0)
            throw std::runtime_error(name_ + " ended without an answer to " + line.substr(0, 200));
        read_.append(piece.data(), static_cast<std::size_t>(count));
    }
    std::string answer = read_.substr(0, end);
    read_.erase(0, end + 1);
    return answer;
}

}  // namespace trainyard::bench
