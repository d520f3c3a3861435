// SPDX-License-Identifier: GPL-3.0-or-later
// Tests of alarms on their way to a command, a webhook and mail: formats of services, secrets, limits and retries.

#include <atomic>
#include <csignal>
#include <fstream>
#include <memory>
#include <sstream>
#include <thread>

#include <arpa/inet.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <netinet/in.h>
#include <nlohmann/json.hpp>
#include <openssl/evp.h>
#include <openssl/pem.h>
#include <openssl/ssl.h>
#include <openssl/x509v3.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#include "alarms/rule_watch.h"
#include "alarms/watcher.h"
#include "base/clock.h"
#include "base/error.h"
#include "base/file.h"
#include "support/fake_service.h"
#include "support/says.h"
#include "support/temporary_folder.h"

namespace trainyard::alarms {
namespace {

using test::FakeService;
using test::says;
using testing::_;
using testing::HasSubstr;
using testing::Not;
using Json = nlohmann::json;

class AlarmDelivery : public testing::Test {
  protected:
    void SetUp() override {
        ::setenv("XDG_CONFIG_HOME", folder_.path().c_str(), 1);
        // No key ring: secrets are in a private file.
        ::setenv("DBUS_SESSION_BUS_ADDRESS", "unix:path=/nonexistent/bus", 1);
        ::unsetenv("http_proxy");
        ::unsetenv("https_proxy");
    }
    static Alarm alarm() {
        return {.kind = "failed",
                .title = "llama: Run failed",
                .text = "rank 1 \"died\"\nof signal 9",
                .run = "20261128-llama-0a1f",
                .name = "llama",
                .host = "gpu-a",
                .folder = "/runs/llama",
                .step = 40,
                .time = 1'764'000'000};
    }
    Target webhook(WebhookFormat format = WebhookFormat::json) const {
        Target target;
        target.name = "chat";
        target.address = service_.address() + "/hook";
        target.format = format;
        return target;
    }

    test::TemporaryFolder folder_;
    FakeService service_{[](const FakeService::Request&) { return FakeService::Answer{}; }};
};

TEST_F(AlarmDelivery, EachServiceGetsItsForm) {
    const auto sent = [&](Target target) {
        const Delivery delivery = deliver(target, alarm());
        EXPECT_EQ(delivery.problem, "") << delivery.problem;
        return service_.requests().back();
    };
    FakeService::Request own = sent(webhook());
    EXPECT_EQ(own.method, "POST");
    EXPECT_EQ(own.path, "/hook");
    EXPECT_EQ(own.headers["content-type"], "application/json");
    const Json json = Json::parse(own.body);
    EXPECT_EQ(json["kind"], "failed");
    EXPECT_EQ(json["text"], "rank 1 \"died\"\nof signal 9");
    EXPECT_EQ(json["step"], 40);
    EXPECT_EQ(json["run"], "20261128-llama-0a1f");
    // By the documentation of each service.
    EXPECT_EQ(Json::parse(sent(webhook(WebhookFormat::slack)).body),
              (Json{{"text", "*llama: Run failed*\nrank 1 \"died\"\nof signal 9"}}));
    EXPECT_EQ(Json::parse(sent(webhook(WebhookFormat::discord)).body),
              (Json{{"content", "**llama: Run failed**\nrank 1 \"died\"\nof signal 9"},
                    {"allowed_mentions", {{"parse", Json::array()}}}}));
    EXPECT_EQ(Json::parse(sent(webhook(WebhookFormat::gotify)).body),
              (Json{{"title", "llama: Run failed"}, {"message", "rank 1 \"died\"\nof signal 9"}, {"priority", 5}}));
    FakeService::Request ntfy = sent(webhook(WebhookFormat::ntfy));
    EXPECT_EQ(ntfy.body, "rank 1 \"died\"\nof signal 9");
    EXPECT_EQ(ntfy.headers["title"], "llama: Run failed");
    Target custom = webhook(WebhookFormat::custom);
    custom.body = R"x({"chat_id": "7", "text": "{title}: {text} at {step} of {name} ({other})"})x";
    EXPECT_EQ(Json::parse(sent(custom).body)["text"],
              "llama: Run failed: rank 1 \"died\"\nof signal 9 at 40 of llama ({other})");
    // Values are parts of an address, and not an address.
    Target placed = webhook();
    placed.address += "/{name}?at={title}";
    EXPECT_EQ(sent(placed).path, "/hook/llama?at=llama%3A%20Run%20failed");
    // A long message is cut to what Discord takes.
    Alarm long_one = alarm();
    long_one.text = std::string(5000, 'x');
    EXPECT_LE(Json::parse(webhook_body(webhook(WebhookFormat::discord), long_one))["content"].get<std::string>().size(),
              2000u);
}

TEST_F(AlarmDelivery, ASecretIsInNeitherTheSettingsNorAMessage) {
    FakeService echo([](const FakeService::Request& request) {
        return FakeService::Answer{403, "no access for " + request.path + " " + request.headers.at("authorization")};
    });
    Target target = webhook();
    target.address = echo.address() + "/services/{secret}";
    target.headers = {"Authorization: Bearer {secret}"};
    Delivery delivery = deliver(target, alarm());
    EXPECT_THAT(delivery.problem.text(), says("the secret of {} is not stored on this machine: enter it again, or give "
                                              "it to `trainyard alarms secret {}`",
                                              "chat", "chat"));
    const fs::path file = keep_secret(target, remote::Secret{"T0/B1/abc"});
    ASSERT_FALSE(file.empty());
    struct stat info {};
    ASSERT_EQ(::stat(file.c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    delivery = deliver(target, alarm());
    EXPECT_EQ(echo.requests().back().path, "/services/T0/B1/abc");
    EXPECT_FALSE(delivery.may_retry) << "a refused login is refused again";
    EXPECT_THAT(delivery.problem.text(), HasSubstr("403"));
    EXPECT_THAT(delivery.problem.text(), Not(HasSubstr("abc")));
    Settings settings;
    settings.targets = {target};
    save_settings(settings);
    EXPECT_EQ(load_settings(), settings);
    EXPECT_THAT(read_file(settings_file()), Not(HasSubstr("abc")));
    ASSERT_EQ(::stat(settings_file().c_str(), &info), 0);
    EXPECT_EQ(info.st_mode & 0777, 0600u);
    forget_secret(target);
    EXPECT_FALSE(find_secret(target));
    // It is not sent to another machine unencrypted.
    target.address = "http://example.org/{secret}";
    EXPECT_THAT(problem_of(target).text(), says("the address of {} begins with http://, which would send its secret "
                                                "unencrypted: use https://",
                                                "chat"));
    target.address = "https://{secret}/x";
    EXPECT_THAT(problem_of(target).text(), says("the host in the address of {} cannot have a placeholder", "chat"));
    target.address = "https://{name}.example.org/x";
    EXPECT_THAT(problem_of(target).text(), says("the host in the address of {} cannot have a placeholder", "chat"));
    // Arguments of a program are in the list of processes.
    Target command;
    command.name = "phone";
    command.kind = TargetKind::command;
    command.command = {"/usr/bin/notify", "--token", "{secret}"};
    EXPECT_THAT(problem_of(command).text(), says("other users could read the secret of {} in the list of processes: "
                                                 "let the program read it from a file",
                                                 "phone"));
    // Each name has its own file.
    Target similar = target;
    similar.name = "my chat";
    keep_secret(similar, remote::Secret{"one"});
    similar.name = "my_chat";
    EXPECT_FALSE(find_secret(similar));
    // A server that does not speak TLS is not trusted with it.
    target.address = "https" + echo.address().substr(4) + "/{secret}";
    keep_secret(target, remote::Secret{"T0/B1/abc"});
    const std::size_t before = echo.requests().size();
    EXPECT_NE(deliver(target, alarm(), {.request = 3}).problem, "");
    EXPECT_EQ(echo.requests().size(), before);
    // If nothing listens there, the reason is a message of ours: that of the library is English in every language.
    target.address = "http://127.0.0.1:1/{secret}";
    keep_secret(target, remote::Secret{"T0/B1/abc"});
    EXPECT_THAT(
        deliver(target, alarm(), {.request = 3}).problem.text(),
        says("{} did not answer: {}", "127.0.0.1:1", "the connection was refused, or no route leads to the host"));
}

TEST_F(AlarmDelivery, ACommandIsStartedWithoutAShell) {
    const fs::path out = folder_.path() / "out", script = folder_.path() / "script";
    std::ofstream(script) << "#!/bin/sh\ncat > \"$1\"; printf %s \"$2\" > \"$1.word\"\n";
    fs::permissions(script, fs::perms::owner_all);
    Target target;
    target.name = "script";
    target.kind = TargetKind::command;
    target.command = {script.string(), out.string(), "{title}; touch $HOME/x `id` {other}"};
    EXPECT_EQ(deliver(target, alarm()).problem, "");
    EXPECT_EQ(Json::parse(read_file(out))["title"], "llama: Run failed");
    EXPECT_EQ(read_file(out.string() + ".word"), "llama: Run failed; touch $HOME/x `id` {other}");
    target.command = {"/bin/sh", "-c", "echo wrong >&2; exit 3"};
    EXPECT_EQ(deliver(target, alarm()).problem.text(), "/bin/sh ended with code 3: wrong");
    target.command = {"/nonexistent/program"};
    EXPECT_THAT(deliver(target, alarm()).problem.text(), HasSubstr("/nonexistent/program"));
    target.command = {"/bin/sleep", "60"};
    const double begin = monotonic_seconds();
    EXPECT_THAT(deliver(target, alarm(), {.command = 0.3}).problem.text(), HasSubstr("did not end within"));
    EXPECT_LT(monotonic_seconds() - begin, 20);
}

/// A certificate of a name, signed by an issuer; without an issuer self-signed.
class Certificate {
  public:
    Certificate(const std::string& name, const Certificate* issuer)
        : key(EVP_RSA_gen(2048), &::EVP_PKEY_free), certificate(::X509_new(), &::X509_free) {
        X509* made = certificate.get();
        ::X509_set_version(made, 2);
        ::ASN1_INTEGER_set(::X509_get_serialNumber(made), issuer == nullptr ? 1 : 2);
        ::X509_gmtime_adj(X509_getm_notBefore(made), -3600);
        ::X509_gmtime_adj(X509_getm_notAfter(made), 3600);
        ::X509_set_pubkey(made, key.get());
        ::X509_NAME_add_entry_by_txt(::X509_get_subject_name(made), "CN", MBSTRING_ASC,
                                     reinterpret_cast<const unsigned char*>(name.c_str()), -1, -1, 0);
        ::X509_set_issuer_name(made, ::X509_get_subject_name(issuer == nullptr ? made : issuer->certificate.get()));
        add(NID_basic_constraints, issuer == nullptr ? "critical,CA:TRUE" : "CA:FALSE");
        if (issuer != nullptr)
            add(NID_subject_alt_name, "DNS:" + name);
        ::X509_sign(made, issuer == nullptr ? key.get() : issuer->key.get(), ::EVP_sha256());
    }
    std::string pem() const {
        const std::unique_ptr<BIO, decltype(&::BIO_free)> out(::BIO_new(::BIO_s_mem()), &::BIO_free);
        ::PEM_write_bio_X509(out.get(), certificate.get());
        char* text = nullptr;
        const long size = BIO_get_mem_data(out.get(), &text);
        return {text, static_cast<std::size_t>(size)};
    }
    std::unique_ptr<EVP_PKEY, decltype(&::EVP_PKEY_free)> key;
    std::unique_ptr<X509, decltype(&::X509_free)> certificate;

  private:
    void add(int kind, const std::string& value) {
        const std::unique_ptr<X509_EXTENSION, decltype(&::X509_EXTENSION_free)> extension(
            ::X509V3_EXT_conf_nid(nullptr, nullptr, kind, value.c_str()), &::X509_EXTENSION_free);
        ::X509_add_ext(certificate.get(), extension.get(), -1);
    }
};

/// A mail server that takes one mail: plain, or encrypted from the start or from STARTTLS on.
class MailServer {
  public:
    explicit MailServer(MailSecurity security = MailSecurity::none, const Certificate* certificate = nullptr)
        : security_(security), context_(::SSL_CTX_new(::TLS_server_method()), &::SSL_CTX_free) {
        ::signal(SIGPIPE, SIG_IGN);  // of a client that refuses the certificate
        if (certificate != nullptr) {
            ::SSL_CTX_use_certificate(context_.get(), certificate->certificate.get());
            ::SSL_CTX_use_PrivateKey(context_.get(), certificate->key.get());
        }
        socket_ = ::socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        socklen_t size = sizeof address;
        if (::bind(socket_, reinterpret_cast<sockaddr*>(&address), sizeof address) != 0 || ::listen(socket_, 4) != 0 ||
            ::getsockname(socket_, reinterpret_cast<sockaddr*>(&address), &size) != 0)
            std::abort();
        port_ = ntohs(address.sin_port);
        thread_ = std::thread([this] { serve(); });
    }
    ~MailServer() {
        ::shutdown(socket_, SHUT_RDWR);
        if (thread_.joinable())
            thread_.join();
        ::close(socket_);
    }
    std::string address(const std::string& host = "127.0.0.1") const { return host + ":" + std::to_string(port_); }
    /// What the client sent. Waits until it has disconnected.
    const std::string& said() {
        if (thread_.joinable())
            thread_.join();
        return said_;
    }

  private:
    void serve() {
        client_ = ::accept4(socket_, nullptr, nullptr, SOCK_CLOEXEC);
        if (client_ < 0)
            return;
        if (security_ != MailSecurity::tls || encrypt())
            talk();
        ssl_.reset();
        ::close(client_);
    }
    bool encrypt() {
        ssl_.reset(::SSL_new(context_.get()));
        ::SSL_set_fd(ssl_.get(), client_);
        return ::SSL_accept(ssl_.get()) == 1;
    }
    void reply(const std::string& line) {
        if (ssl_)
            ::SSL_write(ssl_.get(), line.data(), static_cast<int>(line.size()));
        else [[maybe_unused]]
            const ssize_t n = ::send(client_, line.data(), line.size(), MSG_NOSIGNAL);
    }
    void talk() {
        reply("220 test ESMTP\r\n");
        bool data = false;
        std::string text;
        for (char buffer[4096];;) {
            const ssize_t n =
                ssl_ ? ::SSL_read(ssl_.get(), buffer, sizeof buffer) : ::recv(client_, buffer, sizeof buffer, 0);
            if (n <= 0)
                return;
            text.append(buffer, static_cast<std::size_t>(n));
            for (std::size_t end = text.find("\r\n"); end != std::string::npos; end = text.find("\r\n")) {
                const std::string line = text.substr(0, end + 2);
                text.erase(0, end + 2);
                said_ += (ssl_ ? "encrypted " : "") + line;
                if (data) {
                    if (line == ".\r\n") {
                        data = false;
                        reply("250 accepted\r\n");
                    }
                } else if (line.starts_with("DATA")) {
                    data = true;
                    reply("354 send the message\r\n");
                } else if (line.starts_with("STARTTLS")) {
                    reply("220 begin\r\n");
                    if (!encrypt())
                        return;
                } else if (line == "AUTH PLAIN\r\n") {
                    reply("334 \r\n");
                } else if (line.starts_with("AUTH") || line.starts_with("AG1l")) {
                    reply("235 welcome\r\n");
                } else if (line.starts_with("EHLO")) {
                    reply(security_ == MailSecurity::starttls && !ssl_
                              ? "250-test\r\n250 STARTTLS\r\n"
                              : "250-test\r\n250-AUTH PLAIN\r\n250 8BITMIME\r\n");
                } else {
                    reply(line.starts_with("QUIT") ? "221 bye\r\n" : "250 ok\r\n");
                }
            }
        }
    }
    MailSecurity security_;
    std::unique_ptr<SSL_CTX, decltype(&::SSL_CTX_free)> context_;
    std::unique_ptr<SSL, decltype(&::SSL_free)> ssl_{nullptr, &::SSL_free};
    int socket_ = -1, client_ = -1, port_ = 0;
    std::string said_;
    std::thread thread_;
};

TEST_F(AlarmDelivery, AMailHasItsHeadersAndText) {
    Target target;
    target.name = "me";
    target.kind = TargetKind::mail;
    target.from = "trainyard@example.org";
    target.to = {"me@example.org", "you@example.org"};
    target.security = MailSecurity::none;
    Alarm one = alarm();
    one.title = "läuft: Run failed";
    std::string said;
    {
        MailServer server;
        target.server = server.address();
        const Delivery delivery = deliver(target, one);
        EXPECT_EQ(delivery.problem, "") << delivery.problem;
        said = server.said();
    }
    EXPECT_THAT(said, HasSubstr("MAIL FROM:<trainyard@example.org>"));
    EXPECT_THAT(said, HasSubstr("RCPT TO:<me@example.org>"));
    EXPECT_THAT(said, HasSubstr("RCPT TO:<you@example.org>"));
    EXPECT_THAT(said, HasSubstr("Subject: =?UTF-8?Q?l=C3=A4uft=3A_Run_failed?=\r\n"));
    EXPECT_THAT(said, HasSubstr("\r\n\r\nrank 1 \"died\"\r\nof signal 9\r\n"));
    EXPECT_THAT(said, HasSubstr("step:   40"));
    // Encryption that is asked for is not left out silently.
    {
        MailServer server;
        target.server = server.address();
        target.security = MailSecurity::starttls;
        EXPECT_NE(deliver(target, one, {.request = 5}).problem, "") << "the server has no STARTTLS";
        EXPECT_EQ(server.said().find("DATA"), std::string::npos);
    }
    target.to = {"not an address"};
    EXPECT_THAT(problem_of(target).text(), says("{} is not a mail address", "not an address"));
    target.to = {"me@example.org"};
    target.user = "me";
    target.server = "mail.example.org";
    target.security = MailSecurity::none;
    EXPECT_THAT(problem_of(target).text(),
                says("the password of {} would be sent unencrypted: use starttls or tls", "me"));
}

TEST_F(AlarmDelivery, AMailIsEncryptedForAServerWhoseCertificateIsGood) {
    const Certificate issuer("Test issuer", nullptr), good("localhost", &issuer), other("mail.example.org", &issuer);
    const fs::path trusted = folder_.path() / "issuers.pem";
    write_file_atomically(trusted, issuer.pem());
    Target target;
    target.name = "me";
    target.kind = TargetKind::mail;
    target.from = "trainyard@example.org";
    target.to = {"me@example.org"};
    target.user = "me";
    ASSERT_FALSE(keep_secret(target, remote::Secret{"sesame"}).empty());
    for (const MailSecurity security : {MailSecurity::tls, MailSecurity::starttls}) {
        target.security = security;
        const auto send = [&](const Certificate& certificate) {
            MailServer server(security, &certificate);
            target.server = server.address("localhost");
            const Delivery delivery = deliver(target, alarm(), {.request = 10});
            return std::pair(delivery.problem.text(), server.said());
        };
        ::setenv("SSL_CERT_FILE", trusted.c_str(), 1);
        const auto [problem, said] = send(good);
        EXPECT_EQ(problem, "");
        EXPECT_THAT(said, HasSubstr("encrypted MAIL FROM:<trainyard@example.org>"));
        EXPECT_THAT(said, HasSubstr("encrypted of signal 9"));
        // AUTH PLAIN has "\0me\0sesame" in base64; it is never said unencrypted.
        EXPECT_THAT(said, HasSubstr("AG1lAHNlc2FtZQ=="));
        std::istringstream lines(said);
        for (std::string line; std::getline(lines, line);)
            EXPECT_TRUE(line.starts_with("encrypted ") || line.starts_with("EHLO") || line.starts_with("STARTTLS"))
                << line;
        for (const auto& [certificate, file] : {std::pair(&other, trusted.c_str()), {&good, ""}}) {
            ::setenv("SSL_CERT_FILE", file, 1);  // empty: the system's issuers
            const auto [refused, heard] = send(*certificate);
            EXPECT_THAT(refused, HasSubstr("the mail server localhost")) << "wrong name, or unknown issuer";
            EXPECT_THAT(heard, Not(HasSubstr("AUTH")));
            EXPECT_THAT(heard, Not(HasSubstr("signal 9")));
            EXPECT_THAT(refused, Not(HasSubstr("sesame")));
        }
    }
    ::unsetenv("SSL_CERT_FILE");
}

TEST_F(AlarmDelivery, AboveTheLimitOfAnHourAlarmsAreCountedInTheNextOne) {
    Target target = webhook();
    target.per_hour = 3;
    WatchOptions options;
    options.hour_s = 2;
    std::vector<std::string> reports;
    Courier courier(target, options, [&](const Message& words) { reports.push_back(words.text()); });
    for (int i = 0; i < 5; ++i)
        courier.send(alarm());
    EXPECT_EQ(courier.finish(20), 2u) << "two are over the limit";
    EXPECT_EQ(service_.requests().size(), 3u);
    ::usleep(2'100'000);
    courier.send(alarm());
    EXPECT_EQ(courier.finish(20), 0u);
    ASSERT_EQ(service_.requests().size(), 4u);
    EXPECT_THAT(Json::parse(service_.requests().back().body)["text"].get<std::string>(),
                HasSubstr("(2 alarms before this one were not sent: the limit is 3 in an hour.)"));
    EXPECT_TRUE(reports.empty());
}

TEST_F(AlarmDelivery, AWebhookThatDoesNotAnswerIsReportedOnceAndLosesNothing) {
    WatchOptions options;
    options.limits.request = 0.3;
    options.first_retry_s = 0.05;
    options.last_retry_s = 0.1;
    std::vector<std::string> reports;
    std::mutex mutex;
    Courier courier(webhook(), options, [&](const Message& words) {
        const std::lock_guard lock(mutex);
        reports.push_back(words.text());
    });
    service_.fail(1, 503);
    for (int i = 0; i < 3; ++i) {
        Alarm one = alarm();
        one.step = i;
        courier.send(one);
    }
    EXPECT_EQ(courier.finish(1.5), 3u);
    EXPECT_GE(service_.failed(), 3);
    {
        const std::lock_guard lock(mutex);
        ASSERT_EQ(reports.size(), 1u);
        EXPECT_THAT(reports.front(), HasSubstr("it is sent again later"));
        EXPECT_THAT(reports.front(), HasSubstr("503"));
    }
    service_.fail(0);
    EXPECT_EQ(courier.finish(20), 0u);
    ASSERT_EQ(service_.requests().size(), 3u);
    for (int i = 0; i < 3; ++i)
        EXPECT_EQ(Json::parse(service_.requests()[static_cast<std::size_t>(i)].body)["step"], i) << "in their order";
    EXPECT_EQ(reports.size(), 1u);
}

TEST_F(AlarmDelivery, RulesForMetricsAreReadAndFireOnceEach) {
    EXPECT_EQ(to_text(parse_metric_rules(" eval/accuracy < 0.5,train/grad_norm>10 ")),
              "eval/accuracy<0.5, train/grad_norm>10");
    for (const char* bad : {"eval/loss", ">3", "eval/loss>x", "a=1"})
        EXPECT_THROW(parse_metric_rules(bad), UserError) << bad;
    Rules rules;
    rules.metrics = parse_metric_rules("eval/accuracy<0.5, train/grad_norm>10");
    RuleWatch watch;
    Sight sight;
    sight.trains = true;
    sight.metrics = {{"eval/accuracy", 0.6}, {"train/grad_norm", 3}};
    sight.step = 1;
    EXPECT_TRUE(watch.observe(sight, rules, 0).empty());
    sight.metrics = {{"eval/accuracy", 0.4}, {"train/grad_norm", 11}};
    sight.step = 2;
    const std::vector<Notice> notices = watch.observe(sight, rules, 1);
    ASSERT_EQ(notices.size(), 2u);
    EXPECT_THAT(notices[0].message.text(), says("{} is {}, below {}", "eval/accuracy", "0.4", "0.5"));
    EXPECT_THAT(notices[1].message.text(), says("{} is {}, above {}", "train/grad_norm", "11", "10"));
    EXPECT_TRUE(watch.observe(sight, rules, 2).empty()) << "once";
}

TEST_F(AlarmDelivery, AFileWithAnErrorNamesIt) {
    std::filesystem::create_directories(settings_file().parent_path());
    for (const auto& [text, words] : {std::pair(R"({"rules": {"no_progres": {}}})", "no_progres"),
                                      {R"({"targets": [{"kind": "webhook"}]})", "name"},
                                      {R"({"targets": [{"name": "a", "adress": "x"}]})", "adress"},
                                      {R"({"targets": [{"name": "a", "address": "ftp://x"}]})", "https://"},
                                      {R"({"metrics": [{"metric": "a", "above": 1, "below": 2}]})", "above or below"},
                                      {R"({"rules": {"memory_above": {"limit": 200}}})", "at most 100"}}) {
        std::ofstream(settings_file()) << text;
        try {
            load_settings();
            ADD_FAILURE() << text;
        } catch (const UserError& error) {
            EXPECT_THAT(error.what(), HasSubstr(words));
            EXPECT_THAT(error.what(), HasSubstr("alarms.json"));
        }
    }
}

}  // namespace
}  // namespace trainyard::alarms
