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
