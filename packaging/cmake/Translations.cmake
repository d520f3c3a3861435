# SPDX-License-Identifier: GPL-3.0-or-later
# Catalogues of the desktop's texts.
#
#   trainyard_translations(target)
#       resources/translations/trainyard_*.ts as .qm files and Qt's own texts in these languages become resources of the
#       target, under :/trainyard/translations. The target `translations` brings the .ts files up to the sources
#       (packaging/translations).

find_program(LRELEASE NAMES lrelease lrelease6 HINTS /usr/lib/qt6/bin "${Qt6_DIR}/../../../bin" "${Qt6_DIR}/../../qt6/bin")
find_path(QT_TRANSLATIONS_DIR qtbase_de.qm HINTS "${Qt6_DIR}/../../../translations" "${Qt6_DIR}/../../../../share/qt6/translations"
          PATHS /usr/share/qt6/translations /usr/share/qt/translations)

function(trainyard_translations target)
    if(NOT LRELEASE OR NOT QT_TRANSLATIONS_DIR)
        message(FATAL_ERROR "lrelease or the translations of Qt are missing: install the packages qt6-l10n-tools and "
                            "qt6-translations-l10n, or run packaging/setup.")
    endif()
    file(GLOB catalogues CONFIGURE_DEPENDS "${TRAINYARD_RESOURCES_DIR}/translations/trainyard_*.ts")
    set(folder "${CMAKE_CURRENT_BINARY_DIR}/translations")
    file(MAKE_DIRECTORY "${folder}")
    set(files)
    foreach(catalogue IN LISTS catalogues)
        get_filename_component(name "${catalogue}" NAME_WE)
        add_custom_command(OUTPUT "${folder}/${name}.qm" DEPENDS "${catalogue}"
                           COMMAND "${LRELEASE}" -silent "${catalogue}" -qm "${folder}/${name}.qm" VERBATIM)
        list(APPEND files "${folder}/${name}.qm")
        string(REPLACE "trainyard_" "qtbase_" of_qt "${name}.qm")
        if(EXISTS "${QT_TRANSLATIONS_DIR}/${of_qt}")
            configure_file("${QT_TRANSLATIONS_DIR}/${of_qt}" "${folder}/${of_qt}" COPYONLY)
            list(APPEND files "${folder}/${of_qt}")
        endif()
    endforeach()
    qt_add_resources(${target} translations PREFIX /trainyard/translations BASE "${folder}" FILES ${files})
endfunction()

add_custom_target(translations COMMAND "${PROJECT_SOURCE_DIR}/packaging/translations" "${TRAINYARD_RESOURCES_DIR}/translations"
                  "${PROJECT_BINARY_DIR}" VERBATIM)
