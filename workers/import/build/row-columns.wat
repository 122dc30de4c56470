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

  ;; Counts the cells of rows [at, end), one behind the other, in columns of 32 bytes each: cells at 0, their bytes at 4.
  (func (export "count") (param $at i32) (param $end i32) (param $columns i32)
    (local $next i32) (local $column i32)
    (loop $row
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $next (i32.add (local.get $at) (i32.load (local.get $at))))
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
        (br $row)))))

  ;; A number of up to 15 digits with a point at most; NaN for all others.
  (func $plain (param $at i32) (param $end i32) (result f64)
    (local $c i32) (local $n i32) (local $point i32) (local $mantissa i64) (local $isNegative i32) (local $value f64)
    (local.set $isNegative (i32.eq (i32.load8_u (local.get $at)) (i32.const 45)))
    (local.set $at (i32.add (local.get $at) (local.get $isNegative)))
    (local.set $n (i32.sub (local.get $end) (local.get $at)))
    (if (i32.gt_u (i32.sub (local.get $n) (i32.const 1)) (i32.const 14)) (then (return (f64.const nan))))
    (loop $next
      (local.set $c (i32.sub (i32.load8_u (local.get $at)) (i32.const 48)))
      (local.set $at (i32.add (local.get $at) (i32.const 1)))
      (if (i32.lt_u (local.get $c) (i32.const 10))
        (then (local.set $mantissa (i64.add (i64.mul (local.get $mantissa) (i64.const 10)) (i64.extend_i32_u (local.get $c)))))
        (else
          (if (i32.or (i32.or (i32.ne (local.get $c) (i32.const -2)) (local.get $point)) (i32.eq (local.get $n) (i32.const 1)))
            (then (return (f64.const nan))))
          (local.set $point (local.get $at))))
      (br_if $next (i32.lt_u (local.get $at) (local.get $end))))
    (local.set $value (f64.convert_i64_u (local.get $mantissa)))
    (if (local.get $point) (then
      (local.set $value (f64.div (local.get $value)
        (f64.load (i32.shl (i32.sub (local.get $end) (local.get $point)) (i32.const 3)))))))
    (if (result f64) (local.get $isNegative) (then (f64.neg (local.get $value))) (else (local.get $value))))

  ;; Puts the cells of `count` rows into their columns. `starts` has their addresses, `places` their rows. A column: its kind at 8 (0 for one that is
  ;; left out, 1 for numbers under a point, 2 for others, 3 for booleans, 4 for texts), and where the next row, value and text go at 12, 16
  ;; and 20, the row before at 24, and where texts begin at 28. A second cell of a row is left out.
  (func (export "fill") (param $starts i32) (param $places i32) (param $count i32) (param $columns i32)
    (local $at i32) (local $next i32) (local $row i32) (local $column i32) (local $kind i32) (local $value f64) (local $to i32)
    (loop $rows
      (if (local.get $count) (then
        (local.set $at (i32.load (local.get $starts)))
        (local.set $row (i32.load (local.get $places)))
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
        (local.set $places (i32.add (local.get $places) (i32.const 4)))
        (local.set $count (i32.sub (local.get $count) (i32.const 1)))
        (br $rows)))))
)
