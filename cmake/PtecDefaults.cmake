# What every target is compiled with.
if(PROJECT_IS_TOP_LEVEL AND NOT CMAKE_BUILD_TYPE AND NOT CMAKE_CONFIGURATION_TYPES)
  set(CMAKE_BUILD_TYPE Release CACHE STRING "Build type" FORCE)
endif()
set(CMAKE_POSITION_INDEPENDENT_CODE ON)
set(CMAKE_CXX_EXTENSIONS OFF)

find_program(PTEC_CCACHE ccache)
if(PTEC_CCACHE AND NOT CMAKE_CXX_COMPILER_LAUNCHER)
  set(CMAKE_CXX_COMPILER_LAUNCHER "${PTEC_CCACHE}")
endif()

add_library(ptec_defaults INTERFACE)
target_compile_features(ptec_defaults INTERFACE cxx_std_20)
target_compile_options(ptec_defaults INTERFACE
  -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wold-style-cast -Werror)
if(CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_LESS 13)
  target_compile_options(ptec_defaults INTERFACE -Wno-restrict)  # g++ 12 warns about std::string's own code (GCC bug 105329)
endif()
target_include_directories(ptec_defaults INTERFACE "${PROJECT_SOURCE_DIR}/include")
if(CMAKE_BUILD_TYPE STREQUAL "Debug")
  target_compile_definitions(ptec_defaults INTERFACE _GLIBCXX_ASSERTIONS)
endif()
if(PTEC_SANITIZERS)
  list(JOIN PTEC_SANITIZERS "," ptec_sanitizers)
  add_compile_options(-fsanitize=${ptec_sanitizers} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${ptec_sanitizers})
endif()
if(PTEC_COVERAGE)
  add_compile_options(--coverage)
  add_link_options(--coverage)
endif()

# Lets a target, and with PUBLIC or INTERFACE what links it, find the headers of one room of src/ as "ROOM/x.h". Each room has an
# include folder of its own, which holds nothing but a link to it: a room that is not linked cannot be included.
function(ptec_room_headers target room scope)
  set(folder "${PROJECT_BINARY_DIR}/rooms/${target}")
  get_filename_component(parent "${folder}/${room}" DIRECTORY)
  file(MAKE_DIRECTORY "${parent}")
  file(CREATE_LINK "${PROJECT_SOURCE_DIR}/src/${room}" "${folder}/${room}" SYMBOLIC)
  target_include_directories(${target} ${scope} "$<BUILD_INTERFACE:${folder}>")
endfunction()

# The rooms so far, in order, for the test that tries wrong includes.
function(ptec_note_room room target)
  set_property(GLOBAL APPEND PROPERTY PTEC_ROOMS ${room})
  set_property(GLOBAL PROPERTY PTEC_ROOM_TARGET_${room} ${target})
endfunction()

# The library of one room: ptec_room(name SOURCES ... LINKS ... [PRIVATE_LINKS ...]). Links are the rooms before it that it may
# include. The target of room a/b is ptec_a_b.
function(ptec_room name)
  cmake_parse_arguments(arg "" "" "SOURCES;LINKS;PRIVATE_LINKS" ${ARGN})
  string(REPLACE "/" "_" target "ptec_${name}")
  add_library(${target} STATIC ${arg_SOURCES})
  target_link_libraries(${target} PUBLIC ptec_defaults ${arg_LINKS} PRIVATE ${arg_PRIVATE_LINKS})
  ptec_room_headers(${target} ${name} PUBLIC)
  ptec_note_room(${name} ${target})
  set_property(GLOBAL APPEND PROPERTY PTEC_ROOM_TARGETS ${target})
endfunction()
