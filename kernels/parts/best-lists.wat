;; The keys of edges, as in edge-order.wgsl, and the best neighbours of lists: a part of modules.
  ;; splitmix64 behind its increment (Steele, Lea, Flood 2014).
  (func $mixed (param $x i64) (result i64)
    (local.set $x (i64.mul
      (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30))) (i64.const 0xbf58476d1ce4e5b9)))
    (local.set $x (i64.mul
      (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27))) (i64.const 0x94d049bb133111eb)))
    (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))

  ;; The fraction of x / 1000 in units of 2^-64, at most 2^33 too large: 2^32 / 1000 has the fraction 0.296.
  (func $fraction (param $x i64) (result i64)
    (i64.add
      (i64.mul (i64.shr_u (local.get $x) (i64.const 32)) (i64.const 0x4bc6a7ef9db22d0f))
      (i64.mul (i64.and (local.get $x) (i64.const 0xffffffff)) (i64.const 0x4189374bc6a7f0))))

  ;; x modulo 1000 from that fraction; rounding its upper half up makes up for what is cut off.
  (func $modThousand (param $fraction i64) (result i32)
    (i32.wrap_i64 (i64.shr_u
      (i64.mul (i64.add (i64.shr_u (local.get $fraction) (i64.const 32)) (i64.const 1)) (i64.const 1000))
      (i64.const 32))))

  ;; The bits of an f32 in ascending order.
  (func $ascending (param $bits i32) (result i32)
    (select
      (i32.xor (local.get $bits) (i32.const -1))
      (i32.or (local.get $bits) (i32.const 0x80000000))
      (i32.lt_s (local.get $bits) (i32.const 0))))

  ;; The hash of the edge between v and u. $own: (v + 1) * G + seed, $other: v + seed.
  (func $hash (param $v i32) (param $u i32) (param $own i64) (param $other i64) (result i64)
    (call $mixed (if (result i64) (i32.lt_u (local.get $v) (local.get $u))
      (then (i64.add (local.get $own) (i64.extend_i32_u (local.get $u))))
      (else (i64.add (local.get $other)
        (i64.mul (i64.add (i64.extend_i32_u (local.get $u)) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15)))))))

  ;; The lists are words from $targets on, of which the first is arc 0, and that of $first begins with arc $before; $ends, $weights, $kept: places of
  ;; words. Four best are kept; fewer $candidates are followed by the others, so that these are behind the last row. Neighbours ascend, so that
  ;; of equal keys the later one comes first.
  (func (export "scan")
    (param $first i32) (param $count i32) (param $before i32) (param $ends i32) (param $targets i32) (param $weights i32)
    (param $kept i32) (param $candidates i32) (param $rule i32) (param $byHash i32) (param $seedLow i32) (param $seedHigh i32)
    (param $least i32)
    (local $v i32) (local $at i32) (local $begin i32) (local $end i32) (local $u i32) (local $weight i32) (local $seen i32)
    (local $seed i64) (local $own i64) (local $other i64) (local $x i64) (local $key i64) (local $isRandom i32) (local $isColumn i32)
    (local $floor i64) (local $last i64)
    (local $k0 i64) (local $k1 i64) (local $k2 i64) (local $k3 i64)
    (local $n0 i32) (local $n1 i32) (local $n2 i32) (local $n3 i32)
    (local $is0 i32) (local $is1 i32) (local $is2 i32) (local $is3 i32)
    (local.set $seed (i64.or
      (i64.shl (i64.extend_i32_u (local.get $seedHigh)) (i64.const 32)) (i64.extend_i32_u (local.get $seedLow))))
    (local.set $isRandom (i32.eq (local.get $rule) (i32.const 2)))
    (local.set $isColumn (i32.eq (local.get $rule) (i32.const 1)))
    (local.set $v (local.get $first))
    (local.set $count (i32.add (local.get $first) (local.get $count)))
    (local.set $at (i32.add (local.get $targets) (i32.shl (local.get $before) (i32.const 2))))
    (local.set $weights (i32.sub (local.get $weights) (local.get $targets)))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $v) (local.get $count)))
      (local.set $begin (local.get $at))
      (local.set $end (i32.add (local.get $targets) (i32.shl (i32.load (local.get $ends)) (i32.const 2))))
      (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
      (local.set $seen (i32.const 0))
      (local.set $floor (i64.const 0))
      (local.set $last (i64.const 0))
      (local.set $k0 (i64.const 0))
      (local.set $k1 (i64.const 0))
      (local.set $k2 (i64.const 0))
      (local.set $k3 (i64.const 0))
      (local.set $n0 (i32.const -1))
      (local.set $n1 (i32.const -1))
      (local.set $n2 (i32.const -1))
      (local.set $n3 (i32.const -1))
      (local.set $other (i64.add (i64.extend_i32_u (local.get $v)) (local.get $seed)))
      (local.set $own (i64.add (local.get $seed) (i64.mul
        (i64.add (i64.extend_i32_u (local.get $v)) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15))))
      (block $over (loop $nextArc
        ;; Most neighbours of a long list come behind all that it keeps. Fractions are in the order of the remainders.
        (block $found
          (if (local.get $isRandom) (then
            (block $upper (loop $skipLower
              (br_if $over (i32.eq (local.get $at) (local.get $end)))
              (local.set $u (i32.load (local.get $at)))
              (br_if $upper (i32.gt_u (local.get $u) (local.get $v)))
              (local.set $at (i32.add (local.get $at) (i32.const 4)))
              (local.set $x (call $mixed (i64.add (local.get $other)
                (i64.mul (i64.add (i64.extend_i32_u (local.get $u)) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15)))))
              (local.set $key (call $fraction (local.get $x)))
              (br_if $skipLower (i64.lt_u (local.get $key) (local.get $floor)))
              (br $found)))
            (loop $skipUpper
              (br_if $over (i32.eq (local.get $at) (local.get $end)))
              (local.set $u (i32.load (local.get $at)))
              (local.set $at (i32.add (local.get $at) (i32.const 4)))
              (local.set $x (call $mixed (i64.add (local.get $own) (i64.extend_i32_u (local.get $u)))))
              (local.set $key (call $fraction (local.get $x)))
              (br_if $skipUpper (i64.lt_u (local.get $key) (local.get $floor))))
            (br $found)))
          (loop $skip
            (br_if $over (i32.eq (local.get $at) (local.get $end)))
            (local.set $u (i32.load (local.get $at)))
            (if (local.get $isColumn) (then
              (local.set $weight (call $ascending (i32.load (i32.add (local.get $weights) (local.get $at)))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (if (local.get $byHash) (then
              (local.set $x (call $hash (local.get $v) (local.get $u) (local.get $own) (local.get $other)))))
            (local.set $key (i64.or
              (i64.shl (i64.extend_i32_u (local.get $weight)) (i64.const 32))
              (i64.shr_u (local.get $x) (i64.const 32))))
            (br_if $skip (i64.lt_u (local.get $key) (local.get $floor)))))
        (if (local.get $isRandom) (then
          (local.set $weight (call $modThousand (local.get $key)))
          (local.set $key (i64.shl (i64.extend_i32_u (local.get $weight)) (i64.const 32)))
          (if (local.get $byHash) (then
            (local.set $key (i64.or (local.get $key) (i64.shr_u (local.get $x) (i64.const 32))))))))
        (br_if $nextArc (i32.lt_u (local.get $weight) (local.get $least)))
        (local.set $seen (i32.add (local.get $seen) (i32.const 1)))
        (br_if $nextArc (i64.lt_u (local.get $key) (local.get $last)))
        ;; Those that come behind it move on by one, without branches.
        (local.set $is0 (i64.ge_u (local.get $key) (local.get $k0)))
        (local.set $is1 (i64.ge_u (local.get $key) (local.get $k1)))
        (local.set $is2 (i64.ge_u (local.get $key) (local.get $k2)))
        (local.set $is3 (i64.ge_u (local.get $key) (local.get $k3)))
        (local.set $k3 (select (local.get $k2)
          (select (local.get $key) (local.get $k3) (local.get $is3)) (local.get $is2)))
        (local.set $k2 (select (local.get $k1)
          (select (local.get $key) (local.get $k2) (local.get $is2)) (local.get $is1)))
        (local.set $k1 (select (local.get $k0)
          (select (local.get $key) (local.get $k1) (local.get $is1)) (local.get $is0)))
        (local.set $k0 (select (local.get $key) (local.get $k0) (local.get $is0)))
        (local.set $n3 (select (local.get $n2)
          (select (local.get $u) (local.get $n3) (local.get $is3)) (local.get $is2)))
        (local.set $n2 (select (local.get $n1)
          (select (local.get $u) (local.get $n2) (local.get $is2)) (local.get $is1)))
        (local.set $n1 (select (local.get $n0)
          (select (local.get $u) (local.get $n1) (local.get $is1)) (local.get $is0)))
        (local.set $n0 (select (local.get $u) (local.get $n0) (local.get $is0)))
        (br_if $nextArc (i32.lt_u (local.get $seen) (local.get $candidates)))
        (local.set $last (select
          (select (local.get $k3) (local.get $k2) (i32.eq (local.get $candidates) (i32.const 4)))
          (select (local.get $k1) (local.get $k0) (i32.eq (local.get $candidates) (i32.const 2)))
          (i32.gt_u (local.get $candidates) (i32.const 2))))
        ;; What weighs too little for this run is not counted, so no neighbour is skipped.
        (br_if $nextArc (local.get $least))
        (local.set $floor (select
          (i64.mul (i64.shr_u (local.get $last) (i64.const 32)) (i64.const 0x4189374bc6a7ef))
          (local.get $last)
          (local.get $isRandom)))
        (br $nextArc)))
      (if (i32.eqz (local.get $least)) (then
        (local.set $seen (i32.shr_u (i32.sub (local.get $end) (local.get $begin)) (i32.const 2)))))
      ;; Whether there are more than it keeps, and those.
      (i32.store (local.get $kept) (i32.shl (i32.gt_u (local.get $seen) (local.get $candidates)) (i32.const 8)))
      (i32.store offset=4 (local.get $kept) (local.get $n0))
      (i32.store offset=8 (local.get $kept) (local.get $n1))
      (i32.store offset=12 (local.get $kept) (local.get $n2))
      (i32.store offset=16 (local.get $kept) (local.get $n3))
      (local.set $kept (i32.add (local.get $kept) (i32.shl (i32.add (local.get $candidates) (i32.const 1)) (i32.const 2))))
      (local.set $v (i32.add (local.get $v) (i32.const 1)))
      (br $nextVertex))))
