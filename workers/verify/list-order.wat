;; A part of each module that checks batches of lists: it finds the start of a list, and whether all are in order. $own has the starts of the
;; lists at $starts and their targets at $targets.
  ;; The start of list i, in bytes.
  (func $start (param $i i32) (result i32)
    (i32.add
      (global.get $targets)
      (i32.shl (i32.load $own (i32.add (global.get $starts) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 2))))

  ;; Whether the targets of each list ascend and all are vertices: no target is followed by one that is not above it,
  ;; but for the last of a list.
  (func (export "ordered") (param $lists i32) (param $vertices i32) (result i32)
    (local $at i32) (local $end i32) (local $falls v128) (local $largest v128) (local $here v128)
    (local $count i32) (local $most i32) (local $i i32) (local $begin i32) (local $before i32)
    (local.set $at (call $start (i32.const 0)))
    (local.set $end (call $start (local.get $lists)))
    (if (i32.eq (local.get $at) (local.get $end)) (then (return (i32.const 1))))
    ;; The last target is followed by none.
    (local.set $end (i32.sub (local.get $end) (i32.const 4)))
    (block $rest
      (loop $four
        (br_if $rest (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $here (v128.load $own (local.get $at)))
        (local.set $largest (i32x4.max_u (local.get $largest) (local.get $here)))
        (local.set $falls
          (i32x4.sub (local.get $falls) (i32x4.ge_u (local.get $here) (v128.load $own offset=4 (local.get $at)))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $four)))
    (local.set $count
      (i32.add
        (i32.add (i32x4.extract_lane 0 (local.get $falls)) (i32x4.extract_lane 1 (local.get $falls)))
        (i32.add (i32x4.extract_lane 2 (local.get $falls)) (i32x4.extract_lane 3 (local.get $falls)))))
    (local.set $here (i32x4.max_u (local.get $largest) (i8x16.shuffle 8 9 10 11 12 13 14 15 0 1 2 3 4 5 6 7 (local.get $largest) (local.get $largest))))
    (local.set $here (i32x4.max_u (local.get $here) (i8x16.shuffle 4 5 6 7 0 1 2 3 12 13 14 15 8 9 10 11 (local.get $here) (local.get $here))))
    (local.set $most (i32x4.extract_lane 0 (local.get $here)))
    (loop $one
      (local.set $begin (i32.load $own (local.get $at)))
      (if (i32.gt_u (local.get $begin) (local.get $most)) (then (local.set $most (local.get $begin))))
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $count
            (i32.add (local.get $count) (i32.ge_u (local.get $begin) (i32.load $own offset=4 (local.get $at)))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $one))))
    (if (i32.ge_u (local.get $most) (local.get $vertices)) (then (return (i32.const 0))))
    ;; Those between two lists; several empty ones begin at one place.
    (local.set $before (call $start (i32.const 0)))
    (local.set $i (i32.const 1))
    (block $over
      (loop $list
        (br_if $over (i32.ge_u (local.get $i) (local.get $lists)))
        (local.set $begin (call $start (local.get $i)))
        (br_if $over (i32.gt_u (local.get $begin) (local.get $end)))
        (if (i32.ne (local.get $begin) (local.get $before))
          (then
            (local.set $count
              (i32.sub
                (local.get $count)
                (i32.ge_u
                  (i32.load $own (i32.sub (local.get $begin) (i32.const 4)))
                  (i32.load $own (local.get $begin)))))
            (local.set $before (local.get $begin))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $list)))
    (i32.eqz (local.get $count)))
