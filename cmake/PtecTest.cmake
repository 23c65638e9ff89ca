# What tests and benchmarks share: archives made by program, child processes that are measured.
include_guard(GLOBAL)

add_library(ptec_test_support STATIC
  "${PROJECT_SOURCE_DIR}/tests/support/engine_archive.cpp"
  "${PROJECT_SOURCE_DIR}/tests/support/graph_archive.cpp"
  "${PROJECT_SOURCE_DIR}/tests/support/process.cpp"
  "${PROJECT_SOURCE_DIR}/tests/support/program_json.cpp"
  "${PROJECT_SOURCE_DIR}/tests/support/scratch.cpp"
  "${PROJECT_SOURCE_DIR}/tests/support/zip_repair.cpp"
  "${PROJECT_SOURCE_DIR}/tests/support/zip_writer.cpp")
target_include_directories(ptec_test_support PUBLIC "${PROJECT_SOURCE_DIR}")
target_link_libraries(ptec_test_support PUBLIC ptec_defaults
                      PRIVATE PkgConfig::deflate fmt::fmt)

add_executable(ptec-make-archive "${PROJECT_SOURCE_DIR}/tests/support/make_archive.cpp")
target_link_libraries(ptec-make-archive PRIVATE ptec_test_support CLI11::CLI11
                      fmt::fmt)
