#include "widgets/languages.h"

#include <algorithm>
#include <clocale>
#include <functional>
#include <memory>
#include <mutex>
#include <utility>

#include <QCoreApplication>
#include <QDir>
#include <QFile>
#include <QLocale>
#include <QRegularExpression>
#include <QTranslator>

#include "widgets/sentences.h"

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

/// Of the engine's tables.
QString words_of_tables(const QString& english) {
    const QString words = QCoreApplication::translate("trainyard::engine", english.toUtf8().constData());
    return words == english ? QString() : words;
}

/// Of one language; the catalogue is read at the first use.
class EngineSentences {
  public:
    using Catalogue = std::function<std::vector<Sentences::Form>()>;
    explicit EngineSentences(Catalogue catalogue) : catalogue_(std::move(catalogue)) {}
    const Sentences& sentences() {
        std::call_once(read_, [this] { sentences_ = std::make_unique<Sentences>(catalogue_(), words_of_tables); });
        return *sentences_;
    }

  private:
    Catalogue catalogue_;
    std::once_flag read_;
    std::unique_ptr<Sentences> sentences_;
};

std::mutex sentences_mutex;
std::shared_ptr<EngineSentences> engine_sentences;

void install(EngineSentences::Catalogue catalogue) {
    const std::lock_guard lock(sentences_mutex);
    engine_sentences = std::make_shared<EngineSentences>(std::move(catalogue));
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
    widgets::install([chosen] {
        QFile file(kCatalogues + QStringLiteral("/sentences_%1.ts").arg(chosen));
        return file.open(QIODevice::ReadOnly) ? Sentences::formsOf(file) : std::vector<Sentences::Form>();
    });

    const QLocale own(chosen);
    const QLocale system = QLocale::system();
    const bool same = (system.language() == own.language() && system.script() == own.script()) ||
                      (chosen == kEnglish && system.language() == QLocale::C);
    QLocale::setDefault(same ? system : own);
    // QApplication takes the numbers of the system for strtod() and printf() as well, with which files are read and written.
    std::setlocale(LC_NUMERIC, "C");
}

void install_sentences(std::vector<Sentences::Form> forms) {
    install([forms = std::move(forms)] { return forms; });
}

QString Languages::current() {
    const QCoreApplication* application = QCoreApplication::instance();
    const QList<Catalogue*> catalogues = application == nullptr ? QList<Catalogue*>() : installed(application);
    return catalogues.isEmpty() ? QString() : catalogues.first()->objectName();
}

QString local_sentence(const QString& english) {
    std::shared_ptr<EngineSentences> current;
    {
        const std::lock_guard lock(sentences_mutex);
        current = engine_sentences;
    }
    return current == nullptr ? english : current->sentences().translated(english);
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
