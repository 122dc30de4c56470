;; Fingerprints of adjacency lists, four lanes at a time (arc-fingerprint.ts, which says what they are).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
;; Memory: keys of the hash of smaller ends, two vectors, and of larger ends, two; from 64 on the sums of both halves, a vector each;
;; from 96 on the arcs of each half, of the last call.
(module
  (memory (export "memory") 1)

  (func $hash (param $word i32) (param $first v128) (param $second v128) (result v128)
    (local $x v128)
    (local.set $x (v128.xor (i32x4.splat (local.get $word)) (local.get $first)))
    (local.set $x (v128.xor (i32x4.mul
      (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 16)))
      (i32x4.splat (i32.const 0x21f0aaad))) (local.get $second)))
    (local.set $x (i32x4.mul
      (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 15)))
      (i32x4.splat (i32.const 0x735a2d97))))
    (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 15))))

  ;; Adds `lists` lists: of each its vertex, the least target that it may go on with, and where it ends, at `heads`, 12 bytes each;
  ;; the first begins at `at`. Returns 1 where each ascends strictly and has not its own vertex.
  (func (export "add") (param $lists i32) (param $heads i32) (param $at i32) (result i32)
    (local $s0 v128) (local $s1 v128) (local $l0 v128) (local $l1 v128)
    (local $u i32) (local $least i32) (local $end i32) (local $v i32) (local $begin i32)
    (local $sum v128) (local $upper v128) (local $lower v128) (local $uppers i32) (local $lowers i32)
    (local.set $s0 (v128.load (i32.const 0)))
    (local.set $s1 (v128.load (i32.const 16)))
    (local.set $l0 (v128.load (i32.const 32)))
    (local.set $l1 (v128.load (i32.const 48)))
    (local.set $upper (v128.load (i32.const 64)))
    (local.set $lower (v128.load (i32.const 80)))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $lists)))
      (local.set $u (i32.load (local.get $heads)))
      (local.set $least (i32.load offset=4 (local.get $heads)))
      (local.set $end (i32.load offset=8 (local.get $heads)))
      (local.set $begin (local.get $at))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      ;; Neighbours below u: u is the larger end.
      (block $middle (loop $below
        (br_if $middle (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (i32.load (local.get $at)))
        (br_if $middle (i32.ge_u (local.get $v) (local.get $u)))
        (if (i32.lt_u (local.get $v) (local.get $least)) (then (return (i32.const 0))))
        (local.set $least (i32.add (local.get $v) (i32.const 1)))
        (local.set $sum (i32x4.add (local.get $sum) (call $hash (local.get $v) (local.get $s0) (local.get $s1))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $below)))
      (if (i32.ne (local.get $at) (local.get $begin)) (then
        (local.set $lower (i32x4.add (local.get $lower)
          (i32x4.mul (call $hash (local.get $u) (local.get $l0) (local.get $l1)) (local.get $sum))))
        (local.set $lowers (i32.add (local.get $lowers)
          (i32.shr_u (i32.sub (local.get $at) (local.get $begin)) (i32.const 2))))))
      (local.set $begin (local.get $at))
      (local.set $sum (v128.const i32x4 0 0 0 0))
      (block $over (loop $above
        (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $v (i32.load (local.get $at)))
        (if (i32.or (i32.lt_u (local.get $v) (local.get $least)) (i32.eq (local.get $v) (local.get $u)))
          (then (return (i32.const 0))))
        (local.set $least (i32.add (local.get $v) (i32.const 1)))
        (local.set $sum (i32x4.add (local.get $sum) (call $hash (local.get $v) (local.get $l0) (local.get $l1))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $above)))
      (if (i32.ne (local.get $at) (local.get $begin)) (then
        (local.set $upper (i32x4.add (local.get $upper)
          (i32x4.mul (call $hash (local.get $u) (local.get $s0) (local.get $s1)) (local.get $sum))))
        (local.set $uppers (i32.add (local.get $uppers)
          (i32.shr_u (i32.sub (local.get $at) (local.get $begin)) (i32.const 2))))))
      (local.set $heads (i32.add (local.get $heads) (i32.const 12)))
      (local.set $lists (i32.sub (local.get $lists) (i32.const 1)))
      (br $next)))
    (v128.store (i32.const 64) (local.get $upper))
    (v128.store (i32.const 80) (local.get $lower))
    (i32.store (i32.const 96) (local.get $uppers))
    (i32.store (i32.const 100) (local.get $lowers))
    (i32.const 1)))
