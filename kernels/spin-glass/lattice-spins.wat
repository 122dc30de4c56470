;; Spins and bonds of a periodic cubic lattice as bits, 56 at a time (settle-spins.ts, lattice-layout.ts).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
;; Memory: bits of the sites, then of the bonds in three directions, each from a whole word on; 8 bytes more behind the last ones.
(module
  (memory (export "memory") 1)
  ;; Of the last pass or measure.
  (global $flips (export "flips") (mut i64) (i64.const 0))
  (global $up (export "up") (mut i64) (i64.const 0))
  (global $broken (export "broken") (mut i64) (i64.const 0))
  (global $differ (export "differ") (mut i64) (i64.const 0))
  (global $negative (export "negative") (mut i64) (i64.const 0))
  ;; Sides, and where the bonds of each direction begin, in bytes.
  (global $width (export "width") (mut i32) (i32.const 0))
  (global $height (export "height") (mut i32) (i32.const 0))
  (global $depth (export "depth") (mut i32) (i32.const 0))
  (global $x (export "x") (mut i32) (i32.const 0))
  (global $y (export "y") (mut i32) (i32.const 0))
  (global $z (export "z") (mut i32) (i32.const 0))
  ;; First sites of a row and of those around it.
  (global $row (mut i32) (i32.const 0))
  (global $above (mut i32) (i32.const 0))
  (global $under (mut i32) (i32.const 0))
  (global $before (mut i32) (i32.const 0))
  (global $after (mut i32) (i32.const 0))

  ;; 57 bits from a site on.
  (func $bits (param $base i32) (param $site i32) (result i64)
    (i64.shr_u
      (i64.load align=1 (i32.add (local.get $base) (i32.shr_u (local.get $site) (i32.const 3))))
      (i64.extend_i32_u (i32.and (local.get $site) (i32.const 7)))))

  (func $bit (param $base i32) (param $site i32) (result i64)
    (i64.and (call $bits (local.get $base) (local.get $site)) (i64.const 1)))

  ;; Sites of a step: at most as many as fit beside 7 others, and never a whole row, so that the neighbour at its end is drawn before.
  (func $step (result i32)
    (local $half i32)
    (local.set $half (i32.shr_u (global.get $width) (i32.const 1)))
    (select (local.get $half) (i32.const 56) (i32.lt_u (local.get $half) (i32.const 56))))

  (func $enter (param $plane i32) (param $line i32)
    (local $area i32) (local $last i32)
    (local.set $area (i32.mul (global.get $width) (global.get $height)))
    (local.set $last (i32.mul (local.get $area) (i32.sub (global.get $depth) (i32.const 1))))
    (global.set $row (i32.add (i32.mul (local.get $plane) (local.get $area)) (i32.mul (local.get $line) (global.get $width))))
    (global.set $above (i32.sub (global.get $row) (global.get $width)))
    (if (i32.eqz (local.get $line)) (then (global.set $above (i32.add (global.get $above) (local.get $area)))))
    (global.set $under (i32.add (global.get $row) (global.get $width)))
    (if (i32.eq (i32.add (local.get $line) (i32.const 1)) (global.get $height))
      (then (global.set $under (i32.sub (global.get $under) (local.get $area)))))
    (global.set $before (i32.sub (global.get $row) (local.get $area)))
    (if (i32.eqz (local.get $plane)) (then (global.set $before (i32.add (global.get $row) (local.get $last)))))
    (global.set $after (i32.add (global.get $row) (local.get $area)))
    (if (i32.eq (i32.add (local.get $plane) (i32.const 1)) (global.get $depth))
      (then (global.set $after (i32.sub (global.get $row) (local.get $last))))))

  ;; The right neighbours of so many sites of the row from place $at on.
  (func $right (param $at i32) (param $count i32) (result i64)
    (local $next i64) (local $last i64)
    (local.set $next (call $bits (i32.const 0) (i32.add (i32.add (global.get $row) (local.get $at)) (i32.const 1))))
    (if (i32.lt_u (i32.add (local.get $at) (local.get $count)) (global.get $width)) (then (return (local.get $next))))
    (local.set $last (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (local.get $count) (i32.const 1)))))
    (i64.or
      (i64.and (local.get $next) (i64.sub (local.get $last) (i64.const 1)))
      (i64.mul (local.get $last) (call $bit (i32.const 0) (global.get $row)))))

  ;; Bits of the sites to the left of those of the row from place $at on.
  (func $left (param $base i32) (param $at i32) (result i64)
    (if (local.get $at)
      (then (return (call $bits (local.get $base) (i32.sub (i32.add (global.get $row) (local.get $at)) (i32.const 1))))))
    (i64.or
      (i64.shl (call $bits (local.get $base) (global.get $row)) (i64.const 1))
      (call $bit (local.get $base) (i32.sub (i32.add (global.get $row) (global.get $width)) (i32.const 1)))))

  ;; Flips spins of a plane in order of their ids where that satisfies more bonds than it breaks. With f a site that flips, n its broken
  ;; bonds but the one to the left, and l whether that one was broken before: f = n > 3 or (n = 3 and l xor f of the left one). With L the
  ;; parity of all l so far, t = f xor L is known where n is not 3, and else that of the left site: the carries of an addition.
  (func (export "pass") (param $plane i32)
    (local $line i32) (local $at i32) (local $count i32) (local $place i32) (local $own i64)
    (local $a i64) (local $b i64) (local $c i64) (local $d i64) (local $e i64)
    (local $sum i64) (local $carry i64) (local $ones i64) (local $fours i64) (local $twos i64)
    (local $l i64) (local $p i64) (local $flip i64) (local $byte i32)
    (global.set $flips (i64.const 0))
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $line) (global.get $height)))
      (call $enter (local.get $plane) (local.get $line))
      (local.set $at (i32.const 0))
      (block $end (loop $more
        (br_if $end (i32.eq (local.get $at) (global.get $width)))
        (local.set $count (i32.sub (global.get $width) (local.get $at)))
        (if (i32.gt_u (local.get $count) (call $step)) (then (local.set $count (call $step))))
        (local.set $place (i32.add (global.get $row) (local.get $at)))
        (local.set $own (call $bits (i32.const 0) (local.get $place)))
        ;; Whether the bonds to the right, above, under, before and after are broken.
        (local.set $a (i64.xor (local.get $own)
          (i64.xor (call $right (local.get $at) (local.get $count)) (call $bits (global.get $x) (local.get $place)))))
        (local.set $b (i64.xor (local.get $own) (i64.xor
          (call $bits (i32.const 0) (i32.add (global.get $above) (local.get $at)))
          (call $bits (global.get $y) (i32.add (global.get $above) (local.get $at))))))
        (local.set $c (i64.xor (local.get $own) (i64.xor
          (call $bits (i32.const 0) (i32.add (global.get $under) (local.get $at)))
          (call $bits (global.get $y) (local.get $place)))))
        (local.set $d (i64.xor (local.get $own) (i64.xor
          (call $bits (i32.const 0) (i32.add (global.get $before) (local.get $at)))
          (call $bits (global.get $z) (i32.add (global.get $before) (local.get $at))))))
        (local.set $e (i64.xor (local.get $own) (i64.xor
          (call $bits (i32.const 0) (i32.add (global.get $after) (local.get $at)))
          (call $bits (global.get $z) (local.get $place)))))
        ;; Their number.
        (local.set $ones (i64.xor (local.get $a) (local.get $b)))
        (local.set $carry (i64.or (i64.and (local.get $a) (local.get $b)) (i64.and (local.get $ones) (local.get $c))))
        (local.set $sum (i64.xor (local.get $ones) (local.get $c)))
        (local.set $ones (i64.xor (local.get $sum) (local.get $d)))
        (local.set $twos (i64.or (i64.and (local.get $sum) (local.get $d)) (i64.and (local.get $ones) (local.get $e))))
        (local.set $ones (i64.xor (local.get $ones) (local.get $e)))
        (local.set $fours (i64.and (local.get $carry) (local.get $twos)))
        (local.set $p (i64.and (local.get $ones) (i64.xor (local.get $carry) (local.get $twos))))
        ;; Parities of l.
        (local.set $l (i64.xor (local.get $own)
          (i64.xor (call $left (i32.const 0) (local.get $at)) (call $left (global.get $x) (local.get $at)))))
        (local.set $l (i64.xor (local.get $l) (i64.shl (local.get $l) (i64.const 1))))
        (local.set $l (i64.xor (local.get $l) (i64.shl (local.get $l) (i64.const 2))))
        (local.set $l (i64.xor (local.get $l) (i64.shl (local.get $l) (i64.const 4))))
        (local.set $l (i64.xor (local.get $l) (i64.shl (local.get $l) (i64.const 8))))
        (local.set $l (i64.xor (local.get $l) (i64.shl (local.get $l) (i64.const 16))))
        (local.set $l (i64.xor (local.get $l) (i64.shl (local.get $l) (i64.const 32))))
        ;; t where n is not 3; the sum of that and the same with ones where n is 3 carries it along.
        (local.set $b (i64.and (i64.xor (local.get $fours) (local.get $l)) (i64.xor (local.get $p) (i64.const -1))))
        (local.set $a (i64.or (local.get $b) (local.get $p)))
        (local.set $flip (i64.xor (local.get $l) (i64.shr_u
          (i64.xor (i64.add (local.get $a) (local.get $b)) (i64.xor (local.get $a) (local.get $b)))
          (i64.const 1))))
        (local.set $flip (i64.and (local.get $flip)
          (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $count))) (i64.const 1))))
        (if (i64.ne (local.get $flip) (i64.const 0))
          (then
            (global.set $flips (i64.add (global.get $flips) (i64.popcnt (local.get $flip))))
            (local.set $byte (i32.shr_u (local.get $place) (i32.const 3)))
            (i64.store align=1 (local.get $byte) (i64.xor
              (i64.load align=1 (local.get $byte))
              (i64.shl (local.get $flip) (i64.extend_i32_u (i32.and (local.get $place) (i32.const 7))))))))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (br $more)))
      (local.set $line (i32.add (local.get $line) (i32.const 1)))
      (br $next))))

  ;; Adds a direction of so many sites up, whose spins differ from the next ones where $unlike says so.
  (func $add (param $unlike i64) (param $bonds i64) (param $mask i64)
    (global.set $broken (i64.add (global.get $broken)
      (i64.popcnt (i64.and (i64.xor (local.get $unlike) (local.get $bonds)) (local.get $mask)))))
    (local.set $unlike (i64.and (local.get $unlike) (local.get $mask)))
    (global.set $differ (i64.add (global.get $differ) (i64.popcnt (local.get $unlike))))
    (global.set $negative (i64.add (global.get $negative) (i64.popcnt (i64.and (local.get $unlike) (local.get $bonds))))))

  ;; Counts, in a plane, spins that are up, and bonds to the next sites: those that are broken, those between spins that differ, and of
  ;; these the negative ones.
  (func (export "measure") (param $plane i32)
    (local $line i32) (local $at i32) (local $count i32) (local $place i32) (local $own i64) (local $mask i64)
    (block $done (loop $next
      (br_if $done (i32.eq (local.get $line) (global.get $height)))
      (call $enter (local.get $plane) (local.get $line))
      (local.set $at (i32.const 0))
      (block $end (loop $more
        (br_if $end (i32.eq (local.get $at) (global.get $width)))
        (local.set $count (i32.sub (global.get $width) (local.get $at)))
        (if (i32.gt_u (local.get $count) (call $step)) (then (local.set $count (call $step))))
        (local.set $mask (i64.sub (i64.shl (i64.const 1) (i64.extend_i32_u (local.get $count))) (i64.const 1)))
        (local.set $place (i32.add (global.get $row) (local.get $at)))
        (local.set $own (call $bits (i32.const 0) (local.get $place)))
        (global.set $up (i64.add (global.get $up) (i64.popcnt (i64.and (local.get $own) (local.get $mask)))))
        (call $add
          (i64.xor (local.get $own) (call $right (local.get $at) (local.get $count)))
          (call $bits (global.get $x) (local.get $place)) (local.get $mask))
        (call $add
          (i64.xor (local.get $own) (call $bits (i32.const 0) (i32.add (global.get $under) (local.get $at))))
          (call $bits (global.get $y) (local.get $place)) (local.get $mask))
        (call $add
          (i64.xor (local.get $own) (call $bits (i32.const 0) (i32.add (global.get $after) (local.get $at))))
          (call $bits (global.get $z) (local.get $place)) (local.get $mask))
        (local.set $at (i32.add (local.get $at) (local.get $count)))
        (br $more)))
      (local.set $line (i32.add (local.get $line) (i32.const 1)))
      (br $next))))

  ;; Of the couplings.
  (global $seed (export "seed") (mut i64) (i64.const 0))

  ;; Sets, from a bit on, where the couplings of so many edges are negative: the highest bits of the hashes of (lo, hi), (lo + 1, hi + 1)
  ;; and so on (edge-hash.ts). The bits were 0.
  (func (export "draw") (param $bit i32) (param $count i32) (param $lo i32) (param $hi i32)
    (local $key i64) (local $h i64) (local $byte i32)
    (local.set $key (i64.add (global.get $seed) (i64.add
      (i64.mul (i64.add (i64.extend_i32_u (local.get $lo)) (i64.const 1)) (i64.const 0x9E3779B97F4A7C15))
      (i64.extend_i32_u (local.get $hi)))))
    (block $done (loop $next
      (br_if $done (i32.eqz (local.get $count)))
      (local.set $h (local.get $key))
      (local.set $h (i64.mul (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 30))) (i64.const 0xBF58476D1CE4E5B9)))
      (local.set $h (i64.mul (i64.xor (local.get $h) (i64.shr_u (local.get $h) (i64.const 27))) (i64.const 0x94D049BB133111EB)))
      ;; The last step of the hash leaves the highest bit.
      (local.set $byte (i32.shr_u (local.get $bit) (i32.const 3)))
      (i32.store8 (local.get $byte) (i32.or
        (i32.load8_u (local.get $byte))
        (i32.shl (i32.wrap_i64 (i64.shr_u (local.get $h) (i64.const 63))) (i32.and (local.get $bit) (i32.const 7)))))
      (local.set $key (i64.add (local.get $key) (i64.const 0x9E3779B97F4A7C16)))
      (local.set $bit (i32.add (local.get $bit) (i32.const 1)))
      (local.set $count (i32.sub (local.get $count) (i32.const 1)))
      (br $next)))))
