// SPDX-License-Identifier: GPL-3.0-or-later
// User authentication with the methods in the order of OpenSSH's client (RFC 4252, 4256): keys of the agent, keys of
// files, keyboard-interactive, password. A server may require several methods one after the other.

#include <algorithm>
#include <atomic>
#include <cstring>

#include <fmt/format.h>
#include <libssh/libssh.h>

#include "base/clock.h"
#include "base/error.h"
#include "base/letter_case.h"
#include "remote/agent_socket.h"
#include "remote/identity_file.h"
#include "remote/link.h"
#include "remote/secret_bag.h"

namespace trainyard::remote {

namespace {

constexpr double kAnswerWithin = 8;  // seconds to wait for an answer that needs no user action
constexpr int kMostTries = 3;        // for a password or a passphrase
constexpr int kMostRounds = 8;       // methods that a server may require one after the other

struct KeyCloser {
    void operator()(ssh_key key) const { ::ssh_key_free(key); }
};
using Key = std::unique_ptr<std::remove_pointer_t<ssh_key>, KeyCloser>;

/// Converts a server's text of several lines, which end with CR LF (RFC 4252, 5.4).
HostText server_text(const char* given) {
    std::string text;
    for (const char* at = given != nullptr ? given : ""; *at != '\0'; ++at)
        if (at[0] != '\r' || at[1] != '\n')
            text += *at;
    return HostText::lines(text);
}

/// Compares the public parts: a certificate begins with its type, a random text and the fields of the key
/// (PROTOCOL.certkeys of OpenSSH). ssh_key_cmp() takes only keys of one type.
bool is_certificate_of(const HostKey& certificate, const HostKey& key) {
    const std::string signed_bytes = base64_decode(certificate.blob), key_bytes = base64_decode(key.blob);
    std::string_view fields = signed_bytes, expected = key_bytes;
    return take_wire_text(fields) && take_wire_text(fields) && take_wire_text(expected) && !expected.empty() &&
           fields.starts_with(expected);
}

class Authentication {
  public:
    Authentication(Link& link, Asker* asker, bool use_key_ring)
        : link_(link), asker_(asker), key_ring_(use_key_ring), user_(link.host.user) {}

    void run() {
        int result = ask_server([this] { return ::ssh_userauth_none(link_.session, nullptr); });
        if (char* banner = ::ssh_get_issue_banner(link_.session)) {
            if (asker_ != nullptr)
                asker_->say(link_.host.alias, Message::verbatim(server_text(banner)));
            ::ssh_string_free_char(banner);
        }
        if (result == SSH_AUTH_SUCCESS) {
            link_.authenticated_by = "nothing (the server asks for nothing)";
            return;
        }
        for (int round = 0; round < kMostRounds; ++round) {
            offered_.clear();
            methods_ = ::ssh_userauth_list(link_.session, nullptr);
            link_.note(Message("the server accepts: {}", method_names()));
            result = one_round();
            if (result == SSH_AUTH_SUCCESS)
                return;
            if (result != SSH_AUTH_PARTIAL)
                refused();
            link_.note("one method was accepted, the server requires another one");
        }
        refused();
    }

  private:
    /// Performs one authentication request. Returns DENIED, PARTIAL or SUCCESS.
    int ask_server(const std::function<int()>& call, double seconds = kAnswerWithin) {
        int result = SSH_AUTH_ERROR;
        try {
            result = link_.repeat(call, SSH_AUTH_AGAIN, seconds,
                                  Message("{}: the server did not answer within {} while logging in",
                                          described(link_.host), seconds_text(seconds)));
        } catch (const ConnectionError& error) {
            if (error.cause() == Cause::connection_lost)
                broken(link_.lost_because);
            throw;
        }
        if (result == SSH_AUTH_ERROR)
            broken(Message::verbatim(::ssh_get_error(link_.session)));
        return result;
    }

