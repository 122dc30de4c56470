;; The twin of bfs-bottom-up.wgsl for the rows [$from, $to) of a batch.
(module
  (memory $targets (import "host" "targets") 1 65536 shared)
  (memory $frontier (import "host" "frontier") 1 65536 shared)
  (memory $offsets (import "host" "offsets") 1 65536 shared)
  (memory $visited (import "host" "visited") 1 65536 shared)
  (memory $levels (import "host" "levels") 1 65536 shared)
  (memory $next (import "host" "next") 1 65536 shared)
  (memory $remote (import "host" "remote") 1 65536 shared)
  (memory $counters (import "host" "counters") 1 65536 shared)
  (memory $own (import "host" "own") 1 65536 shared)

  ;;+ bfs-lists.wat

  (func (export "run")
    (param $from i32) (param $to i32) (param $threads i32) (param $ownAt i32)
    (param $first i32) (param $rows i32) (param $low i32) (param $high i32) (param $level i32) (param $keeps i32)
    (param $offsetsAt i32) (param $targetsAt i32) (param $frontierAt i32) (param $visitedAt i32) (param $levelsAt i32)
    (param $nextAt i32) (param $remoteAt i32) (param $countersAt i32)
    (local $base i32) (local $rest i32) (local $bit i32) (local $reached i32) (local $v i32) (local $row i32)
    (local $at i32) (local $end i32) (local $u i32) (local $found i32) (local $sent i32) (local $left i32)
    (local.set $high (i32.sub (local.get $high) (local.get $low)))
    (local.set $from (i32.add (local.get $first) (local.get $from)))
    (local.set $to (i32.add (local.get $first) (local.get $to)))
    (local.set $base (i32.and (local.get $from) (i32.const -32)))
    ;; Of row 0; vertices before the batch wrap around.
    (local.set $offsetsAt (i32.sub (local.get $offsetsAt) (i32.shl (local.get $first) (i32.const 2))))
    (local.set $levelsAt (i32.sub (local.get $levelsAt) (i32.shl (local.get $low) (i32.const 2))))
    (block $done (loop $nextWord
      (br_if $done (i32.ge_u (local.get $base) (local.get $to)))
      (local.set $rest (i32.xor (i32.const -1) (i32.load $visited (call $wordAt (local.get $visitedAt) (local.get $base)))))
      (if (i32.lt_u (local.get $base) (local.get $from)) (then
        (local.set $rest (i32.and (local.get $rest) (i32.shl (i32.const -1) (local.get $from))))))
      (if (i32.lt_u (i32.sub (local.get $to) (local.get $base)) (i32.const 32)) (then
        (local.set $rest (i32.and (local.get $rest)
          (i32.xor (i32.const -1) (i32.shl (i32.const -1) (local.get $to)))))))
      (local.set $reached (i32.const 0))
      (block $wordDone (loop $nextVertex
        (br_if $wordDone (i32.eqz (local.get $rest)))
        (local.set $bit (i32.and (local.get $rest) (i32.sub (i32.const 0) (local.get $rest))))
        (local.set $rest (i32.xor (local.get $rest) (local.get $bit)))
        (local.set $v (i32.add (local.get $base) (i32.ctz (local.get $bit))))
        (local.set $row (i32.add (local.get $offsetsAt) (i32.shl (local.get $v) (i32.const 2))))
        (local.set $at (i32.add (local.get $targetsAt) (i32.shl (i32.load $offsets (local.get $row)) (i32.const 2))))
        (local.set $end (i32.add (local.get $targetsAt)
          (i32.shl (i32.load $offsets (i32.add (local.get $row) (i32.const 4))) (i32.const 2))))
        (br_if $nextVertex (i32.eq (local.get $at) (local.get $end)))
        (block $isFound
          (loop $nextArc
            (local.set $u (i32.load $targets (local.get $at)))
            (br_if $isFound (i32.and
              (i32.shr_u (i32.load $frontier (call $wordAt (local.get $frontierAt) (local.get $u))) (local.get $u))
              (i32.const 1)))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $nextArc (i32.ne (local.get $at) (local.get $end))))
          (local.set $left (i32.add (local.get $left) (i32.const 1)))
          (br $nextVertex))
        (local.set $reached (i32.or (local.get $reached) (local.get $bit)))
        (if (i32.lt_u (i32.sub (local.get $v) (local.get $low)) (local.get $high))
          (then
            (i32.store $levels (i32.add (local.get $levelsAt) (i32.shl (local.get $v) (i32.const 2))) (local.get $level))
            (if (local.get $keeps) (then
              (i32.store $remote (i32.add (local.get $remoteAt)
                (i32.shl (i32.sub (local.get $v) (local.get $low)) (i32.const 2))) (local.get $u))))
            (local.set $found (call $keepNext
              (local.get $v) (local.get $found) (local.get $ownAt) (local.get $nextAt) (local.get $countersAt))))
          (else
            (local.set $sent (call $keepRemote
              (local.get $v) (local.get $sent) (local.get $ownAt) (local.get $remoteAt) (local.get $countersAt)))))
        (br $nextVertex)))
      ;; Batches and chunks may share a word.
      (if (local.get $reached) (then
        (drop (i32.atomic.rmw.or $visited (call $wordAt (local.get $visitedAt) (local.get $base)) (local.get $reached)))))
      (local.set $base (i32.add (local.get $base) (i32.const 32)))
      (br $nextWord)))
    (if (local.get $left) (then
      (drop (i32.atomic.rmw.add $counters offset=16 (local.get $countersAt) (local.get $left)))))
    (call $flushNext (local.get $found) (local.get $ownAt) (local.get $nextAt) (local.get $countersAt))
    (call $flushRemote (local.get $sent) (local.get $ownAt) (local.get $remoteAt) (local.get $countersAt)))

  (func $wordAt (param $bitsAt i32) (param $v i32) (result i32)
    (i32.add (local.get $bitsAt) (i32.shl (i32.shr_u (local.get $v) (i32.const 5)) (i32.const 2)))))
