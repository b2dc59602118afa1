// Rows.h - rows made by hand for the report tests.
#ifndef LABGEN_TEST_UNIT_REPORT_ROWS_H
#define LABGEN_TEST_UNIT_REPORT_ROWS_H

#include "lib/Spec/Row.h"

namespace labgen {

/// A timed quantize row at 80% of a measured roof of 100 GB/s.
inline Row quantizeRow() {
  Row row;
  row.spec = "quantize:m=4,k=64,in=f32,out=i8,group=32,scale=f32";
  row.target = "cpu:native";
  row.device = "cpu";
  row.chip = "A CPU, of \"this\" machine";
  row.status = RowStatus::Ok;
  row.cost = Cost{1024, 288, 512, 9.0};
  row.predictedSeconds = 13e-9;
  row.regime = "memory";
  row.time = TimeStats{16.4e-9, 1e-9, 100, "deviation"};
  row.cache = "warm";
  row.gbps = 80;
  row.gflops = 31;
  row.roof = RowRoof{100.0, 50.0, "measured", "avx512_bf16", 25.0, "avx2"};
  row.error = RowError{0.0123, 0.005, 0.004, 42.25, 0};
  row.bound = 0.0157;
  row.checked = "all";
  row.counts = RowCounts{};
  row.threads = 2;
  row.version = "0.1.0 (abc)";
  return row;
}

/// A row that is wrong, which never has a time.
inline Row wrongRow() {
  Row row;
  row.spec = "axpy:n=100,type=f32";
  row.target = "cpu:native";
  row.device = "cpu";
  row.status = RowStatus::Wrong;
  row.reason = "y[3] is 2, want 3";
  row.predictedSeconds = 2.5e-3;
  return row;
}

} // namespace labgen

#endif // LABGEN_TEST_UNIT_REPORT_ROWS_H
