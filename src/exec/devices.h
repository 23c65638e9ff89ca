// Which tensors live on a GPU, and the copies between host and device.
#pragma once

#include <cstdint>
#include <optional>

#include "ir/program.h"

namespace ptec::edge {

inline constexpr std::string_view kHostToDevice = "et_copy::_h2d_copy.default";
inline constexpr std::string_view kDeviceToHost = "et_copy::_d2h_copy.default";

/// CUDA index of the device on which a delegate takes its arguments; nothing for the host. Throws
/// InvalidArgument for a target_device that is no `cpu`, `cuda` or `cuda:N`.
std::optional<std::int64_t> target_device(const Delegate& delegate);

struct DeviceStats {
  int host_to_device = 0;
  int device_to_host = 0;
  int round_trips_removed = 0;
};

/// For every delegate with a `target_device` compile spec on CUDA: each tensor argument is copied
/// to the device right before the call, results live on the device, and each result is copied back
/// right after it is taken, for all its users. A buffer that lives on the device already stays
/// there. A copy to the device of what was just copied from the same device is removed, and so is a
/// copy back that nothing uses any more. Needs specs. Throws as target_device does. Source:
/// ExecuTorch 1.4, exir/passes/propagate_device_pass.py.
DeviceStats place_devices(Program& program);

}  // namespace ptec::edge