    [[noreturn]] void broken(const Message& why) {
        if (why.text().find("Too many authentication failures") != std::string::npos) {
            const Message sentence(
                "{}: the server closed the connection after too many attempts to log in as '{}' ({}): name the correct "
                "key with IdentityFile and IdentitiesOnly yes in {}",
                described(link_.host), user_, offers(), SshConfig::default_file().string());
            link_.note("the server closed the connection: too many attempts");
            link_.fail(Cause::too_many_attempts, sentence, "ssh -v " + link_.host.alias);
        }
        link_.note(Message("logging in ended: {}", why));
        link_.lost(why);
    }

    [[noreturn]] void refused() {
        std::vector<Message> sentences{Message(
            "{}: login as '{}' was denied. The server accepts {}; {}", described(link_.host), user_, method_names(),
            offered_.empty() ? Message("no matching credentials were available") : Message("it refused {}", offers()))};
        bool could_ask =
            asker_ == nullptr && (methods_ & (SSH_AUTH_METHOD_PASSWORD | SSH_AUTH_METHOD_INTERACTIVE)) != 0;
        sentences.insert(sentences.end(), notes_.begin(), notes_.end());
        if (could_ask)
            sentences.push_back("The password could not be requested");
        link_.fail(Cause::authentication,
                   Message("{}: put a public key of yours into ~/.ssh/authorized_keys of that account, or check the "
                           "user's name",
                           Message::joined(sentences, ". ")),
                   "ssh -v " + link_.host.alias);
    }

    Message offers() const { return offered_.empty() ? Message("nothing") : Message::joined(offered_, ", "); }

    Message method_names() const {
        std::vector<Message> names;
        auto add = [&](int method, const Message& name) {
            if (methods_ & method)
                names.push_back(name);
        };
        add(SSH_AUTH_METHOD_PUBLICKEY, "public keys");
        add(SSH_AUTH_METHOD_INTERACTIVE, "keyboard-interactive");
        add(SSH_AUTH_METHOD_PASSWORD, Message("passwords"));
        add(SSH_AUTH_METHOD_GSSAPI_MIC, link_.host.gssapi_authentication
                                            ? Message("Kerberos")
                                            : Message("Kerberos (off: GSSAPIAuthentication of ssh_config)"));
        add(SSH_AUTH_METHOD_HOSTBASED, "host-based (not supported here)");
        return names.empty() ? Message("nothing we know") : Message::joined(names, ", ");
    }

    int one_round() {
        int result = SSH_AUTH_DENIED;
        if (link_.host.gssapi_authentication && (methods_ & SSH_AUTH_METHOD_GSSAPI_MIC))
            result = kerberos();
        if (result == SSH_AUTH_DENIED && link_.host.pubkey_authentication && (methods_ & SSH_AUTH_METHOD_PUBLICKEY))
            result = public_keys();
        if (result == SSH_AUTH_DENIED && link_.host.kbd_interactive_authentication &&
            (methods_ & SSH_AUTH_METHOD_INTERACTIVE))
            result = dialogue();
        if (result == SSH_AUTH_DENIED && link_.host.password_authentication && (methods_ & SSH_AUTH_METHOD_PASSWORD))
            result = password();
        return result;
    }

    int outcome(int result, const Message& way) {
        link_.note(result == SSH_AUTH_SUCCESS   ? Message("{}: taken", way)
                   : result == SSH_AUTH_PARTIAL ? Message("{}: accepted, more methods are required", way)
                                                : Message("{}: refused", way));
        if (result == SSH_AUTH_DENIED)
            offered_.push_back(way);
        else
            link_.authenticated_by = way;
        return result;
    }

    /// libssh reports a missing ticket as an error of its own, without breaking the connection.
    int kerberos() {
        const auto call = [this] {
            const int result = ::ssh_userauth_gssapi(link_.session);
            return result == SSH_AUTH_ERROR && link_.connected() ? static_cast<int>(SSH_AUTH_DENIED) : result;
        };
        return outcome(ask_server(call), "Kerberos");
    }

    // --- keys ---

