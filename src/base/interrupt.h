// Owns the program's answer to SIGINT and SIGTERM: a flag that long work asks, and a descriptor
// that becomes readable, so that waiting in poll() ends at once. Only the command line installs the
// handlers.
#pragma once

#include "base/result.h"

namespace rangewise {

// Installs the handlers; a second signal of the same kind ends the process at once. Idempotent.
void InstallInterruptHandlers();

// The signal that arrived (SIGINT, SIGTERM), or 0.
int InterruptSignal();

// Becomes readable when a signal arrives and stays so; -1 while no handlers are installed.
int InterruptDescriptor();

// kInterrupted when a signal has arrived, else ok. Cheap: one relaxed load.
Status CheckInterrupt();

}  // namespace rangewise
