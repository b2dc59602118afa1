// Context.h - the context block of a report: when, on what, with which labgen.
#ifndef LABGEN_RUNTIME_MATRIX_CONTEXT_H
#define LABGEN_RUNTIME_MATRIX_CONTEXT_H

#include "lib/Spec/Manifest.h"
#include "runtime/report/Report.h"

namespace labgen {

/// Of this machine, now, for the kernels of `manifest`.
ReportContext hostContext(const Manifest &manifest);

} // namespace labgen

#endif // LABGEN_RUNTIME_MATRIX_CONTEXT_H
