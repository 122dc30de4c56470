;; Draws tuples of models, four at a time (tuple-room.ts; random.ts has the same in JavaScript).
;; Assembled by resources/scripts/assemble-modules.mjs into tuple-module.ts.
(module
  (import "host" "memory" (memory 2))

  ;; The factors of `mix`, and what words of an item are apart. They can be set: as constants each use would load them anew.
  (global $first (export "first") (mut i32) (i32.const 0x21f0aaad))
  (global $second (export "second") (mut i32) (i32.const 0x735a2d97))
  (global $apart (export "apart") (mut i32) (i32.const 0x9e3779b9))

  ;; Four times `mix` of random.ts.
  (func $mix (param $x v128) (param $m v128) (param $n v128) (result v128)
    (local.set $x (i32x4.mul (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 16))) (local.get $m)))
    (local.set $x (i32x4.mul (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 15))) (local.get $n)))
    (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 15))))

  ;; Both words of the state of CounterHash at items of low words `items`.
  (func $a (param $items v128) (param $high i32) (param $seedLow i32) (param $m v128) (param $n v128) (result v128)
    (call $mix (i32x4.add
      (call $mix (v128.xor (local.get $items) (i32x4.splat (local.get $seedLow))) (local.get $m) (local.get $n))
      (i32x4.splat (local.get $high))) (local.get $m) (local.get $n)))

  (func $b (param $items v128) (param $high i32) (param $seedHigh i32) (param $m v128) (param $n v128) (result v128)
    (call $mix (i32x4.add
      (call $mix (i32x4.splat (i32.xor (local.get $high) (local.get $seedHigh))) (local.get $m) (local.get $n))
      (i32x4.mul (local.get $items) (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))
      (local.get $m) (local.get $n)))

  ;; A word of each item, where every lane of `step` is (k + 1) * 0x9e3779b9.
  (func $word (param $a v128) (param $b v128) (param $step v128) (param $m v128) (param $n v128) (result v128)
    (call $mix
      (v128.xor (call $mix (i32x4.add (local.get $a) (local.get $step)) (local.get $m) (local.get $n)) (local.get $b))
      (local.get $m) (local.get $n)))

  (func $items (param $low i32) (result v128)
    (i32x4.add (i32x4.splat (local.get $low)) (v128.const i32x4 0 1 2 3)))

  ;; Tuples of R-MAT from `low` + 2^32 `high` on: their ends to `from` and `to`. `count` is a multiple of 4 here and below. Words are compared
  ;; with their first bit turned, as signed numbers.
  (func (export "rmat") (param $low i32) (param $high i32) (param $count i32) (param $seedLow i32) (param $seedHigh i32)
    (param $scale i32) (param $boundA i32) (param $boundB i32) (param $boundC i32) (param $from i32) (param $to i32)
    (local $end i32) (local $level i32)
    (local $m v128) (local $n v128) (local $apart v128) (local $turn v128) (local $isB v128)
    (local $aBound v128) (local $bBound v128) (local $cBound v128)
    (local $items v128) (local $a v128) (local $b v128) (local $word v128) (local $step v128) (local $u v128) (local $v v128)
    (local.set $m (i32x4.splat (global.get $first)))
    (local.set $n (i32x4.splat (global.get $second)))
    (local.set $apart (i32x4.splat (global.get $apart)))
    ;; w >= bound where w > bound - 1.
    (local.set $aBound (i32x4.splat (i32.xor (i32.sub (local.get $boundA) (i32.const 1)) (i32.const 0x80000000))))
    (local.set $bBound (i32x4.splat (i32.xor (i32.sub (local.get $boundB) (i32.const 1)) (i32.const 0x80000000))))
    (local.set $cBound (i32x4.splat (i32.xor (i32.sub (local.get $boundC) (i32.const 1)) (i32.const 0x80000000))))
    (local.set $turn (i32x4.shl (i32x4.splat (global.get $first)) (i32.const 31)))
    (local.set $end (i32.add (local.get $from) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $items (call $items (local.get $low)))
    (loop $next
      (if (i32.lt_u (local.get $from) (local.get $end)) (then
        (local.set $a (call $a (local.get $items) (local.get $high) (local.get $seedLow) (local.get $m) (local.get $n)))
        (local.set $b (call $b (local.get $items) (local.get $high) (local.get $seedHigh) (local.get $m) (local.get $n)))
        (local.set $u (v128.const i32x4 0 0 0 0))
        (local.set $v (v128.const i32x4 0 0 0 0))
        (local.set $level (local.get $scale))
        (local.set $step (local.get $apart))
        (loop $levels
          (if (local.get $level) (then
            (local.set $word (v128.xor (local.get $turn)
              (call $word (local.get $a) (local.get $b) (local.get $step) (local.get $m) (local.get $n))))
            (local.set $step (i32x4.add (local.get $step) (local.get $apart)))
            ;; A comparison gives -1 or 0.
            (local.set $isB (i32x4.gt_s (local.get $word) (local.get $bBound)))
            (local.set $u (i32x4.sub (i32x4.add (local.get $u) (local.get $u)) (local.get $isB)))
            (local.set $v (i32x4.sub (i32x4.add (local.get $v) (local.get $v)) (v128.xor (local.get $isB) (v128.xor
              (i32x4.gt_s (local.get $word) (local.get $aBound))
              (i32x4.gt_s (local.get $word) (local.get $cBound))))))
            (local.set $level (i32.sub (local.get $level) (i32.const 1)))
            (br $levels))))
        (v128.store (local.get $from) (local.get $u))
        (v128.store (local.get $to) (local.get $v))
        (local.set $items (i32x4.add (local.get $items) (v128.const i32x4 4 4 4 4)))
        (local.set $from (i32.add (local.get $from) (i32.const 16)))
        (local.set $to (i32.add (local.get $to) (i32.const 16)))
        (br $next)))))

  ;; A word of each item to `at`.
  (func (export "words") (param $low i32) (param $high i32) (param $count i32) (param $seedLow i32) (param $seedHigh i32)
    (param $step i32) (param $at i32)
    (local $end i32) (local $items v128) (local $m v128) (local $n v128) (local $steps v128)
    (local.set $m (i32x4.splat (global.get $first)))
    (local.set $n (i32x4.splat (global.get $second)))
    (local.set $steps (i32x4.splat (local.get $step)))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $items (call $items (local.get $low)))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (v128.store (local.get $at) (call $word
          (call $a (local.get $items) (local.get $high) (local.get $seedLow) (local.get $m) (local.get $n))
          (call $b (local.get $items) (local.get $high) (local.get $seedHigh) (local.get $m) (local.get $n))
          (local.get $steps) (local.get $m) (local.get $n)))
        (local.set $items (i32x4.add (local.get $items) (v128.const i32x4 4 4 4 4)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))))

  ;; floor((p * 2^26 + q) * 2^-53 * limit) of the two lower p and q, in the two lower words: each operation as JavaScript has it.
  (func $scaled (param $p v128) (param $q v128) (param $limit f64) (result v128)
    (i32x4.trunc_sat_f64x2_u_zero (f64x2.floor (f64x2.mul
      (f64x2.mul
        (f64x2.add
          (f64x2.mul (f64x2.convert_low_i32x4_u (local.get $p)) (v128.const f64x2 0x1p26 0x1p26))
          (f64x2.convert_low_i32x4_u (local.get $q)))
        (v128.const f64x2 0x1p-53 0x1p-53))
      (f64x2.splat (local.get $limit))))))

  ;; A number below a limit for each item to `at`, by two words that follow one another.
  (func (export "below") (param $low i32) (param $high i32) (param $count i32) (param $seedLow i32) (param $seedHigh i32)
    (param $step i32) (param $limit f64) (param $at i32)
    (local $end i32) (local $items v128) (local $a v128) (local $b v128) (local $p v128) (local $q v128)
    (local $m v128) (local $n v128) (local $steps v128) (local $nextSteps v128)
    (local.set $m (i32x4.splat (global.get $first)))
    (local.set $n (i32x4.splat (global.get $second)))
    (local.set $steps (i32x4.splat (local.get $step)))
    (local.set $nextSteps (i32x4.add (local.get $steps) (i32x4.splat (global.get $apart))))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $items (call $items (local.get $low)))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $a (call $a (local.get $items) (local.get $high) (local.get $seedLow) (local.get $m) (local.get $n)))
        (local.set $b (call $b (local.get $items) (local.get $high) (local.get $seedHigh) (local.get $m) (local.get $n)))
        (local.set $p (i32x4.shr_u (call $word (local.get $a) (local.get $b) (local.get $steps) (local.get $m) (local.get $n)) (i32.const 5)))
        (local.set $q (i32x4.shr_u (call $word (local.get $a) (local.get $b) (local.get $nextSteps) (local.get $m) (local.get $n)) (i32.const 6)))
        (v128.store (local.get $at) (i8x16.shuffle 0 1 2 3 4 5 6 7 16 17 18 19 20 21 22 23
          (call $scaled (local.get $p) (local.get $q) (local.get $limit))
          (call $scaled
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $p) (local.get $p))
            (i8x16.shuffle 8 9 10 11 12 13 14 15 8 9 10 11 12 13 14 15 (local.get $q) (local.get $q))
            (local.get $limit))))
        (local.set $items (i32x4.add (local.get $items) (v128.const i32x4 4 4 4 4)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next)))))

  (func $round (param $left v128) (param $right v128) (param $key v128) (param $mask v128) (param $m v128) (param $n v128)
    (result v128)
    (v128.and (local.get $mask) (v128.xor (local.get $left)
      (call $mix (v128.xor (local.get $right) (local.get $key)) (local.get $m) (local.get $n)))))

  ;; Four rounds of Permutation.
  (func $encrypt (param $x v128) (param $half i32) (param $mask v128)
    (param $key1 v128) (param $key2 v128) (param $key3 v128) (param $key4 v128) (param $m v128) (param $n v128) (result v128)
    (local $left v128) (local $right v128)
    (local.set $left (i32x4.shr_u (local.get $x) (local.get $half)))
    (local.set $right (v128.and (local.get $x) (local.get $mask)))
    (local.set $left (call $round (local.get $left) (local.get $right) (local.get $key1) (local.get $mask) (local.get $m) (local.get $n)))
    (local.set $right (call $round (local.get $right) (local.get $left) (local.get $key2) (local.get $mask) (local.get $m) (local.get $n)))
    (local.set $left (call $round (local.get $left) (local.get $right) (local.get $key3) (local.get $mask) (local.get $m) (local.get $n)))
    (local.set $right (call $round (local.get $right) (local.get $left) (local.get $key4) (local.get $mask) (local.get $m) (local.get $n)))
    (v128.or (i32x4.shl (local.get $left) (local.get $half)) (local.get $right)))

  ;; Keeps the address `at` in the list that ends at `end` where the number there is past n; returns the new end.
  (func $keep (param $at i32) (param $end i32) (param $n i32) (result i32)
    (i32.store (local.get $end) (local.get $at))
    (i32.add (local.get $end) (i32.shl (i32.ge_u (i32.load (local.get $at)) (local.get $n)) (i32.const 2))))

  ;; Numbers below n at `at` become those of Permutation: all once, and those that are past n, a list of which is at `list`, again and again.
  (func (export "permute") (param $at i32) (param $count i32) (param $list i32) (param $limit i32) (param $half i32)
    (param $key1 i32) (param $key2 i32) (param $key3 i32) (param $key4 i32)
    (local $end i32) (local $kept i32) (local $next i32) (local $mask v128) (local $y v128)
    (local $a i32) (local $b i32) (local $c i32) (local $d i32)
    (local $m v128) (local $n v128) (local $a1 v128) (local $a2 v128) (local $a3 v128) (local $a4 v128)
    (local.set $m (i32x4.splat (global.get $first)))
    (local.set $n (i32x4.splat (global.get $second)))
    (local.set $a1 (i32x4.splat (local.get $key1)))
    (local.set $a2 (i32x4.splat (local.get $key2)))
    (local.set $a3 (i32x4.splat (local.get $key3)))
    (local.set $a4 (i32x4.splat (local.get $key4)))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $mask (i32x4.splat (i32.sub (i32.shl (i32.const 1) (local.get $half)) (i32.const 1))))
    (local.set $kept (local.get $list))
    (loop $all
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (v128.store (local.get $at) (call $encrypt (v128.load (local.get $at)) (local.get $half) (local.get $mask)
          (local.get $a1) (local.get $a2) (local.get $a3) (local.get $a4) (local.get $m) (local.get $n)))
        (local.set $kept (call $keep (local.get $at) (local.get $kept) (local.get $limit)))
        (local.set $kept (call $keep (i32.add (local.get $at) (i32.const 4)) (local.get $kept) (local.get $limit)))
        (local.set $kept (call $keep (i32.add (local.get $at) (i32.const 8)) (local.get $kept) (local.get $limit)))
        (local.set $kept (call $keep (i32.add (local.get $at) (i32.const 12)) (local.get $kept) (local.get $limit)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $all))))
    (loop $again
      (if (i32.ge_u (i32.sub (local.get $kept) (local.get $list)) (i32.const 16)) (then
        (local.set $next (local.get $list))
        (local.set $end (local.get $kept))
        (local.set $kept (local.get $list))
        (loop $fours
          (if (i32.le_u (i32.add (local.get $next) (i32.const 16)) (local.get $end)) (then
            (local.set $a (i32.load (local.get $next)))
            (local.set $b (i32.load offset=4 (local.get $next)))
            (local.set $c (i32.load offset=8 (local.get $next)))
            (local.set $d (i32.load offset=12 (local.get $next)))
            (local.set $y (v128.load32_zero (local.get $a)))
            (local.set $y (v128.load32_lane 1 (local.get $b) (local.get $y)))
            (local.set $y (v128.load32_lane 2 (local.get $c) (local.get $y)))
            (local.set $y (v128.load32_lane 3 (local.get $d) (local.get $y)))
            (local.set $y (call $encrypt (local.get $y) (local.get $half) (local.get $mask)
              (local.get $a1) (local.get $a2) (local.get $a3) (local.get $a4) (local.get $m) (local.get $n)))
            (v128.store32_lane 0 (local.get $a) (local.get $y))
            (v128.store32_lane 1 (local.get $b) (local.get $y))
            (v128.store32_lane 2 (local.get $c) (local.get $y))
            (v128.store32_lane 3 (local.get $d) (local.get $y))
            (local.set $kept (call $keep (local.get $a) (local.get $kept) (local.get $limit)))
            (local.set $kept (call $keep (local.get $b) (local.get $kept) (local.get $limit)))
            (local.set $kept (call $keep (local.get $c) (local.get $kept) (local.get $limit)))
            (local.set $kept (call $keep (local.get $d) (local.get $kept) (local.get $limit)))
            (local.set $next (i32.add (local.get $next) (i32.const 16)))
            (br $fours))))
        (loop $rest
          (if (i32.lt_u (local.get $next) (local.get $end)) (then
            (i32.store (local.get $kept) (i32.load (local.get $next)))
            (local.set $kept (i32.add (local.get $kept) (i32.const 4)))
            (local.set $next (i32.add (local.get $next) (i32.const 4)))
            (br $rest))))
        (br $again))))
    (loop $ones
      (if (i32.lt_u (local.get $list) (local.get $kept)) (then
        (local.set $a (i32.load (local.get $list)))
        (v128.store32_lane 0 (local.get $a) (call $encrypt (v128.load32_zero (local.get $a)) (local.get $half) (local.get $mask)
          (local.get $a1) (local.get $a2) (local.get $a3) (local.get $a4) (local.get $m) (local.get $n)))
        (if (i32.lt_u (i32.load (local.get $a)) (local.get $limit)) (then
          (local.set $list (i32.add (local.get $list) (i32.const 4)))))
        (br $ones))))))