    int public_keys() {
        std::vector<IdentityFile> files;
        for (const std::filesystem::path& path : link_.host.identity_files) {
            IdentityFile file = look_at_identity(path);
            if (!file.there) {
                if (link_.host.identity_files_given)
                    unusable(path, "it is not there");
                continue;
            }
            if (!file.problem.empty()) {
                unusable(path, file.problem);
                continue;
            }
            files.push_back(std::move(file));
        }
        auto of_file = [&](const AgentKey& key) {
            return std::any_of(files.begin(), files.end(),
                               [&](const IdentityFile& file) { return file.public_key.blob == key.key.blob; });
        };
        std::vector<AgentKey> keys;
        try {
            keys = agent_keys(link_.host.identity_agent);
        } catch (const UserError& error) {
            link_.note(error.message());
        }
        // Keys named in ssh_config come first, because servers limit the number of attempts.
        std::stable_partition(keys.begin(), keys.end(), of_file);
        if (link_.host.identities_only)
            keys.erase(std::find_if_not(keys.begin(), keys.end(), of_file), keys.end());
        int result = keys.empty() ? SSH_AUTH_DENIED : keys_of_agent(keys);
        for (const IdentityFile& file : files) {
            if (result != SSH_AUTH_DENIED)
                return result;
            bool in_agent = std::any_of(keys.begin(), keys.end(),
                                        [&](const AgentKey& key) { return key.key.blob == file.public_key.blob; });
            if (!in_agent)
                result = key_of_file(file);
        }
        return result;
    }

    void unusable(const std::filesystem::path& path, const Message& why) {
        notes_.push_back(Message("The key {} is not used: {}", path.string(), why));
        link_.note(notes_.back());
    }

    int keys_of_agent(const std::vector<AgentKey>& keys) {
        if (!filter_) {
            filter_ = std::make_unique<AgentFilter>(link_.host.identity_agent,
                                                    link_.cancel ? link_.cancel->descriptor() : -1);
            if (::ssh_set_agent_socket(link_.session, filter_->take_descriptor()) != SSH_OK)
                return SSH_AUTH_DENIED;
        }
        for (const AgentKey& key : keys) {
            filter_->show(key);
            if (key.needs_touch() && asker_ != nullptr)
                asker_->say(link_.host.alias, Message("touch your security key ({})", key.comment));
            int result = ask_server([this] { return ::ssh_userauth_agent(link_.session, nullptr); }, kPersonWithin);
            const Message way("agent: {} {}", key.key.short_type(), key.key.fingerprint());
            result = outcome(result, key.comment.empty() ? way : Message("{} ({})", way, key.comment));
            if (result != SSH_AUTH_DENIED)
                return result;
        }
        return SSH_AUTH_DENIED;
    }

    int key_of_file(const IdentityFile& file) {
        Message way("key: {}", file.path.string());
        Key certificate;
        if (!file.public_key.blob.empty()) {  // do not ask for the passphrase of a key that the server rejects
            ssh_key imported = nullptr;
            if (::ssh_pki_import_pubkey_base64(file.public_key.blob.c_str(),
                                               ::ssh_key_type_from_name(file.public_key.type.c_str()),
                                               &imported) != SSH_OK) {
                unusable(file.path,
                         Message("keys of type {} are not supported from a file: use ssh-agent", file.public_key.type));
                return SSH_AUTH_DENIED;
            }
            Key key(imported);
            certificate = certificate_of(file, key.get());
            int result = ask_server([&] { return ::ssh_userauth_try_publickey(link_.session, nullptr, key.get()); });
            if (result != SSH_AUTH_SUCCESS && !certificate)
                return outcome(result, way);
        }
        Key key = private_key(file);
        if (!key)
            return SSH_AUTH_DENIED;
        if (!certificate)
            certificate = certificate_of(file, key.get());
        if (certificate && ::ssh_pki_copy_cert_to_privkey(certificate.get(), key.get()) == SSH_OK)
            way = Message("key: {} with its certificate", file.path.string());
        return outcome(ask_server([&] { return ::ssh_userauth_publickey(link_.session, nullptr, key.get()); }), way);
    }

