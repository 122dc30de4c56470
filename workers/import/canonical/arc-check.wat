;; Whether adjacency lists can be those of a canonical graph, and their fingerprints, four lanes at a time (arc-check.ts).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
;; Memory: keys of the hash of smaller ends, of larger ends and of weights, two vectors each; from 96 on the sums of both halves, a
;; vector each.
(module
  (memory (export "memory") 1)
  (global $maxDegree (export "maxDegree") (mut f64) (f64.const 0))
  (global $isolated (export "isolated") (mut f64) (f64.const 0))
  (global $smallest (export "smallest") (mut f32) (f32.const inf))
  (global $largest (export "largest") (mut f32) (f32.const 0))
  ;; Arcs u -> v with u < v, and with u > v.
  (global $uppers (export "uppers") (mut f64) (f64.const 0))
  (global $lowers (export "lowers") (mut f64) (f64.const 0))
  ;; The vertex whose list is looked at, the arc that comes next (of those in memory), and the least target that it may have.
  (global $vertex (export "vertex") (mut i32) (i32.const 0))
  (global $next (export "next") (mut i32) (i32.const 0))
  (global $least (export "least") (mut i32) (i32.const 0))

  (func $end (param $at i32) (param $width i32) (result i64)
    (if (result i64) (i32.eq (local.get $width) (i32.const 8))
      (then (i64.load (local.get $at)))
      (else (i64.load32_s (local.get $at)))))

  ;; Looks at so many ends of lists, which follow `before`. Returns the last one, or -1 where they do not ascend or pass `arcs`.
  (func (export "ends") (param $at i32) (param $width i32) (param $count i32) (param $before i64) (param $arcs i64) (result i64)
    (local $end i64) (local $degree i64) (local $most i64) (local $isolated i32)
    (block $done (loop $more
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $end (call $end (local.get $at) (local.get $width)))
      (local.set $degree (i64.sub (local.get $end) (local.get $before)))
      (if (i32.or (i64.lt_s (local.get $end) (local.get $before)) (i64.gt_s (local.get $end) (local.get $arcs)))
        (then (return (i64.const -1))))
      (local.set $isolated (i32.add (local.get $isolated) (i64.eqz (local.get $degree))))
      (if (i64.gt_s (local.get $degree) (local.get $most)) (then (local.set $most (local.get $degree))))
      (local.set $before (local.get $end))
      (local.set $at (i32.add (local.get $at) (local.get $width)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $more)))
    (global.set $isolated (f64.add (global.get $isolated) (f64.convert_i32_u (local.get $isolated))))
    (global.set $maxDegree (f64.max (global.get $maxDegree) (f64.convert_i64_s (local.get $most))))
    (local.get $before))

  ;; Looks at so many weights, floats or whole numbers. Returns 1 where all are positive and finite.
  (func (export "weights") (param $at i32) (param $count i32) (param $floats i32) (result i32)
    (local $weight f32)
    (block $done (loop $more
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $weight (if (result f32) (local.get $floats)
        (then (f32.load (local.get $at)))
        (else (f32.convert_i32_s (i32.load (local.get $at))))))
      (if (i32.eqz (i32.and (f32.gt (local.get $weight) (f32.const 0)) (f32.lt (local.get $weight) (f32.const inf))))
        (then (return (i32.const 0))))
      (global.set $smallest (f32.min (global.get $smallest) (local.get $weight)))
      (global.set $largest (f32.max (global.get $largest) (local.get $weight)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $more)))
    (i32.const 1))

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

  ;; The sum of the hashes of targets [at, end), times those of their weights, which lie `weights` bytes further; 0: there are none.
  (func $sum (param $at i32) (param $end i32) (param $weights i32) (param $first v128) (param $second v128) (result v128)
    (local $sum v128) (local $w0 v128) (local $w1 v128)
    (if (local.get $weights)
      (then
        (local.set $w0 (v128.load (i32.const 64)))
        (local.set $w1 (v128.load (i32.const 80)))
        (block $done (loop $more
          (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
          (local.set $sum (i32x4.add (local.get $sum) (i32x4.mul
            (call $hash (i32.load (local.get $at)) (local.get $first) (local.get $second))
            (call $hash (i32.load (i32.add (local.get $at) (local.get $weights))) (local.get $w0) (local.get $w1)))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $more))))
      (else
        (block $done (loop $more
          (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
          (local.set $sum (i32x4.add (local.get $sum)
            (call $hash (i32.load (local.get $at)) (local.get $first) (local.get $second))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $more)))))
    (local.get $sum))

  ;; Looks at lists from the vertex on whose ends are at `ends`, `count` of them, counted from the first arc in memory on. There are
  ;; `arcs` at `targets`, and `vertices` in the graph. Returns 1 where the lists ascend strictly without loops, and so do their ends;
  ;; it is not done where fewer arcs than there are were looked at.
  (func (export "lists") (param $ends i32) (param $width i32) (param $count i32) (param $base i64)
      (param $targets i32) (param $arcs i32) (param $weights i32) (param $vertices i32) (result i32)
    (local $s0 v128) (local $s1 v128) (local $l0 v128) (local $l1 v128) (local $upper v128) (local $lower v128)
    (local $u i32) (local $least i32) (local $v i32) (local $at i32) (local $last i32) (local $stop i32) (local $middle i32)
    (local $end i64) (local $uppers i32) (local $lowers i32)
    (local.set $s0 (v128.load (i32.const 0)))
    (local.set $s1 (v128.load (i32.const 16)))
    (local.set $l0 (v128.load (i32.const 32)))
    (local.set $l1 (v128.load (i32.const 48)))
    (local.set $upper (v128.load (i32.const 96)))
    (local.set $lower (v128.load (i32.const 112)))
    (local.set $u (global.get $vertex))
    (local.set $least (global.get $least))
    (local.set $at (i32.add (local.get $targets) (i32.shl (global.get $next) (i32.const 2))))
    (local.set $last (i32.add (local.get $targets) (i32.shl (local.get $arcs) (i32.const 2))))
    (block $done (loop $next
      (br_if $done (i32.or (i32.eqz (local.get $count)) (i32.ge_u (local.get $at) (local.get $last))))
      (local.set $end (i64.sub (call $end (local.get $ends) (local.get $width)) (local.get $base)))
      (if (i64.lt_s (local.get $end)
          (i64.extend_i32_u (i32.shr_u (i32.sub (local.get $at) (local.get $targets)) (i32.const 2))))
        (then (return (i32.const 0))))
      (local.set $stop (if (result i32) (i64.ge_s (local.get $end) (i64.extend_i32_u (local.get $arcs)))
        (then (local.get $last))
        (else (i32.add (local.get $targets) (i32.shl (i32.wrap_i64 (local.get $end)) (i32.const 2))))))
      ;; Neighbours below u come first.
      (local.set $middle (local.get $at))
      (block $above (loop $below
        (br_if $above (i32.ge_u (local.get $middle) (local.get $stop)))
        (local.set $v (i32.load (local.get $middle)))
        (br_if $above (i32.ge_u (local.get $v) (local.get $u)))
        (if (i32.lt_u (local.get $v) (local.get $least)) (then (return (i32.const 0))))
        (local.set $least (i32.add (local.get $v) (i32.const 1)))
        (local.set $middle (i32.add (local.get $middle) (i32.const 4)))
        (br $below)))
      (if (i32.ne (local.get $at) (local.get $middle)) (then
        (local.set $lower (i32x4.add (local.get $lower) (i32x4.mul
          (call $hash (local.get $u) (local.get $l0) (local.get $l1))
          (call $sum (local.get $at) (local.get $middle) (local.get $weights) (local.get $s0) (local.get $s1)))))
        (local.set $lowers (i32.add (local.get $lowers)
          (i32.shr_u (i32.sub (local.get $middle) (local.get $at)) (i32.const 2))))))
      (local.set $at (local.get $middle))
      (block $over (loop $higher
        (br_if $over (i32.ge_u (local.get $at) (local.get $stop)))
        (local.set $v (i32.load (local.get $at)))
        (if (i32.or (i32.or (i32.lt_u (local.get $v) (local.get $least)) (i32.le_u (local.get $v) (local.get $u)))
            (i32.ge_u (local.get $v) (local.get $vertices)))
          (then (return (i32.const 0))))
        (local.set $least (i32.add (local.get $v) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $higher)))
      (if (i32.ne (local.get $middle) (local.get $at)) (then
        (local.set $upper (i32x4.add (local.get $upper) (i32x4.mul
          (call $hash (local.get $u) (local.get $s0) (local.get $s1))
          (call $sum (local.get $middle) (local.get $at) (local.get $weights) (local.get $l0) (local.get $l1)))))
        (local.set $uppers (i32.add (local.get $uppers)
          (i32.shr_u (i32.sub (local.get $at) (local.get $middle)) (i32.const 2))))))
      ;; A list that passes what is in memory goes on in the next part.
      (br_if $done (i64.gt_s (local.get $end) (i64.extend_i32_u (local.get $arcs))))
      (local.set $u (i32.add (local.get $u) (i32.const 1)))
      (local.set $least (i32.const 0))
      (local.set $ends (i32.add (local.get $ends) (local.get $width)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $next)))
    (v128.store (i32.const 96) (local.get $upper))
    (v128.store (i32.const 112) (local.get $lower))
    (global.set $uppers (f64.add (global.get $uppers) (f64.convert_i32_u (local.get $uppers))))
    (global.set $lowers (f64.add (global.get $lowers) (f64.convert_i32_u (local.get $lowers))))
    (global.set $vertex (local.get $u))
    (global.set $least (local.get $least))
    (global.set $next (i32.shr_u (i32.sub (local.get $at) (local.get $targets)) (i32.const 2)))
    (i32.const 1)))
