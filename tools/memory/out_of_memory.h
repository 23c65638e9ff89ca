// What the tools do when memory runs out.
#pragma once

namespace ptec::cli {

/// To be called at the start of `main`: from here on memory that runs out is std::bad_alloc, which
/// the edge of the tool reports. Before, while the libraries start, nobody could catch it: the tool
/// says so and ends with the exit status of Limit.
void expect_out_of_memory();

}  // namespace ptec::cli
