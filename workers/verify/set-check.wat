;; The inner loops of verify-independent-set.ts for one batch of lists; GreedyMatching and violationAt there are their
;; twins. $shared, of all threads, at the bytes that `given` names: ranks (a byte a vertex), degrees and mates (u32
;; each; mates may be absent: -1), bits of members and of excluded vertices (absent: -1). Threads load ranks while the
;; one that settles stores them: ranks only become that of matched vertices, and settling looks again. $own, of one
;; batch: starts of the lists, targets, numbers of choices (a byte a vertex) and choices (2 words a vertex). Targets
;; are below the number of vertices once `ordered` said so.
(module
  (memory $shared (import "host" "shared") 1 65536 shared)
  (memory $own (import "host" "own") 1)

  (global $ranks (mut i32) (i32.const 0))
  (global $degrees (mut i32) (i32.const 0))
  (global $mates (mut i32) (i32.const 0))
  (global $members (mut i32) (i32.const 0))
  (global $excluded (mut i32) (i32.const 0))
  (global $starts (mut i32) (i32.const 0))
  (global $targets (mut i32) (i32.const 0))
  (global $counts (mut i32) (i32.const 0))
  (global $choices (mut i32) (i32.const 0))

  (func (export "given")
    (param $ranks i32) (param $degrees i32) (param $mates i32) (param $members i32) (param $excluded i32)
    (param $starts i32) (param $targets i32) (param $counts i32) (param $choices i32)
    (global.set $ranks (local.get $ranks))
    (global.set $degrees (local.get $degrees))
    (global.set $mates (local.get $mates))
    (global.set $members (local.get $members))
    (global.set $excluded (local.get $excluded))
    (global.set $starts (local.get $starts))
    (global.set $targets (local.get $targets))
    (global.set $counts (local.get $counts))
    (global.set $choices (local.get $choices)))

  ;; Where list i begins, in bytes.
  (func $start (param $i i32) (result i32)
    (i32.add
      (global.get $targets)
      (i32.shl (i32.load $own (i32.add (global.get $starts) (i32.shl (local.get $i) (i32.const 2)))) (i32.const 2))))

  (func $has (param $bits i32) (param $v i32) (result i32)
    (i32.and
      (i32.shr_u
        (i32.load8_u $shared (i32.add (local.get $bits) (i32.shr_u (local.get $v) (i32.const 3))))
        (i32.and (local.get $v) (i32.const 7)))
      (i32.const 1)))

  ;; Whether the targets of each list ascend and all are vertices: no target is followed by one that is not above it,
  ;; but for the last of a list.
  (func (export "ordered") (param $lists i32) (param $vertices i32) (result i32)
    (local $at i32) (local $end i32) (local $falls v128) (local $largest v128) (local $here v128)
    (local $count i32) (local $most i32) (local $i i32) (local $begin i32) (local $before i32)
    (local.set $at (global.get $targets))
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
    (local.set $before (global.get $targets))
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

  ;; The first list whose vertex breaks a law, of those of the vertices from $first on; $lists for none.
  (func (export "broken") (param $first i32) (param $lists i32) (result i32)
    (local $i i32) (local $at i32) (local $end i32) (local $inside i32) (local $v i32)
    (local.set $end (call $start (i32.const 0)))
    (block $none
      (loop $list
        (br_if $none (i32.ge_u (local.get $i) (local.get $lists)))
        (local.set $v (i32.add (local.get $first) (local.get $i)))
        (local.set $at (local.get $end))
        (local.set $end (call $start (i32.add (local.get $i) (i32.const 1))))
        (local.set $inside (call $has (global.get $members) (local.get $v)))
        (block $fits
          (block $met
            (loop $arc
              (if (i32.lt_u (local.get $at) (local.get $end))
                (then
                  (br_if $met (call $has (global.get $members) (i32.load $own (local.get $at))))
                  (local.set $at (i32.add (local.get $at) (i32.const 4)))
                  (br $arc))))
            (br_if $fits (local.get $inside))
            (if (i32.ne (global.get $excluded) (i32.const -1))
              (then (br_if $fits (call $has (global.get $excluded) (local.get $v)))))
            (return (local.get $i)))
          ;; A neighbour is a member.
          (if (local.get $inside) (then (return (local.get $i)))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $list)))
    (local.get $lists))

  ;; Notes the best two free vertices among targets, the best first; of one degree, the first. Returns their number.
  (func $choose (param $at i32) (param $end i32) (param $to i32) (result i32)
    (local $u i32) (local $rank i32) (local $limit i32) (local $ranks i32)
    (local $best i32) (local $next i32) (local $bestDegree i32) (local $nextDegree i32)
    (local.set $limit (i32.const 255))
    (local.set $bestDegree (i32.const -1))
    (local.set $nextDegree (i32.const -1))
    (local.set $ranks (global.get $ranks))
    (block $over
      (loop $arc
        (br_if $over (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $u (i32.load $own (local.get $at)))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (local.set $rank (i32.load8_u $shared (i32.add (local.get $ranks) (local.get $u))))
        (br_if $arc (i32.ge_u (local.get $rank) (local.get $limit)))
        ;; From here on $rank is the degree.
        (if (i32.eq (local.get $rank) (i32.const 254))
          (then
            (local.set $rank
              (i32.load $shared (i32.add (global.get $degrees) (i32.shl (local.get $u) (i32.const 2)))))
            (br_if $arc (i32.ge_u (local.get $rank) (local.get $nextDegree)))))
        (if (i32.lt_u (local.get $rank) (local.get $bestDegree))
          (then
            (local.set $next (local.get $best))
            (local.set $nextDegree (local.get $bestDegree))
            (local.set $best (local.get $u))
            (local.set $bestDegree (local.get $rank)))
          (else
            (local.set $next (local.get $u))
            (local.set $nextDegree (local.get $rank))))
        (local.set $limit
          (select
            (local.get $nextDegree)
            (i32.const 255)
            (i32.lt_u (local.get $nextDegree) (i32.const 255))))
        ;; No neighbour has a degree below 1.
        (br_if $arc (i32.gt_u (local.get $limit) (i32.const 1)))))
    (i32.store $own (local.get $to) (local.get $best))
    (i32.store $own offset=4 (local.get $to) (local.get $next))
    (i32.add
      (i32.ne (local.get $bestDegree) (i32.const -1))
      (i32.ne (local.get $nextDegree) (i32.const -1))))

  (func $isMatched (param $v i32) (result i32)
    (i32.eq (i32.load8_u $shared (i32.add (global.get $ranks) (local.get $v))) (i32.const 255)))

  (func (export "scan") (param $first i32) (param $lists i32)
    (local $i i32) (local $count i32)
    (loop $list
      (if (i32.lt_u (local.get $i) (local.get $lists))
        (then
          (local.set $count (i32.const 0))
          (if (i32.eqz (call $isMatched (i32.add (local.get $first) (local.get $i))))
            (then
              (local.set $count
                (call $choose
                  (call $start (local.get $i))
                  (call $start (i32.add (local.get $i) (i32.const 1)))
                  (i32.add (global.get $choices) (i32.shl (local.get $i) (i32.const 3)))))))
          (i32.store8 $own (i32.add (global.get $counts) (local.get $i)) (local.get $count))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $list)))))

  (func $match (param $v i32) (param $mate i32)
    (i32.store8 $shared (i32.add (global.get $ranks) (local.get $v)) (i32.const 255))
    (i32.store8 $shared (i32.add (global.get $ranks) (local.get $mate)) (i32.const 255))
    (if (i32.ne (global.get $mates) (i32.const -1))
      (then
        (i32.store $shared
          (i32.add (global.get $mates) (i32.shl (local.get $v) (i32.const 2)))
          (local.get $mate))
        (i32.store $shared
          (i32.add (global.get $mates) (i32.shl (local.get $mate) (i32.const 2)))
          (local.get $v)))))

  ;; Matches in the order of the vertices. Returns the number of pairs.
  (func (export "settle") (param $first i32) (param $lists i32) (result i32)
    (local $i i32) (local $v i32) (local $count i32) (local $at i32) (local $end i32) (local $pairs i32)
    (block $over
      (loop $list
        (br_if $over (i32.ge_u (local.get $i) (local.get $lists)))
        (block $next
          (local.set $count (i32.load8_u $own (i32.add (global.get $counts) (local.get $i))))
          (br_if $next (i32.eqz (local.get $count)))
          (local.set $v (i32.add (local.get $first) (local.get $i)))
          (br_if $next (call $isMatched (local.get $v)))
          (local.set $at (i32.add (global.get $choices) (i32.shl (local.get $i) (i32.const 3))))
          (local.set $end (i32.add (local.get $at) (i32.shl (local.get $count) (i32.const 2))))
          (block $free
            (loop $choice
              (if (i32.lt_u (local.get $at) (local.get $end))
                (then
                  (br_if $free (i32.eqz (call $isMatched (i32.load $own (local.get $at)))))
                  (local.set $at (i32.add (local.get $at) (i32.const 4)))
                  (br $choice))))
            ;; All are matched by now; there may be others.
            (br_if $next (i32.ne (local.get $count) (i32.const 2)))
            (local.set $at (i32.add (global.get $choices) (i32.shl (local.get $i) (i32.const 3))))
            (br_if $next
              (i32.eqz
                (call $choose
                  (call $start (local.get $i))
                  (call $start (i32.add (local.get $i) (i32.const 1)))
                  (local.get $at)))))
          (call $match (local.get $v) (i32.load $own (local.get $at)))
          (local.set $pairs (i32.add (local.get $pairs) (i32.const 1))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $list)))
    (local.get $pairs)))
