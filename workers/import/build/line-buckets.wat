;; Parses plain lines "u v" or "u v w" and puts both directions of each into buckets of their source; parses lists of neighbours, which have
;; both directions already (line-buckets.ts).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
(module
  (import "host" "memory" (memory 1 65536 shared))
  ;; Weights of 64 bits by code, in the order in which they came; keys, f32 by code.
  (import "host" "values" (memory $values 1 65536))
  (import "host" "keys" (memory $keys 0 65536))
  ;; 2^15 weights that came lately, by a hash of theirs: f64 and code; zeros at first.
  (import "host" "lately" (memory $lately 0 8))
  ;; Chunks in use, of 4096 bytes each.
  (global $chunks (export "chunks") (mut i32) (i32.const 0))
  ;; Lines that the last call of `parse` took.
  (global $lines (export "lines") (mut i32) (i32.const 0))
  ;; All ids so far, or-ed.
  (global $bits (export "bits") (mut i32) (i32.const 0))
  ;; 1 once a weight was a short decimal of a 32-bit float, and none itself; once it was a float of more than seven digits.
  (global $printed (export "printed") (mut i32) (i32.const 0))
  (global $long (export "long") (mut i32) (i32.const 0))
  ;; Neighbours, and loops among them, that the last call of `lists` took; the sums of the fingerprint of all calls.
  (global $neighbours (export "neighbours") (mut i32) (i32.const 0))
  (global $loops (export "loops") (mut i32) (i32.const 0))
  (global $sum0 (export "sum0") (mut i32) (i32.const 0))
  (global $sum1 (export "sum1") (mut i32) (i32.const 0))
  ;; A factor of hashes. It can be set: as a constant each use would load it anew.
  (global $factor (export "factor") (mut i32) (i32.const 0x735a2d97))
  ;; u16 by (id - least) >> shift, at most `last`: the bucket; `last` is that of ids which are too large.
  (global $table (mut i32) (i32.const 0))
  (global $shift (mut i32) (i32.const 0))
  (global $last (mut i32) (i32.const 0))
  ;; The first id of the table, and how many from there on are drawn.
  (global $least (mut i32) (i32.const 0))
  (global $width (mut i32) (i32.const 0))
  ;; u32 by bucket: where its next record goes.
  (global $cursors (mut i32) (i32.const 0))
  ;; u16 by chunk: its bucket.
  (global $owners (mut i32) (i32.const 0))
  (global $records (mut i32) (i32.const 0))
  ;; Bytes of a record. It may write `touched` bytes.
  (global $size (mut i32) (i32.const 0))
  (global $touched (mut i32) (i32.const 0))
  ;; Of a record: bits of the source that tell it from the others of its bucket, above the `word` of the target.
  (global $sourceMask (mut i32) (i32.const 0))
  (global $wordBits (mut i64) (i64.const 0))
  ;; f64: 10 to the power of 0, 1 ... 22
  (global $powers (mut i32) (i32.const 0))
  ;; Codes that were given; lines whose weight is a whole number that 64-bit floats do not hold.
  (global $codes (export "codes") (mut i32) (i32.const 0))
  (global $past (export "past") (mut i32) (i32.const 0))

  (func (export "open") (param $table i32) (param $shift i32) (param $last i32) (param $buckets i32)
    (param $cursors i32) (param $owners i32) (param $records i32) (param $powers i32)
    (param $size i32) (param $touched i32) (param $sourceMask i32) (param $wordBits i64) (param $least i32) (param $width i32)
    (local $b i32)
    (global.set $table (local.get $table))
    (global.set $shift (local.get $shift))
    (global.set $last (local.get $last))
    (global.set $cursors (local.get $cursors))
    (global.set $owners (local.get $owners))
    (global.set $records (local.get $records))
    (global.set $powers (local.get $powers))
    (global.set $size (local.get $size))
    (global.set $touched (local.get $touched))
    (global.set $sourceMask (local.get $sourceMask))
    (global.set $wordBits (local.get $wordBits))
    (global.set $least (local.get $least))
    (global.set $width (local.get $width))
    (loop $next
      (i32.store (i32.add (local.get $cursors) (i32.shl (local.get $b) (i32.const 2)))
        (i32.add (local.get $records) (i32.shl (local.get $b) (i32.const 12))))
      (i32.store16 (i32.add (local.get $owners) (i32.shl (local.get $b) (i32.const 1))) (local.get $b))
      (br_if $next (i32.lt_u (local.tee $b (i32.add (local.get $b) (i32.const 1))) (local.get $buckets))))
    (global.set $chunks (local.get $buckets)))

  ;; The place of the next record of the bucket of u; moves its cursor.
  (func $take (param $u i32) (result i32)
    (local $at i32) (local $b i32) (local $i i32) (local $next i32)
    (local.set $i (i32.shr_u (i32.sub (local.get $u) (global.get $least)) (global.get $shift)))
    (local.set $i (select (local.get $i) (global.get $last) (i32.lt_u (local.get $i) (global.get $last))))
    (local.set $b (i32.load16_u (i32.add (global.get $table) (i32.shl (local.get $i) (i32.const 1)))))
    (local.set $at (i32.add (global.get $cursors) (i32.shl (local.get $b) (i32.const 2))))
    (local.set $i (i32.load (local.get $at)))
    (local.set $next (i32.add (local.get $i) (global.get $size)))
    (if (i32.ge_u (i32.and (i32.sub (local.get $next) (i32.const 1)) (i32.const 4095))
        (i32.sub (i32.const 4096) (global.get $touched)))
      (then
        (local.set $next (i32.add (global.get $records) (i32.shl (global.get $chunks) (i32.const 12))))
        (i32.store16 (i32.add (global.get $owners) (i32.shl (global.get $chunks) (i32.const 1))) (local.get $b))
        (global.set $chunks (i32.add (global.get $chunks) (i32.const 1)))))
    (i32.store (local.get $at) (local.get $next))
    (local.get $i))

  ;; A record: the target above a bit that is 1 for the other direction of an entry, and above both the source. What it writes behind
  ;; its end belongs to the next one.
  (func $record (param $u i32) (param $word i32) (result i64)
    (i64.or
      (i64.shl (i64.extend_i32_u (i32.and (local.get $u) (global.get $sourceMask))) (global.get $wordBits))
      (i64.extend_i32_u (local.get $word))))

  (func $put (param $u i32) (param $word i32)
    (i64.store (call $take (local.get $u)) (call $record (local.get $u) (local.get $word))))

  (func $putWeighted (param $u i32) (param $word i32) (param $w f32)
    (local $at i32)
    (i64.store (local.tee $at (call $take (local.get $u))) (call $record (local.get $u) (local.get $word)))
    (f32.store (i32.sub (i32.add (local.get $at) (global.get $size)) (i32.const 4)) (local.get $w)))

  ;; An entry in both directions; a loop once.
  (func $entry (param $u i32) (param $v i32)
    (call $put (local.get $u) (i32.shl (local.get $v) (i32.const 1)))
    (if (i32.ne (local.get $u) (local.get $v)) (then
      (call $put (local.get $v) (i32.or (i32.shl (local.get $u) (i32.const 1)) (i32.const 1))))))

  (func $entryWeighted (param $u i32) (param $v i32) (param $w f32)
    (call $putWeighted (local.get $u) (i32.shl (local.get $v) (i32.const 1)) (local.get $w))
    (if (i32.ne (local.get $u) (local.get $v)) (then
      (call $putWeighted (local.get $v) (i32.or (i32.shl (local.get $u) (i32.const 1)) (i32.const 1)) (local.get $w)))))

  ;; An entry that was parsed elsewhere.
  (func (export "add") (param $u i32) (param $v i32)
    (global.set $bits (i32.or (global.get $bits) (i32.or (local.get $u) (local.get $v))))
    (call $entry (local.get $u) (local.get $v)))

  ;; Entries that were drawn, in those directions whose source is in the table: their ends at `at`, the other ends `apart` bytes behind them.
  (func (export "addAll") (param $at i32) (param $count i32) (param $apart i32)
    (local $end i32) (local $u i32) (local $v i32)
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $u (i32.load (local.get $at)))
        (local.set $v (i32.load (i32.add (local.get $at) (local.get $apart))))
        (if (i32.lt_u (i32.sub (local.get $u) (global.get $least)) (global.get $width)) (then
          (call $put (local.get $u) (i32.shl (local.get $v) (i32.const 1)))))
        (if (i32.and
            (i32.lt_u (i32.sub (local.get $v) (global.get $least)) (global.get $width))
            (i32.ne (local.get $u) (local.get $v))) (then
          (call $put (local.get $v) (i32.or (i32.shl (local.get $u) (i32.const 1)) (i32.const 1)))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br $next)))))

  (func (export "addWeighted") (param $u i32) (param $v i32) (param $w f32)
    (global.set $bits (i32.or (global.get $bits) (i32.or (local.get $u) (local.get $v))))
    (call $entryWeighted (local.get $u) (local.get $v) (local.get $w)))

  ;; A code of a weight: the one that it was given lately, or the next. There is room.
  (func $code (export "code") (param $w f64) (result i32)
    (local $x i64) (local $at i32) (local $code i32)
    (local.set $x (i64.reinterpret_f64 (local.get $w)))
    (local.set $at (i32.shl
      (i32.wrap_i64 (i64.shr_u (i64.mul (local.get $x) (i64.const 0x9e3779b97f4a7c15)) (i64.const 49)))
      (i32.const 4)))
    (if (i64.eq (i64.load $lately (local.get $at)) (local.get $x))
      (then (return (i32.load $lately offset=8 (local.get $at)))))
    (local.set $code (global.get $codes))
    (global.set $codes (i32.add (local.get $code) (i32.const 1)))
    (i64.store $values (i32.shl (local.get $code) (i32.const 3)) (local.get $x))
    (i64.store $lately (local.get $at) (local.get $x))
    (i32.store $lately offset=8 (local.get $at) (local.get $code))
    (local.get $code))

  ;; Makes room for so many more codes. Returns 0 without memory.
  (func (export "reserve") (param $more i32) (result i32)
    (local $all i32) (local $pages i32)
    (local.set $all (i32.add (global.get $codes) (local.get $more)))
    (if (i32.gt_u (local.get $all) (i32.const 0x0fffffff)) (then (return (i32.const 0))))
    (local.set $pages (i32.sub
      (i32.add (i32.shr_u (i32.shl (local.get $all) (i32.const 3)) (i32.const 16)) (i32.const 1))
      (memory.size $values)))
    (if (i32.le_s (local.get $pages) (i32.const 0)) (then (return (i32.const 1))))
    (i32.ge_s (memory.grow $values (local.get $pages)) (i32.const 0)))

  ;; An entry with a weight of 64 bits, of which there is room for one more.
  (func (export "addExact") (param $u i32) (param $v i32) (param $w f64)
    (global.set $bits (i32.or (global.get $bits) (i32.or (local.get $u) (local.get $v))))
    (call $entryWeighted (local.get $u) (local.get $v) (f32.reinterpret_i32 (call $code (local.get $w)))))

  ;; Puts keys in place of the codes in all records, of which a chunk holds `full`.
  (func (export "encode") (param $full i32)
    (local $chunk i32) (local $at i32) (local $end i32) (local $place i32) (local $code i32)
    (loop $next
      (if (i32.lt_u (local.get $chunk) (global.get $chunks)) (then
        (local.set $at (i32.add (global.get $records) (i32.shl (local.get $chunk) (i32.const 12))))
        (local.set $end (i32.load (i32.add (global.get $cursors) (i32.shl
          (i32.load16_u (i32.add (global.get $owners) (i32.shl (local.get $chunk) (i32.const 1)))) (i32.const 2)))))
        (if (i32.shr_u (i32.xor (local.get $at) (local.get $end)) (i32.const 12)) (then
          (local.set $end (i32.add (local.get $at) (i32.mul (local.get $full) (global.get $size))))))
        (loop $record
          (if (i32.lt_u (local.get $at) (local.get $end)) (then
            (local.set $at (i32.add (local.get $at) (global.get $size)))
            (local.set $code (i32.load (local.tee $place (i32.sub (local.get $at) (i32.const 4)))))
            ;; Loops that declare a vertex have no weight.
            (if (i32.lt_u (local.get $code) (global.get $codes)) (then
              (i32.store (local.get $place) (i32.load $keys (i32.shl (local.get $code) (i32.const 2))))))
            (br $record))))
        (local.set $chunk (i32.add (local.get $chunk) (i32.const 1)))
        (br $next)))))

  ;; How many of eight bytes, less "0" each, are digits before the first that is none.
  (func $digits (param $t i64) (result i32)
    (i32.wrap_i64 (i64.shr_u (i64.ctz (i64.and
      (i64.or (i64.add (local.get $t) (i64.const 0x7676767676767676)) (local.get $t))
      (i64.const 0x8080808080808080))) (i64.const 3))))

  ;; The number of the first n of eight digits, n from 1: pairs, fours and all eight are put together side by side.
  (func $number (param $t i64) (param $n i32) (result i32)
    (local.set $t (i64.shl (local.get $t) (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $n) (i32.const 3))))))
    (local.set $t (i64.shr_u (i64.mul (local.get $t) (i64.const 2561)) (i64.const 8)))
    (local.set $t (i64.shr_u
      (i64.mul (i64.and (local.get $t) (i64.const 0x00ff00ff00ff00ff)) (i64.const 6553601)) (i64.const 16)))
    (i32.wrap_i64 (i64.shr_u
      (i64.mul (i64.and (local.get $t) (i64.const 0x0000ffff0000ffff)) (i64.const 42949672960001)) (i64.const 32))))

  ;; A number of nine or ten digits below 2^31, and its digits above bit 32; 0 for any other.
  (func $long (param $at i32) (param $eight i32) (result i64)
    (local $n i32) (local $d i32) (local $number i64)
    (local.set $number (i64.extend_i32_u (local.get $eight)))
    (local.set $n (i32.const 8))
    (loop $next
      (local.set $d (i32.sub (i32.load8_u (i32.add (local.get $at) (local.get $n))) (i32.const 48)))
      (if (i32.lt_u (local.get $d) (i32.const 10)) (then
        (local.set $number (i64.add (i64.mul (local.get $number) (i64.const 10)) (i64.extend_i32_u (local.get $d))))
        (local.set $n (i32.add (local.get $n) (i32.const 1)))
        (br_if $next (i32.lt_u (local.get $n) (i32.const 11))))))
    (if (i32.or (i32.gt_u (local.get $n) (i32.const 10)) (i64.gt_u (local.get $number) (i64.const 0x7fffffff)))
      (then (return (i64.const 0))))
    (i64.or (local.get $number) (i64.shl (i64.extend_i32_u (local.get $n)) (i64.const 32))))

  ;; The power of ten with n zeros, n up to 22.
  (func $power (param $n i32) (result f64)
    (f64.load (i32.add (global.get $powers) (i32.shl (local.get $n) (i32.const 3)))))

  ;; Whether the decimal mantissa / 10^n is told from all others by its float w, which is near it: it is the float, or has up to six
  ;; digits, or is the decimal of seven digits, or of nine where seven are too few, that is nearest to the float (weight-values.ts).
  ;; 0 also where that is close.
  (func $isTold (param $mantissa i64) (param $n i32) (param $w f32) (result i32)
    (local $near f64) (local $short f64) (local $unit f64)
    (local.set $near (f64.promote_f32 (local.get $w)))
    (if (f64.eq (local.get $near) (f64.div (f64.convert_i64_u (local.get $mantissa)) (call $power (local.get $n)))) (then
      (if (i64.gt_u (local.get $mantissa) (i64.const 9999999)) (then (global.set $long (i32.const 1))))
      (return (i32.const 1))))
    (if (i64.gt_u (local.get $mantissa) (i64.const 999999999)) (then (return (i32.const 0))))
    (local.set $near (f64.mul (local.get $near) (call $power (local.get $n))))
    (if (i64.gt_u (local.get $mantissa) (i64.const 999999)) (then
      (local.set $unit (f64.const 1))
      (if (i64.lt_u (local.get $mantissa) (i64.const 100000000)) (then (local.set $unit (f64.const 10))))
      (if (i64.lt_u (local.get $mantissa) (i64.const 10000000)) (then (local.set $unit (f64.const 1))))
      (if (f64.gt
          (f64.abs (f64.mul (local.get $unit) (f64.sub (local.get $near) (f64.convert_i64_u (local.get $mantissa)))))
          (f64.const 0.499))
        (then (return (i32.const 0))))))
    (if (i64.gt_u (local.get $mantissa) (i64.const 9999999)) (then
      (local.set $unit (select (f64.const 100) (f64.const 10) (i64.gt_u (local.get $mantissa) (i64.const 99999999))))
      (local.set $short (f64.mul (f64.nearest (f64.div (local.get $near) (local.get $unit))) (local.get $unit)))
      (if (i32.and
          (f32.eq (f32.demote_f64 (f64.div (local.get $short) (call $power (local.get $n)))) (local.get $w))
          (f64.ne (local.get $short) (f64.convert_i64_u (local.get $mantissa))))
        (then (return (i32.const 0))))))
    (global.set $printed (i32.const 1))
    (i32.const 1))

  ;; The float of 64 bits that is nearest to mantissa / 10^n, n from 1 to 22; 0 where two are nearly as near. The mantissa has 19 digits at
  ;; most. The quotient of two floats leaves a remainder that is a float, too, which T. J. Dekker's product (1971) gives exactly.
  (func $nearest (param $mantissa i64) (param $n i32) (result f64)
    (local $high f64) (local $low f64) (local $power f64) (local $quotient f64) (local $product f64) (local $rest f64)
    (local $q f64) (local $p f64) (local $sum f64)
    (local.set $high (f64.convert_i64_u (local.get $mantissa)))
    (local.set $low (f64.convert_i64_s (i64.sub (local.get $mantissa) (i64.trunc_sat_f64_u (local.get $high)))))
    (local.set $power (call $power (local.get $n)))
    (local.set $quotient (f64.div (local.get $high) (local.get $power)))
    (local.set $product (f64.mul (local.get $quotient) (local.get $power)))
    ;; Halves of 26 bits; quotient and power keep the others.
    (local.set $q (f64.mul (local.get $quotient) (f64.const 134217729)))
    (local.set $q (f64.sub (local.get $q) (f64.sub (local.get $q) (local.get $quotient))))
    (local.set $p (f64.mul (local.get $power) (f64.const 134217729)))
    (local.set $p (f64.sub (local.get $p) (f64.sub (local.get $p) (local.get $power))))
    (local.set $rest (f64.sub (f64.mul (local.get $q) (local.get $p)) (local.get $product)))
    (local.set $rest (f64.add (local.get $rest) (f64.mul (local.get $q) (f64.sub (local.get $power) (local.get $p)))))
    (local.set $rest (f64.add (local.get $rest) (f64.mul (f64.sub (local.get $quotient) (local.get $q)) (local.get $p))))
    (local.set $rest (f64.add (local.get $rest)
      (f64.mul (f64.sub (local.get $quotient) (local.get $q)) (f64.sub (local.get $power) (local.get $p)))))
    ;; What the quotient lacks: the remainder and the low digits, by the power.
    (local.set $rest (f64.div
      (f64.add (f64.sub (f64.sub (local.get $high) (local.get $product)) (local.get $rest)) (local.get $low))
      (local.get $power)))
    (local.set $sum (f64.add (local.get $quotient) (f64.mul (local.get $rest) (f64.const 0.999999999999))))
    (select (local.get $sum) (f64.const 0)
      (f64.eq (local.get $sum) (f64.add (local.get $quotient) (f64.mul (local.get $rest) (f64.const 1.000000000001))))))

  ;; Parses lines from `at`; returns the start of the first that it did not take, or `end`. A plain line has two ids below 2^31,
  ;; one byte `blank` or `other` between them and, where `weighted`, another and a decimal number that is not 0. It has up to 15 digits, and is
  ;; told by its float; or up to 19, and gets a code, where `weighted` is 2: there is room for one a line. Where `skips`, such a byte
  ;; and anything but quotes may follow.
  ;; Sixteen bytes behind `end` may be read.
  (func (export "parse") (param $at i32) (param $end i32) (param $blank i32) (param $other i32) (param $weighted i32)
    (param $skips i32) (result i32)
    (local $t i64) (local $n i32) (local $p i32) (local $u i32) (local $v i32) (local $c i32)
    (local $lines i32) (local $bits i32)
    (local $mantissa i64) (local $point i32) (local $w f32) (local $x v128)
    (local $exact f64) (local $most i32) (local $isPast i32) (local $past i32)
    (local.set $most (select (i32.const 40) (i32.const 15) (i32.eq (local.get $weighted) (i32.const 2))))
    (block $stop
      (loop $line
        (br_if $stop (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $t (i64.xor (i64.load (local.get $at)) (i64.const 0x3030303030303030)))
        (br_if $stop (i32.eqz (local.tee $n (call $digits (local.get $t)))))
        (local.set $u (call $number (local.get $t) (local.get $n)))
        (local.set $c (i32.load8_u (local.tee $p (i32.add (local.get $at) (local.get $n)))))
        (if (i32.lt_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10)) (then
          (br_if $stop (i64.eqz (local.tee $t (call $long (local.get $at) (local.get $u)))))
          (local.set $u (i32.wrap_i64 (local.get $t)))
          (local.set $p (i32.add (local.get $at) (i32.wrap_i64 (i64.shr_u (local.get $t) (i64.const 32)))))
          (local.set $c (i32.load8_u (local.get $p)))))
        (br_if $stop (i32.and (i32.ne (local.get $c) (local.get $blank)) (i32.ne (local.get $c) (local.get $other))))

        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (local.set $t (i64.xor (i64.load (local.get $p)) (i64.const 0x3030303030303030)))
        (br_if $stop (i32.eqz (local.tee $n (call $digits (local.get $t)))))
        (local.set $v (call $number (local.get $t) (local.get $n)))
        (local.set $c (i32.load8_u (i32.add (local.get $p) (local.get $n))))
        (if (i32.lt_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10)) (then
          (br_if $stop (i64.eqz (local.tee $t (call $long (local.get $p) (local.get $v)))))
          (local.set $v (i32.wrap_i64 (local.get $t)))
          (local.set $n (i32.wrap_i64 (i64.shr_u (local.get $t) (i64.const 32))))
          (local.set $c (i32.load8_u (i32.add (local.get $p) (local.get $n))))))
        (local.set $p (i32.add (local.get $p) (local.get $n)))

        (if (local.get $weighted) (then
          (br_if $stop (i32.and (i32.ne (local.get $c) (local.get $blank)) (i32.ne (local.get $c) (local.get $other))))
          (local.set $mantissa (i64.const 0))
          (local.set $point (i32.const 0))
          (local.set $n (i32.const 0))
          (local.set $c (i32.load8_u (local.tee $p (i32.add (local.get $p) (i32.const 1)))))
          (br_if $stop (i32.ge_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10)))
          (loop $digit
            (if (i32.lt_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10)) (then
              (br_if $stop (i64.gt_u (local.get $mantissa) (i64.const 999999999999999999)))
              (local.set $mantissa (i64.add (i64.mul (local.get $mantissa) (i64.const 10))
                (i64.extend_i32_u (i32.sub (local.get $c) (i32.const 48)))))
              (local.set $n (i32.add (local.get $n) (i32.const 1)))
              (br_if $stop (i32.gt_u (local.get $n) (local.get $most)))
              (local.set $c (i32.load8_u (local.tee $p (i32.add (local.get $p) (i32.const 1)))))
              (br $digit)))
            (if (i32.and (i32.eq (local.get $c) (i32.const 46)) (i32.eqz (local.get $point))) (then
              (local.set $point (local.get $n))
              (local.set $c (i32.load8_u (local.tee $p (i32.add (local.get $p) (i32.const 1)))))
              (br $digit))))
          (br_if $stop (i64.eqz (local.get $mantissa)))
          (local.set $n (select (i32.sub (local.get $n) (local.get $point)) (i32.const 0) (local.get $point)))
          (br_if $stop (i32.gt_u (local.get $n) (i32.const 22)))
          (local.set $exact (f64.div (f64.convert_i64_u (local.get $mantissa)) (call $power (local.get $n))))
          (if (i32.eq (local.get $weighted) (i32.const 2))
            (then
              (local.set $isPast (i32.const 0))
              (if (i64.gt_u (local.get $mantissa) (i64.const 0x20000000000000)) (then
                (if (local.get $n)
                  (then
                    (local.set $exact (call $nearest (local.get $mantissa) (local.get $n)))
                    (br_if $stop (f64.eq (local.get $exact) (f64.const 0))))
                  (else
                    (local.set $isPast (i32.and (i32.eqz (local.get $point))
                      (i64.ne (i64.trunc_sat_f64_u (local.get $exact)) (local.get $mantissa)))))))))
            (else
              (local.set $w (f32.demote_f64 (local.get $exact)))
              (br_if $stop (i32.eqz (call $isTold (local.get $mantissa) (local.get $n) (local.get $w))))))))

        (if (i32.ne (local.get $c) (i32.const 10)) (then
          (if (i32.and (local.get $skips)
              (i32.or (i32.eq (local.get $c) (local.get $blank)) (i32.eq (local.get $c) (local.get $other))))
            (then
              ;; The end of the line, unless a quote is before it.
              (loop $rest
                (local.set $x (v128.load align=1 (local.get $p)))
                (local.set $c (i8x16.bitmask (i8x16.eq (local.get $x) (i8x16.splat (i32.const 10)))))
                (local.set $n (i32.ctz (i32.or (local.get $c) (i32.const 65536))))
                (br_if $stop (i32.and (i8x16.bitmask (i8x16.eq (local.get $x) (i8x16.splat (i32.const 34))))
                  (i32.sub (i32.shl (i32.const 1) (local.get $n)) (i32.const 1))))
                (local.set $p (i32.add (local.get $p) (local.get $n)))
                (br_if $rest (i32.eqz (local.get $c)))))
            (else
              (br_if $stop (i32.ne (local.get $c) (i32.const 13)))
              (br_if $stop (i32.ne (i32.load8_u offset=1 (local.get $p)) (i32.const 10)))
              (local.set $p (i32.add (local.get $p) (i32.const 1)))))))
        (local.set $at (i32.add (local.get $p) (i32.const 1)))
        (local.set $lines (i32.add (local.get $lines) (i32.const 1)))
        (local.set $bits (i32.or (local.get $bits) (i32.or (local.get $u) (local.get $v))))
        (if (local.get $weighted)
          (then
            (if (i32.eq (local.get $weighted) (i32.const 2)) (then
              (local.set $past (i32.add (local.get $past) (local.get $isPast)))
              (local.set $w (f32.reinterpret_i32 (call $code (local.get $exact))))))
            (call $entryWeighted (local.get $u) (local.get $v) (local.get $w)))
          (else (call $entry (local.get $u) (local.get $v))))
        (br $line)))
    (global.set $past (i32.add (global.get $past) (local.get $past)))
    (global.set $lines (local.get $lines))
    (global.set $bits (i32.or (global.get $bits) (local.get $bits)))
    (local.get $at))

  ;; How many newlines are in [at, end); -1 where there is a "%", with which a comment may begin.
  (func (export "countLines") (param $at i32) (param $end i32) (result i32)
    (local $lines i32) (local $c i32) (local $x v128) (local $comments v128)
    (loop $vectors
      (if (i32.le_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)) (then
        (local.set $x (v128.load (local.get $at)))
        (local.set $lines (i32.add (local.get $lines)
          (i32.popcnt (i8x16.bitmask (i8x16.eq (local.get $x) (i8x16.splat (i32.const 10)))))))
        (local.set $comments (v128.or (local.get $comments) (i8x16.eq (local.get $x) (i8x16.splat (i32.const 37)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $vectors))))
    (if (v128.any_true (local.get $comments)) (then (return (i32.const -1))))
    (loop $bytes
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $c (i32.load8_u (local.get $at)))
        (if (i32.eq (local.get $c) (i32.const 37)) (then (return (i32.const -1))))
        (local.set $lines (i32.add (local.get $lines) (i32.eq (local.get $c) (i32.const 10))))
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $bytes))))
    (local.get $lines))

  ;; Four hashes of an id (arc-check.wat has three): a key that all share, and one each.
  (func $hashes (param $x i32) (param $shared i32) (param $own v128) (param $factor v128) (result v128)
    (local $h v128)
    (local.set $x (i32.xor (local.get $x) (local.get $shared)))
    (local.set $x (i32.mul (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 16))) (i32.const 0x21f0aaad)))
    (local.set $h (i32x4.mul
      (v128.xor (local.get $own) (i32x4.splat (i32.xor (local.get $x) (i32.shr_u (local.get $x) (i32.const 15)))))
      (local.get $factor)))
    (v128.xor (local.get $h) (i32x4.shr_u (local.get $h) (i32.const 15))))

  ;; The hashes of a vertex times the sums of its list, crossed: of two lanes that follow one another, the difference counts.
  (func $crossed (param $u v128) (param $sums v128) (result v128)
    (i32x4.mul (local.get $u)
      (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $sums) (local.get $sums))))

  (func $isDigit (param $c i32) (result i32)
    (i32.lt_u (i32.sub (local.get $c) (i32.const 48)) (i32.const 10)))

  (func $isBlank (param $c i32) (result i32)
    (i32.or
      (i32.or (i32.eq (local.get $c) (i32.const 32)) (i32.eq (local.get $c) (i32.const 10)))
      (i32.or (i32.eq (local.get $c) (i32.const 9)) (i32.eq (local.get $c) (i32.const 13)))))

  ;; Parses the neighbours that begin in [at, end), in lists one a line from that of `u` on; a number that begins before `at` is not among
  ;; them. Each is a record of its vertex. Returns 0 for any other text, and where an id is not from 1 to `vertices`. The byte before `at`
  ;; is read, and sixteen behind `end`. A key that all hashes share is at `keys`, four others 16 bytes further.
  (func (export "lists") (param $at i32) (param $end i32) (param $u i32) (param $vertices i32) (param $keys i32) (result i32)
    (local $t i64) (local $n i32) (local $c i32) (local $v i32) (local $neighbours i32) (local $loops i32) (local $bits i32)
    (local $shared i32) (local $own v128) (local $factor v128) (local $sums v128) (local $all v128)
    (local.set $factor (i32x4.splat (global.get $factor)))
    (local.set $shared (i32.load (local.get $keys)))
    (local.set $own (v128.load offset=16 (local.get $keys)))
    (if (call $isDigit (i32.load8_u (i32.sub (local.get $at) (i32.const 1)))) (then
      (loop $skip
        (if (call $isDigit (i32.load8_u (local.get $at))) (then
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br $skip))))))
    (block $other
      (loop $next
        (if (i32.lt_u (local.get $at) (local.get $end)) (then
          (local.set $c (i32.load8_u (local.get $at)))
          (if (call $isDigit (local.get $c)) (then
            (local.set $t (i64.xor (i64.load (local.get $at)) (i64.const 0x3030303030303030)))
            (local.set $n (call $digits (local.get $t)))
            (local.set $v (call $number (local.get $t) (local.get $n)))
            (local.set $c (i32.load8_u (i32.add (local.get $at) (local.get $n))))
            (if (call $isDigit (local.get $c)) (then
              (br_if $other (i64.eqz (local.tee $t (call $long (local.get $at) (local.get $v)))))
              (local.set $v (i32.wrap_i64 (local.get $t)))
              (local.set $n (i32.wrap_i64 (i64.shr_u (local.get $t) (i64.const 32))))
              (local.set $c (i32.load8_u (i32.add (local.get $at) (local.get $n))))))
            (br_if $other (i32.eqz (call $isBlank (local.get $c))))
            (br_if $other (i32.ge_u (i32.sub (local.get $v) (i32.const 1)) (local.get $vertices)))
            (br_if $other (i32.gt_u (local.get $u) (local.get $vertices)))
            (local.set $at (i32.add (local.get $at) (local.get $n)))
            (local.set $neighbours (i32.add (local.get $neighbours) (i32.const 1)))
            (local.set $loops (i32.add (local.get $loops) (i32.eq (local.get $u) (local.get $v))))
            (local.set $bits (i32.or (local.get $bits) (i32.or (local.get $u) (local.get $v))))
            (local.set $sums (i32x4.add (local.get $sums)
              (call $hashes (local.get $v) (local.get $shared) (local.get $own) (local.get $factor))))
            (call $put (local.get $u) (i32.shl (local.get $v) (i32.const 1)))
            (br $next)))
          (br_if $other (i32.eqz (call $isBlank (local.get $c))))
          (local.set $at (i32.add (local.get $at) (i32.const 1)))
          (br_if $next (i32.ne (local.get $c) (i32.const 10)))
          (local.set $all (i32x4.add (local.get $all)
            (call $crossed (call $hashes (local.get $u) (local.get $shared) (local.get $own) (local.get $factor)) (local.get $sums))))
          (local.set $sums (v128.const i32x4 0 0 0 0))
          (local.set $u (i32.add (local.get $u) (i32.const 1)))
          (br $next))))
      ;; The part of a list that the next range goes on with.
      (local.set $all (i32x4.add (local.get $all)
        (call $crossed (call $hashes (local.get $u) (local.get $shared) (local.get $own) (local.get $factor)) (local.get $sums))))
      (global.set $sum0 (i32.add (global.get $sum0)
        (i32.sub (i32x4.extract_lane 0 (local.get $all)) (i32x4.extract_lane 1 (local.get $all)))))
      (global.set $sum1 (i32.add (global.get $sum1)
        (i32.sub (i32x4.extract_lane 2 (local.get $all)) (i32x4.extract_lane 3 (local.get $all)))))
      (global.set $neighbours (local.get $neighbours))
      (global.set $loops (local.get $loops))
      (global.set $bits (i32.or (global.get $bits) (local.get $bits)))
      (return (i32.const 1)))
    (i32.const 0)))