    /// Returns the certificate of a key among those of CertificateFile and `-cert.pub` next to the key's file.
    Key certificate_of(const IdentityFile& file, ssh_key key) const {
        std::vector<std::filesystem::path> paths = link_.host.certificate_files;
        paths.push_back(file.path.string() + "-cert.pub");
        for (const std::filesystem::path& path : paths) {
            ssh_key imported = nullptr;
            if (::ssh_pki_import_cert_file(path.c_str(), &imported) != SSH_OK)
                continue;
            Key certificate(imported);
            if (is_certificate_of(host_key_of(certificate.get()), host_key_of(key)))
                return certificate;
        }
        return nullptr;
    }

    Key private_key(const IdentityFile& file) {
        auto open = [&file](const char* passphrase) {
            ssh_key key = nullptr;
            // Always pass a passphrase: without one, libssh prompts on the terminal.
            ::ssh_pki_import_privkey_file(file.path.c_str(), passphrase, nullptr, nullptr, &key);
            return Key(key);
        };
        if (!file.encrypted) {
            Key key = open("");
            if (!key)
                unusable(file.path, "its format cannot be read");
            return key;
        }
        key_ring::Place place{"passphrase", file.path.string()};
        if (key_ring_)
            if (std::optional<Secret> secret = key_ring::find(place))
                if (Key key = open(secret->c_str()))
                    return key;
        if (asker_ == nullptr) {
            unusable(file.path, Message("its passphrase could not be requested: ssh-add {}", file.path.string()));
            return nullptr;
        }
        for (int attempt = 1; attempt <= kMostTries; ++attempt) {
            std::optional<SecretAnswer> answer = ask({SecretQuestion::Kind::passphrase, link_.host.alias, user_,
                                                      file.path.string(), "", false, attempt, key_ring_});
            if (!answer)
                return nullptr;
            if (Key key = open(answer->secret.c_str())) {
                if (answer->remember)
                    remember(place, answer->secret);
                return key;
            }
        }
        unusable(file.path, "the passphrase was wrong three times");
        return nullptr;
    }

    // --- passwords and prompts ---

    /// Asks the user and keeps the connection alive meanwhile.
    std::optional<SecretAnswer> ask(const SecretQuestion& question) {
        std::optional<SecretAnswer> answer = asker_->ask(question);
        static std::atomic<bool> told{false};
        if (const Message problem = secret_lock_problem(); !problem.empty() && !told.exchange(true)) {
            const Message text(
                "passwords in memory are not locked ({}), so the system may "
                "write them to swap: raise the limit on locked memory (ulimit "
                "-l)",
                problem);
            link_.note(text);
            asker_->say(link_.host.alias, text);
        }
        if (link_.cancel && link_.cancel->is_set())
            link_.fail(Cause::cancelled, Message("{}: cancelled", described(link_.host)));
        link_.heard_now();
        return answer;
    }

    void remember(const key_ring::Place& place, const Secret& secret) {
        try {
            key_ring::keep(place, secret);
        } catch (const UserError& error) {
            link_.note(error.message());
            asker_->say(link_.host.alias, Message("the {} was not saved: {}", place.kind, message_of(error)));
        }
    }

    key_ring::Place password_place() const { return {"password", link_.host.target()}; }

    int try_password(const Secret& secret) {
        return ask_server([&] { return ::ssh_userauth_password(link_.session, nullptr, secret.c_str()); });
    }

    int password() {
        if (key_ring_) {
            if (std::optional<Secret> secret = key_ring::find(password_place())) {
                int result = outcome(try_password(*secret), "the password of the key ring");
                if (result != SSH_AUTH_DENIED)
                    return result;
            }
        }
        for (int attempt = 1; asker_ != nullptr && attempt <= kMostTries; ++attempt) {
            std::optional<SecretAnswer> answer = ask({SecretQuestion::Kind::password, link_.host.alias, user_,
                                                      link_.host.target(), "", false, attempt, key_ring_});
            if (!answer)
                break;
            int result = outcome(try_password(answer->secret), Message("password"));
            if (result != SSH_AUTH_DENIED) {
                if (answer->remember)
                    remember(password_place(), answer->secret);
                return result;
            }
        }
        return SSH_AUTH_DENIED;
    }

