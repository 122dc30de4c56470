  ;; Bytes of vertices collected at $ownAt for the list of a counter (bfs-top-down.ts), and behind them for that of the next.
  (func $flushNext (param $bytes i32) (param $ownAt i32) (param $listAt i32) (param $countersAt i32)
    (if (local.get $bytes) (then
      (memory.copy $next $own
        (i32.add (local.get $listAt) (i32.shl
          (i32.atomic.rmw.add $counters (local.get $countersAt) (i32.shr_u (local.get $bytes) (i32.const 2)))
          (i32.const 2)))
        (local.get $ownAt) (local.get $bytes)))))

  (func $flushRemote (param $bytes i32) (param $ownAt i32) (param $listAt i32) (param $countersAt i32)
    (if (local.get $bytes) (then
      (memory.copy $remote $own
        (i32.add (local.get $listAt) (i32.shl
          (i32.atomic.rmw.add $counters offset=4 (local.get $countersAt) (i32.shr_u (local.get $bytes) (i32.const 2)))
          (i32.const 2)))
        (i32.add (local.get $ownAt) (i32.const 4096)) (local.get $bytes)))))

  ;; The result: bytes that are collected then.
  (func $keepNext
    (param $v i32) (param $bytes i32) (param $ownAt i32) (param $listAt i32) (param $countersAt i32) (result i32)
    (i32.store $own (i32.add (local.get $ownAt) (local.get $bytes)) (local.get $v))
    (local.set $bytes (i32.add (local.get $bytes) (i32.const 4)))
    (if (i32.lt_u (local.get $bytes) (i32.const 4096)) (then (return (local.get $bytes))))
    (call $flushNext (local.get $bytes) (local.get $ownAt) (local.get $listAt) (local.get $countersAt))
    (i32.const 0))

  (func $keepRemote
    (param $v i32) (param $bytes i32) (param $ownAt i32) (param $listAt i32) (param $countersAt i32) (result i32)
    (i32.store $own offset=4096 (i32.add (local.get $ownAt) (local.get $bytes)) (local.get $v))
    (local.set $bytes (i32.add (local.get $bytes) (i32.const 4)))
    (if (i32.lt_u (local.get $bytes) (i32.const 4096)) (then (return (local.get $bytes))))
    (call $flushRemote (local.get $bytes) (local.get $ownAt) (local.get $listAt) (local.get $countersAt))
    (i32.const 0))
