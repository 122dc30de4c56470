;; Makes columns of the cells of rows (row-columns.ts, row-bytes.ts).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
(module
  ;; Addresses 0 to 127: f64, 10 to the power of 0, 1 ... 15.
  (import "host" "memory" (memory 1 65536))
  ;; The number in bytes [start, end) of a cell of a column and a form; NaN where it is none.
  (import "host" "number" (func $number (param i32 i32 i32 i32) (result f64)))

  ;; The column, form and bytes of the cell that $cell found.
  (global $column (mut i32) (i32.const 0))
  (global $form (mut i32) (i32.const 0))
  (global $start (mut i32) (i32.const 0))
  (global $end (mut i32) (i32.const 0))

  (func $cell (param $at i32)
    (local $word i32) (local $size i32)
    (local.set $word (i32.load16_u (local.get $at)))
    (global.set $column (i32.and (local.get $word) (i32.const 4095)))
    (global.set $form (i32.shr_u (local.get $word) (i32.const 12)))
    (local.set $size (i32.load8_u offset=2 (local.get $at)))
    (global.set $start (i32.add (local.get $at) (i32.const 3)))
    (if (i32.eq (local.get $size) (i32.const 255)) (then
      (local.set $size (i32.load offset=3 (local.get $at)))
      (global.set $start (i32.add (local.get $at) (i32.const 7)))))
    (global.set $end (i32.add (global.get $start) (local.get $size))))

  ;; Bits in which the vertices of the rows that were listed differ, and where `order` left its lists.
  (global $bits (mut i64) (i64.const 0))
  (global $ordered (export "ordered") (mut i32) (i32.const 0))

  ;; Lists the rows [at, end), one behind the other: their vertices as i64 from `list` on, the first one above, and behind `room` of these their
  ;; addresses. Counts their cells in columns of 32 bytes each: cells at 0, their bytes at 4. Returns how many rows there are.
  (func (export "list") (param $at i32) (param $end i32) (param $columns i32) (param $list i32) (param $room i32) (result i32)
    (local $next i32) (local $column i32) (local $row i32) (local $first i64) (local $vertices i64) (local $bits i64)
    (local.set $first (i64.rotl (i64.load offset=4 (local.get $at)) (i64.const 32)))
    (loop $rows
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $next (i32.add (local.get $at) (i32.load (local.get $at))))
        (local.set $vertices (i64.rotl (i64.load offset=4 (local.get $at)) (i64.const 32)))
        (local.set $bits (i64.or (local.get $bits) (i64.xor (local.get $vertices) (local.get $first))))
        (i64.store (i32.add (local.get $list) (i32.shl (local.get $row) (i32.const 3))) (local.get $vertices))
        (i32.store
          (i32.add (local.get $list) (i32.add (i32.shl (local.get $room) (i32.const 3)) (i32.shl (local.get $row) (i32.const 2))))
          (local.get $at))
        (local.set $row (i32.add (local.get $row) (i32.const 1)))
        (local.set $at (i32.add (local.get $at) (i32.const 12)))
        (loop $cells
          (if (i32.lt_u (local.get $at) (local.get $next)) (then
            (call $cell (local.get $at))
            (local.set $column (i32.add (local.get $columns) (i32.shl (global.get $column) (i32.const 5))))
            (i32.store (local.get $column) (i32.add (i32.load (local.get $column)) (i32.const 1)))
            (i32.store offset=4 (local.get $column)
              (i32.add (i32.load offset=4 (local.get $column)) (i32.sub (global.get $end) (global.get $start))))
            (local.set $at (global.get $end))
            (br $cells))))
        (local.set $at (i32.and (i32.add (local.get $next) (i32.const 3)) (i32.const -4)))
        (br $rows))))
    (global.set $bits (local.get $bits))
    (local.get $row))

  ;; The place of the counter of a digit of vertices.
  (func $counter (param $vertices i32) (param $shift i64) (param $counts i32) (result i32)
    (i32.add (local.get $counts) (i32.shl
      (i32.and (i32.wrap_i64 (i64.shr_u (i64.load (local.get $vertices)) (local.get $shift))) (i32.const 2047))
      (i32.const 2))))

  ;; Sorts n rows that were listed by their vertices, digit by digit of 11 bits, and leaves out those whose vertices one before has. From
  ;; `ordered` on are the addresses of those that stay and, behind `room` of them each, their first vertices and second ones. Twice the room of the
  ;; list is written, and 2048 words at `counts`. Returns how many rows stay.
  (func (export "order") (param $n i32) (param $from i32) (param $room i32) (param $counts i32) (result i32)
    (local $into i32) (local $addresses i32) (local $shift i64) (local $i i32) (local $at i32) (local $place i32) (local $sum i32)
    (local $before i64) (local $vertices i64)
    (local.set $addresses (i32.shl (local.get $room) (i32.const 3)))
    (local.set $into (i32.add (local.get $from) (i32.mul (local.get $room) (i32.const 12))))
    (loop $digit
      (if (i64.ne (i64.and (i64.shr_u (global.get $bits) (local.get $shift)) (i64.const 2047)) (i64.const 0)) (then
        (memory.fill (local.get $counts) (i32.const 0) (i32.const 8192))
        (local.set $i (i32.const 0))
        (loop $count
          (local.set $at (call $counter
            (i32.add (local.get $from) (i32.shl (local.get $i) (i32.const 3))) (local.get $shift) (local.get $counts)))
          (i32.store (local.get $at) (i32.add (i32.load (local.get $at)) (i32.const 1)))
          (br_if $count (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
        (local.set $sum (i32.const 0))
        (local.set $i (i32.const 0))
        (loop $start
          (local.set $at (i32.add (local.get $counts) (i32.shl (local.get $i) (i32.const 2))))
          (local.set $place (i32.load (local.get $at)))
          (i32.store (local.get $at) (local.get $sum))
          (local.set $sum (i32.add (local.get $sum) (local.get $place)))
          (br_if $start (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (i32.const 2048))))
        (local.set $i (i32.const 0))
        (loop $move
          (local.set $at (call $counter
            (i32.add (local.get $from) (i32.shl (local.get $i) (i32.const 3))) (local.get $shift) (local.get $counts)))
          (local.set $place (i32.load (local.get $at)))
          (i32.store (local.get $at) (i32.add (local.get $place) (i32.const 1)))
          (i64.store (i32.add (local.get $into) (i32.shl (local.get $place) (i32.const 3)))
            (i64.load (i32.add (local.get $from) (i32.shl (local.get $i) (i32.const 3)))))
          (i32.store (i32.add (i32.add (local.get $into) (local.get $addresses)) (i32.shl (local.get $place) (i32.const 2)))
            (i32.load (i32.add (i32.add (local.get $from) (local.get $addresses)) (i32.shl (local.get $i) (i32.const 2)))))
          (br_if $move (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
        (local.set $at (local.get $from))
        (local.set $from (local.get $into))
        (local.set $into (local.get $at))))
      (br_if $digit (i64.lt_u (local.tee $shift (i64.add (local.get $shift) (i64.const 11))) (i64.const 64))))
    (global.set $ordered (local.get $into))
    (local.set $addresses (i32.add (local.get $from) (local.get $addresses)))
    (local.set $room (i32.shl (local.get $room) (i32.const 2)))
    (local.set $sum (i32.const 0))
    (local.set $i (i32.const 0))
    (loop $rows
      (local.set $vertices (i64.load (i32.add (local.get $from) (i32.shl (local.get $i) (i32.const 3)))))
      (if (i32.or (i32.eqz (local.get $i)) (i64.ne (local.get $vertices) (local.get $before))) (then
        (local.set $before (local.get $vertices))
        (i32.store (local.get $into) (i32.load (i32.add (local.get $addresses) (i32.shl (local.get $i) (i32.const 2)))))
        (i32.store (i32.add (local.get $into) (local.get $room)) (i32.wrap_i64 (i64.shr_u (local.get $vertices) (i64.const 32))))
        (i32.store (i32.add (local.get $into) (i32.shl (local.get $room) (i32.const 1))) (i32.wrap_i64 (local.get $vertices)))
        (local.set $into (i32.add (local.get $into) (i32.const 4)))
        (local.set $sum (i32.add (local.get $sum) (i32.const 1)))))
      (br_if $rows (i32.lt_u (local.tee $i (i32.add (local.get $i) (i32.const 1))) (local.get $n))))
    (local.get $sum))

  ;;+ cell-points.wat

  ;; The number of n digits from `at` on, 1 to 8: pairs, fours and all eight are put together side by side.
  (func $eight (param $at i32) (param $n i32) (result f64)
    (local $t i64)
    (local.set $t (i64.shl (i64.and (i64.load (local.get $at)) (i64.const 0x0f0f0f0f0f0f0f0f))
      (i64.extend_i32_u (i32.sub (i32.const 64) (i32.shl (local.get $n) (i32.const 3))))))
    (local.set $t (i64.shr_u (i64.mul (local.get $t) (i64.const 2561)) (i64.const 8)))
    (local.set $t (i64.shr_u
      (i64.mul (i64.and (local.get $t) (i64.const 0x00ff00ff00ff00ff)) (i64.const 6553601)) (i64.const 16)))
    (f64.convert_i64_u (i64.shr_u
      (i64.mul (i64.and (local.get $t) (i64.const 0x0000ffff0000ffff)) (i64.const 42949672960001)) (i64.const 32))))

  ;; That of n digits, 0 to 15.
  (func $digits (param $at i32) (param $n i32) (result f64)
    (if (i32.eqz (local.get $n)) (then (return (f64.const 0))))
    (if (i32.le_u (local.get $n) (i32.const 8)) (then (return (call $eight (local.get $at) (local.get $n)))))
    (local.set $n (i32.sub (local.get $n) (i32.const 8)))
    (f64.add
      (f64.mul (call $eight (local.get $at) (local.get $n)) (f64.const 1e8))
      (call $eight (i32.add (local.get $at) (local.get $n)) (i32.const 8))))

  ;; A number of up to 15 digits with a point at most; NaN for all others. All but the quotient is exact.
  (func $plain (param $at i32) (param $end i32) (result f64)
    (local $n i32) (local $points i32) (local $whole i32) (local $isNegative i32) (local $value f64) (local $power f64)
    (local.set $isNegative (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)))
    (local.set $at (i32.add (local.get $at) (local.get $isNegative)))
    (local.set $n (i32.sub (local.get $end) (local.get $at)))
    (if (i32.gt_u (i32.sub (local.get $n) (i32.const 1)) (i32.const 14)) (then (return (f64.const nan))))
    (local.set $points (call $points (local.get $at) (local.get $n)))
    (if (i32.lt_s (local.get $points) (i32.const 0)) (then (return (f64.const nan))))
    (if (local.get $points)
      (then
        (local.set $whole (i32.ctz (local.get $points)))
        (local.set $n (i32.sub (i32.sub (local.get $n) (local.get $whole)) (i32.const 1)))
        (local.set $power (f64.load (i32.shl (local.get $n) (i32.const 3))))
        (local.set $value (f64.div
          (f64.add
            (f64.mul (call $digits (local.get $at) (local.get $whole)) (local.get $power))
            (call $digits (i32.add (i32.add (local.get $at) (local.get $whole)) (i32.const 1)) (local.get $n)))
          (local.get $power))))
      (else (local.set $value (call $digits (local.get $at) (local.get $n)))))
    (if (result f64) (local.get $isNegative) (then (f64.neg (local.get $value))) (else (local.get $value))))

  ;; Puts the cells of rows into their columns. `starts` has their addresses until `end`; the rows are one behind the other or, where `vertices` is an
  ;; address, those of the vertices there less `first`. A column: its kind at 8 (0 for one that is
  ;; left out, 1 for numbers under a point, 2 for others, 3 for booleans, 4 for texts), and where the next row, value and text go at 12, 16
  ;; and 20, the row before at 24, and where texts begin at 28. A second cell of a row is left out.
  (func (export "fill") (param $starts i32) (param $end i32) (param $vertices i32) (param $first i32) (param $columns i32)
    (local $at i32) (local $next i32) (local $i i32) (local $row i32) (local $column i32) (local $kind i32) (local $value f64) (local $to i32)
    (loop $rows
      (if (i32.lt_u (local.get $starts) (local.get $end)) (then
        (local.set $at (i32.load (local.get $starts)))
        (local.set $row (local.get $i))
        (if (local.get $vertices) (then
          (local.set $row (i32.sub
            (i32.load (i32.add (local.get $vertices) (i32.shl (local.get $i) (i32.const 2)))) (local.get $first)))))
        (local.set $next (i32.add (local.get $at) (i32.load (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 12)))
        (loop $cells
          (if (i32.lt_u (local.get $at) (local.get $next)) (then
            (call $cell (local.get $at))
            (local.set $at (global.get $end))
            (local.set $column (i32.add (local.get $columns) (i32.shl (global.get $column) (i32.const 5))))
            (local.set $kind (i32.load offset=8 (local.get $column)))
            (br_if $cells (i32.or (i32.eqz (local.get $kind)) (i32.eq (local.get $row) (i32.load offset=24 (local.get $column)))))
            (if (i32.eq (local.get $kind) (i32.const 4))
              (then
                (local.set $to (i32.load offset=20 (local.get $column)))
                (i32.store offset=20 (local.get $column)
                  (i32.add (local.get $to) (i32.sub (global.get $end) (global.get $start))))
                ;; Up to seven bytes too many, which the next text takes.
                (loop $copy
                  (i64.store (local.get $to) (i64.load (global.get $start)))
                  (local.set $to (i32.add (local.get $to) (i32.const 8)))
                  (br_if $copy (i32.lt_u
                    (block (result i32) (global.set $start (i32.add (global.get $start) (i32.const 8))) (global.get $start))
                    (global.get $end))))
                (local.set $value (f64.convert_i32_u
                  (i32.sub (i32.load offset=20 (local.get $column)) (i32.load offset=28 (local.get $column))))))
              (else (if (i32.eq (local.get $kind) (i32.const 3))
                (then (local.set $value (f64.convert_i32_u (i32.eq (i32.load8_u (global.get $start)) (i32.const 116)))))
                (else
                  (local.set $value (f64.const nan))
                  (if (i32.or (i32.eq (local.get $kind) (i32.const 1)) (global.get $form)) (then
                    (local.set $value (call $plain (global.get $start) (global.get $end)))))
                  (if (f64.ne (local.get $value) (local.get $value)) (then
                    (local.set $value (call $number (global.get $column) (global.get $form) (global.get $start) (global.get $end)))
                    (br_if $cells (f64.ne (local.get $value) (local.get $value)))))))))
            (i32.store offset=24 (local.get $column) (local.get $row))
            (i32.store (i32.load offset=12 (local.get $column)) (local.get $row))
            (i32.store offset=12 (local.get $column) (i32.add (i32.load offset=12 (local.get $column)) (i32.const 4)))
            (f64.store (i32.load offset=16 (local.get $column)) (local.get $value))
            (i32.store offset=16 (local.get $column) (i32.add (i32.load offset=16 (local.get $column)) (i32.const 8)))
            (br $cells))))
        (local.set $starts (i32.add (local.get $starts) (i32.const 4)))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $rows)))))
)
