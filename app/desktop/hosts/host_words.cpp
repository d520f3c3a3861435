// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/hosts/host_words.h"

#include <cmath>
#include <map>
#include <set>

#include <QLocale>
#include <QRegularExpression>

#include "base/text.h"
#include "desktop/text/qt_text.h"
#include "desktop/text/translate.h"
#include "remote/quoting.h"
#include "widgets/local_text.h"

namespace trainyard::desktop {

using widgets::Chip;
using widgets::Token;

namespace {

constexpr double kClockLimit = 1;                     // seconds; certificates, logs and heartbeats are compared
constexpr std::uint64_t kLittleDisk = 5'000'000'000;  // bytes; the engine and a few checkpoints

const QString kDot = QStringLiteral("  ·  ");

QString memory(std::uint64_t bytes) {
    return qtNumber(text::memory_size(bytes));
}

QString signedSeconds(double seconds) {
    return (seconds < 0 ? QStringLiteral("−") : QStringLiteral("+")) + QLocale().toString(std::abs(seconds), 'f', 2) +
           QStringLiteral(" s");
}

QString coresLine(const remote::HostFacts& facts) {
    QStringList parts;
    if (facts.cores > 0)
        parts << (facts.cores == 1 ? tr("1 core") : tr("%1 cores").arg(facts.cores));
    if (facts.memory_bytes > 0)
        parts << memory(facts.memory_bytes);
    return parts.join(kDot);
}

/// Returns a title for the cause, which names the layer that failed.
QString layer(const std::string& cause) {
    static const std::map<std::string, const char*> titles{
        {"bad_settings", QT_TRANSLATE_NOOP("trainyard::desktop", "The settings for this host cannot be used")},
        {"name_not_found", QT_TRANSLATE_NOOP("trainyard::desktop", "The name was not found")},
        {"no_route", QT_TRANSLATE_NOOP("trainyard::desktop", "No route to host")},
        {"refused", QT_TRANSLATE_NOOP("trainyard::desktop", "Nothing listens on the port")},
        {"timed_out", QT_TRANSLATE_NOOP("trainyard::desktop", "No answer")},
        {"not_ssh", QT_TRANSLATE_NOOP("trainyard::desktop", "The host did not answer as an SSH server")},
        {"host_key_unknown", QT_TRANSLATE_NOOP("trainyard::desktop", "First contact: its key has to be confirmed")},
        {"host_key_changed", QT_TRANSLATE_NOOP("trainyard::desktop", "It shows a different host key")},
        {"host_key_revoked", QT_TRANSLATE_NOOP("trainyard::desktop", "Its host key is revoked")},
        {"authentication", QT_TRANSLATE_NOOP("trainyard::desktop", "Logging in was refused")},
        {"too_many_attempts",
         QT_TRANSLATE_NOOP("trainyard::desktop", "The server closed the connection: too many keys were offered")},
        {"jump_refused", QT_TRANSLATE_NOOP("trainyard::desktop", "The jump host does not forward the connection")},
        {"no_shell", QT_TRANSLATE_NOOP("trainyard::desktop", "The account cannot run commands")},
        {"shell_prints", QT_TRANSLATE_NOOP("trainyard::desktop", "The login shell prints text before commands run")},
        {"command_missing", QT_TRANSLATE_NOOP("trainyard::desktop", "A program is missing there")},
        {"no_space", QT_TRANSLATE_NOOP("trainyard::desktop", "No space is left there")},
        {"remote_file", QT_TRANSLATE_NOOP("trainyard::desktop", "A file there cannot be used")},
        {"connection_lost", QT_TRANSLATE_NOOP("trainyard::desktop", "The connection was lost")},
        {"cancelled", QT_TRANSLATE_NOOP("trainyard::desktop", "It was cancelled")},
    };
    const auto found = titles.find(cause);
    return found == titles.end() ? tr("The host could not be probed") : tr(found->second);
}

}  // namespace

Chip stateChip(HostState state) {
    struct Look {
        const char* word;
        const char* icon;
        Token token;
    };
    /// In the order of HostState.
    static constexpr Look looks[] = {
        {QT_TRANSLATE_NOOP("trainyard::desktop", "not asked"), "info", Token::TextSecondary},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "asking"), "clock", Token::Info},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "ready"), "check", Token::Ok},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "in use"), "check", Token::Ok},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "new key"), "key", Token::Warn},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "blocked"), "error", Token::Error},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "no answer"), "error", Token::Error},
        {QT_TRANSLATE_NOOP("trainyard::desktop", "not used"), "pause", Token::TextSecondary},
    };
    const Look& look = looks[static_cast<int>(state)];
    return {tr(look.word), QLatin1String(look.icon), look.token};
}

