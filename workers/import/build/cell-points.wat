  ;; Where there is a point in n bytes from `at`, 1 to 15, that are digits beside it: a bit, or 0 without one; -1 for other bytes. Sixteen are read.
  (func $points (param $at i32) (param $n i32) (result i32)
    (local $bytes v128) (local $all i32) (local $points i32)
    (local.set $bytes (v128.load align=1 (local.get $at)))
    (local.set $all (i32.sub (i32.shl (i32.const 1) (local.get $n)) (i32.const 1)))
    (local.set $points (i32.and (local.get $all)
      (i8x16.bitmask (i8x16.eq (local.get $bytes) (i8x16.splat (i32.const 46))))))
    (select (i32.const -1) (local.get $points)
      (i32.or
        (i32.or
          ;; A byte that is neither.
          (i32.ne (local.get $all) (i32.and (local.get $all) (i32.or (local.get $points)
            (i8x16.bitmask (i8x16.lt_u (i8x16.sub (local.get $bytes) (i8x16.splat (i32.const 48))) (i8x16.splat (i32.const 10)))))))
          ;; A second point.
          (i32.and (local.get $points) (i32.sub (local.get $points) (i32.const 1))))
        ;; Nothing but a point.
        (i32.and (local.get $points) (i32.eq (local.get $n) (i32.const 1))))))
