;; The twin of bfs-parents.wgsl for the rows [$from, $to) of a batch.
(module
  (memory $targets (import "host" "targets") 1 65536 shared)
  (memory $levels (import "host" "levels") 1 65536 shared)
  (memory $offsets (import "host" "offsets") 1 65536 shared)
  (memory $parents (import "host" "parents") 1 65536 shared)

  (func (export "run")
    (param $from i32) (param $to i32) (param $threads i32) (param $ownAt i32) (param $first i32) (param $rows i32) (param $base i32)
    (param $offsetsAt i32) (param $targetsAt i32) (param $levelsAt i32) (param $parentsAt i32)
    (local $v i32) (local $level i32) (local $parent i32) (local $at i32) (local $end i32) (local $row i32) (local $place i32)
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $from) (local.get $to)))
      (local.set $v (i32.add (local.get $first) (local.get $from)))
      (local.set $place (i32.add (local.get $parentsAt)
        (i32.shl (i32.sub (local.get $v) (local.get $base)) (i32.const 2))))
      (block $isKnown
        (br_if $isKnown (i32.ne (i32.load $parents (local.get $place)) (i32.const -1)))
        (local.set $level (i32.load $levels (i32.add (local.get $levelsAt) (i32.shl (local.get $v) (i32.const 2)))))
        (local.set $parent (select (i32.const -1) (local.get $v) (local.get $level)))
        ;; Neither the root's level nor that of none.
        (if (i32.lt_u (i32.sub (local.get $level) (i32.const 1)) (i32.const -2)) (then
          (local.set $level (i32.sub (local.get $level) (i32.const 1)))
          (local.set $row (i32.add (local.get $offsetsAt) (i32.shl (local.get $from) (i32.const 2))))
          (local.set $at (i32.add (local.get $targetsAt) (i32.shl (i32.load $offsets (local.get $row)) (i32.const 2))))
          (local.set $end (i32.add (local.get $targetsAt)
            (i32.shl (i32.load $offsets offset=4 (local.get $row)) (i32.const 2))))
          (block $isOver (loop $nextArc
            (br_if $isOver (i32.eq (local.get $at) (local.get $end)))
            (local.set $row (i32.load $targets (local.get $at)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $nextArc (i32.ne (local.get $level)
              (i32.load $levels (i32.add (local.get $levelsAt) (i32.shl (local.get $row) (i32.const 2))))))
            (local.set $parent (local.get $row))))))
        (i32.store $parents (local.get $place) (local.get $parent)))
      (local.set $from (i32.add (local.get $from) (i32.const 1)))
      (br $nextVertex)))))
