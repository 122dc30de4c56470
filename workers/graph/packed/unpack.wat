;; Unpacks groups of a packed graph (packed-layout.ts): segments of raw words, offsets and lists, whose numbers stand in streams of four widths.
;; Assembled by resources/scripts/assemble-modules.mjs into unpack-module.ts.
;; Memory: a block from 0 on, the words of its piece behind it, and four streams of at most 4096 numbers each.
(module
  (memory (export "memory") 36)
  ;; Where the words of the piece, and each stream, begin (unpacker.ts names the first).
  (global $skips i32 (i32.const 0x220000))
  (global $lengths i32 (i32.const 0x224000))
  (global $firsts i32 (i32.const 0x228000))
  (global $gaps i32 (i32.const 0x22c000))
  ;; What $prepare makes.
  (global $pairsAt i32 (i32.const 0x230010))

  ;; A stream: four widths, a byte each, ascending; the words of its bits; two bits a number that choose its width; the bits of all numbers, one
  ;; after another. Returns the byte behind it. Of no numbers it has no words. Two numbers may be written where one is left.
  (func $stream (param $at i32) (param $count i32) (param $out i32) (result i32)
    (local $widths i32) (local $bits i32) (local $choose i32)
    (if (i32.eqz (local.get $count)) (then (return (local.get $at))))
    (local.set $widths (i32.load (local.get $at)))
    (local.set $choose (i32.add (local.get $at) (i32.const 8)))
    (local.set $bits (i32.add (local.get $choose) (i32.shl (i32.shr_u (i32.add (local.get $count) (i32.const 15)) (i32.const 4)) (i32.const 2))))
    (if (i32.gt_u (i32.shr_u (local.get $widths) (i32.const 24)) (i32.const 28))
      (then (call $wide (local.get $widths) (local.get $choose) (local.get $bits) (local.get $count) (local.get $out)))
      (else
        (call $prepare (local.get $widths))
        (call $pairs (local.get $choose) (local.get $bits) (local.get $count) (local.get $out))))
    (i32.add (local.get $bits) (i32.shl (i32.load (i32.add (local.get $at) (i32.const 4))) (i32.const 2))))

  ;; Numbers of any width, one by one.
  (func $wide (param $widths i32) (param $choose i32) (param $bits i32) (param $count i32) (param $out i32)
    (local $choices i32) (local $bit i32) (local $end i32) (local $stop i32) (local $width i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $words
      (local.set $choices (i32.load (local.get $choose)))
      (local.set $choose (i32.add (local.get $choose) (i32.const 4)))
      (local.set $stop (i32.add (local.get $out) (i32.const 64)))
      (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
      (loop $numbers
        (local.set $width (i32.and (i32.shr_u (local.get $widths) (i32.shl (local.get $choices) (i32.const 3))) (i32.const 255)))
        (i32.store (local.get $out) (i32.wrap_i64 (i64.and
          (i64.shr_u (i64.load (i32.add (local.get $bits) (i32.shr_u (local.get $bit) (i32.const 3)))) (i64.extend_i32_u (i32.and (local.get $bit) (i32.const 7))))
          (i64.xor (i64.shl (i64.const -1) (i64.extend_i32_u (local.get $width))) (i64.const -1)))))
        (local.set $bit (i32.add (local.get $bit) (local.get $width)))
        (local.set $choices (i32.shr_u (local.get $choices) (i32.const 2)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $numbers (i32.lt_u (local.get $out) (local.get $stop))))
      (br_if $words (i32.lt_u (local.get $out) (local.get $end)))))

  (func $width (param $widths i32) (param $choice i32) (result i32)
    (i32.and (i32.shr_u (local.get $widths) (i32.shl (local.get $choice) (i32.const 3))) (i32.const 255)))

  ;; For each two choices: masks of both numbers, the width of the first, and of both.
  (func $prepare (param $widths i32)
    (local $pair i32) (local $at i32) (local $first i32) (local $second i32)
    (local.set $at (global.get $pairsAt))
    (loop $more
      (local.set $first (call $width (local.get $widths) (i32.and (local.get $pair) (i32.const 3))))
      (local.set $second (call $width (local.get $widths) (i32.shr_u (local.get $pair) (i32.const 2))))
      (i32.store (local.get $at) (i32.sub (i32.shl (i32.const 1) (local.get $first)) (i32.const 1)))
      (i32.store (i32.add (local.get $at) (i32.const 4)) (i32.sub (i32.shl (i32.const 1) (local.get $second)) (i32.const 1)))
      (i32.store (i32.add (local.get $at) (i32.const 8)) (local.get $first))
      (i32.store (i32.add (local.get $at) (i32.const 12)) (i32.add (local.get $first) (local.get $second)))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (local.set $pair (i32.add (local.get $pair) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $pair) (i32.const 16)))))

  ;; Numbers of at most 28 bits: two of them are in the 64 bits from the byte on in which the first begins.
  (func $pairs (param $choose i32) (param $bits i32) (param $count i32) (param $out i32)
    (local $choices i32) (local $bit i32) (local $end i32) (local $stop i32) (local $both i64) (local $pair i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $words
      (local.set $choices (i32.load (local.get $choose)))
      (local.set $choose (i32.add (local.get $choose) (i32.const 4)))
      (local.set $stop (i32.add (local.get $out) (i32.const 64)))
      (if (i32.gt_u (local.get $stop) (local.get $end)) (then (local.set $stop (local.get $end))))
      (loop $numbers
        (local.set $pair (i32.add (global.get $pairsAt) (i32.shl (i32.and (local.get $choices) (i32.const 15)) (i32.const 4))))
        (local.set $both (i64.shr_u
          (i64.load (i32.add (local.get $bits) (i32.shr_u (local.get $bit) (i32.const 3))))
          (i64.extend_i32_u (i32.and (local.get $bit) (i32.const 7)))))
        (i32.store (local.get $out) (i32.and (i32.wrap_i64 (local.get $both)) (i32.load (local.get $pair))))
        (i32.store offset=4 (local.get $out) (i32.and
          (i32.wrap_i64 (i64.shr_u (local.get $both) (i64.load32_u offset=8 (local.get $pair))))
          (i32.load offset=4 (local.get $pair))))
        (local.set $bit (i32.add (local.get $bit) (i32.load offset=12 (local.get $pair))))
        (local.set $choices (i32.shr_u (local.get $choices) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 8)))
        (br_if $numbers (i32.lt_u (local.get $out) (local.get $stop))))
      (br_if $words (i32.lt_u (local.get $out) (local.get $end)))))

  ;; Offsets, 64 bits each: the first one, then what each has more than the one before.
  (func $offsets (param $at i32) (param $words i32) (param $out i32) (result i32)
    (local $offset i64) (local $from i32) (local $end i32)
    (local.set $offset (i64.load (local.get $at)))
    (local.set $at (call $stream (i32.add (local.get $at) (i32.const 8)) (i32.shr_u (local.get $words) (i32.const 1)) (global.get $gaps)))
    (local.set $from (global.get $gaps))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $words) (i32.const 2))))
    (block $done (loop $more
      (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
      (local.set $offset (i64.add (local.get $offset) (i64.load32_u (local.get $from))))
      (i64.store (local.get $out) (local.get $offset))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (br $more)))
    (local.get $at))

  ;; Lists: the vertex of the first and their number; streams of the vertices skipped before each, of lengths less one, of first neighbours as
  ;; signed differences from the vertex, and of all further neighbours as what they have more than the one before, less one.
  (func $lists (param $at i32) (param $words i32) (param $out i32) (result i32)
    (local $vertex i32) (local $lists i32) (local $gap i32) (local $of i32) (local $last i32) (local $end i32) (local $value i32)
    (local $sums v128)
    (local.set $vertex (i32.sub (i32.load (local.get $at)) (i32.const 1)))
    (local.set $lists (i32.load (i32.add (local.get $at) (i32.const 4))))
    (if (i32.gt_u (local.get $lists) (local.get $words)) (then (unreachable)))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $at (call $stream (local.get $at) (local.get $lists) (global.get $skips)))
    (local.set $at (call $stream (local.get $at) (local.get $lists) (global.get $lengths)))
    (local.set $at (call $stream (local.get $at) (local.get $lists) (global.get $firsts)))
    (local.set $at (call $stream (local.get $at) (i32.sub (local.get $words) (local.get $lists)) (global.get $gaps)))
    (local.set $gap (global.get $gaps))
    (local.set $of (i32.const 0))
    (local.set $last (i32.shl (local.get $lists) (i32.const 2)))
    (block $done (loop $more
      (br_if $done (i32.ge_u (local.get $of) (local.get $last)))
      (local.set $vertex (i32.add (local.get $vertex) (i32.add (i32.const 1) (i32.load (i32.add (global.get $skips) (local.get $of))))))
      (local.set $value (i32.load (i32.add (global.get $firsts) (local.get $of))))
      (local.set $value (i32.add (local.get $vertex) (i32.xor
        (i32.shr_u (local.get $value) (i32.const 1))
        (i32.sub (i32.const 0) (i32.and (local.get $value) (i32.const 1))))))
      (i32.store (local.get $out) (local.get $value))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (local.set $end (i32.add (local.get $out) (i32.shl (i32.load (i32.add (global.get $lengths) (local.get $of))) (i32.const 2))))
      (block $four (loop $fours
        (br_if $four (i32.gt_u (i32.add (local.get $out) (i32.const 16)) (local.get $end)))
        (local.set $sums (i32x4.add (v128.load (local.get $gap)) (v128.const i32x4 1 1 1 1)))
        (local.set $sums (i32x4.add (local.get $sums)
          (i8x16.shuffle 0 0 0 0 16 17 18 19 20 21 22 23 24 25 26 27 (v128.const i32x4 0 0 0 0) (local.get $sums))))
        (local.set $sums (i32x4.add (local.get $sums)
          (i8x16.shuffle 0 0 0 0 0 0 0 0 16 17 18 19 20 21 22 23 (v128.const i32x4 0 0 0 0) (local.get $sums))))
        (local.set $sums (i32x4.add (local.get $sums) (i32x4.splat (local.get $value))))
        (v128.store (local.get $out) (local.get $sums))
        (local.set $value (i32x4.extract_lane 3 (local.get $sums)))
        (local.set $gap (i32.add (local.get $gap) (i32.const 16)))
        (local.set $out (i32.add (local.get $out) (i32.const 16)))
        (br $fours)))
      (block $ended (loop $list
        (br_if $ended (i32.ge_u (local.get $out) (local.get $end)))
        (local.set $value (i32.add (local.get $value) (i32.add (i32.const 1) (i32.load (local.get $gap)))))
        (i32.store (local.get $out) (local.get $value))
        (local.set $gap (i32.add (local.get $gap) (i32.const 4)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br $list)))
      (local.set $of (i32.add (local.get $of) (i32.const 4)))
      (br $more)))
    (local.get $at))

  ;; The words of a group, which begins at a byte of the block. What cannot be a group traps.
  (func (export "unpack") (param $at i32) (param $words i32) (param $out i32)
    (local $head i32) (local $count i32) (local $end i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $words) (i32.const 2))))
    (block $done (loop $more
      (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
      (local.set $head (i32.load (local.get $at)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (local.set $count (i32.shr_u (local.get $head) (i32.const 2)))
      (if (i32.or (i32.eqz (local.get $count)) (i32.gt_u (local.get $count) (i32.shr_u (i32.sub (local.get $end) (local.get $out)) (i32.const 2))))
        (then (unreachable)))
      (local.set $head (i32.and (local.get $head) (i32.const 3)))
      (if (i32.eqz (local.get $head)) (then
        (memory.copy (local.get $out) (local.get $at) (i32.shl (local.get $count) (i32.const 2)))
        (local.set $at (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2)))))
      (else
        (if (i32.eq (local.get $head) (i32.const 1))
          (then (local.set $at (call $offsets (local.get $at) (local.get $count) (local.get $out))))
          (else (local.set $at (call $lists (local.get $at) (local.get $count) (local.get $out)))))))
      (local.set $out (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
      (br $more)))))
