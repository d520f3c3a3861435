# cmake --install: programs, sample recipes, desktop entry. LibTorch stays where it is (a gigabyte in the cache or TORCH_DIR) and
# is found through the worker's run path. And the library for programs of others:
#
#   find_package(Trainyard REQUIRED)
#   target_link_libraries(mine PRIVATE Trainyard::accelerator)      #include "accelerator/accelerator.h"

include(GNUInstallDirs)
foreach(_program trainyard trainyard-worker trainyard-desktop)
    if(TARGET ${_program})
        set_target_properties(${_program} PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
        install(TARGETS ${_program} RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
    endif()
endforeach()
if(TARGET trainyard_nccl)  # looked for beside the worker
    set_target_properties(trainyard_nccl PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS trainyard_nccl LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
if(TARGET trainyard_arrow)  # looked for beside the program
    set_target_properties(trainyard_arrow PROPERTIES INSTALL_RPATH_USE_LINK_PATH ON)
    install(TARGETS trainyard_arrow LIBRARY DESTINATION "${CMAKE_INSTALL_BINDIR}")
endif()
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/samples" DESTINATION "${CMAKE_INSTALL_DATADIR}/trainyard"
        FILES_MATCHING PATTERN "*.yaml" PATTERN "*.jsonl")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET trainyard-desktop)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard-mime.xml" DESTINATION "${CMAKE_INSTALL_DATADIR}/mime/packages"
            RENAME trainyard.xml)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard.svg"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()

get_property(_libraries GLOBAL PROPERTY TRAINYARD_LIBRARIES)
set(_package "${CMAKE_INSTALL_LIBDIR}/cmake/Trainyard")
install(TARGETS ${_libraries} trainyard_build EXPORT Trainyard ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}/trainyard"
        INCLUDES DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/trainyard")
install(EXPORT Trainyard NAMESPACE Trainyard:: FILE TrainyardTargets.cmake DESTINATION "${_package}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/engine/" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}/trainyard"
        FILES_MATCHING PATTERN "*.h" PATTERN "gloo_abi" EXCLUDE PATTERN "worker" EXCLUDE)
include(CMakePackageConfigHelpers)
write_basic_package_version_file("${PROJECT_BINARY_DIR}/TrainyardConfigVersion.cmake" COMPATIBILITY SameMinorVersion)
install(FILES "${PROJECT_SOURCE_DIR}/packaging/cmake/TrainyardConfig.cmake" "${PROJECT_SOURCE_DIR}/packaging/cmake/LibTorch.cmake"
              "${PROJECT_BINARY_DIR}/TrainyardConfigVersion.cmake" DESTINATION "${_package}")
