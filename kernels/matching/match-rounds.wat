;; Rounds in a memory that threads share (match-rounds.ts). Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
(module
  ;; The state of all vertices, for point and pair (match-state.ts): places of words. Lists are words from $lists on, weights from $bits on, of
  ;; which the first is arc 0; both modulo 2^32.
  (memory (import "host" "shared") 1 65536 shared)
  (global $ends (mut i32) (i32.const 0))
  (global $kept (mut i32) (i32.const 0))
  (global $pointers (mut i32) (i32.const 0))
  (global $matched (mut i32) (i32.const 0))
  (global $lists (mut i32) (i32.const 0))
  (global $bits (mut i32) (i32.const 0))
  (global $candidates (mut i32) (i32.const 0))
  (global $rule (mut i32) (i32.const 0))
  (global $byHash (mut i32) (i32.const 0))
  (global $seed (mut i64) (i64.const 0))
  (global $least (mut i32) (i32.const 0))
  ;; What a call of point counted.
  (global $opened (export "opened") (mut i32) (i32.const 0))
  (global $arcs (export "arcs") (mut i32) (i32.const 0))


  ;;+ ../parts/best-lists.wat

  (func (export "place")
    (param $endsAt i32) (param $keptAt i32) (param $pointersAt i32) (param $matchedAt i32) (param $listsAt i32) (param $bitsAt i32)
    (param $each i32) (param $weights i32) (param $hashes i32) (param $seedLow i32) (param $seedHigh i32) (param $threshold i32)
    (global.set $ends (local.get $endsAt))
    (global.set $kept (local.get $keptAt))
    (global.set $pointers (local.get $pointersAt))
    (global.set $matched (local.get $matchedAt))
    (global.set $lists (local.get $listsAt))
    (global.set $bits (local.get $bitsAt))
    (global.set $candidates (local.get $each))
    (global.set $rule (local.get $weights))
    (global.set $byHash (local.get $hashes))
    (global.set $seed (i64.or
      (i64.shl (i64.extend_i32_u (local.get $seedHigh)) (i64.const 32)) (i64.extend_i32_u (local.get $seedLow))))
    (global.set $least (local.get $threshold)))

  (func $word (param $base i32) (param $index i32) (result i32)
    (i32.load (i32.add (local.get $base) (i32.shl (local.get $index) (i32.const 2)))))

  (func $isMatched (param $v i32) (result i32)
    (i32.and
      (i32.shr_u (call $word (global.get $matched) (i32.shr_u (local.get $v) (i32.const 5))) (local.get $v))
      (i32.const 1)))

  ;; v keeps the best of its free neighbours, in the words from $row on.
  (func $look (param $v i32) (param $row i32)
    (local $at i32) (local $end i32) (local $u i32) (local $weight i32) (local $seen i32) (local $weights i32)
    (local $own i64) (local $other i64) (local $x i64) (local $key i64)
    (local $k0 i64) (local $k1 i64) (local $k2 i64) (local $k3 i64)
    (local $n0 i32) (local $n1 i32) (local $n2 i32) (local $n3 i32)
    (local $is0 i32) (local $is1 i32) (local $is2 i32) (local $is3 i32)
    (local.set $n0 (i32.const -1))
    (local.set $n1 (i32.const -1))
    (local.set $n2 (i32.const -1))
    (local.set $n3 (i32.const -1))
    (if (local.get $v) (then
      (local.set $at (call $word (global.get $ends) (i32.sub (local.get $v) (i32.const 1))))))
    (local.set $end (call $word (global.get $ends) (local.get $v)))
    (global.set $arcs (i32.add (global.get $arcs) (i32.sub (local.get $end) (local.get $at))))
    (local.set $at (i32.add (global.get $lists) (i32.shl (local.get $at) (i32.const 2))))
    (local.set $end (i32.add (global.get $lists) (i32.shl (local.get $end) (i32.const 2))))
    (local.set $weights (i32.sub (global.get $bits) (global.get $lists)))
    (local.set $other (i64.add (i64.extend_i32_u (local.get $v)) (global.get $seed)))
    (local.set $own (i64.add (global.get $seed) (i64.mul
      (i64.add (i64.extend_i32_u (local.get $v)) (i64.const 1)) (i64.const 0x9e3779b97f4a7c15))))
    (block $over (loop $nextArc
      (loop $skip
        (br_if $over (i32.eq (local.get $at) (local.get $end)))
        (local.set $u (i32.load (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $skip (call $isMatched (local.get $u))))
      (if (i32.eq (global.get $rule) (i32.const 1)) (then
        (local.set $weight (call $ascending
          (i32.load (i32.sub (i32.add (local.get $weights) (local.get $at)) (i32.const 4)))))))
      (if (i32.or (global.get $byHash) (i32.eq (global.get $rule) (i32.const 2))) (then
        (local.set $x (call $hash (local.get $v) (local.get $u) (local.get $own) (local.get $other)))))
      (if (i32.eq (global.get $rule) (i32.const 2)) (then
        (local.set $weight (call $modThousand (call $fraction (local.get $x))))))
      (br_if $nextArc (i32.lt_u (local.get $weight) (global.get $least)))
      (local.set $seen (i32.add (local.get $seen) (i32.const 1)))
      (local.set $key (i64.shl (i64.extend_i32_u (local.get $weight)) (i64.const 32)))
      (if (global.get $byHash) (then
        (local.set $key (i64.or (local.get $key) (i64.shr_u (local.get $x) (i64.const 32))))))
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
      (br $nextArc)))
    (i32.store (local.get $row) (i32.shl (i32.gt_u (local.get $seen) (global.get $candidates)) (i32.const 8)))
    (i32.store offset=4 (local.get $row) (local.get $n0))
    (if (i32.gt_u (global.get $candidates) (i32.const 1)) (then
      (i32.store offset=8 (local.get $row) (local.get $n1))))
    (if (i32.gt_u (global.get $candidates) (i32.const 2)) (then
      (i32.store offset=12 (local.get $row) (local.get $n2))))
    (if (i32.gt_u (global.get $candidates) (i32.const 3)) (then
      (i32.store offset=16 (local.get $row) (local.get $n3)))))

  ;; The twin of match-point.ts, of vertices from $first on, or of a list where $list is not 0; vertices whose candidates are all matched look at
  ;; their lists where $looks is 1. $which: 1 counts vertices that pointed, 2 those that point without a look. The result: how many are in the
  ;; list at $next.
  (func (export "point")
    (param $first i32) (param $count i32) (param $list i32) (param $next i32) (param $which i32) (param $looks i32)
    (result i32)
    (local $i i32) (local $v i32) (local $u i32) (local $row i32) (local $word i32) (local $passed i32) (local $to i32)
    (global.set $opened (i32.const 0))
    (global.set $arcs (i32.const 0))
    (local.set $to (local.get $next))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $i) (local.get $count)))
      (local.set $v (i32.add (local.get $first) (local.get $i)))
      (if (local.get $list) (then (local.set $v (call $word (local.get $list) (local.get $i)))))
      (local.set $i (i32.add (local.get $i) (i32.const 1)))
      (br_if $nextVertex (call $isMatched (local.get $v)))
      (local.set $row (i32.add (global.get $kept) (i32.shl
        (i32.mul (local.get $v) (i32.add (global.get $candidates) (i32.const 1))) (i32.const 2))))
      (local.set $word (i32.load (local.get $row)))
      (br_if $nextVertex (i32.and (local.get $word) (i32.const 0x200)))
      (if (i32.eq (local.get $which) (i32.const 1)) (then
        (global.set $opened (i32.add (global.get $opened)
          (i32.ne (call $word (global.get $pointers) (local.get $v)) (i32.const -1))))))
      (local.set $passed (i32.and (local.get $word) (i32.const 0xff)))
      (block $none
        (block $found (loop $nextCandidate
          (br_if $none (i32.ge_u (local.get $passed) (global.get $candidates)))
          (local.set $u (call $word (i32.add (local.get $row) (i32.const 4)) (local.get $passed)))
          (br_if $none (i32.eq (local.get $u) (i32.const -1)))
          (br_if $found (i32.eqz (call $isMatched (local.get $u))))
          (local.set $passed (i32.add (local.get $passed) (i32.const 1)))
          (br $nextCandidate)))
        (i32.store (local.get $row)
          (i32.or (i32.and (local.get $word) (i32.const -256)) (local.get $passed)))
        (i32.store (i32.add (global.get $pointers) (i32.shl (local.get $v) (i32.const 2))) (local.get $u))
        (i32.store (local.get $to) (local.get $v))
        (local.set $to (i32.add (local.get $to) (i32.const 4)))
        (global.set $opened (i32.add (global.get $opened) (i32.eq (local.get $which) (i32.const 2))))
        (br $nextVertex))
      (local.set $u (i32.const -1))
      (if (i32.and (local.get $word) (i32.const 0x100))
        (then (if (local.get $looks)
          (then
            (call $look (local.get $v) (local.get $row))
            (local.set $u (i32.load offset=4 (local.get $row)))
            (if (i32.eq (local.get $u) (i32.const -1))
              (then (i32.store (local.get $row) (i32.const 0x200)))
              (else
                (i32.store (local.get $to) (local.get $v))
                (local.set $to (i32.add (local.get $to) (i32.const 4))))))
          (else (i32.store (local.get $row) (i32.or (local.get $word) (i32.const 0xff))))))
        (else (i32.store (local.get $row) (i32.or (local.get $word) (i32.const 0x200)))))
      (i32.store (i32.add (global.get $pointers) (i32.shl (local.get $v) (i32.const 2))) (local.get $u))
      (br $nextVertex)))
    (i32.shr_u (i32.sub (local.get $to) (local.get $next)) (i32.const 2)))

  ;; The twin of match-pair.ts, of a list of vertices whose bits no other thread sets.
  (func (export "pair") (param $list i32) (param $count i32)
    (local $v i32) (local $at i32)
    (local.set $count (i32.add (local.get $list) (i32.shl (local.get $count) (i32.const 2))))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $list) (local.get $count)))
      (local.set $v (i32.load (local.get $list)))
      (local.set $list (i32.add (local.get $list) (i32.const 4)))
      (br_if $nextVertex (i32.ne (local.get $v)
        (call $word (global.get $pointers) (call $word (global.get $pointers) (local.get $v)))))
      (local.set $at (i32.add (global.get $matched) (i32.shl (i32.shr_u (local.get $v) (i32.const 5)) (i32.const 2))))
      (i32.store (local.get $at)
        (i32.or (i32.load (local.get $at)) (i32.shl (i32.const 1) (local.get $v))))
      (br $nextVertex)))))
