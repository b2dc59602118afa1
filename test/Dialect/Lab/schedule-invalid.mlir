// What the schedule's parser refuses, whatever op it stands on.
// RUN: labgen-opt %s --split-input-file --verify-diagnostics

// expected-error @+1 {{unknown schedule level 'tile'; expected block, warp, loop, thread or kernel}}
#s = #lab.schedule<tile [8]>

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

// Words of older schedules.
// expected-error @+1 {{'leaf' has a new name; write `kernel<...>`}}
#s = #lab.schedule<leaf {body = "outer"}>

// -----

// expected-error @+1 {{'keep' has a new name; write `accumulate`}}
#s = #lab.schedule<block [8, 8, 0] threads 4, loop [0, 0, 4] pad keep, thread [4, 4, 0]>

// -----

// expected-error @+1 {{'chunk' has a new name; write `width`}}
#s = #lab.schedule<kernel<dot, chunk = 4>>

// -----

// expected-error @+1 {{'body' has a new name; write its value alone: `outer` or `dot`}}
#s = #lab.schedule<kernel<body = "outer">>

// -----

// expected-error @+1 {{a tile of a thread level has one thread; where lanes share it write `warp [...] lanes N`}}
#s = #lab.schedule<block [8] threads 8, thread [4] threads 4>

// -----

// expected-error @+1 {{unknown kernel word 'inner'; legal: outer, dot, integer_dot, extend, truncate, prefetch, width, unroll, nontemporal, lanes}}
#s = #lab.schedule<kernel<inner>>

// -----

// expected-error @+1 {{a tile has one micro-kernel, got 'outer' and 'dot'; leave one out (integer products are `integer_dot`)}}
#s = #lab.schedule<kernel<outer, dot = 1>>

// -----

// expected-error @+1 {{a schedule has one micro-kernel; leave the second `kernel` out}}
#s = #lab.schedule<kernel<outer>, kernel<outer>>

// -----

// expected-error @+1 {{unknown integer_dot 'amx'; legal: generic, pairs, quads}}
#s = #lab.schedule<kernel<integer_dot = amx>>

// -----

// expected-error @+1 {{kernel parameter integer_dot is for micro-kernel dot, got outer; leave it out}}
#s = #lab.schedule<kernel<outer, integer_dot = pairs>>

// -----

// expected-error @+1 {{kernel parameter prefetch must be a number from 0 to 281474976710656, got -64; nearest legal: 0}}
#s = #lab.schedule<kernel<prefetch = -64>>

// -----

// expected-error @+1 {{kernel parameter width must be a power of two from 1 to 256, got 12; nearest legal: 8}}
#s = #lab.schedule<kernel<width = 12>>

// -----

// expected-error @+1 {{kernel parameter width must be a power of two from 1 to 256, got 0; nearest legal: 1}}
#s = #lab.schedule<kernel<width = 0>>

// -----

// expected-error @+1 {{kernel parameter unroll must be a number from 1 to 64, got 4611686018427387904; nearest legal: 64}}
#s = #lab.schedule<kernel<unroll = 4611686018427387904>>

// -----

// expected-error @+1 {{nontemporal takes no value; write `nontemporal`}}
#s = #lab.schedule<kernel<nontemporal = true>>

// -----

// expected-error @+1 {{kernel parameter lanes is for tiles; a schedule says it by a level: write `warp [...] lanes 16`}}
#s = #lab.schedule<kernel<lanes = 16>>

// -----

// expected-error @+1 {{a warp level needs the number of lanes that share a tile; write `warp [...] lanes 32`}}
#s = #lab.schedule<block [8] threads 8, warp [4]>

// -----

// expected-error @+1 {{lanes must be a power of two from 2 to 1024, got 12; nearest legal: 8}}
#s = #lab.schedule<block [8] threads 8, warp [4] lanes 12>

// -----

// expected-error @+1 {{a schedule has one warp or thread level at most, got 2; make the others loop levels}}
#s = #lab.schedule<block [8] threads 8, warp [4] lanes 4, thread [1]>

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
// expected-error @+1 {{level 1 (block [64]) has 256 threads, and no warp or thread level deals tiles to them; add one or leave `threads` out}}
#s = #lab.schedule<block [64] threads 256>

// -----

// expected-error @+1 {{level 2 (thread [4]) deals tiles to the threads of a block, and there is no block level; put one first}}
#s = #lab.schedule<loop [64], thread [4]>

// -----

// expected-error @+1 {{level 2 (warp [4]) lets 8 lanes share a tile, and its block has 4 threads; raise `threads` of level 1 or lower `lanes`}}
#s = #lab.schedule<block [64] threads 4, warp [4] lanes 8>

// -----

// expected-error @+1 {{level 1 (block [8, 8, 0]) copies operand 1 twice; name it once}}
#s = #lab.schedule<block [8, 8, 0] pack [1] stage [0, 1] by [4, 4]>

// -----

// A barrier that not all threads of a block reach.
// expected-error @+1 {{level 2 (thread [4, 4, 0]) copies operands for one thread, and copies are for a block; pack or stage at a level before the warp or thread level}}
#s = #lab.schedule<block [8, 8, 0] threads 4, thread [4, 4, 0] stage [0] by [4, 4]>

// -----

// expected-error @+1 {{level 1 (block [8, 8, 0]) pads its tiles, and no level accumulates their result in registers; leave `pad` out, or add `accumulate` to the loop level before the thread level}}
#s = #lab.schedule<block [8, 8, 0] threads 4 pad, thread [4, 4, 0]>

// -----

// expected-error @+1 {{level 1 (block [8, 8, 0]) accumulates in registers, which only a loop level does; move `accumulate` to one}}
#s = #lab.schedule<block [8, 8, 0] threads 4 accumulate, thread [4, 4, 0]>

// -----

// The tiles of another column would be added to those in registers.
// expected-error @+1 {{level 2 (loop [0, 8, 16]) accumulates one tile of c in registers, so its loop is over dimension 2 alone; give dimensions 0 and 1 a tile of 0}}
#s = #lab.schedule<block [16, 16, 0] threads 16 pad, loop [0, 8, 16] pad accumulate pack [0, 1] by [1, 4], thread [2, 2, 0]>

// -----

// expected-error @+1 {{level 2 (loop [0, 0, 16]) accumulates in registers and is not followed by a thread level that is the last; end with one}}
#s = #lab.schedule<block [16, 16, 0], loop [0, 0, 16] accumulate>

// -----

// expected-error @+1 {{level 3 (warp [4, 4, 0]) lets 2 lanes share a tile that one thread accumulates in registers; make it a thread level}}
#s = #lab.schedule<block [8, 8, 0] threads 4, loop [0, 0, 4] accumulate, warp [4, 4, 0] lanes 2>

// -----

// expected-error @+1 {{'convert' has a new name; write `extend = [...]` and `truncate = [...]` with the types}}
#s = #lab.schedule<kernel<convert = "f8">>

// -----

// expected-error @+1 {{kernel parameter extend names 'bf16'; legal: floats of at most 8 bits}}
#s = #lab.schedule<kernel<extend = [f8E5M2, bf16]>>

// -----

// expected-error @+1 {{kernel parameter truncate names 'i8'; legal: floats of at most 8 bits}}
#s = #lab.schedule<kernel<truncate = [i8]>>
