// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Runs the real program trainyard-desktop on Qt's offscreen platform with a plug-in that lets a test control it
// (support/hands): it can be started, used, killed and started again. Its settings and state are in the folders of the
// test (support/qt_main.cpp).
//
//     test::DesktopProgram window;
//     window.start({folder});
//     ASSERT_TRUE(window.until({"seen", "Loss"}, true));
//     window.ask({"wheel", "Loss", 4});
//     window.kill();

#include <csignal>

#include <QElapsedTimer>
#include <QJsonArray>
#include <QJsonDocument>
#include <QProcess>
#include <QProcessEnvironment>
#include <QThread>

namespace trainyard::test {

class DesktopProgram {
  public:
    static constexpr int kPatience = 60'000;  ///< ms; generous, because the machine may be loaded

    DesktopProgram() {
        QProcessEnvironment environment = QProcessEnvironment::systemEnvironment();
        environment.insert(QStringLiteral("QT_QPA_PLATFORM"), QStringLiteral("offscreen"));
        environment.insert(QStringLiteral("QT_PLUGIN_PATH"), QStringLiteral(TRAINYARD_HANDS_FOLDER));
        environment.insert(QStringLiteral("QT_QPA_GENERIC_PLUGINS"), QStringLiteral("hands"));
        process_.setProcessEnvironment(environment);
        process_.setProcessChannelMode(QProcess::ForwardedErrorChannel);
    }
    ~DesktopProgram() { kill(); }

    bool start(const QStringList& words = {}) {
        process_.start(QStringLiteral(TRAINYARD_BIN_DIR "/trainyard-desktop"), words);
        return process_.waitForStarted(kPatience);
    }
    /// SIGKILL, so that the program cannot clean up.
    void kill() {
        if (process_.state() == QProcess::NotRunning)
            return;
        ::kill(static_cast<pid_t>(process_.processId()), SIGKILL);
        process_.waitForFinished(kPatience);
    }
    /// The answer of hands.cpp; undefined if the widget does not exist or the program has exited.
    QJsonValue ask(const QJsonArray& words) {
        process_.write(QJsonDocument(words).toJson(QJsonDocument::Compact) + '\n');
        while (!process_.canReadLine())
            if (!process_.waitForReadyRead(kPatience))
                return QJsonValue::Undefined;
        const QJsonArray said = QJsonDocument::fromJson(process_.readLine()).array();
        return said.isEmpty() ? QJsonValue(QJsonValue::Undefined) : said.first();
    }
    /// Retries until the condition is true, up to kPatience.
    template <class Holds>
    static bool wait(Holds holds) {
        QElapsedTimer clock;
        clock.start();
        while (!holds()) {
            if (clock.elapsed() > kPatience)
                return false;
            QThread::msleep(20);
        }
        return true;
    }
    /// Asks until the answer is as expected, or the program has exited.
    template <class Holds>
    requires std::is_invocable_r_v<bool, Holds, const QJsonValue&>
    bool until(const QJsonArray& words, Holds holds) {
        bool held = false;
        wait([&] { return (held = holds(ask(words))) || process_.state() == QProcess::NotRunning; });
        return held;
    }
    bool until(const QJsonArray& words, const QJsonValue& value) {
        return until(words, [&](const QJsonValue& said) { return said == value; });
    }

  private:
    QProcess process_;
};

}  // namespace trainyard::test
