# The ExecuTorch C++ runtime, out of its Python wheel (scripts/setup.sh puts one into .venv):
#   ptec_et       runtime and headers: all that a delegate needs
#   ptec_et_full  and the CPU's kernels: for a runner
# Another wheel: -DPython3_EXECUTABLE=<python that has it> or -Dexecutorch_DIR=<site-packages>/executorch/share/cmake.
include_guard(GLOBAL)

if(NOT executorch_DIR)
  if(NOT Python3_EXECUTABLE AND EXISTS "${PROJECT_SOURCE_DIR}/.venv/bin/python")
    set(Python3_EXECUTABLE "${PROJECT_SOURCE_DIR}/.venv/bin/python")
  endif()
  if(NOT Python3_EXECUTABLE)
    find_package(Python3 3.10 REQUIRED COMPONENTS Interpreter)
  endif()
  execute_process(
    COMMAND "${Python3_EXECUTABLE}" -c "import importlib.util as u; s = u.find_spec('executorch'); print(next(iter(s.submodule_search_locations)) if s else '')"
    OUTPUT_VARIABLE ptec_et_root OUTPUT_STRIP_TRAILING_WHITESPACE)
  if(NOT ptec_et_root)
    message(FATAL_ERROR "${Python3_EXECUTABLE} has no package 'executorch'. Run scripts/setup.sh, or configure with -DPTEC_BUILD_RUNNER=OFF.")
  endif()
  set(executorch_DIR "${ptec_et_root}/share/cmake" CACHE PATH "CMake package of ExecuTorch" FORCE)
endif()
find_package(executorch 1.5 REQUIRED GLOBAL)

add_library(ptec_et INTERFACE)
add_library(ptec_et_full INTERFACE)
target_link_libraries(ptec_et_full INTERFACE ptec_et)
if(TARGET executorch::runtime)
  target_link_libraries(ptec_et INTERFACE executorch::runtime)
  target_link_libraries(ptec_et_full INTERFACE executorch::kernels_optimized)
else()  # the package makes its targets from CMake 3.28 on; before that it only sets variables
  target_include_directories(ptec_et SYSTEM INTERFACE ${EXECUTORCH_INCLUDE_DIRS})
  target_compile_definitions(ptec_et INTERFACE ${EXECUTORCH_COMPILE_DEFINITIONS})
  target_link_libraries(ptec_et INTERFACE "${EXECUTORCH_RUNTIME_LIBRARY_DIR}/libexecutorch.so"
                        "${EXECUTORCH_RUNTIME_LIBRARY_DIR}/libexecutorch_threadpool.so")
  # Kernels register themselves when they are loaded; nothing calls them by name, so the linker would drop them.
  target_link_libraries(ptec_et_full INTERFACE
    "-Wl,--push-state,--no-as-needed,${EXECUTORCH_RUNTIME_LIBRARY_DIR}/libexecutorch_kernels_optimized.so,--pop-state")
endif()
