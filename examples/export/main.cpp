// Exports one archive: export_example model.pt2 model.pte
#include <ptec/error.h>
#include <ptec/export.h>

#include <exception>
#include <iostream>

int main(int argc, char** argv) {
  if (argc != 3) {
    std::cerr << "usage: export_example INPUT.pt2 OUTPUT.pte\n";
    return ptec::error_code_exit_status(ptec::ErrorCode::InvalidArgument);
  }
  try {
    const ptec::ExportResult result = ptec::export_file(argv[1], argv[2]);
    for (const std::string& warning : result.report.warnings)
      std::cerr << "warning: " << warning << "\n";
    std::cout << argv[2] << ": " << result.size_bytes << " bytes\n";
    return 0;
  } catch (const ptec::Error& error) {
    for (const ptec::Problem& problem : error.problems())
      std::cerr << "error (" << ptec::error_code_name(error.code()) << "): " << problem.text()
                << "\n";
    return ptec::error_code_exit_status(error.code());
  } catch (const std::exception& error) {  // such as std::bad_alloc
    std::cerr << "error: " << error.what() << "\n";
    return 1;
  }
}
