;; The twin of bfs-arcs.wgsl for the threads [$from, $to), each with its share of the list.
(module
  (memory $degrees (import "host" "degrees") 1 65536 shared)
  (memory $next (import "host" "next") 1 65536 shared)
  (memory $counters (import "host" "counters") 1 65536 shared)

  (func (export "run")
    (param $from i32) (param $to i32) (param $threads i32) (param $ownAt i32) (param $low i32)
    (param $nextAt i32) (param $degreesAt i32) (param $countersAt i32)
    (local $sum i64) (local $count i32)
    (local.set $count (i32.load $counters (local.get $countersAt)))
    (local.set $from (call $placeOf (local.get $from) (local.get $count) (local.get $threads) (local.get $nextAt)))
    (local.set $to (call $placeOf (local.get $to) (local.get $count) (local.get $threads) (local.get $nextAt)))
    (local.set $degreesAt (i32.sub (local.get $degreesAt) (i32.shl (local.get $low) (i32.const 2))))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $from) (local.get $to)))
      (local.set $sum (i64.add (local.get $sum) (i64.load32_u $degrees
        (i32.add (local.get $degreesAt) (i32.shl (i32.load $next (local.get $from)) (i32.const 2))))))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (br $nextVertex)))
    (if (i64.ne (local.get $sum) (i64.const 0)) (then
      (drop (i64.atomic.rmw.add $counters offset=8 (local.get $countersAt) (local.get $sum))))))

  (func $placeOf (param $share i32) (param $count i32) (param $threads i32) (param $nextAt i32) (result i32)
    (i32.add (local.get $nextAt) (i32.shl
      (i32.wrap_i64 (i64.div_u
        (i64.mul (i64.extend_i32_u (local.get $share)) (i64.extend_i32_u (local.get $count)))
        (i64.extend_i32_u (local.get $threads))))
      (i32.const 2)))))