    int dialogue() {
        for (int attempt = 1; attempt <= kMostTries; ++attempt) {
            Secret kept;
            bool from_ring = false, gave_up = false, asked = false;
            int result = ask_server([this] { return ::ssh_userauth_kbdint(link_.session, nullptr, nullptr); });
            while (result == SSH_AUTH_INFO) {
                int prompts = ::ssh_userauth_kbdint_getnprompts(link_.session);
                const HostText instruction = server_text(::ssh_userauth_kbdint_getinstruction(link_.session));
                for (int i = 0; i < prompts && !gave_up; ++i) {
                    char echo = 0;
                    auto index = static_cast<unsigned int>(i);
                    const char* text = ::ssh_userauth_kbdint_getprompt(link_.session, index, &echo);
                    std::string prompt = text != nullptr ? text : "";
                    // A stored password only answers the first prompt of a login: later prompts may ask for a new
                    // password or a code.
                    const bool for_password = !asked && prompts == 1 && echo == 0 &&
                                              is_login_password_prompt(prompt, user_) &&
                                              text::lower(instruction.text()).find("password") == std::string::npos;
                    asked = true;
                    std::optional<SecretAnswer> answer;
                    if (for_password && key_ring_ && attempt == 1)
                        if (std::optional<Secret> secret = key_ring::find(password_place())) {
                            answer = SecretAnswer{std::move(*secret), false};
                            from_ring = true;
                        }
                    if (!answer && asker_ != nullptr)
                        answer =
                            ask({for_password ? SecretQuestion::Kind::password : SecretQuestion::Kind::challenge,
                                 link_.host.alias, user_, for_password ? link_.host.target() : HostText(prompt).text(),
                                 instruction, echo != 0, attempt, for_password && key_ring_});
                    if (!answer) {
                        gave_up = true;
                        break;
                    }
                    ::ssh_userauth_kbdint_setanswer(link_.session, index, answer->secret.c_str());
                    if (answer->remember && for_password)
                        kept = answer->secret.copy();
                }
                if (gave_up)
                    return SSH_AUTH_DENIED;
                result = ask_server([this] { return ::ssh_userauth_kbdint(link_.session, nullptr, nullptr); });
            }
            if (!asked && result == SSH_AUTH_DENIED)
                return result;  // the server offers the method, but asks nothing
            result =
                outcome(result, from_ring ? Message("the password of the key ring") : Message("keyboard-interactive"));
            if (result != SSH_AUTH_DENIED) {
                if (!kept.empty())
                    remember(password_place(), kept);
                return result;
            }
        }
        return SSH_AUTH_DENIED;
    }

    Link& link_;
    Asker* asker_;
    bool key_ring_;
    std::string user_;
    int methods_ = 0;
    std::vector<Message> offered_, notes_;
    std::unique_ptr<AgentFilter> filter_;
};

}  // namespace

bool is_login_password_prompt(std::string_view prompt, std::string_view user) {
    std::string text = text::lower(prompt);
    const std::string name = text::lower(user);
    const std::size_t begin = text.find_first_not_of(" \t\r\n");
    const std::size_t end = text.find_last_not_of(" \t\r\n:");
    if (begin == std::string::npos || end == std::string::npos || end < begin)
        return false;
    text = text.substr(begin, end - begin + 1);
    if (text.starts_with('(')) {  // a prompt such as "(me@host) Password", as OpenSSH's client shows it
        const std::size_t close = text.find(") ");
        if (close == std::string::npos || !text.substr(1).starts_with(name + "@"))
            return false;
        text = text.substr(close + 2);
    }
    if (text == "password" || text == "password for " + name || text == name + "'s password")
        return true;
    const bool one_word_of_host = text.find(' ') == text.rfind(' ');
    return (text.starts_with("password for " + name + "@") && text.find(' ', 13) == std::string::npos) ||
           (text.starts_with(name + "@") && text.ends_with("'s password") && one_word_of_host);
}

void authenticate(Link& link, Asker* asker, bool use_key_ring) {
    Authentication(link, asker, use_key_ring).run();
    link.note(Message("logged in as {} by {}", link.host.user, link.authenticated_by));
    link.start_asking_for_life();
}

}  // namespace trainyard::remote
