;; Sorts the records of a bucket and makes adjacency lists of them (bucket-sorter.ts).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
(module
  (import "host" "memory" (memory 1 65536))
  ;; Pairs of u32: which of 32 ids occur, and how many that occur are smaller.
  (import "host" "ranks" (memory $ranks 0 65536 shared))
  ;; Of the last call of `close`: arcs that were read in this direction, loops, the longest list, sources that occur without arcs,
  ;; and the end of the degrees.
  (global $given (export "given") (mut i32) (i32.const 0))
  (global $loops (export "loops") (mut i32) (i32.const 0))
  (global $longest (export "longest") (mut i32) (i32.const 0))
  (global $empty (export "empty") (mut i32) (i32.const 0))
  (global $degreesEnd (export "degreesEnd") (mut i32) (i32.const 0))

  (func $slot (param $at i32) (param $shift i64) (param $mask i64) (param $table i32) (result i32)
    (i32.add (local.get $table) (i32.shl (i32.wrap_i64
      (i64.and (i64.shr_u (i64.load (local.get $at)) (local.get $shift)) (local.get $mask))) (i32.const 2))))

  (func $sourceSlot (param $at i32) (param $base i32) (param $table i32) (result i32)
    (i32.add (local.get $table)
      (i32.shl (i32.sub (i32.load offset=4 (local.get $at)) (local.get $base)) (i32.const 2))))

  ;; Copies `count` records of `size` bytes each (line-buckets.wat) to `into`, with whole sources: u64 of source and word, and the weight.
  (func (export "widen") (param $at i32) (param $count i32) (param $size i32) (param $base i32) (param $sourceMask i32)
    (param $wordBits i64) (param $weighted i32) (param $into i32)
    (local $key i64)
    (loop $next
      (if (local.get $count) (then
        (local.set $key (i64.load (local.get $at)))
        (i64.store (local.get $into) (i64.or
          (i64.shl
            (i64.extend_i32_u (i32.add (local.get $base) (i32.and
              (i32.sub (i32.wrap_i64 (i64.shr_u (local.get $key) (local.get $wordBits))) (local.get $base))
              (local.get $sourceMask))))
            (i64.const 32))
          (i64.and (local.get $key) (i64.sub (i64.shl (i64.const 1) (local.get $wordBits)) (i64.const 1)))))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (local.set $into (i32.add (local.get $into) (i32.const 8)))
        (if (local.get $weighted) (then
          (i32.store (local.get $into) (i32.load (i32.sub (local.get $at) (i32.const 4))))
          (local.set $into (i32.add (local.get $into) (i32.const 4)))))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $next)))))

  ;; Counts the records [at, end) of `size` bytes by a digit, in a table of zeros.
  (func (export "count") (param $at i32) (param $end i32) (param $size i32) (param $shift i64) (param $mask i64) (param $table i32)
    (local $slot i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $slot (call $slot (local.get $at) (local.get $shift) (local.get $mask) (local.get $table)))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (br $next)))))

  (func (export "countSources") (param $at i32) (param $end i32) (param $size i32) (param $base i32) (param $table i32)
    (local $slot i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $slot (call $sourceSlot (local.get $at) (local.get $base) (local.get $table)))
        (i32.store (local.get $slot) (i32.add (i32.load (local.get $slot)) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (br $next)))))

  ;; Turns the counts [table, end) into addresses: what is counted takes `size` bytes each, from `first` on.
  (func (export "starts") (param $table i32) (param $end i32) (param $first i32) (param $size i32)
    (local $bytes i32)
    (loop $next
      (if (i32.lt_u (local.get $table) (local.get $end)) (then
        (local.set $bytes (i32.mul (i32.load (local.get $table)) (local.get $size)))
        (i32.store (local.get $table) (local.get $first))
        (local.set $first (i32.add (local.get $first) (local.get $bytes)))
        (local.set $table (i32.add (local.get $table) (i32.const 4)))
        (br $next)))))

  ;; Copies the records [at, end) to the addresses of their digit.
  (func (export "spread") (param $at i32) (param $end i32) (param $size i32) (param $shift i64) (param $mask i64) (param $table i32)
    (local $slot i32) (local $to i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $slot (call $slot (local.get $at) (local.get $shift) (local.get $mask) (local.get $table)))
        (local.set $to (i32.load (local.get $slot)))
        (i64.store (local.get $to) (i64.load (local.get $at)))
        (if (i32.eq (local.get $size) (i32.const 12)) (then
          (i32.store offset=8 (local.get $to) (i32.load offset=8 (local.get $at)))))
        (i32.store (local.get $slot) (i32.add (local.get $to) (local.get $size)))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (br $next)))))

  ;; Copies the records [at, end) without their sources to the addresses of their source, which become the ends of the lists.
  (func (export "spreadSources") (param $at i32) (param $end i32) (param $size i32) (param $base i32) (param $table i32)
    (local $slot i32) (local $to i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $slot (call $sourceSlot (local.get $at) (local.get $base) (local.get $table)))
        (local.set $to (i32.load (local.get $slot)))
        (i32.store (local.get $to) (i32.load (local.get $at)))
        (if (i32.eq (local.get $size) (i32.const 12)) (then
          (i32.store offset=4 (local.get $to) (i32.load offset=8 (local.get $at)))))
        (i32.store (local.get $slot) (i32.add (local.get $to) (i32.sub (local.get $size) (i32.const 4))))
        (local.set $at (i32.add (local.get $at) (local.get $size)))
        (br $next)))))

  ;; Makes lists of the sources [source, last), whose words from `at` on are sorted: each target once to `into`, which may be `at`;
  ;; to `degrees` the length of the list of each source that occurs, a byte, or 255 and a u32; to `bits` which ones occur. Returns the
  ;; end of the targets.
  (func (export "close") (param $at i32) (param $ends i32) (param $source i32) (param $last i32)
    (param $into i32) (param $degrees i32) (param $bits i32) (result i32)
    (local $end i32) (local $w i32) (local $target i32) (local $before i32) (local $list i32) (local $degree i32)
    (local $given i32) (local $loops i32) (local $longest i32) (local $empty i32)
    (local $word i32) (local $bit i32)
    (local.set $bit (i32.const 1))
    (loop $sources
      (if (i32.lt_u (local.get $source) (local.get $last)) (then
        (local.set $end (i32.load (local.get $ends)))
        (local.set $ends (i32.add (local.get $ends) (i32.const 4)))
        (if (i32.lt_u (local.get $at) (local.get $end)) (then
          (local.set $word (i32.or (local.get $word) (local.get $bit)))
          (local.set $list (local.get $into))
          (local.set $before (i32.const -1))
          (loop $words
            (local.set $w (i32.load (local.get $at)))
            (local.set $target (i32.shr_u (local.get $w) (i32.const 1)))
            (if (i32.eq (local.get $target) (local.get $source))
              (then (local.set $loops (i32.add (local.get $loops) (i32.const 1))))
              (else (if (i32.ne (local.get $target) (local.get $before)) (then
                (i32.store (local.get $into) (local.get $target))
                (local.set $into (i32.add (local.get $into) (i32.const 4)))
                ;; Of the words of an arc, that of this direction comes first.
                (local.set $given (i32.add (local.get $given)
                  (i32.and (i32.xor (local.get $w) (i32.const 1)) (i32.const 1))))
                (local.set $before (local.get $target))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $words (i32.lt_u (local.get $at) (local.get $end))))
          (local.set $degree (i32.shr_u (i32.sub (local.get $into) (local.get $list)) (i32.const 2)))
          (if (i32.lt_u (local.get $degree) (i32.const 255))
            (then
              (i32.store8 (local.get $degrees) (local.get $degree))
              (local.set $degrees (i32.add (local.get $degrees) (i32.const 1))))
            (else
              (i32.store8 (local.get $degrees) (i32.const 255))
              (i32.store offset=1 (local.get $degrees) (local.get $degree))
              (local.set $degrees (i32.add (local.get $degrees) (i32.const 5)))))
          (local.set $empty (i32.add (local.get $empty) (i32.eqz (local.get $degree))))
          (local.set $longest (select (local.get $degree) (local.get $longest)
            (i32.gt_u (local.get $degree) (local.get $longest))))))
        (local.set $bit (i32.rotl (local.get $bit) (i32.const 1)))
        (local.set $source (i32.add (local.get $source) (i32.const 1)))
        (if (i32.eq (local.get $bit) (i32.const 1)) (then
          (i32.store (local.get $bits) (local.get $word))
          (local.set $word (i32.const 0))
          (local.set $bits (i32.add (local.get $bits) (i32.const 4)))))
        (br $sources))))
    (if (i32.ne (local.get $bit) (i32.const 1)) (then (i32.store (local.get $bits) (local.get $word))))
    (global.set $given (local.get $given))
    (global.set $loops (local.get $loops))
    (global.set $longest (local.get $longest))
    (global.set $empty (local.get $empty))
    (global.set $degreesEnd (local.get $degrees))
    (local.get $into))

  ;; Ids [at, end) become their ranks.
  (func (export "rank") (param $at i32) (param $end i32)
    (local $id i32) (local $pair i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $id (i32.load (local.get $at)))
        (local.set $pair (i32.shl (i32.shr_u (local.get $id) (i32.const 5)) (i32.const 3)))
        (i32.store (local.get $at) (i32.add (i32.load $ranks offset=4 (local.get $pair))
          (i32.popcnt (i32.and (i32.load $ranks (local.get $pair))
            (i32.sub (i32.shl (i32.const 1) (local.get $id)) (i32.const 1))))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))))

  (func (export "subtract") (param $at i32) (param $end i32) (param $base i32)
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (i32.store (local.get $at) (i32.sub (i32.load (local.get $at)) (local.get $base)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next))))))
