;; The twin of bfs-top-down.wgsl for the places [$from, $to) of the frontier. Found vertices are collected at $own, in halves of it, before
;; they take their places in the lists.
(module
  (memory $visited (import "host" "visited") 1 65536 shared)
  (memory $targets (import "host" "targets") 1 65536 shared)
  (memory $levels (import "host" "levels") 1 65536 shared)
  (memory $offsets (import "host" "offsets") 1 65536 shared)
  (memory $queue (import "host" "queue") 1 65536 shared)
  (memory $next (import "host" "next") 1 65536 shared)
  (memory $remote (import "host" "remote") 1 65536 shared)
  (memory $counters (import "host" "counters") 1 65536 shared)
  (memory $own (import "host" "own") 1 65536 shared)

  ;;+ bfs-lists.wat

  (func (export "run")
    (param $from i32) (param $to i32) (param $threads i32) (param $ownAt i32)
    (param $count i32) (param $first i32) (param $rows i32) (param $low i32) (param $high i32) (param $level i32)
    (param $queueAt i32) (param $offsetsAt i32) (param $targetsAt i32) (param $visitedAt i32) (param $levelsAt i32)
    (param $nextAt i32) (param $remoteAt i32) (param $countersAt i32)
    (local $row i32) (local $at i32) (local $end i32) (local $v i32) (local $word i32) (local $bit i32)
    (local $found i32) (local $sent i32)
    (local.set $high (i32.sub (local.get $high) (local.get $low)))
    (local.set $from (i32.add (local.get $queueAt) (i32.shl (local.get $from) (i32.const 2))))
    (local.set $to (i32.add (local.get $queueAt) (i32.shl (local.get $to) (i32.const 2))))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $from) (local.get $to)))
      (local.set $row (i32.sub (i32.load $queue (local.get $from)) (local.get $first)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      ;; A vertex before the batch wraps around.
      (br_if $nextVertex (i32.ge_u (local.get $row) (local.get $rows)))
      (local.set $row (i32.add (local.get $offsetsAt) (i32.shl (local.get $row) (i32.const 2))))
      (local.set $at (i32.add (local.get $targetsAt) (i32.shl (i32.load $offsets (local.get $row)) (i32.const 2))))
      (local.set $end (i32.add (local.get $targetsAt)
        (i32.shl (i32.load $offsets offset=4 (local.get $row)) (i32.const 2))))
      (loop $nextArc
        (br_if $nextVertex (i32.eq (local.get $at) (local.get $end)))
        (local.set $v (i32.load $targets (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $word (i32.add (local.get $visitedAt)
          (i32.shl (i32.shr_u (local.get $v) (i32.const 5)) (i32.const 2))))
        (local.set $bit (i32.shl (i32.const 1) (local.get $v)))
        (br_if $nextArc (i32.and (i32.load $visited (local.get $word)) (local.get $bit)))
        (br_if $nextArc (i32.and (i32.atomic.rmw.or $visited (local.get $word) (local.get $bit)) (local.get $bit)))
        (local.set $row (i32.sub (local.get $v) (local.get $low)))
        (if (i32.lt_u (local.get $row) (local.get $high))
          (then
            (i32.store $levels (i32.add (local.get $levelsAt) (i32.shl (local.get $row) (i32.const 2))) (local.get $level))
            (local.set $found (call $keepNext
              (local.get $v) (local.get $found) (local.get $ownAt) (local.get $nextAt) (local.get $countersAt))))
          (else
            (local.set $sent (call $keepRemote
              (local.get $v) (local.get $sent) (local.get $ownAt) (local.get $remoteAt) (local.get $countersAt)))))
        (br $nextArc))))
    (call $flushNext (local.get $found) (local.get $ownAt) (local.get $nextAt) (local.get $countersAt))
    (call $flushRemote (local.get $sent) (local.get $ownAt) (local.get $remoteAt) (local.get $countersAt))))
