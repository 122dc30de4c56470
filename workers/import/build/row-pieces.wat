;; Parses ordinary rows of tables, finds their vertices, and writes their cells as rows of bytes (row-pieces.ts, row-bytes.ts).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
(module
  ;; Addresses 0 to 79 are what row-pieces.ts writes (`task`) and reads (`found`).
  (import "host" "memory" (memory 1 65536))
  ;; Pairs of u32: which of 32 labels occur, and how many that occur are smaller.
  (import "host" "ranks" (memory $ranks 0 65536 shared))
  ;; The vertex of a label, or -1, where there are no pairs.
  (import "host" "find" (func $find (param f64) (result i32)))
  ;; Whether bytes [start, end) are UTF-8; are a weight under any rule.
  (import "host" "isText" (func $isText (param i32 i32) (result i32)))
  (import "host" "isWeight" (func $isWeight (param i32 i32) (result i32)))
  ;; Takes a cell that is no plain number, and whether one before had a point; 1 once the column is one of texts.
  (import "host" "see" (func $see (param i32 i32 i32 i32) (result i32)))

  (func $delimiter (result i32) (i32.load (i32.const 0)))
  (func $blank (result i32) (i32.load (i32.const 4)))
  (func $isBlank (param $c i32) (result i32)
    (i32.or (i32.eq (local.get $c) (i32.const 32)) (i32.eq (local.get $c) (call $blank))))

  ;; The end of the blanks from `at` on.
  (func $skip (param $at i32) (result i32)
    (loop $next
      (if (call $isBlank (i32.load8_u (local.get $at))) (then
        (local.set $at (i32.add (local.get $at) (i32.const 1)))
        (br $next))))
    (local.get $at))

  ;;+ cell-points.wat

  ;; Whether bytes [start, end) are digits with a point at most, no zeros in front, and 15 of them at most: 0 for none, 1 for a whole
  ;; number, 2 for one with a point.
  (func $plain (param $start i32) (param $end i32) (result i32)
    (local $n i32) (local $points i32)
    (local.set $start (i32.add (local.get $start) (i32.eq (i32.load8_u (local.get $start)) (i32.const 45))))
    (local.set $n (i32.sub (local.get $end) (local.get $start)))
    (if (i32.gt_u (i32.sub (local.get $n) (i32.const 1)) (i32.const 14)) (then (return (i32.const 0))))
    (if (i32.and (i32.eq (i32.load8_u (local.get $start)) (i32.const 48)) (i32.and (i32.gt_u (local.get $n) (i32.const 1))
        (i32.ne (i32.load8_u offset=1 (local.get $start)) (i32.const 46))))
      (then (return (i32.const 0))))
    (local.set $points (call $points (local.get $start) (local.get $n)))
    (i32.add (i32.ge_s (local.get $points) (i32.const 0)) (i32.gt_s (local.get $points) (i32.const 0))))

  ;; Whether bytes [start, end) are a weight under any rule: plain digits that begin with none of 0, or what the host says.
  (func $isPositive (param $start i32) (param $end i32) (result i32)
    (if (i32.lt_u (i32.sub (i32.load8_u (local.get $start)) (i32.const 49)) (i32.const 9)) (then
      (if (call $plain (local.get $start) (local.get $end)) (then (return (i32.const 1))))))
    (call $isWeight (local.get $start) (local.get $end)))

  ;; The vertex of a label, or -1: labels from a base on, pairs, or those that the host knows.
  (func $vertex (param $label i64) (result i32)
    (local $bit i32) (local $pair i32)
    (if (i32.eqz (i32.load (i32.const 40))) (then
      (return (call $find (f64.convert_i64_u (local.get $label))))))
    (local.set $label (i64.sub (local.get $label) (i64.load (i32.const 48))))
    (if (i64.ge_u (local.get $label) (i64.load (i32.const 56))) (then (return (i32.const -1))))
    (if (i32.eq (i32.load (i32.const 40)) (i32.const 1)) (then (return (i32.wrap_i64 (local.get $label)))))
    (local.set $pair (i32.wrap_i64 (i64.shl (i64.shr_u (local.get $label) (i64.const 5)) (i64.const 3))))
    (local.set $bit (i32.shl (i32.const 1) (i32.and (i32.wrap_i64 (local.get $label)) (i32.const 31))))
    (if (i32.eqz (i32.and (i32.load $ranks (local.get $pair)) (local.get $bit))) (then (return (i32.const -1))))
    (i32.add (i32.load $ranks offset=4 (local.get $pair))
      (i32.popcnt (i32.and (i32.load $ranks (local.get $pair)) (i32.sub (local.get $bit) (i32.const 1))))))

  ;; Writes the cells of a row of u and v. A cell: start, end, column, how many there were, plain numbers, and 1 for texts or 2 for a point.
  (func $keep (param $u i32) (param $v i32)
    (local $row i32) (local $at i32) (local $cell i32) (local $i i32) (local $start i32) (local $end i32) (local $size i32) (local $kind i32)
    (local.set $row (i32.load (i32.const 64)))
    (i32.store offset=4 (local.get $row) (local.get $u))
    (i32.store offset=8 (local.get $row) (local.get $v))
    (local.set $at (i32.add (local.get $row) (i32.const 12)))
    (local.set $cell (i32.load (i32.const 36)))
    (loop $next
      (if (i32.lt_u (local.get $i) (i32.load (i32.const 32))) (then
        (local.set $start (i32.load (local.get $cell)))
        (local.set $end (i32.load offset=4 (local.get $cell)))
        (if (local.tee $size (i32.sub (local.get $end) (local.get $start))) (then
          (i32.store offset=12 (local.get $cell) (i32.add (i32.load offset=12 (local.get $cell)) (i32.const 1)))
          (if (i32.eqz (i32.and (i32.load offset=20 (local.get $cell)) (i32.const 1))) (then
            (if (local.tee $kind (call $plain (local.get $start) (local.get $end)))
              (then
                (i32.store offset=16 (local.get $cell) (i32.add (i32.load offset=16 (local.get $cell)) (i32.const 1)))
                (i32.store offset=20 (local.get $cell)
                  (i32.or (i32.load offset=20 (local.get $cell)) (i32.and (local.get $kind) (i32.const 2)))))
              (else
                (i32.store offset=20 (local.get $cell) (i32.or (i32.load offset=20 (local.get $cell))
                  (call $see (local.get $i) (i32.load offset=20 (local.get $cell)) (local.get $start) (local.get $end))))))))
          (i32.store16 (local.get $at) (i32.load offset=8 (local.get $cell)))
          (if (i32.lt_u (local.get $size) (i32.const 255))
            (then
              (i32.store8 offset=2 (local.get $at) (local.get $size))
              (local.set $at (i32.add (local.get $at) (i32.const 3))))
            (else
              (i32.store8 offset=2 (local.get $at) (i32.const 255))
              (i32.store offset=3 (local.get $at) (local.get $size))
              (local.set $at (i32.add (local.get $at) (i32.const 7)))))
          (local.set $size (i32.add (local.get $at) (local.get $size)))
          ;; Up to seven bytes too many, which the next cell takes.
          (loop $copy
            (i64.store (local.get $at) (i64.load (local.get $start)))
            (local.set $start (i32.add (local.get $start) (i32.const 8)))
            (br_if $copy (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $size))))
          (local.set $at (local.get $size))))
        (local.set $cell (i32.add (local.get $cell) (i32.const 24)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $next))))
    (i32.store (local.get $row) (i32.sub (local.get $at) (local.get $row)))
    (i32.store (i32.const 64) (i32.and (i32.add (local.get $at) (i32.const 3)) (i32.const -4)))
    (i32.store (i32.const 68) (i32.add (i32.load (i32.const 68)) (i32.const 1))))

  ;; Whether no byte of [at, end) stands for a line break within quotes.
  (func $isUnmarked (param $at i32) (param $end i32) (result i32)
    (loop $next
      (if (i32.eq (i32.load8_u (local.get $at)) (i32.const 11)) (then (return (i32.const 0))))
      (br_if $next (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 1))) (local.get $end))))
    (i32.const 1))

  ;; Parses rows from `at` on, which end before `end`; returns the start of the first that is not ordinary, or `end`. Sixteen
  ;; bytes behind `end` may be read. It says what PlainRow.read (reader/plain-row.ts) says.
  (func (export "parse") (param $at i32) (param $end i32) (result i32)
    (local $p i32) (local $c i32) (local $d i32) (local $place i32) (local $columns i32) (local $start i32) (local $fieldEnd i32)
    (local $high i32) (local $missing i32) (local $weightStart i32) (local $weightEnd i32) (local $label i64) (local $first i64)
    (local $second i64) (local $u i32) (local $v i32) (local $n i32) (local $bytes v128) (local $end1 v128) (local $end2 v128)
    ;; What ends a field beside a line end: the delimiter, or either blank.
    (local.set $d (call $delimiter))
    (local.set $end1 (i8x16.splat (select (local.get $d) (i32.const 32) (local.get $d))))
    (local.set $end2 (i8x16.splat (select (local.get $d) (i32.const 9) (local.get $d))))
    (block $odd
      (loop $row
        (br_if $odd (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $c (i32.load8_u (local.get $at)))
        (br_if $odd (i32.le_u (local.get $c) (i32.const 32)))
        (br_if $odd (i32.eq (local.get $c) (i32.const 35)))
        (br_if $odd (i32.eq (local.get $c) (i32.const 37)))
        (br_if $odd (i32.eq (local.get $c) (i32.const 47)))
        (br_if $odd (i32.eq (local.get $c) (i32.load (i32.const 8))))
        (local.set $p (i32.load (i32.const 36)))
        (local.set $d (i32.add (local.get $p) (i32.mul (i32.load (i32.const 32)) (i32.const 24))))
        (loop $clear
          (if (i32.lt_u (local.get $p) (local.get $d)) (then
            (i64.store (local.get $p) (i64.const 0))
            (local.set $p (i32.add (local.get $p) (i32.const 24)))
            (br $clear))))
        (local.set $high (i32.const 0))
        (local.set $columns (i32.const 0))
        (local.set $missing (i32.add (i32.load (i32.const 12)) (i32.load (i32.const 16))))
        (local.set $p (local.get $at))
        (block $done
          (loop $field
            (local.set $c (i32.load8_u (local.tee $p (call $skip (local.get $p)))))
            (if (i32.eqz (call $delimiter)) (then
              (if (i32.and (i32.eq (local.get $c) (i32.const 13))
                  (i32.eq (i32.load8_u offset=1 (local.get $p)) (i32.const 10)))
                (then (local.set $p (i32.add (local.get $p) (i32.const 1))) (local.set $c (i32.const 10))))
              (br_if $done (i32.eq (local.get $c) (i32.const 10)))))
            (local.set $place (i32.const -1))
            (if (i32.lt_u (local.get $columns) (i32.load (i32.const 24))) (then
              (local.set $place (i32.load
                (i32.add (i32.load (i32.const 28)) (i32.shl (local.get $columns) (i32.const 2)))))))
            (local.set $columns (i32.add (local.get $columns) (i32.const 1)))
            (br_if $odd (i32.gt_u (local.get $columns) (i32.load (i32.const 20))))
            (local.set $start (local.get $p))
            (if (i32.eq (local.get $c) (i32.const 34))
              (then
                ;; Ids in quotes are texts, and two quotes are one.
                (br_if $odd (i32.lt_u (local.get $place) (i32.const 3)))
                (local.set $start (i32.add (local.get $p) (i32.const 1)))
                (loop $quoted
                  (local.set $c (i32.load8_u (local.tee $p (i32.add (local.get $p) (i32.const 1)))))
                  (br_if $odd (i32.eq (local.get $c) (i32.const 10)))
                  (local.set $high (i32.or (local.get $high) (local.get $c)))
                  (br_if $quoted (i32.ne (local.get $c) (i32.const 34))))
                (local.set $fieldEnd (local.get $p))
                (local.set $c (i32.load8_u (local.tee $p (i32.add (local.get $p) (i32.const 1)))))
                (br_if $odd (i32.eq (local.get $c) (i32.const 34)))
                (if (call $delimiter) (then (local.set $c (i32.load8_u (local.tee $p (call $skip (local.get $p))))))))
              (else
                (loop $bare
                  (local.set $bytes (v128.load align=1 (local.get $p)))
                  (local.set $d (i8x16.bitmask (v128.or (i8x16.eq (local.get $bytes) (local.get $end1))
                    (v128.or (i8x16.eq (local.get $bytes) (local.get $end2)) (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 10)))))))
                  ;; Sixteen where none ends the field.
                  (local.set $n (i32.ctz (i32.or (local.get $d) (i32.const 65536))))
                  (local.set $high (i32.or (local.get $high) (i32.shl (i32.and (i8x16.bitmask (local.get $bytes))
                    (i32.sub (i32.shl (i32.const 1) (local.get $n)) (i32.const 1))) (i32.const 7))))
                  (local.set $p (i32.add (local.get $p) (local.get $n)))
                  (br_if $bare (i32.eqz (local.get $d))))
                (local.set $c (i32.load8_u (local.get $p)))
                (local.set $fieldEnd (local.get $p))
                (if (i32.and (i32.eq (local.get $c) (i32.const 10)) (i32.gt_u (local.get $fieldEnd) (local.get $start))) (then
                  (local.set $fieldEnd (i32.sub (local.get $fieldEnd)
                    (i32.eq (i32.load8_u (i32.sub (local.get $fieldEnd) (i32.const 1))) (i32.const 13))))))
                (loop $trim
                  (if (i32.gt_u (local.get $fieldEnd) (local.get $start)) (then
                    (local.set $d (i32.load8_u (i32.sub (local.get $fieldEnd) (i32.const 1))))
                    (if (i32.or (i32.eq (local.get $d) (i32.const 32)) (i32.eq (local.get $d) (i32.const 9))) (then
                      (local.set $fieldEnd (i32.sub (local.get $fieldEnd) (i32.const 1)))
                      (br $trim))))))))
            (if (i32.ge_s (local.get $place) (i32.const 3))
              (then
                (local.set $d (i32.add (i32.load (i32.const 36))
                  (i32.mul (i32.sub (local.get $place) (i32.const 3)) (i32.const 24))))
                (i32.store (local.get $d) (local.get $start))
                (i32.store offset=4 (local.get $d) (local.get $fieldEnd)))
              (else (if (i32.ge_s (local.get $place) (i32.const 0)) (then
                (local.set $missing (i32.sub (local.get $missing) (i32.const 1)))
                (if (i32.eq (local.get $place) (i32.const 2))
                  (then
                    (local.set $weightStart (local.get $start))
                    (local.set $weightEnd (local.get $fieldEnd)))
                  (else
                    ;; A number of one to 15 digits.
                    (br_if $odd (i32.gt_u (i32.sub (i32.sub (local.get $fieldEnd) (local.get $start)) (i32.const 1)) (i32.const 14)))
                    (local.set $label (i64.const 0))
                    (loop $digit
                      (local.set $d (i32.sub (i32.load8_u (local.get $start)) (i32.const 48)))
                      (br_if $odd (i32.gt_u (local.get $d) (i32.const 9)))
                      (local.set $label (i64.add (i64.mul (local.get $label) (i64.const 10)) (i64.extend_i32_u (local.get $d))))
                      (br_if $digit (i32.lt_u
                        (local.tee $start (i32.add (local.get $start) (i32.const 1))) (local.get $fieldEnd))))
                    (if (local.get $place)
                      (then (local.set $second (local.get $label)))
                      (else (local.set $first (local.get $label))))))))))
            (if (i32.and (i32.eq (local.get $c) (i32.const 13)) (i32.eq (i32.load8_u offset=1 (local.get $p)) (i32.const 10)))
              (then (local.set $p (i32.add (local.get $p) (i32.const 1))) (local.set $c (i32.const 10))))
            (br_if $done (i32.eq (local.get $c) (i32.const 10)))
            (if (local.tee $d (call $delimiter))
              (then (br_if $odd (i32.ne (local.get $c) (local.get $d))))
              (else (br_if $odd (i32.and (i32.ne (local.get $c) (i32.const 32)) (i32.ne (local.get $c) (i32.const 9))))))
            (local.set $p (i32.add (local.get $p) (i32.const 1)))
            (br $field)))
        (local.set $p (i32.add (local.get $p) (i32.const 1)))
        (br_if $odd (local.get $missing))
        (if (i32.ge_u (local.get $high) (i32.const 128)) (then
          (br_if $odd (i32.eqz (call $isText (local.get $at) (local.get $p))))))
        (if (i32.load (i32.const 44)) (then
          (br_if $odd (i32.eqz (call $isUnmarked (local.get $at) (local.get $p))))))
        (if (i32.load (i32.const 16)) (then
          (br_if $odd (i32.eqz (call $isPositive (local.get $weightStart) (local.get $weightEnd))))))
        (i32.store (i32.const 76) (i32.add (i32.load (i32.const 76)) (i32.const 1)))
        (local.set $at (local.get $p))
        (local.set $u (call $vertex (local.get $first)))
        (local.set $v (i32.const 0))
        (if (i32.eq (i32.load (i32.const 12)) (i32.const 2)) (then (local.set $v (call $vertex (local.get $second)))))
        (if (i32.or (i32.eq (local.get $u) (i32.const -1)) (i32.eq (local.get $v) (i32.const -1))) (then
          (i32.store (i32.const 72) (i32.add (i32.load (i32.const 72)) (i32.const 1)))
          (br $row)))
        (if (i32.eq (i32.load (i32.const 12)) (i32.const 2))
          (then
            (if (i32.lt_u (local.get $u) (local.get $v))
              (then (call $keep (local.get $u) (local.get $v)))
              (else (if (i32.ne (local.get $u) (local.get $v)) (then (call $keep (local.get $v) (local.get $u)))))))
          (else (call $keep (local.get $u) (local.get $v))))
        (br $row)))
    (local.get $at))

  ;; Puts the rows [at, end) into buckets of first vertices that are alike but for `bits` bits, in their order, one bucket behind the other from
  ;; `into` on. From `ends` on it writes where each of the buckets ends, less `into`; as many words behind them are written, too.
  (func (export "spread") (param $at i32) (param $end i32) (param $bits i32) (param $into i32) (param $ends i32) (param $buckets i32)
    (local $row i32) (local $next i32) (local $to i32) (local $size i32) (local $nexts i32) (local $sum i32)
    (local.set $nexts (i32.add (local.get $ends) (i32.shl (local.get $buckets) (i32.const 2))))
    (memory.fill (local.get $ends) (i32.const 0) (i32.shl (local.get $buckets) (i32.const 2)))
    (local.set $row (local.get $at))
    (loop $count
      (if (i32.lt_u (local.get $row) (local.get $end)) (then
        (local.set $to (i32.add (local.get $ends)
          (i32.shl (i32.shr_u (i32.load offset=4 (local.get $row)) (local.get $bits)) (i32.const 2))))
        (local.set $size (i32.and (i32.add (i32.load (local.get $row)) (i32.const 3)) (i32.const -4)))
        (i32.store (local.get $to) (i32.add (i32.load (local.get $to)) (local.get $size)))
        (local.set $row (i32.add (local.get $row) (local.get $size)))
        (br $count))))
    (local.set $to (local.get $ends))
    (loop $start
      (i32.store (i32.add (local.get $to) (i32.shl (local.get $buckets) (i32.const 2))) (i32.add (local.get $into) (local.get $sum)))
      (local.set $sum (i32.add (local.get $sum) (i32.load (local.get $to))))
      (i32.store (local.get $to) (local.get $sum))
      (br_if $start (i32.lt_u (local.tee $to (i32.add (local.get $to) (i32.const 4))) (local.get $nexts))))
    (loop $rows
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $row (i32.add (local.get $nexts)
          (i32.shl (i32.shr_u (i32.load offset=4 (local.get $at)) (local.get $bits)) (i32.const 2))))
        (local.set $to (i32.load (local.get $row)))
        (local.set $next (i32.add (local.get $at) (i32.and (i32.add (i32.load (local.get $at)) (i32.const 3)) (i32.const -4))))
        (i32.store (local.get $row) (i32.add (local.get $to) (i32.sub (local.get $next) (local.get $at))))
        ;; Twelve bytes at least, in whole words.
        (if (i32.and (i32.sub (local.get $next) (local.get $at)) (i32.const 4)) (then
          (i32.store (local.get $to) (i32.load (local.get $at)))
          (local.set $to (i32.add (local.get $to) (i32.const 4)))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))))
        (loop $copy
          (i64.store (local.get $to) (i64.load (local.get $at)))
          (local.set $to (i32.add (local.get $to) (i32.const 8)))
          (br_if $copy (i32.lt_u (local.tee $at (i32.add (local.get $at) (i32.const 8))) (local.get $next))))
        (br $rows)))))
)
