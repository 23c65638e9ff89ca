// Archives without engines and with very many nodes.
#pragma once

#include <cstdint>
#include <string>

namespace ptec::test {

/// Writes an archive whose program is a chain of `nodes` calls, relu and add in turn, on small
/// tensors. Every node carries metadata as torch writes it, cut short, so that a node and its value
/// take about 650 bytes of JSON. Returns the size of the JSON.
std::uint64_t write_graph_archive(const std::string& path, int nodes);

}  // namespace ptec::test
