;; The twin of bfs-pack.wgsl for the places [$from, $to) of the list: bits of one word that follow one another are set together.
(module
  (memory $list (import "host" "list") 1 65536 shared)
  (memory $bits (import "host" "bits") 1 65536 shared)

  (func (export "run")
    (param $from i32) (param $to i32) (param $threads i32) (param $ownAt i32) (param $count i32) (param $listAt i32) (param $bitsAt i32)
    (local $v i32) (local $word i32) (local $place i32) (local $set i32)
    (local.set $from (i32.add (local.get $listAt) (i32.shl (local.get $from) (i32.const 2))))
    (local.set $to (i32.add (local.get $listAt) (i32.shl (local.get $to) (i32.const 2))))
    (local.set $word (local.get $bitsAt))
    (block $done (loop $nextVertex
      (br_if $done (i32.eq (local.get $from) (local.get $to)))
      (local.set $v (i32.load $list (local.get $from)))
      (local.set $from (i32.add (local.get $from) (i32.const 4)))
      (local.set $place (i32.add (local.get $bitsAt) (i32.shl (i32.shr_u (local.get $v) (i32.const 5)) (i32.const 2))))
      (if (i32.ne (local.get $place) (local.get $word)) (then
        (if (local.get $set) (then (drop (i32.atomic.rmw.or $bits (local.get $word) (local.get $set)))))
        (local.set $set (i32.const 0))
        (local.set $word (local.get $place))))
      (local.set $set (i32.or (local.get $set) (i32.shl (i32.const 1) (local.get $v))))
      (br $nextVertex)))
    (if (local.get $set) (then (drop (i32.atomic.rmw.or $bits (local.get $word) (local.get $set)))))))
