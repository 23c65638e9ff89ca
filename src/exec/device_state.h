// Caches that stay on the device from run to run.
#pragma once

#include <set>
#include <string>

#include "ir/program.h"

namespace ptec::edge {

struct DeviceStateStats {
  int buffers = 0;  // that stay on a device
};

/// Each of the buffers `updated_in_place` (FQNs, see EngineMutationStats) that only delegates of
/// one device touch is planned in that device's memory: it needs no copy before the call, none
/// after it, and no write-back. Delegates that read the old value have to come first; else the
/// buffer stays where it is. Needs specs and write-backs, and no device copies yet.
DeviceStateStats keep_state_on_device(Program& program,
                                      const std::set<std::string, std::less<>>& updated_in_place);

}  // namespace ptec::edge
