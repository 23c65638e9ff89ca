# `cmake --install`: the tools, the public headers, one static library and a CMake package with the target ptec::ptec. What is
# installed can be moved: nothing in it names the folder that it was built in.
include(CMakePackageConfigHelpers)
include(GNUInstallDirs)

# One archive out of the rooms, so that there is one file to link.
get_property(ptec_rooms GLOBAL PROPERTY PTEC_ROOM_TARGETS)
set(ptec_objects $<TARGET_OBJECTS:ptec>)
foreach(room ${ptec_rooms})
  list(APPEND ptec_objects $<TARGET_OBJECTS:${room}>)
endforeach()
add_library(ptec_installed STATIC ${ptec_objects})
set_target_properties(ptec_installed PROPERTIES
  OUTPUT_NAME ptec
  EXPORT_NAME ptec
  LINKER_LANGUAGE CXX
  ARCHIVE_OUTPUT_DIRECTORY "${PROJECT_BINARY_DIR}/installed")
target_compile_features(ptec_installed INTERFACE cxx_std_20)
target_include_directories(ptec_installed INTERFACE "$<INSTALL_INTERFACE:${CMAKE_INSTALL_INCLUDEDIR}>")
target_link_libraries(ptec_installed PRIVATE fmt::fmt simdjson::simdjson PkgConfig::deflate)

set(ptec_package_dir "${CMAKE_INSTALL_LIBDIR}/cmake/ptec")
configure_package_config_file("${CMAKE_CURRENT_LIST_DIR}/ptec-config.cmake.in" "${PROJECT_BINARY_DIR}/ptec-config.cmake"
  INSTALL_DESTINATION "${ptec_package_dir}")
write_basic_package_version_file("${PROJECT_BINARY_DIR}/ptec-config-version.cmake" COMPATIBILITY SameMinorVersion)

install(TARGETS ptec_installed EXPORT ptec-targets ARCHIVE DESTINATION "${CMAKE_INSTALL_LIBDIR}")
install(DIRECTORY "${PROJECT_SOURCE_DIR}/include/ptec" DESTINATION "${CMAKE_INSTALL_INCLUDEDIR}")
install(EXPORT ptec-targets NAMESPACE ptec:: DESTINATION "${ptec_package_dir}")
install(FILES "${PROJECT_BINARY_DIR}/ptec-config.cmake" "${PROJECT_BINARY_DIR}/ptec-config-version.cmake"
  DESTINATION "${ptec_package_dir}")
install(TARGETS ptec_cli RUNTIME DESTINATION "${CMAKE_INSTALL_BINDIR}")
install(FILES "${PROJECT_SOURCE_DIR}/LICENSE" DESTINATION "${CMAKE_INSTALL_DOCDIR}")
