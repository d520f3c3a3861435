# cmake --install: programs, sample recipes, desktop entry. LibTorch stays where it is (a gigabyte in the cache or TORCH_DIR) and
# is found through the worker's run path.

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
install(DIRECTORY "${PROJECT_SOURCE_DIR}/resources/samples" DESTINATION "${CMAKE_INSTALL_DATADIR}/trainyard"
        FILES_MATCHING PATTERN "*.yaml")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" "${PROJECT_SOURCE_DIR}/README.md" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
if(TARGET trainyard-desktop)
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard.desktop" DESTINATION "${CMAKE_INSTALL_DATADIR}/applications")
    install(FILES "${PROJECT_SOURCE_DIR}/packaging/trainyard.svg"
            DESTINATION "${CMAKE_INSTALL_DATADIR}/icons/hicolor/scalable/apps")
endif()
