# Libraries from the system; docs/ARCHITECTURE.md says what each is for.
find_package(PkgConfig REQUIRED)
find_package(simdjson REQUIRED)
find_package(FlatBuffers CONFIG REQUIRED)
find_package(fmt REQUIRED)
find_package(CLI11 REQUIRED)
find_package(Threads REQUIRED)
pkg_check_modules(deflate REQUIRED IMPORTED_TARGET libdeflate)
find_program(PTEC_FLATC flatc REQUIRED)
