// Interrupt.h - Ctrl-C as something a loop can ask about.
//
// A long job ends its current cell, leaves its files whole and says how to go
// on; so the signal only raises a flag, and a pipe wakes whoever waits in poll.
#ifndef LABGEN_RUNTIME_MATRIX_INTERRUPT_H
#define LABGEN_RUNTIME_MATRIX_INTERRUPT_H

namespace labgen {

/// From now on SIGINT and SIGTERM raise the flag in place of ending the
/// process.
void watchInterrupts();
bool interrupted();
/// Interrupted, and the last signal was SIGTERM.
bool terminated();
/// Readable once interrupted; -1 when not watching.
int interruptDescriptor();

} // namespace labgen

#endif // LABGEN_RUNTIME_MATRIX_INTERRUPT_H
