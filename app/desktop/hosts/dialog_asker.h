// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once
// Shows the questions of a connection as dialogs: passphrases, passwords, prompts of a server. Connections ask on their
// own threads and wait; only one dialog is shown at a time.

#include <condition_variable>
#include <deque>
#include <memory>
#include <mutex>

#include <QDialog>
#include <QObject>
#include <QPointer>

#include "remote/asker.h"
#include "widgets/forward.h"

namespace trainyard::desktop {

class SecretDialog : public QDialog {
    Q_OBJECT
  public:
    explicit SecretDialog(const remote::SecretQuestion& question, QWidget* parent = nullptr);
    ~SecretDialog() override;
    remote::SecretAnswer answer() const;

  private:
    QLineEdit* field_;
    QCheckBox* remember_;
};

class DialogAsker : public QObject, public remote::Asker {
    Q_OBJECT
  public:
    /// `window`: parent of the dialogs; close() must be called before it is destroyed. Threads that are not waited for
    /// may keep a reference for longer: the object is destroyed in its own thread once all of them have released it.
    static std::shared_ptr<DialogAsker> make(QWidget* window);
    ~DialogAsker() override;

    std::optional<remote::SecretAnswer> ask(const remote::SecretQuestion& question) override;
    void say(const std::string& host, const Message& line) override;

    /// Closes the open questions of a host without an answer.
    void dismiss(const QString& host);
    /// Closes all questions without an answer, including future ones.
    void close();
    SecretDialog* dialog() const { return dialog_; }

  signals:
    void said(const QString& host, const QString& line);

  private:
    explicit DialogAsker(QWidget* window);
    struct Asked {
        remote::SecretQuestion question;
        std::optional<remote::SecretAnswer> answer;
        bool done = false;
    };
    void showNext();
    void finish(const std::shared_ptr<Asked>& asked, std::optional<remote::SecretAnswer> answer);

    QWidget* window_;
    QPointer<SecretDialog> dialog_;
    std::mutex mutex_;
    std::condition_variable answered_;
    std::deque<std::shared_ptr<Asked>> waiting_;
    std::shared_ptr<Asked> shown_;
    bool closed_ = false;
};

}  // namespace trainyard::desktop
