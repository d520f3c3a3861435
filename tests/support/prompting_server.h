// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// An SSH server on the loopback that asks what a test wants to ask by keyboard-interactive (RFC 4256): several rounds
// of prompts, as PAM modules and helpers of clusters do. Any answers let the client in after the last round.

#include <filesystem>
#include <fstream>
#include <string>
#include <thread>
#include <utility>
#include <vector>

#include <arpa/inet.h>
#include <libssh/libssh.h>
#include <libssh/server.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "remote/known_hosts.h"
#include "remote/ssh_config.h"

namespace trainyard::test {

class PromptingServer {
  public:
    struct Prompt {
        std::string text;
        bool echo = false;
    };
    struct Round {
        std::vector<Prompt> prompts;
        std::string instruction = {};
    };

    /// Serves one connection. Its host key is written to a known_hosts file in `folder`.
    PromptingServer(const std::filesystem::path& folder, std::vector<Round> rounds)
        : known_hosts_(folder / "known_hosts_of_prompting_server"), rounds_(std::move(rounds)) {
        const std::filesystem::path key_file = folder / "host_key";
        ssh_key key = nullptr;
        char* blob = nullptr;
        bind_ = ::ssh_bind_new();
        const unsigned int any_port = 0;
        works_ = ::ssh_pki_generate(SSH_KEYTYPE_ED25519, 0, &key) == SSH_OK &&
                 ::ssh_pki_export_privkey_file(key, nullptr, nullptr, nullptr, key_file.c_str()) == SSH_OK &&
                 ::ssh_pki_export_pubkey_base64(key, &blob) == SSH_OK &&
                 ::ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_BINDADDR, "127.0.0.1") == SSH_OK &&
                 ::ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_BINDPORT, &any_port) == SSH_OK &&
                 ::ssh_bind_options_set(bind_, SSH_BIND_OPTIONS_HOSTKEY, key_file.c_str()) == SSH_OK &&
                 ::ssh_bind_listen(bind_) == SSH_OK;
        sockaddr_in address{};
        socklen_t size = sizeof address;
        works_ = works_ && ::getsockname(::ssh_bind_get_fd(bind_), reinterpret_cast<sockaddr*>(&address), &size) == 0;
        port_ = ntohs(address.sin_port);
        if (works_) {
            remote::HostKey host_key;
            host_key.type = "ssh-ed25519";
            host_key.blob = blob;
            std::ofstream(known_hosts_) << remote::known_hosts_line(settings().known_name(), host_key, false) << "\n";
            thread_ = std::thread([this] { serve(); });
        }
        ::ssh_string_free_char(blob);
        ::ssh_key_free(key);
    }
    ~PromptingServer() {
        finish();
        ::ssh_bind_free(bind_);
    }
    PromptingServer(const PromptingServer&) = delete;
    PromptingServer& operator=(const PromptingServer&) = delete;

    bool works() const { return works_; }
    remote::HostSettings settings() const {
        remote::HostSettings host;
        host.alias = "helper";
        host.host_name = "127.0.0.1";
        host.port = port_;
        host.user = "me";
        host.identity_agent = "none";
        host.user_known_hosts = {known_hosts_};
        return host;
    }
    /// What came for the prompts of each round. After the client has gone.
    const std::vector<std::vector<std::string>>& answers() {
        finish();
        return answers_;
    }

  private:
    void finish() {
        if (!thread_.joinable())
            return;
        ::shutdown(::ssh_bind_get_fd(bind_), SHUT_RDWR);  // if nobody has connected
        thread_.join();
    }
    void ask(ssh_message message, const Round& round) {
        std::vector<const char*> texts;
        std::vector<char> echoes;
        for (const Prompt& prompt : round.prompts) {
            texts.push_back(prompt.text.c_str());
            echoes.push_back(prompt.echo ? 1 : 0);
        }
        ::ssh_message_auth_interactive_request(message, "", round.instruction.c_str(),
                                               static_cast<unsigned int>(texts.size()), texts.data(), echoes.data());
    }
    /// Returns true once the client is let in.
    bool answer(ssh_session session, ssh_message message, std::size_t& next) {
        const int type = ::ssh_message_type(message), method = ::ssh_message_subtype(message);
        if (type == SSH_REQUEST_SERVICE) {
            ::ssh_message_service_reply_success(message);
        } else if (type == SSH_REQUEST_AUTH && method == SSH_AUTH_METHOD_INTERACTIVE) {
            if (::ssh_message_auth_kbdint_is_response(message) != 0) {
                std::vector<std::string> round;
                for (int i = 0; i < ::ssh_userauth_kbdint_getnanswers(session); ++i)
                    round.emplace_back(::ssh_userauth_kbdint_getanswer(session, static_cast<unsigned int>(i)));
                answers_.push_back(std::move(round));
            }
            if (next == rounds_.size()) {
                ::ssh_message_auth_reply_success(message, 0);
                return true;
            }
            ask(message, rounds_[next++]);
        } else {
            ::ssh_message_auth_set_methods(message, SSH_AUTH_METHOD_INTERACTIVE);
            ::ssh_message_reply_default(message);
        }
        return false;
    }
    void serve() {
        ssh_session session = ::ssh_new();
        if (::ssh_bind_accept(bind_, session) == SSH_OK && ::ssh_handle_key_exchange(session) == SSH_OK) {
            std::size_t next = 0;
            while (ssh_message message = ::ssh_message_get(session)) {
                const bool done = answer(session, message, next);
                ::ssh_message_free(message);
                if (done)
                    break;
            }
        }
        ::ssh_disconnect(session);
        ::ssh_free(session);
    }

    std::filesystem::path known_hosts_;
    std::vector<Round> rounds_;
    std::vector<std::vector<std::string>> answers_;
    ssh_bind bind_ = nullptr;
    int port_ = 0;
    bool works_ = false;
    std::thread thread_;
};

}  // namespace trainyard::test