QString shortGpu(const QString& name) {
    static const QRegularExpression maker(
        QStringLiteral("^(NVIDIA|AMD|Intel\\(R\\)|Intel|Tesla)\\s+(GeForce\\s+)?(?=\\S)"));
    QString text = name.trimmed();
    return text.remove(maker);
}

QString linkKind(const remote::HostFacts& facts) {
    if (facts.gpus.size() < 2)
        return {};
    bool nvlink = false;
    for (const auto& line : facts.gpu_links)
        for (const std::string& link : line)
            nvlink = nvlink || link.starts_with("NV");
    if (nvlink)
        return QStringLiteral("NVLink");
    return facts.gpu_links.empty() ? QString() : QStringLiteral("PCIe");
}

QString cardLine(const HostRow& row) {
    const HostState state = row.state();
    if (!row.unusable.isEmpty())
        return tr("its settings cannot be used");
    if (state == HostState::NewKey)
        return tr("its key has to be confirmed once");
    if (state == HostState::Blocked)
        return tr("host key is not the one you accepted");
    if (state == HostState::Failed)
        return layer(row.answer->result.cause);
    if (!row.facts)
        return state == HostState::Asking ? tr("connecting…") : row.target;
    QStringList parts;
    std::map<std::string, int> cards;
    for (const remote::GpuFacts& gpu : row.facts->gpus)
        ++cards[gpu.name];
    for (const auto& [name, count] : cards)
        parts << tr("%1 × %2").arg(count).arg(shortGpu(qt(name)));
    if (cards.empty())
        parts << tr("no GPU") << coresLine(*row.facts);
    else if (const QString link = linkKind(*row.facts); !link.isEmpty())
        parts << link;
    return parts.join(kDot);
}

QVector<FactLine> systemLines(const remote::HostFacts& facts) {
    QVector<FactLine> lines;
    auto text = [](const std::string& value) { return qt(value); };
    QString system = text(facts.system);
    system.remove(QStringLiteral("GNU/Linux "));
    system.remove(QRegularExpression(QStringLiteral("\\s*\\([^)]*\\)$")));
    QStringList system_parts;
    if (!system.isEmpty())
        system_parts << system;
    QString kernel = text(facts.kernel).section(QLatin1Char('-'), 0, 0).section(QLatin1Char('.'), 0, 1);
    if (!kernel.isEmpty())
        system_parts << tr("kernel %1").arg(kernel);
    lines << FactLine{tr("OS"), widgets::list_text(system_parts), Token::Text,
                      text(facts.system) + QLatin1Char(' ') + text(facts.kernel)};
    lines << FactLine{tr("CPU"), facts.cores == 1 ? tr("1 core") : tr("%1 cores").arg(facts.cores), Token::Text,
                      text(facts.cpu)};
    if (facts.memory_bytes > 0)
        lines << FactLine{tr("RAM"),
                          tr("%1 of %2 free").arg(memory(facts.memory_available_bytes), memory(facts.memory_bytes))};
    if (facts.disk_total_bytes > 0)
        lines << FactLine{tr("Disk"), tr("%1 free").arg(qtNumber(text::file_size(facts.disk_free_bytes))),
                          facts.disk_free_bytes < kLittleDisk ? Token::Warn : Token::Text, text(facts.runs_folder)};
    if (facts.clock_offset_s)
        lines << FactLine{
            tr("Clock"), signedSeconds(*facts.clock_offset_s),
            std::abs(*facts.clock_offset_s) > kClockLimit + facts.clock_error_s ? Token::Warn : Token::Text,
            tr("compared with this machine, within %1 s").arg(QLocale().toString(facts.clock_error_s, 'f', 2))};
    if (facts.load_1m)
        lines << FactLine{tr("Load"), QLocale().toString(*facts.load_1m, 'f', 2)};
    return lines;
}

