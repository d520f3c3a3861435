// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/languages.h"

#include <algorithm>
#include <clocale>
#include <optional>
#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QLocale>
#include <QRegularExpression>
#include <QSet>
#include <QTranslator>

#include "widgets/local_text.h"

namespace trainyard::widgets {

namespace {

const QString kEnglish = QStringLiteral("en");
const QString kCatalogues = QStringLiteral(":/trainyard/translations");

/// A catalogue that is installed; its object name is the language.
class Catalogue : public QTranslator {
  public:
    using QTranslator::QTranslator;
};

QList<Catalogue*> installed(const QCoreApplication* application) {
    QList<Catalogue*> found;
    for (QObject* child : application->children())
        if (auto* catalogue = dynamic_cast<Catalogue*>(child))
            found << catalogue;
    return found;
}

void load(QCoreApplication& application, const QString& file, const QString& code) {
    auto* catalogue = new Catalogue(&application);
    catalogue->setObjectName(code);
    if (catalogue->load(file, kCatalogues))
        QCoreApplication::installTranslator(catalogue);
    else
        delete catalogue;
}

}  // namespace

const QVector<Languages::Language>& Languages::all() {
    static const QVector<Language> languages = [] {
        QVector<Language> found;
        for (const QString& file : QDir(kCatalogues).entryList({QStringLiteral("trainyard_*.qm")})) {
            const QString code = file.section(QLatin1Char('.'), 0, 0).section(QLatin1Char('_'), 1);
            // Qt calls it American English.
            found << Language{code, code == kEnglish ? QStringLiteral("English") : QLocale(code).nativeLanguageName()};
        }
        std::sort(found.begin(), found.end(), [](const Language& a, const Language& b) {
            return std::pair(a.code != kEnglish, a.name) < std::pair(b.code != kEnglish, b.name);
        });
        return found;
    }();
    return languages;
}

bool Languages::knows(const QString& code) {
    return std::any_of(all().begin(), all().end(), [&](const Language& language) { return language.code == code; });
}

QString Languages::among(const QStringList& preferred) {
    for (const QString& name : preferred) {
        const QLocale wanted(name);
        for (const Language& language : all()) {
            const QLocale offered(language.code);
            if (offered.language() == wanted.language() && offered.script() == wanted.script())
                return language.code;
        }
    }
    return kEnglish;
}

QString Languages::ofSystem() {
    return among(QLocale::system().uiLanguages());
}

void Languages::install(QCoreApplication& application, const QString& code) {
    const QString chosen = knows(code) ? code : kEnglish;
    for (Catalogue* catalogue : installed(&application)) {
        QCoreApplication::removeTranslator(catalogue);
        delete catalogue;
    }
    // The last one installed is asked first.
    load(application, QStringLiteral("qtbase_") + chosen, chosen);
    load(application, QStringLiteral("trainyard_") + chosen, chosen);

    const QLocale own(chosen);
    const QLocale system = QLocale::system();
    const bool same = (system.language() == own.language() && system.script() == own.script()) ||
                      (chosen == kEnglish && system.language() == QLocale::C);
    QLocale::setDefault(same ? system : own);
    // QApplication takes the numbers of the system for strtod() and printf() as well, with which files are read and written.
    std::setlocale(LC_NUMERIC, "C");
}

QString Languages::current() {
    const QCoreApplication* application = QCoreApplication::instance();
    const QList<Catalogue*> catalogues = application == nullptr ? QList<Catalogue*>() : installed(application);
    return catalogues.isEmpty() ? QString() : catalogues.first()->objectName();
}

namespace {
/// A number with groups, or with a unit: the engine formatted it for people. Other numbers may be values of a file,
/// which are shown as they are typed there, and versions.
bool is_quantity(const QString& text) {
    static const QRegularExpression form(QStringLiteral(
        "^[-+\u2212]?(?:[0-9]{1,3}(?:,[0-9]{3})+(?:\\.[0-9]+)?|"
        "[0-9]+\\.[0-9]+(?:e[-+]?[0-9]+)?[ \u00a0]?(?:[kMGTP]?i?B(?:/s)?|%|[mnµ]?s|min|h|d|[kMGTP]|x|×))$"));
    return text.size() < 40 && form.match(text).hasMatch();
}
}  // namespace

QString local_message(const Message& message) {
    if (message.form().empty())
        return QString::fromStdString(message.text());
    const QString translation = QCoreApplication::translate("trainyard::engine", message.form().c_str());
    if (message.values().empty())
        return translation;
    // The specification of a placeholder is the engine's: translations may leave it out.
    std::vector<bool> formatted(message.values().size());
    for_each_placeholder(
        message.form(), [](std::string_view) {},
        [&](std::size_t index, std::string_view spec) {
            if (index < formatted.size() && spec.find_first_of("fgeL") != std::string_view::npos)
                formatted[index] = true;
        });
    QString text;
    for_each_placeholder(
        translation.toStdString(),
        [&](std::string_view literal) {
            append_text(text, QString::fromUtf8(literal.data(), static_cast<qsizetype>(literal.size())));
        },
        [&](std::size_t index, std::string_view /*spec*/) {
            if (index >= message.values().size())
                return;
            const QString value = local_message(message.values()[index]);
            append_text(text, formatted[index] || is_quantity(value) ? local_number(value) : value);
        });
    return text;
}

namespace {

/// Returns whether a text begins with a word of the language, which takes a capital. Keys have dots, underscores,
/// figures or a colon; names of programs are known.
bool begins_with_word(const QString& text) {
    static const QSet<QString> names{
        QStringLiteral("activities"), QStringLiteral("basic"),       QStringLiteral("groups"),
        QStringLiteral("images"),     QStringLiteral("key"),         QStringLiteral("plugins"),
        QStringLiteral("csv"),        QStringLiteral("dvclive"),     QStringLiteral("ep"),
        QStringLiteral("libcrypto"),  QStringLiteral("libcurl"),     QStringLiteral("mpirun"),
        QStringLiteral("nesterov"),   QStringLiteral("nossh"),       QStringLiteral("nvme"),
        QStringLiteral("nvidia-smi"), QStringLiteral("sdpa"),        QStringLiteral("sp"),
        QStringLiteral("srun"),       QStringLiteral("ssh"),         QStringLiteral("ssh-copy-id"),
        QStringLiteral("sudo"),       QStringLiteral("tensorboard"), QStringLiteral("torch"),
        QStringLiteral("torchao"),    QStringLiteral("torchrun"),    QStringLiteral("tp"),
        QStringLiteral("trainyard"),  QStringLiteral("transformers")};
    // A Latin word in a Chinese text is a term, which has no capital there.
    static const QRegularExpression word(QStringLiteral("^(?!.*\\p{Han})(\\p{Ll}[\\p{L}-]*)(?=[,;:]?(\\s|$))"));
    const QRegularExpressionMatch first = word.match(text);
    return first.hasMatch() && !names.contains(first.captured(1));
}

bool takes_capital(const Message& message) {
    if (message.form().empty())
        return false;
    const QString translation = QCoreApplication::translate("trainyard::engine", message.form().c_str());
    std::optional<std::size_t> value;
    bool empty = true;
    if (!message.values().empty())
        for_each_placeholder(
            translation.toStdString(), [&](std::string_view literal) { empty = empty && literal.empty(); },
            [&](std::size_t index, std::string_view /*spec*/) {
                if (std::exchange(empty, false))
                    value = index;
            });
    if (value)
        return *value < message.values().size() && takes_capital(message.values()[*value]);
    return begins_with_word(translation);
}

}  // namespace

QString local_sentence(const Message& message) {
    QString text = local_message(message);
    if (!text.isEmpty() && takes_capital(message))
        text.front() = text.front().toUpper();
    return text;
}

QString local_number(QString english) {
    const QLocale locale;
    const QString point = locale.decimalPoint();
    if (point == QLatin1String("."))
        return english;
    static const QRegularExpression separator(QStringLiteral("(?<=[0-9])([.,])(?=[0-9])"));
    QString changed;
    qsizetype from = 0;
    for (auto all = separator.globalMatch(english); all.hasNext();) {
        const QRegularExpressionMatch match = all.next();
        changed += QStringView(english).mid(from, match.capturedStart() - from);
        changed += match.captured() == QLatin1String(".") ? point : locale.groupSeparator();
        from = match.capturedEnd();
    }
    changed += QStringView(english).mid(from);
    return changed;
}

}  // namespace trainyard::widgets
