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

  ;;+ list-order.wat

  (func $has (param $bits i32) (param $v i32) (result i32)
    (i32.and
      (i32.shr_u
        (i32.load8_u $shared (i32.add (local.get $bits) (i32.shr_u (local.get $v) (i32.const 3))))
        (i32.and (local.get $v) (i32.const 7)))
      (i32.const 1)))

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
