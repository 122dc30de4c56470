;; The twin of bfs-none.wgsl for the words [$from, $to).
(module
  (memory $words (import "host" "words") 1 65536 shared)

  (func (export "run")
    (param $from i32) (param $to i32) (param $threads i32) (param $ownAt i32) (param $count i32) (param $wordsAt i32)
    (memory.fill $words
      (i32.add (local.get $wordsAt) (i32.shl (local.get $from) (i32.const 2)))
      (i32.const 255)
      (i32.shl (i32.sub (local.get $to) (local.get $from)) (i32.const 2)))))
