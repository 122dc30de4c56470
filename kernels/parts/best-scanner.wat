;; The best neighbours of vertices all of whose given neighbours are free (best-scanner.ts). Assembled by resources/scripts/assemble-modules.mjs
;; into modules.ts. From byte 0 on: the best neighbours of a list, 16 bytes each, the best first: a 64-bit key, weight above tie, and the neighbour.
(module
  (memory (export "memory") 1)

  ;; splitmix64 behind its increment (Steele, Lea, Flood 2014).
  (func $mixed (param $x i64) (result i64)
    (local.set $x (i64.mul
      (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30))) (i64.const 0xbf58476d1ce4e5b9)))
    (local.set $x (i64.mul
      (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27))) (i64.const 0x94d049bb133111eb)))
    (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))

  ;; x modulo 1000; 2^32 is 296 and 2^20 is 576: one 32-bit division by a constant.
  (func $modThousand (param $x i64) (result i32)
    (local.set $x (i64.add
      (i64.mul (i64.shr_u (local.get $x) (i64.const 32)) (i64.const 296))
      (i64.and (local.get $x) (i64.const 0xffffffff))))
    (i32.rem_u
      (i32.add
        (i32.mul (i32.wrap_i64 (i64.shr_u (local.get $x) (i64.const 20))) (i32.const 576))
        (i32.and (i32.wrap_i64 (local.get $x)) (i32.const 0xfffff)))
      (i32.const 1000)))

  ;; The bits of an f32 in ascending order.
  (func $ascending (param $bits i32) (result i32)
    (select
      (i32.xor (local.get $bits) (i32.const -1))
      (i32.or (local.get $bits) (i32.const 0x80000000))
      (i32.lt_s (local.get $bits) (i32.const 0))))

  ;; Whether a neighbour comes behind the one at $at.
  (func $isBehind (param $key i64) (param $u i32) (param $at i32) (result i32)
    (i32.or
      (i64.lt_u (local.get $key) (i64.load (local.get $at)))
      (i32.and
        (i64.eq (local.get $key) (i64.load (local.get $at)))
        (i32.lt_u (local.get $u) (i32.load offset=8 (local.get $at))))))

  ;; $arc: where the first list begins; $targets, $weights, $ends, $kept: places of words.
  (func (export "scan")
    (param $first i32) (param $count i32) (param $ends i32) (param $arc i32) (param $targets i32) (param $weights i32)
    (param $kept i32) (param $candidates i32) (param $rule i32) (param $byHash i32) (param $seed i64) (param $least i32)
    (local $v i32) (local $end i32) (local $u i32) (local $weight i32) (local $seen i32) (local $at i32) (local $last i32)
    (local $own i64) (local $x i64) (local $key i64) (local $isRandom i32) (local $isColumn i32)
    (local.set $last (i32.shl (i32.sub (local.get $candidates) (i32.const 1)) (i32.const 4)))
    (local.set $isRandom (i32.eq (local.get $rule) (i32.const 2)))
    (local.set $isColumn (i32.eq (local.get $rule) (i32.const 1)))
    (local.set $v (local.get $first))
    (local.set $count (i32.add (local.get $first) (local.get $count)))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $v) (local.get $count)))
      (local.set $end (i32.load (local.get $ends)))
      (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
      (local.set $seen (i32.const 0))
      ;; (v + 1) * G + seed, common to all edges to larger neighbours.
      (local.set $own (i64.add (local.get $seed) (i64.mul
        (i64.add (i64.extend_i32_u (local.get $v)) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15))))
      (block $over (loop $nextArc
        (br_if $over (i32.eq (local.get $arc) (local.get $end)))
        (local.set $u (i32.load (i32.add (local.get $targets) (i32.shl (local.get $arc) (i32.const 2)))))
        (local.set $weight (i32.const 0))
        (if (i32.or (local.get $byHash) (local.get $isRandom)) (then
          (if (i32.lt_u (local.get $v) (local.get $u))
            (then (local.set $x (i64.add (local.get $own) (i64.extend_i32_u (local.get $u)))))
            (else (local.set $x (i64.add
              (i64.add (i64.extend_i32_u (local.get $v)) (local.get $seed))
              (i64.mul (i64.add (i64.extend_i32_u (local.get $u)) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15))))))
          (local.set $x (call $mixed (local.get $x)))))
        (if (local.get $isRandom) (then (local.set $weight (call $modThousand (local.get $x)))))
        (if (local.get $isColumn) (then
          (local.set $weight (call $ascending
            (i32.load (i32.add (local.get $weights) (i32.shl (local.get $arc) (i32.const 2))))))))
        (local.set $arc (i32.add (local.get $arc) (i32.const 1)))
        (br_if $nextArc (i32.lt_u (local.get $weight) (local.get $least)))
        (local.set $key (i64.shl (i64.extend_i32_u (local.get $weight)) (i64.const 32)))
        (if (local.get $byHash) (then
          (local.set $key (i64.or (local.get $key) (i64.shr_u (local.get $x) (i64.const 32))))))
        (local.set $at (i32.shl (local.get $seen) (i32.const 4)))
        (local.set $seen (i32.add (local.get $seen) (i32.const 1)))
        (if (i32.gt_u (local.get $seen) (local.get $candidates)) (then
          (br_if $nextArc (call $isBehind (local.get $key) (local.get $u) (local.get $last)))
          (local.set $at (local.get $last))))
        (block $found (loop $nextPlace
          (br_if $found (i32.eqz (local.get $at)))
          (br_if $found (call $isBehind (local.get $key) (local.get $u) (i32.sub (local.get $at) (i32.const 16))))
          (i64.store (local.get $at) (i64.load (i32.sub (local.get $at) (i32.const 16))))
          (i32.store offset=8 (local.get $at) (i32.load offset=8 (i32.sub (local.get $at) (i32.const 16))))
          (local.set $at (i32.sub (local.get $at) (i32.const 16)))
          (br $nextPlace)))
        (i64.store (local.get $at) (local.get $key))
        (i32.store offset=8 (local.get $at) (local.get $u))
        (br $nextArc)))
      (i32.store (local.get $kept)
        (i32.shl (i32.gt_u (local.get $seen) (local.get $candidates)) (i32.const 8)))
      (local.set $at (i32.const 0))
      (block $written (loop $nextKept
        (local.set $kept (i32.add (local.get $kept) (i32.const 4)))
        (br_if $written (i32.gt_u (local.get $at) (local.get $last)))
        (i32.store (local.get $kept) (select
          (i32.load offset=8 (local.get $at))
          (i32.const -1)
          (i32.lt_u (local.get $at) (i32.shl (local.get $seen) (i32.const 4)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $nextKept)))
      (local.set $v (i32.add (local.get $v) (i32.const 1)))
      (br $nextVertex)))))
