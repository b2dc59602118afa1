; A kernel that never ends.
define void @hang(ptr %alpha, ptr %x, ptr %y, i64 %begin, i64 %end) {
  br label %loop

loop:
  %value = load volatile float, ptr %x
  br label %loop
}
