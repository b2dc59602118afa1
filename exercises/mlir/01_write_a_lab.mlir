// Drill 1: write a lab by hand. It computes
//
//   quantize:m=16,k=96,in=f32,out=f4E2M1FN,group=32,scale=f8E8M0FNU,rule=rceil
//
// an MX format: codes of 4 bits, and per 32 neighbours a scale that is a power
// of two in one byte. Give the function its arguments, in the order of the
// spec's (labgen explain SPEC names them), and put one op of the lab dialect in
// it. docs/Dialects/Lab.md has an example of every op. Before you write, answer:
//
// a. How many bytes is a row of codes, and so what is the memref of q?
// b. How many scales does a row have?
// c. What does rule=rceil do with the largest value of a group that
//    rule=floor does not?
func.func @quantize() {
  return
}
