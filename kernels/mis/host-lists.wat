;; index is the twin of mis-index.ts, visit of visit-lists.ts, sweep of TwinKernels (host-kernels.ts). Threads
;; share the compiled code. $shared, of all threads: state bytes (0 out, 255 in, else a priority code) from byte 0 on,
;; and at $ends the ends of the lists, u32 modulo 2^32. Threads store bytes while others load them: states only gain,
;; and a thread that loads an older one decides later. $own, of one thread: 8 words of counters (priority-codes.ts);
;; then, in bytes as the arguments say, the table of codes, the read part of the file, records of the residual graph
;; (v, from, to, degree), their pool. Orders: 0 degree, 1 ecl, 2 hash. Lists are not trusted: a target that is no
;; vertex counts as out, and a list ends with the words read.
(module
  (memory $shared (import "host" "shared") 1 65536 shared)
  (memory $own (import "host" "own") 1)

  (func $hash (param $x i32) (result i32)
    (local.set $x (i32.mul (i32.xor (i32.shr_u (local.get $x) (i32.const 16)) (local.get $x)) (i32.const 0x45d9f3b)))
    (local.set $x (i32.mul (i32.xor (i32.shr_u (local.get $x) (i32.const 16)) (local.get $x)) (i32.const 0x45d9f3b)))
    (i32.xor (i32.shr_u (local.get $x) (i32.const 16)) (local.get $x)))

  (func $degree (param $v i32) (param $ends i32) (result i32)
    (local.set $ends (i32.add (local.get $ends) (i32.shl (local.get $v) (i32.const 2))))
    (if (i32.eqz (local.get $v)) (then (return (i32.load $shared (local.get $ends)))))
    (i32.sub (i32.load $shared (local.get $ends)) (i32.load $shared (i32.sub (local.get $ends) (i32.const 4)))))

  ;; Of the pool, from its byte.
  (func $word (param $at i32) (param $pool i32) (result i32)
    (i32.shr_u (i32.sub (local.get $at) (local.get $pool)) (i32.const 2)))

  ;; Of two vertices with one code: whether u has the higher priority.
  (func $precedes (param $u i32) (param $v i32) (param $order i32) (param $shift i32) (param $ends i32) (result i32)
    (local $other i32) (local $mine i32)
    (if (i32.eq (local.get $order) (i32.const 1)) (then (return (i32.gt_u (local.get $u) (local.get $v)))))
    (if (i32.eqz (local.get $order))
      (then
        (local.set $other (call $degree (local.get $u) (local.get $ends)))
        (local.set $mine (call $degree (local.get $v) (local.get $ends)))
        (if (i32.ne (local.get $other) (local.get $mine))
          (then (return (i32.lt_u (local.get $other) (local.get $mine)))))))
    (i32.gt_u
      (call $hash (i32.add (local.get $u) (local.get $shift)))
      (call $hash (i32.add (local.get $v) (local.get $shift)))))

  (func $code
    (param $v i32) (param $degree i32) (param $order i32) (param $shift i32) (param $mean f32) (param $scaled f32) (param $codes i32)
    (result i32)
    (local $hash i32) (local $place i32)
    (local.set $hash (call $hash (i32.add (local.get $v) (local.get $shift))))
    (if (i32.eq (local.get $order) (i32.const 1))
      (then
        (return
          (i32.add
            (i32.shl
              (i32.trunc_sat_f32_u
                (f32.nearest
                  (f32.div
                    (local.get $scaled)
                    (f32.add
                      (local.get $mean)
                      (f32.sub
                        (f32.convert_i32_u (local.get $degree))
                        (f32.mul (f32.convert_i32_u (local.get $hash)) (f32.const 0x1p-32)))))))
              (i32.const 1))
            (i32.const 1)))))
    (local.set $hash (i32.shr_u (local.get $hash) (i32.const 16)))
    (if (i32.eq (local.get $order) (i32.const 2))
      (then
        (return
          (i32.add (i32.const 1) (i32.shr_u (i32.mul (local.get $hash) (i32.const 254)) (i32.const 16))))))
    (if (i32.gt_u (local.get $degree) (i32.const 1023)) (then (local.set $degree (i32.const 1023))))
    (local.set $place (i32.load $own (i32.add (local.get $codes) (i32.shl (local.get $degree) (i32.const 2)))))
    (i32.shr_u
      (i32.add
        (i32.shr_u (local.get $place) (i32.const 16))
        (i32.shr_u (i32.mul (i32.and (local.get $place) (i32.const 0xffff)) (local.get $hash)) (i32.const 16)))
      (i32.const 8)))

  ;; Ends and codes of vertices [first, last) from their end offsets, `bytes` bytes each, the first of them at `raw`.
  (func (export "index")
    (param $first i32) (param $last i32) (param $raw i32) (param $bytes i32) (param $before i32)
    (param $order i32) (param $shift i32) (param $mean f32) (param $scaled f32) (param $codes i32) (param $ends i32)
    (local $end i32) (local $degree i32)
    (block $done
      (loop $vertices
        (br_if $done (i32.ge_u (local.get $first) (local.get $last)))
        (local.set $end (i32.load $own (local.get $raw)))
        (local.set $degree (i32.sub (local.get $end) (local.get $before)))
        (local.set $before (local.get $end))
        (if (i32.lt_s (local.get $degree) (i32.const 0)) (then (i32.store $own offset=20 (i32.const 0) (i32.const 1))))
        (i32.store $shared (i32.add (local.get $ends) (i32.shl (local.get $first) (i32.const 2))) (local.get $end))
        (i32.store8 $shared
          (local.get $first)
          (if (result i32) (i32.eqz (local.get $degree))
            (then (i32.const 255))
            (else
              (call $code
                (local.get $first) (local.get $degree)
                (local.get $order) (local.get $shift) (local.get $mean) (local.get $scaled) (local.get $codes)))))
        (local.set $first (i32.add (local.get $first) (i32.const 1)))
        (local.set $raw (i32.add (local.get $raw) (local.get $bytes)))
        (br $vertices))))

  ;; Visits vertices [v, stop) of n; their lists are among the `words` words at `targets`, of which the first is arc `origin` modulo 2^32.
  (func (export "visit")
    (param $v i32) (param $stop i32) (param $n i32) (param $ends i32)
    (param $targets i32) (param $words i32) (param $origin i32)
    (param $order i32) (param $shift i32)
    (param $records i32) (param $mostRecords i32) (param $pool i32) (param $mostWords i32)
    (local $start i32) (local $end i32) (local $degree i32) (local $begin i32) (local $last i32)
    (local $mine i32) (local $at i32) (local $u i32) (local $code i32)
    (local $next i32) (local $from i32) (local $record i32) (local $place i32)
    (if (i32.ge_u (local.get $v) (local.get $stop)) (then (return)))
    (if (local.get $v)
      (then
        (local.set $start
          (i32.load $shared
            (i32.add (local.get $ends) (i32.shl (i32.sub (local.get $v) (i32.const 1)) (i32.const 2)))))))
    (local.set $record (i32.load $own (i32.const 0)))
    (local.set $next (i32.load $own offset=8 (i32.const 0)))
    (loop $vertices
      (block $visited
        (local.set $end (i32.load $shared (i32.add (local.get $ends) (i32.shl (local.get $v) (i32.const 2)))))
        (local.set $begin (i32.sub (local.get $start) (local.get $origin)))
        (local.set $last (i32.sub (local.get $end) (local.get $origin)))
        (local.set $degree (i32.sub (local.get $end) (local.get $start)))
        (local.set $start (local.get $end))
        (local.set $mine (i32.load8_u $shared (local.get $v)))
        (br_if $visited (i32.ge_u (i32.sub (local.get $mine) (i32.const 1)) (i32.const 254)))
        (if (i32.gt_u (local.get $last) (local.get $words)) (then (local.set $last (local.get $words))))
        (if (i32.gt_u (local.get $begin) (local.get $last)) (then (local.set $begin (local.get $last))))
        (local.set $begin (i32.add (local.get $targets) (i32.shl (local.get $begin) (i32.const 2))))
        (local.set $last (i32.add (local.get $targets) (i32.shl (local.get $last) (i32.const 2))))
        (local.set $at (local.get $begin))
        (local.set $from (local.get $next))
        (block $out
          (block $waits
            (block $in
              (loop $arcs
                (br_if $in (i32.ge_u (local.get $at) (local.get $last)))
                (local.set $u (i32.load $own (local.get $at)))
                (block $lower
                  (br_if $lower (i32.ge_u (local.get $u) (local.get $n)))
                  (local.set $code (i32.load8_u $shared (local.get $u)))
                  (br_if $lower (i32.lt_u (local.get $code) (local.get $mine)))
                  (br_if $out (i32.eq (local.get $code) (i32.const 255)))
                  (br_if $waits (i32.gt_u (local.get $code) (local.get $mine)))
                  (br_if $waits
                    (call $precedes
                      (local.get $u) (local.get $v) (local.get $order) (local.get $shift) (local.get $ends))))
                (local.set $at (i32.add (local.get $at) (i32.const 4)))
                (br $arcs)))
            ;; In; its neighbours are out.
            (i32.store8 $shared (local.get $v) (i32.const 255))
            (loop $arcs
              (br_if $visited (i32.ge_u (local.get $begin) (local.get $last)))
              (local.set $u (i32.load $own (local.get $begin)))
              (local.set $begin (i32.add (local.get $begin) (i32.const 4)))
              (br_if $arcs (i32.ge_u (local.get $u) (local.get $n)))
              (br_if $arcs (i32.eqz (i32.load8_u $shared (local.get $u))))
              (i32.store8 $shared (local.get $u) (i32.const 0))
              (br $arcs)))
          ;; Unpredictable: stored in any case, and overwritten where it is not higher.
          (loop $arcs
            (block $lower
              (local.set $u (i32.load $own (local.get $at)))
              (br_if $lower (i32.ge_u (local.get $u) (local.get $n)))
              (local.set $code (i32.load8_u $shared (local.get $u)))
              (br_if $out (i32.eq (local.get $code) (i32.const 255)))
              (if (i32.lt_u (local.get $next) (local.get $mostWords))
                (then
                  (i32.store $own
                    (i32.add (local.get $pool) (i32.shl (local.get $next) (i32.const 2)))
                    (local.get $u))))
              (local.set $next
                (i32.add
                  (local.get $next)
                  (if (result i32) (i32.eq (local.get $code) (local.get $mine))
                    (then
                      (call $precedes
                        (local.get $u) (local.get $v) (local.get $order) (local.get $shift) (local.get $ends)))
                    (else (i32.gt_u (local.get $code) (local.get $mine)))))))
            (local.set $at (i32.add (local.get $at) (i32.const 4)))
            (br_if $arcs (i32.lt_u (local.get $at) (local.get $last))))
          (if
            (i32.or
              (i32.gt_u (local.get $next) (local.get $mostWords))
              (i32.eq (local.get $record) (local.get $mostRecords)))
            (then
              (local.set $next (local.get $from))
              (i32.store $own offset=16 (i32.const 0) (i32.add (i32.load $own offset=16 (i32.const 0)) (i32.const 1))))
            (else
              (local.set $place (i32.add (local.get $records) (i32.shl (local.get $record) (i32.const 4))))
              (i32.store $own (local.get $place) (local.get $v))
              (i32.store $own offset=4 (local.get $place) (local.get $from))
              (i32.store $own offset=8 (local.get $place) (local.get $next))
              (i32.store $own offset=12 (local.get $place) (local.get $degree))
              (local.set $record (i32.add (local.get $record) (i32.const 1)))))
          (br $visited))
        ;; Out: a neighbour is in.
        (i32.store8 $shared (local.get $v) (i32.const 0))
        (local.set $next (local.get $from)))
      (local.set $v (i32.add (local.get $v) (i32.const 1)))
      (br_if $vertices (i32.lt_u (local.get $v) (local.get $stop))))
    (i32.store $own (i32.const 0) (local.get $record))
    (i32.store $own offset=8 (i32.const 0) (local.get $next)))

  ;; Moves together what still waits, and blockers that are not out.
  (func (export "sweep") (param $records i32) (param $pool i32)
    (local $at i32) (local $last i32) (local $kept i32) (local $next i32) (local $to i32)
    (local $v i32) (local $u i32) (local $entry i32) (local $end i32) (local $code i32)
    (local.set $at (local.get $records))
    (local.set $kept (local.get $records))
    (local.set $next (local.get $pool))
    (local.set $last (i32.add (local.get $records) (i32.shl (i32.load $own (i32.const 0)) (i32.const 4))))
    (block $done
      (loop $each
        (br_if $done (i32.ge_u (local.get $at) (local.get $last)))
        (block $decided
          (local.set $v (i32.load $own (local.get $at)))
          (br_if $decided (i32.eqz (i32.load8_u $shared (local.get $v))))
          (local.set $entry (i32.add (local.get $pool) (i32.shl (i32.load $own offset=4 (local.get $at)) (i32.const 2))))
          (local.set $end (i32.add (local.get $pool) (i32.shl (i32.load $own offset=8 (local.get $at)) (i32.const 2))))
          (local.set $to (local.get $next))
          (block $last_entry
            (loop $entries
              (br_if $last_entry (i32.ge_u (local.get $entry) (local.get $end)))
              (local.set $u (i32.load $own (local.get $entry)))
              (local.set $entry (i32.add (local.get $entry) (i32.const 4)))
              (local.set $code (i32.load8_u $shared (local.get $u)))
              (br_if $entries (i32.eqz (local.get $code)))
              (if (i32.eq (local.get $code) (i32.const 255))
                (then
                  (i32.store8 $shared (local.get $v) (i32.const 0))
                  (br $decided)))
              (i32.store $own (local.get $to) (local.get $u))
              (local.set $to (i32.add (local.get $to) (i32.const 4)))
              (br $entries)))
          (if (i32.eq (local.get $to) (local.get $next))
            (then
              (i32.store8 $shared (local.get $v) (i32.const 255))
              (br $decided)))
          (i32.store $own (local.get $kept) (local.get $v))
          (i32.store $own offset=4 (local.get $kept) (call $word (local.get $next) (local.get $pool)))
          (local.set $next (local.get $to))
          (i32.store $own offset=8 (local.get $kept) (call $word (local.get $next) (local.get $pool)))
          (i32.store $own offset=12 (local.get $kept) (i32.load $own offset=12 (local.get $at)))
          (local.set $kept (i32.add (local.get $kept) (i32.const 16))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $each)))
    (i32.store $own (i32.const 0) (i32.shr_u (i32.sub (local.get $kept) (local.get $records)) (i32.const 4)))
    (i32.store $own offset=8 (i32.const 0) (call $word (local.get $next) (local.get $pool))))
)
