# SPDX-License-Identifier: GPL-3.0-or-later
# cmake --install: programs, sample recipes, desktop entry. LibTorch stays where it is (a gigabyte in the cache or TORCH_DIR) and
# is found through the worker's run path. packaging/package makes packages of the components `engine` and `desktop`, with LibTorch.
# And the library for programs of others, component `development`:
#
#   find_package(Trainyard REQUIRED)
#   target_link_libraries(mine PRIVATE Trainyard::accelerator)      #include <trainyard/accelerator.h>

include(GNUInstallDirs)
foreach(_program trainyard trainyard-worker trainyard-desktop)
    if(TARGET ${_program})
        set_target_properties(${_program} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
        set(_component engine)
        if(_program STREQUAL "trainyard-desktop")
            set(_component desktop)
        endif()
        install(TARGETS ${_program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT ${_component})
    endif()
endforeach()
# As Accelerate has them: accelerate-launch and its kind (app/cli/main.cpp).
foreach(_command launch config env test estimate-memory merge-weights)
    set(_link "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}/trainyard-${_command}")
    file(MAKE_DIRECTORY "${CMAKE_RUNTIME_OUTPUT_DIRECTORY}")
    file(CREATE_LINK trainyard "${_link}" SYMBOLIC)
    install(FILES "${_link}" DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT engine)
endforeach()
if(TARGET trainyard_nccl)  # the worker loads it from its own folder at run time
    install(TARGETS trainyard_nccl LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT engine)
endif()
if(TARGET trainyard_arrow)  # programs load it from their own folder at run time
    install(TARGETS trainyard_arrow LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}" COMPONENT engine)
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/samples" DESTINATION "${CMAKE_INSTALL_DATADIR}/trainyard"
        COMPONENT engine FILES_MATCHING PATTERN "*.yaml" PATTERN "*.jsonl" PATTERN "*.csv" PATTERN "*.npz"
                                       PATTERN "plugin/*" PATTERN "programs/*")
install(FILES "${PROJECT_SOURCE_DIR}/resources/notebook/trainyard_notebook.py"
        DESTINATION "${CMAKE_INSTALL_DATADIR}/trainyard/notebook" COMPONENT engine)
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}"
        COMPONENT engine)
# The manual, with the pictures that its pages show, and the man pages.
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/manual" "${PROJECT_SOURCE_DIR}/resources/screenshots"
        DESTINATION "${CMAKE_INSTALL_DOCDIR}" COMPONENT engine FILES_MATCHING PATTERN "*.md" PATTERN "*.png"
        PATTERN "man" EXCLUDE)
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/manual/man/" DESTINATION "${CMAKE_INSTALL_MANDIR}/man1"
        COMPONENT engine FILES_MATCHING PATTERN "*.1")
if(TARGET trainyard-desktop)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications"
            COMPONENT desktop)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/org.trainyard.Trainyard.metainfo.xml"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/metainfo" COMPONENT desktop)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
            RENAME trainyard.xml COMPONENT desktop)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard.svg"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps" COMPONENT desktop)
endif()

get_property(_libraries GLOBAL PROPERTY TRAINYARD_LIBRARIES)
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Trainyard")
install(TARGETS ${_libraries} trainyard_build EXPORT Trainyard ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/trainyard"
        COMPONENT development INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}" "${CMAKE_INSTALL_INCLUDEDIR}/trainyard")
install(EXPORT Trainyard NAMESPACE Trainyard:: FILE TrainyardTargets.cmake DESTINATION "${_package}" COMPONENT development)
# The public headers, <trainyard/...>, and in folders below them what they include and the parts of a recipe that a program can prepare.
get_property(_public GLOBAL PROPERTY TRAINYARD_PUBLIC_HEADERS)
list(REMOVE_DUPLICATES _public)
set(_parts base/cpu_affinity.h optim/torch_optimizer.h train/flat_model.h train/flat_optimizer.h train/health_options.h train/rate_schedule.h
           train/token_loader.h)
install(CODE "set(TRAINYARD_PUBLIC_HEADERS \"${_public}\")
set(TRAINYARD_PREPARED_PARTS \"${_parts}\")
set(TRAINYARD_ENGINE \"${PROJECT_SOURCE_DIR}/engine\")
set(TRAINYARD_INCLUDES \"${CMAKE_INSTALL_INCLUDEDIR}/trainyard\")" COMPONENT development)
install(SCRIPT "${PROJECT_SOURCE_DIR}/packaging/cmake/InstallHeaders.cmake" COMPONENT development)
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TrainyardConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/cmake/TrainyardConfig.cmake" "${PROJECT_SOURCE_DIR}/packaging/cmake/LibTorch.cmake"
              "${PROJECT_BINARY_DIR}/TrainyardConfigVersion.cmake" DESTINATION "${_package}"
        COMPONENT development)
