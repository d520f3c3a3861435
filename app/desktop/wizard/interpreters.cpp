// SPDX-License-Identifier: GPL-3.0-or-later
#include "desktop/wizard/interpreters.h"

#include <algorithm>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QRegularExpression>
#include <QStandardPaths>

namespace trainyard::desktop {

namespace {

constexpr int kFoldersAbove = 3;
constexpr qint64 kMostText = 1 << 20;

QString text_of(const QString& path) {
    QFile file(path);
    return file.open(QIODevice::ReadOnly) ? QString::fromUtf8(file.read(kMostText)) : QString();
}

/// The first of the names that a folder has and that can be executed.
QString python_in(const QString& folder) {
    for (const char* name : {"/bin/python", "/bin/python3"})
        if (const QFileInfo file(folder + QLatin1String(name)); file.isFile() && file.isExecutable())
            return file.absoluteFilePath();
    return {};
}

/// Version of a distribution in a folder of packages, from the name of its metadata.
QString package_version(const QString& packages, const QString& package) {
    const QStringList found = QDir(packages).entryList({package + QStringLiteral("-*.dist-info")}, QDir::Dirs);
    return found.isEmpty() ? QString() : found.first().section(QLatin1Char('-'), 1, 1).remove(QStringLiteral(".dist"));
}

/// The folder of packages of lib/pythonX.Y.
QStringList package_folders(const QString& prefix) {
    QStringList folders;
    const QDir libraries(prefix + QStringLiteral("/lib"));
    for (const QString& name : libraries.entryList({QStringLiteral("python3*")}, QDir::Dirs))
        for (const char* packages : {"/site-packages", "/dist-packages"})
            folders << libraries.filePath(name + QLatin1String(packages));
    return folders;
}

QString torch_of(const QStringList& folders) {
    for (const QString& folder : folders)
        if (const QString version = package_version(folder, QStringLiteral("torch")); !version.isEmpty())
            return version;
    return {};
}

QString python_version(const QString& prefix, const QString& program) {
    static const QRegularExpression line(QStringLiteral("^version(?:_info)?\\s*=\\s*([0-9.]+)"),
                                         QRegularExpression::MultilineOption);
    if (const auto match = line.match(text_of(prefix + QStringLiteral("/pyvenv.cfg"))); match.hasMatch())
        return match.captured(1);
    // conda's metadata, then the name of the program itself.
    static const QRegularExpression conda(QStringLiteral("^python-([0-9]+(?:\\.[0-9]+)+)-"));
    for (const QString& name :
         QDir(prefix + QStringLiteral("/conda-meta")).entryList({QStringLiteral("python-[0-9]*.json")}, QDir::Files))
        if (const auto match = conda.match(name); match.hasMatch())
            return match.captured(1);
    static const QRegularExpression own(QStringLiteral("python([0-9]+\\.[0-9]+)$"));
    return own.match(QFileInfo(program).canonicalFilePath()).captured(1);
}

class Search {
  public:
    void add(const QString& folder, const QString& kind) {
        const QString program = python_in(folder);
        if (program.isEmpty() || std::ranges::find(found_, program, &Interpreter::path) != found_.end())
            return;
        const QString prefix = QDir::cleanPath(folder);
        found_ << Interpreter{program, kind, QFileInfo(prefix).fileName(), python_version(prefix, program),
                              torch_of(package_folders(prefix))};
    }
    void add_all(const QString& parent, const QString& kind) {
        for (const QString& name : QDir(parent).entryList(QDir::Dirs | QDir::NoDotAndDotDot))
            add(parent + QLatin1Char('/') + name, kind);
    }
    void add_near(QString folder) {
        for (int i = 0; i <= kFoldersAbove && !folder.isEmpty(); ++i) {
            for (const char* name : {".venv", "venv", "env", ".env"})
                if (const QString each = folder + QLatin1Char('/') + QLatin1String(name);
                    QFileInfo::exists(each + QStringLiteral("/pyvenv.cfg")))
                    add(each, QStringLiteral("venv"));
            if (QDir(folder).isRoot())
                return;
            folder = QFileInfo(folder).path();
        }
    }
    void add_system() {
        for (const char* name : {"python3", "python"}) {
            const QString program = QStandardPaths::findExecutable(QLatin1String(name));
            if (program.isEmpty())
                continue;
            const QString prefix = QFileInfo(QFileInfo(program).path()).path();
            if (std::ranges::find(found_, program, &Interpreter::path) == found_.end())
                found_ << Interpreter{
                    program, QStringLiteral("system"), QString(), python_version(prefix, program),
                    torch_of(package_folders(prefix) + package_folders(QStringLiteral("/usr/local")))};
            return;
        }
    }
    QVector<Interpreter> take() { return std::move(found_); }

  private:
    QVector<Interpreter> found_;
};

}  // namespace

QVector<Interpreter> find_interpreters(const QStringList& folders) {
    Search search;
    const QString home = QDir::homePath();
    for (const QString& folder : folders)
        if (!folder.isEmpty())
            search.add_near(QFileInfo(folder).absoluteFilePath());
    if (const QString active = qEnvironmentVariable("VIRTUAL_ENV"); !active.isEmpty())
        search.add(active, QStringLiteral("venv"));
    if (const QString active = qEnvironmentVariable("CONDA_PREFIX"); !active.isEmpty())
        search.add(active, QStringLiteral("conda"));
    for (const QString& line : text_of(home + QStringLiteral("/.conda/environments.txt")).split(QLatin1Char('\n')))
        if (!line.trimmed().isEmpty())
            search.add(line.trimmed(), QStringLiteral("conda"));
    for (const char* name : {"/miniconda3", "/anaconda3", "/miniforge3", "/mambaforge"}) {
        search.add(home + QLatin1String(name), QStringLiteral("conda"));
        search.add_all(home + QLatin1String(name) + QStringLiteral("/envs"), QStringLiteral("conda"));
    }
    search.add(QStringLiteral("/opt/conda"), QStringLiteral("conda"));
    search.add_all(QStringLiteral("/opt/conda/envs"), QStringLiteral("conda"));
    search.add_all(qEnvironmentVariable("PYENV_ROOT", home + QStringLiteral("/.pyenv")) + QStringLiteral("/versions"),
                   QStringLiteral("pyenv"));
    search.add_all(qEnvironmentVariable("WORKON_HOME", home + QStringLiteral("/.virtualenvs")), QStringLiteral("venv"));
    search.add_all(home + QStringLiteral("/.local/share/uv/python"), QStringLiteral("uv"));
    search.add_system();
    return search.take();
}

}  // namespace trainyard::desktop
