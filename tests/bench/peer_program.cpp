#include "bench/peer_program.h"

#include <array>
#include <stdexcept>

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/file.h"

namespace trainyard::bench {

std::string output_of(const std::vector<std::string>& words, const std::vector<std::string>& variables) {
    std::vector<char*> arguments;
    for (const std::string& word : words)
        arguments.push_back(const_cast<char*>(word.c_str()));
    arguments.push_back(nullptr);
    std::array<int, 2> pipe{};
    if (::pipe2(pipe.data(), O_CLOEXEC) != 0)
        throw std::runtime_error("no pipe for " + words[0]);
    FileDescriptor read_end(pipe[0]), write_end(pipe[1]);
    pid_t child = ::fork();
    if (child == 0) {
        ::dup2(write_end.get(), STDOUT_FILENO);
        for (const std::string& variable : variables)
            ::putenv(const_cast<char*>(variable.c_str()));
        ::execvp(arguments[0], arguments.data());
        ::_exit(127);
    }
    if (child < 0)
        throw std::runtime_error("cannot start " + words[0]);
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

}  // namespace trainyard::bench
