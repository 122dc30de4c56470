;; Unpacks groups of a packed graph (packed-layout.ts): segments of raw words, offsets and lists, whose numbers stand in streams of four widths.
;; Assembled by resources/scripts/assemble-modules.mjs into unpack-module.ts.
;; Memory: a block from 0 on, the words of its piece behind it, and five streams of at most 4096 numbers each, with room between them for what is
;; written too far.
(module
  (memory (export "memory") 36)
  ;; Places at which the words of the piece, and each stream, begin (unpacker.ts names the first). The word before the numbers stays 0.
  (global $skips i32 (i32.const 0x220040))
  (global $lengths i32 (i32.const 0x224080))
  (global $belows i32 (i32.const 0x2280c0))
  (global $numbers i32 (i32.const 0x22c100))
  ;; What $prepare makes.
  (global $pairsAt i32 (i32.const 0x230140))
  ;; The numbers that are marked, and where each four of them go, by the marks of four.
  (global $marked i32 (i32.const 0x230580))
  (global $placesAt i32 (i32.const 0x234600))
  (data (i32.const 0x234600) 
    "\80\80\80\80\80\80\80\80\80\80\80\80\80\80\80\80\00\01\02\03\80\80\80\80\80\80\80\80\80\80\80\80"
    "\80\80\80\80\00\01\02\03\80\80\80\80\80\80\80\80\00\01\02\03\04\05\06\07\80\80\80\80\80\80\80\80"
    "\80\80\80\80\80\80\80\80\00\01\02\03\80\80\80\80\00\01\02\03\80\80\80\80\04\05\06\07\80\80\80\80"
    "\80\80\80\80\00\01\02\03\04\05\06\07\80\80\80\80\00\01\02\03\04\05\06\07\08\09\0a\0b\80\80\80\80"
    "\80\80\80\80\80\80\80\80\80\80\80\80\00\01\02\03\00\01\02\03\80\80\80\80\80\80\80\80\04\05\06\07"
    "\80\80\80\80\00\01\02\03\80\80\80\80\04\05\06\07\00\01\02\03\04\05\06\07\80\80\80\80\08\09\0a\0b"
    "\80\80\80\80\80\80\80\80\00\01\02\03\04\05\06\07\00\01\02\03\80\80\80\80\04\05\06\07\08\09\0a\0b"
    "\80\80\80\80\00\01\02\03\04\05\06\07\08\09\0a\0b\00\01\02\03\04\05\06\07\08\09\0a\0b\0c\0d\0e\0f")

  ;; A stream: four widths, a byte each, ascending; the words of its bits; two bits a number that choose its width, unless all are the same; the bits
  ;; of all numbers, one after another. A number has what those of lower choices cannot be. Returns the byte behind it. Of no numbers it has no
  ;; words. Two numbers may be written where one is left.
  (func $stream (param $at i32) (param $count i32) (param $out i32) (result i32)
    (local $widths i32) (local $bits i32) (local $choose i32)
    (if (i32.eqz (local.get $count)) (then (return (local.get $at))))
    (local.set $widths (i32.load (local.get $at)))
    (local.set $choose (i32.add (local.get $at) (i32.const 8)))
    (if (i32.eq (local.get $widths) (i32.rotl (local.get $widths) (i32.const 8)))
      (then
        (local.set $bits (local.get $choose))
        (call $same (i32.and (local.get $widths) (i32.const 255)) (local.get $bits) (local.get $count) (local.get $out)))
      (else
        (local.set $bits (i32.add (local.get $choose) (i32.shl (i32.shr_u (i32.add (local.get $count) (i32.const 15)) (i32.const 4)) (i32.const 2))))
        (if (i32.gt_u (i32.shr_u (local.get $widths) (i32.const 24)) (i32.const 28))
          (then (call $wide (local.get $widths) (local.get $choose) (local.get $bits) (local.get $count) (local.get $out)))
          (else
            (call $prepare (local.get $widths))
            (call $pairs (local.get $choose) (local.get $bits) (local.get $count) (local.get $out))))))
    (i32.add (local.get $bits) (i32.shl (i32.load (i32.add (local.get $at) (i32.const 4))) (i32.const 2))))

  ;; Numbers of one width.
  (func $same (param $width i32) (param $bits i32) (param $count i32) (param $out i32)
    (local $bit i32) (local $end i32)
    (if (i32.eqz (local.get $width)) (then
      (memory.fill (local.get $out) (i32.const 0) (i32.shl (local.get $count) (i32.const 2)))
      (return)))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (loop $numbers
      (i32.store (local.get $out) (call $number (local.get $bits) (local.get $bit) (local.get $width)))
      (local.set $bit (i32.add (local.get $bit) (local.get $width)))
      (local.set $out (i32.add (local.get $out) (i32.const 4)))
      (br_if $numbers (i32.lt_u (local.get $out) (local.get $end)))))

  (func $number (param $bits i32) (param $bit i32) (param $width i32) (result i32)
    (i32.wrap_i64 (i64.and
      (i64.shr_u (i64.load (i32.add (local.get $bits) (i32.shr_u (local.get $bit) (i32.const 3)))) (i64.extend_i32_u (i32.and (local.get $bit) (i32.const 7))))
      (i64.xor (i64.shl (i64.const -1) (i64.extend_i32_u (local.get $width))) (i64.const -1)))))

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
        (local.set $width (call $width (local.get $widths) (i32.and (local.get $choices) (i32.const 3))))
        (i32.store (local.get $out) (i32.add
          (call $base (local.get $widths) (i32.and (local.get $choices) (i32.const 3)))
          (call $number (local.get $bits) (local.get $bit) (local.get $width))))
        (local.set $bit (i32.add (local.get $bit) (local.get $width)))
        (local.set $choices (i32.shr_u (local.get $choices) (i32.const 2)))
        (local.set $out (i32.add (local.get $out) (i32.const 4)))
        (br_if $numbers (i32.lt_u (local.get $out) (local.get $stop))))
      (br_if $words (i32.lt_u (local.get $out) (local.get $end)))))

  (func $width (param $widths i32) (param $choice i32) (result i32)
    (i32.and (i32.shr_u (local.get $widths) (i32.shl (local.get $choice) (i32.const 3))) (i32.const 255)))

  ;; The least number of a choice.
  (func $base (param $widths i32) (param $choice i32) (result i32)
    (local $base i32)
    (block $done (loop $lower
      (br_if $done (i32.eqz (local.get $choice)))
      (local.set $choice (i32.sub (local.get $choice) (i32.const 1)))
      (local.set $base (i32.add (local.get $base) (i32.shl (i32.const 1) (call $width (local.get $widths) (local.get $choice)))))
      (br $lower)))
    (local.get $base))

  ;; The table of each two choices, 64 bytes an entry: a mask of the first number; one of the second, in the upper half; the least of both; what the
  ;; second one is multiplied by to be there; the width of both.
  (func $prepare (param $widths i32)
    (local $pair i32) (local $at i32) (local $first i32) (local $second i32)
    (local.set $at (global.get $pairsAt))
    (loop $more
      (local.set $first (call $width (local.get $widths) (i32.and (local.get $pair) (i32.const 3))))
      (local.set $second (call $width (local.get $widths) (i32.shr_u (local.get $pair) (i32.const 2))))
      (i64.store (local.get $at) (i64.extend_i32_u (i32.sub (i32.shl (i32.const 1) (local.get $first)) (i32.const 1))))
      (i32.store offset=8 (local.get $at) (i32.const 0))
      (i32.store offset=12 (local.get $at) (i32.sub (i32.shl (i32.const 1) (local.get $second)) (i32.const 1)))
      (i32.store offset=16 (local.get $at) (call $base (local.get $widths) (i32.and (local.get $pair) (i32.const 3))))
      (i32.store offset=20 (local.get $at) (call $base (local.get $widths) (i32.shr_u (local.get $pair) (i32.const 2))))
      (i64.store offset=24 (local.get $at) (i64.shl (i64.const 1) (i64.extend_i32_u (i32.sub (i32.const 32) (local.get $first)))))
      (i32.store offset=32 (local.get $at) (i32.add (local.get $first) (local.get $second)))
      (local.set $at (i32.add (local.get $at) (i32.const 64)))
      (local.set $pair (i32.add (local.get $pair) (i32.const 1)))
      (br_if $more (i32.lt_u (local.get $pair) (i32.const 16)))))

  ;; The two numbers of a pair of choices, from a bit of the memory on. Its table is named by what it adds to the entry: 0x230140 is $pairsAt.
  (func $two (param $pair i32) (param $bit i32) (result i64)
    (local $both i64)
    (local.set $both (i64.shr_u (i64.load (i32.shr_u (local.get $bit) (i32.const 3))) (i64.extend_i32_u (i32.and (local.get $bit) (i32.const 7)))))
    (i64.add (i64.load offset=0x230150 (local.get $pair)) (i64.or
      (i64.and (local.get $both) (i64.load offset=0x230140 (local.get $pair)))
      (i64.and (i64.mul (local.get $both) (i64.load offset=0x230158 (local.get $pair))) (i64.load offset=0x230148 (local.get $pair))))))

  ;; Numbers of at most 28 bits: two of them are in the 64 bits from the byte on in which the first begins. Sixteen have a word of choices; those
  ;; behind the last whole word of them are taken two by two.
  (func $pairs (param $choose i32) (param $bits i32) (param $count i32) (param $out i32)
    (local $choices i32) (local $bit i32) (local $end i32) (local $last i32) (local $pair i32)
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
    (local.set $last (i32.sub (local.get $end) (i32.const 64)))
    (local.set $bit (i32.shl (local.get $bits) (i32.const 3)))
    (block $few (loop $words
      (br_if $few (i32.gt_s (local.get $out) (local.get $last)))
      (local.set $choices (i32.load (local.get $choose)))
      (local.set $choose (i32.add (local.get $choose) (i32.const 4)))
      (local.set $pair (i32.and (i32.shl (local.get $choices) (i32.const 6)) (i32.const 960)))
      (i64.store offset=0 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shl (local.get $choices) (i32.const 2)) (i32.const 960)))
      (i64.store offset=8 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shr_u (local.get $choices) (i32.const 2)) (i32.const 960)))
      (i64.store offset=16 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shr_u (local.get $choices) (i32.const 6)) (i32.const 960)))
      (i64.store offset=24 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shr_u (local.get $choices) (i32.const 10)) (i32.const 960)))
      (i64.store offset=32 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shr_u (local.get $choices) (i32.const 14)) (i32.const 960)))
      (i64.store offset=40 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shr_u (local.get $choices) (i32.const 18)) (i32.const 960)))
      (i64.store offset=48 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $pair (i32.and (i32.shr_u (local.get $choices) (i32.const 22)) (i32.const 960)))
      (i64.store offset=56 (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $out (i32.add (local.get $out) (i32.const 64)))
      (br $words)))
    (local.set $choices (i32.load (local.get $choose)))
    (block $done (loop $numbers
      (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
      (local.set $pair (i32.shl (i32.and (local.get $choices) (i32.const 15)) (i32.const 6)))
      (i64.store (local.get $out) (call $two (local.get $pair) (local.get $bit)))
      (local.set $bit (i32.add (local.get $bit) (i32.load offset=0x230160 (local.get $pair))))
      (local.set $choices (i32.shr_u (local.get $choices) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (br $numbers))))

  ;; Offsets, 64 bits each: the first one, then what each has more than the one before.
  (func $offsets (param $at i32) (param $words i32) (param $out i32) (result i32)
    (local $offset i64) (local $from i32) (local $end i32)
    (local.set $offset (i64.load (local.get $at)))
    (local.set $at (call $stream (i32.add (local.get $at) (i32.const 8)) (i32.shr_u (local.get $words) (i32.const 1)) (global.get $numbers)))
    (local.set $from (global.get $numbers))
    (local.set $end (i32.add (local.get $out) (i32.shl (local.get $words) (i32.const 2))))
    (block $done (loop $more
      (br_if $done (i32.ge_u (local.get $out) (local.get $end)))
      (local.set $offset (i64.add (local.get $offset) (i64.load32_u (local.get $from))))
      (i64.store (local.get $out) (local.get $offset))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $out (i32.add (local.get $out) (i32.const 8)))
      (br $more)))
    (local.get $at))

  ;; Numbers become their sums up to each, and of one each.
  (func $add (param $count i32)
    (local $at i32) (local $end i32) (local $before v128)
    (local.set $at (global.get $numbers))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (loop $fours
      (v128.store (local.get $at) (local.tee $before (call $sums (local.get $before) (v128.load (local.get $at)))))
      (local.set $at (i32.add (local.get $at) (i32.const 16)))
      (br_if $fours (i32.lt_u (local.get $at) (local.get $end)))))

  ;; The same of numbers that are 0 where they have no mark.
  (func $addMarked (param $marks i32) (param $count i32)
    (local $from i32) (local $at i32) (local $end i32) (local $four i32) (local $before v128)
    (local.set $from (global.get $marked))
    (local.set $at (global.get $numbers))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (loop $eights
      (local.set $four (i32.and (i32.load8_u (local.get $marks)) (i32.const 15)))
      (v128.store (local.get $at) (local.tee $before (call $sums (local.get $before) (call $placed (local.get $from) (local.get $four)))))
      (local.set $from (i32.add (local.get $from) (i32.shl (i32.popcnt (local.get $four)) (i32.const 2))))
      (local.set $four (i32.shr_u (i32.load8_u (local.get $marks)) (i32.const 4)))
      (v128.store offset=16 (local.get $at) (local.tee $before (call $sums (local.get $before) (call $placed (local.get $from) (local.get $four)))))
      (local.set $from (i32.add (local.get $from) (i32.shl (i32.popcnt (local.get $four)) (i32.const 2))))
      (local.set $marks (i32.add (local.get $marks) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 32)))
      (br_if $eights (i32.lt_u (local.get $at) (local.get $end)))))

  ;; The next four numbers by their marks.
  (func $placed (param $from i32) (param $four i32) (result v128)
    (i8x16.swizzle
      (i32x4.add (v128.load (local.get $from)) (v128.const i32x4 1 1 1 1))
      (v128.load (i32.add (global.get $placesAt) (i32.shl (local.get $four) (i32.const 4))))))

  ;; The sums up to each of four numbers, and of one each, where the last place of $before has the sum so far.
  (func $sums (param $before v128) (param $four v128) (result v128)
    (local.set $four (i32x4.add (local.get $four) (v128.const i32x4 1 1 1 1)))
    (local.set $four (i32x4.add (local.get $four)
      (i8x16.shuffle 12 13 14 15 16 17 18 19 20 21 22 23 24 25 26 27 (v128.const i32x4 0 0 0 0) (local.get $four))))
    (local.set $four (i32x4.add (local.get $four)
      (i8x16.shuffle 8 9 10 11 12 13 14 15 16 17 18 19 20 21 22 23 (v128.const i32x4 0 0 0 0) (local.get $four))))
    (i32x4.add (local.get $four)
      (i8x16.shuffle 12 13 14 15 12 13 14 15 12 13 14 15 12 13 14 15 (local.get $before) (local.get $before))))

  ;; Lists: the vertex of the first and their number; streams of the vertices skipped before each, of lengths less one, of neighbours before the
  ;; vertex, and of a number for each neighbour: how many ids are between it and the one nearer to the vertex, or the vertex itself. Lists with
  ;; marks: how many numbers are not 0 stands above the number of lists; neighbours behind the vertex in place of lengths; marks and the stream of
  ;; the marked ones in place of all numbers.
  (func $lists (param $at i32) (param $words i32) (param $out i32) (param $hasMarks i32) (result i32)
    (local $vertex i32) (local $lists i32) (local $sums i32) (local $of i32) (local $last i32) (local $middle i32) (local $end i32) (local $stop i32) (local $done4 i32)
    (local $many i32) (local $marks i32)
    (local $added v128)
    (local.set $vertex (i32.sub (i32.load (local.get $at)) (i32.const 1)))
    (local.set $lists (i32.load (i32.add (local.get $at) (i32.const 4))))
    (if (local.get $hasMarks) (then
      (local.set $many (i32.shr_u (local.get $lists) (i32.const 16)))
      (local.set $lists (i32.and (local.get $lists) (i32.const 0xffff)))))
    (if (i32.or (i32.gt_u (local.get $lists) (local.get $words)) (i32.gt_u (local.get $many) (local.get $words))) (then (unreachable)))
    (local.set $at (i32.add (local.get $at) (i32.const 8)))
    (local.set $at (call $stream (local.get $at) (local.get $lists) (global.get $skips)))
    (local.set $at (call $stream (local.get $at) (local.get $lists) (global.get $lengths)))
    (local.set $at (call $stream (local.get $at) (local.get $lists) (global.get $belows)))
    (if (local.get $hasMarks)
      (then
        (local.set $marks (local.get $at))
        (local.set $at (i32.add (local.get $at) (i32.shl (i32.shr_u (i32.add (local.get $words) (i32.const 31)) (i32.const 5)) (i32.const 2))))
        (local.set $at (call $stream (local.get $at) (local.get $many) (global.get $marked)))
        (call $addMarked (local.get $marks) (local.get $words)))
      (else
        (local.set $at (call $stream (local.get $at) (local.get $words) (global.get $numbers)))
        (call $add (local.get $words))))
    (local.set $sums (global.get $numbers))
    (local.set $last (i32.shl (local.get $lists) (i32.const 2)))
    (local.set $stop (i32.add (local.get $out) (i32.shl (local.get $words) (i32.const 2))))
    (block $done (loop $more
      (br_if $done (i32.ge_u (local.get $of) (local.get $last)))
      (local.set $vertex (i32.add (local.get $vertex) (i32.add (i32.const 1) (i32.load (i32.add (global.get $skips) (local.get $of))))))
      (local.set $middle (i32.shl (i32.load (i32.add (global.get $belows) (local.get $of))) (i32.const 2)))
      (local.set $end (i32.add
        (i32.shl (i32.load (i32.add (global.get $lengths) (local.get $of))) (i32.const 2))
        (select (local.get $middle) (i32.const 4) (local.get $hasMarks))))
      (if (i32.or (i32.gt_u (local.get $middle) (local.get $end)) (i32.gt_u (local.get $end) (i32.sub (local.get $stop) (local.get $out))))
        (then (unreachable)))
      (local.set $added (i32x4.splat
        (i32.sub (local.get $vertex) (i32.load (i32.sub (i32.add (local.get $sums) (local.get $middle)) (i32.const 4))))))
      ;; Those below the vertex have the sum before theirs.
      (local.set $done4 (i32.const 0))
      (block $above (loop $fours
        (br_if $above (i32.ge_u (local.get $done4) (local.get $middle)))
        (v128.store (i32.add (local.get $out) (local.get $done4)) (i32x4.add (local.get $added)
          (v128.load (i32.sub (i32.add (local.get $sums) (local.get $done4)) (i32.const 4)))))
        (local.set $done4 (i32.add (local.get $done4) (i32.const 16)))
        (br $fours)))
      (block $over (loop $fours
        (br_if $over (i32.ge_u (local.get $middle) (local.get $end)))
        (v128.store (i32.add (local.get $out) (local.get $middle)) (i32x4.add (local.get $added)
          (v128.load (i32.add (local.get $sums) (local.get $middle)))))
        (local.set $middle (i32.add (local.get $middle) (i32.const 16)))
        (br $fours)))
      (local.set $sums (i32.add (local.get $sums) (local.get $end)))
      (local.set $out (i32.add (local.get $out) (local.get $end)))
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
          (else (local.set $at (call $lists (local.get $at) (local.get $count) (local.get $out) (i32.eq (local.get $head) (i32.const 3))))))))
      (local.set $out (i32.add (local.get $out) (i32.shl (local.get $count) (i32.const 2))))
      (br $more)))))