QVector<FactLine> versionLines(const remote::HostFacts& facts, const QString& engine) {
    auto shown = [](const std::string& value, const QString& none) {
        return FactLine{{}, value.empty() ? none : qt(value), value.empty() ? Token::TextMuted : Token::Text};
    };
    QVector<FactLine> lines;
    auto add = [&](const QString& label, FactLine line) {
        line.label = label;
        lines << line;
    };
    add(tr("Driver"), shown(facts.driver, tr("none")));
    add(tr("CUDA"), shown(facts.cuda, QStringLiteral("–")));
    add(tr("NCCL"), shown(facts.nccl, tr("comes with the engine")));
    FactLine installed = shown(facts.engine, facts.bundles.empty() ? tr("copied when needed") : tr("copied"));
    if (!engine.isEmpty() && qt(facts.engine) == engine)
        installed.ink = Token::Ok;
    add(tr("Engine"), installed);
    FactLine python = shown(facts.python, tr("none, not needed"));
    if (!facts.python.empty())
        python.value += facts.python_torch.empty() ? tr(", no torch") : tr(", torch %1").arg(qt(facts.python_torch));
    add(tr("Python"), python);
    add(tr("libc"), shown(facts.c_library, QStringLiteral("–")));
    return lines;
}

QString linksLine(const remote::HostFacts& facts) {
    QStringList parts;
    std::set<std::string> kinds;
    for (const auto& line : facts.gpu_links)
        for (const std::string& link : line)
            if (link != "X")
                kinds.insert(link);
    for (const std::string& kind : kinds)
        parts << (kind.starts_with("NV") ? tr("NVLink %1").arg(qt(kind.substr(2))) : qt(kind));
    std::map<std::string, int> ports;
    for (const remote::InfinibandFacts& port : facts.infiniband)
        if (port.state == "ACTIVE" || port.state.empty())
            ++ports[port.rate + (port.link == "InfiniBand" ? " IB" : "")];
    for (const auto& [rate, count] : ports)
        parts << tr("%1 × %2").arg(count).arg(qt(rate));
    if (parts.isEmpty())
        for (const remote::InterfaceFacts& each : facts.interfaces)
            if (!each.is_loopback())
                parts << qt(each.name + " " + each.address) +
                             (each.bits_per_s ? tr(", %1 Gb/s").arg(static_cast<double>(*each.bits_per_s) / 1e9)
                                              : QString());
    return widgets::list_text(parts);
}

QVector<Diagnosis> diagnose(const HostRow& row) {
    QVector<Diagnosis> all;
    if (!row.unusable.isEmpty())
        all << Diagnosis{true, tr("The settings for %1 cannot be used").arg(row.name()), row.unusable, {}};
    if (row.answer && !row.answer->result.facts)
        all << Diagnosis{true, tr("%1: %2").arg(row.title(), layer(row.answer->result.cause)),
                         qtSentence(row.answer->result.problem), qt(row.answer->result.command_to_try)};
    if (!row.answer || !row.answer->result.facts)
        return all;
    const remote::HostFacts& facts = *row.answer->result.facts;
    if (!facts.gpu_problem.empty())
        all << Diagnosis{
            false, tr("The GPU driver of %1 does not work").arg(row.title()),
            qtSentence(facts.gpu_problem) + tr(" Install the driver again or restart the host; runs on the CPU work."),
            QStringLiteral("nvidia-smi")};
    if (!facts.driver.empty() && qt(facts.driver).section(QLatin1Char('.'), 0, 0).toInt() < remote::kOldestDriver)
        all << Diagnosis{false, tr("The driver of %1 is too old").arg(row.title()),
                         tr("Driver %1 supports CUDA up to %2; the engine needs %3 or newer on GPUs. Update the "
                            "driver; runs on the CPU work.")
                             .arg(qt(facts.driver), qt(facts.cuda))
                             .arg(remote::kOldestDriver),
                         QStringLiteral("nvidia-smi")};
    if (facts.clock_offset_s && std::abs(*facts.clock_offset_s) > kClockLimit + facts.clock_error_s)
        all << Diagnosis{
            false, tr("The clock of %1 is off by %2").arg(row.title(), signedSeconds(*facts.clock_offset_s)),
            tr("The times in its logs will not match those of other hosts. Enable time synchronisation (NTP) on it."),
            QStringLiteral("timedatectl set-ntp true")};
    if (facts.disk_total_bytes > 0 && facts.disk_free_bytes < kLittleDisk)
        all << Diagnosis{false, tr("Little space is left on %1").arg(row.title()),
                         tr("%1 free in %2: make room, or choose another folder for runs in its settings.")
                             .arg(qtNumber(text::file_size(facts.disk_free_bytes)), qt(facts.runs_folder)),
                         QStringLiteral("df -h ") + qt(remote::shell_quote(facts.runs_folder))};
    return all;
}

}  // namespace trainyard::desktop
