; A kernel that stores where it may not.
define void @crash(ptr %alpha, ptr %x, ptr %y, i64 %begin, i64 %end) {
  store volatile i32 0, ptr inttoptr (i64 8 to ptr)
  ret void
}
