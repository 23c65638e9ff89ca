# Run by CTest with the variables that CMakeLists.txt here passes.
function(run)
  execute_process(COMMAND ${ARGN} RESULT_VARIABLE result OUTPUT_VARIABLE output ERROR_VARIABLE output)
  if(NOT result EQUAL 0)
    list(JOIN ARGN " " command)
    message(FATAL_ERROR "${command}: ${result}\n${output}")
  endif()
  set(output "${output}" PARENT_SCOPE)
endfunction()

function(expect_same_files one other)
  run("${CMAKE_COMMAND}" -E compare_files "${one}" "${other}")
endfunction()

set(prefix "${SCRATCH_DIR}/moved")
set(fixtures "${PROJECT_DIR}/tests/fixtures")
file(REMOVE_RECURSE "${SCRATCH_DIR}")
run("${CMAKE_COMMAND}" --install "${BUILD_DIR}" --prefix "${SCRATCH_DIR}/first")
file(RENAME "${SCRATCH_DIR}/first" "${prefix}")

run("${CMAKE_COMMAND}" -G "${GENERATOR}" -S "${PROJECT_DIR}/examples/export" -B "${SCRATCH_DIR}/build"
    "-DCMAKE_PREFIX_PATH=${prefix}" "-DCMAKE_CXX_COMPILER=${COMPILER}" "-DCMAKE_CXX_FLAGS=${FLAGS}")
run("${CMAKE_COMMAND}" --build "${SCRATCH_DIR}/build")
run("${SCRATCH_DIR}/build/export_example" "${fixtures}/zero_engine.pt2" "${SCRATCH_DIR}/example.pte")
expect_same_files("${SCRATCH_DIR}/example.pte" "${fixtures}/zero_engine.pte")

execute_process(COMMAND "${SCRATCH_DIR}/build/export_example" "${SCRATCH_DIR}/absent.pt2" "${SCRATCH_DIR}/absent.pte"
  RESULT_VARIABLE result ERROR_VARIABLE output)
if(NOT result EQUAL 3 OR NOT output MATCHES "^error \\(io\\): .*absent.pt2")
  message(FATAL_ERROR "an absent input gave ${result}: ${output}")
endif()

run("${prefix}/${BINDIR}/ptec" export "${fixtures}/mlp_static.pt2" -o "${SCRATCH_DIR}/tool.pte")
expect_same_files("${SCRATCH_DIR}/tool.pte" "${fixtures}/mlp_static.pte")

if(RUNNER)
  run("${prefix}/${BINDIR}/ptec" run "${fixtures}/zero_engine.pte")
  if(NOT output MATCHES "output 1: int64\\[2, 3\\]")
    message(FATAL_ERROR "ptec run printed:\n${output}")
  endif()
  run(readelf -d "${prefix}/${BINDIR}/ptec-run")
  if(NOT output MATCHES "R(UN)?PATH[^\n]*\\[\\$ORIGIN/[^]:]*\\]")
    message(FATAL_ERROR "ptec-run looks for its libraries outside of what was installed:\n${output}")
  endif()
endif()

# The page shows the example as it is; its first line, a comment, aside.
file(READ "${PROJECT_DIR}/docs/LIBRARY.md" page)
file(READ "${PROJECT_DIR}/examples/export/main.cpp" example)
string(FIND "${example}" "\n" first_line_end)
string(SUBSTRING "${example}" ${first_line_end} -1 example)
string(FIND "${page}" "${example}" position)
if(position EQUAL -1)
  message(FATAL_ERROR "docs/LIBRARY.md shows another program than examples/export/main.cpp")
endif()
