// What the schedule's parser refuses, whatever op it stands on.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{unknown schedule level 'warp'; expected block, thread, loop or leaf}}
#s = #lab.schedule<warp [8]>

// -----

// expected-error @+1 {{must not be negative, got -8; 0 leaves a dimension untiled}}
#s = #lab.schedule<block [-8]>

// -----

// expected-error @+1 {{expected integer value}}
#s = #lab.schedule<block [x]>

// -----

// expected-error @+1 {{expected '['}}
#s = #lab.schedule<block 8>

// -----

// expected-error @+1 {{expected valid keyword}}
#s = #lab.schedule<[8]>

// -----

// expected-error @+1 {{expected 'by' [rows, cols] after pack or stage}}
#s = #lab.schedule<loop [0, 0, 8] pack [1]>

// -----

// expected-error @+1 {{expected 'by' [rows, cols] after pack or stage}}
#s = #lab.schedule<loop [0, 0, 8] stage [1], loop [8, 0, 0]>

// -----

// expected-error @+1 {{by takes two tile sizes, [rows, cols], got 1}}
#s = #lab.schedule<loop [0, 0, 8] pack [1] by [16]>

// -----

// expected-error @+1 {{by takes two tile sizes, [rows, cols], got 3}}
#s = #lab.schedule<loop [0, 0, 8] pack [1] by [16, 16, 16]>

// -----

// expected-error @+1 {{must not be negative, got -1; 0 leaves a dimension untiled}}
#s = #lab.schedule<loop [0, 0, 8] pack [-1] by [16, 16]>

// -----

// expected-error @+1 {{invalid kind of attribute specified}}
#s = #lab.schedule<leaf "outer">

// -----

// expected-error @+1 {{unknown leaf entry 'bodi'; legal: body, chunk, convert, dot, nontemporal, prefetch, unroll}}
#s = #lab.schedule<leaf {bodi = "outer"}>

// -----

// expected-error @+1 {{leaf entry body must be a string, got 1 : i64}}
#s = #lab.schedule<leaf {body = 1}>

// -----

// expected-error @+1 {{leaf entry dot must be a string, got unit}}
#s = #lab.schedule<leaf {dot}>

// -----

// expected-error @+1 {{leaf entry prefetch must be a number of bytes, 0 or more, got "near"}}
#s = #lab.schedule<leaf {prefetch = "near"}>

// -----

// expected-error @+1 {{leaf entry prefetch must be a number of bytes, 0 or more, got -64 : i64}}
#s = #lab.schedule<leaf {prefetch = -64}>

// -----

// expected-error @+1 {{leaf entry chunk must be a number, 1 or more, got 0 : i64}}
#s = #lab.schedule<leaf {chunk = 0}>

// -----

// expected-error @+1 {{leaf entry nontemporal takes no value, got true}}
#s = #lab.schedule<leaf {nontemporal = true}>

// -----

// expected-error @+1 {{leaf entry unroll must be a number, 1 or more, got 18446744073709551616 : i128}}
#s = #lab.schedule<leaf {unroll = 18446744073709551616 : i128}>

// -----

// expected-error @+1 {{a schedule has one thread level at most, got 2; make the others loop levels}}
#s = #lab.schedule<block [8] threads 8, thread [4] threads 4, thread [1]>

// -----

// expected-error @+1 {{level 2 (block [4]) stands within another one, and work units are dealt from the outside; put it first or make it a loop level}}
#s = #lab.schedule<loop [8], block [4]>

// -----

// expected-error @+1 {{level 1 (block [281474976710657]) has a tile of 281474976710657; the largest legal one is 281474976710656}}
#s = #lab.schedule<block [281474976710657]>

// -----

// expected-error @+1 {{a schedule has 8 levels at most, got 9; leave some out}}
#s = #lab.schedule<loop [8], loop [8], loop [8], loop [8], loop [8], loop [8], loop [8], loop [8], loop [8]>

// -----

// All of 256 threads would do the same.
// expected-error @+1 {{level 1 (block [64]) has 256 threads, and no thread level deals tiles to them; add one or leave `threads` out}}
#s = #lab.schedule<block [64] threads 256>

// -----

// expected-error @+1 {{level 2 (thread [4]) deals tiles to the threads of a block, and there is no block level; put one first}}
#s = #lab.schedule<loop [64], thread [4]>

// -----

// expected-error @+1 {{level 2 (thread [4]) lets 8 threads share a tile, and its block has 4; raise `threads` of level 1 or lower these}}
#s = #lab.schedule<block [64] threads 4, thread [4] threads 8>

// -----

// expected-error @+1 {{level 1 (block [8, 8, 0]) copies operand 1 twice; name it once}}
#s = #lab.schedule<block [8, 8, 0] pack [1] stage [0, 1] by [4, 4]>

// -----

// A barrier that not all threads of a block reach.
// expected-error @+1 {{level 2 (thread [4, 4, 0]) copies operands for one thread, and copies are for a block; pack or stage at a level before the thread level}}
#s = #lab.schedule<block [8, 8, 0] threads 4, thread [4, 4, 0] stage [0] by [4, 4]>

// -----

// expected-error @+1 {{level 1 (block [8, 8, 0]) pads its tiles, and no level keeps their result; leave `pad` out, or add `keep` to the loop level before the thread level}}
#s = #lab.schedule<block [8, 8, 0] threads 4 pad, thread [4, 4, 0]>

// -----

// expected-error @+1 {{level 1 (block [8, 8, 0]) keeps a result, which only a loop level sums up; move `keep` to one}}
#s = #lab.schedule<block [8, 8, 0] threads 4 keep, thread [4, 4, 0]>

// -----

// The tiles of another column would be added to those that are kept.
// expected-error @+1 {{level 2 (loop [0, 8, 16]) keeps the result of one tile of c, so its loop is over dimension 2 alone; give dimensions 0 and 1 a tile of 0}}
#s = #lab.schedule<block [16, 16, 0] threads 16 pad, loop [0, 8, 16] pad keep pack [0, 1] by [1, 4], thread [2, 2, 0]>

// -----

// expected-error @+1 {{level 2 (loop [0, 0, 16]) keeps a result and is not followed by a thread level that is the last; end with one}}
#s = #lab.schedule<block [16, 16, 0], loop [0, 0, 16] keep>

// -----

// expected-error @+1 {{level 3 (thread [4, 4, 0]) lets 2 threads share a tile that is kept; legal: 1}}
#s = #lab.schedule<block [8, 8, 0] threads 4, loop [0, 0, 4] keep, thread [4, 4, 0] threads 2>
