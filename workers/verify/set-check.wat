;; The inner loops of verify-independent-set.ts for one batch of lists; its twins are GreedyMatching, namesOf and violationAt.
;; $shared, of all threads, at the bytes that `given` names: ranks (a byte a vertex), degrees (u32), bits of members and of
;; excluded vertices (absent: -1), mates (u32; absent: -1), and where members name neighbours either names (two u32 a vertex)
;; or, without them (-1), parents (u32: the parent and one, 0 for a root); then bit 7 of its rank says that a vertex is
;; closed. Threads load ranks while others store them: one that settles those of matched vertices, and looks again; and all
;; threads bit 7, the same whichever sets it. $own, of one batch: starts of the lists, targets, numbers of choices (a byte a
;; vertex) and choices (2 words a vertex). Targets are below the number of vertices once `ordered` said so.
(module
  (memory $shared (import "host" "shared") 1 65536 shared)
  (memory $own (import "host" "own") 1)

  (global $ranks (mut i32) (i32.const 0))
  (global $degrees (mut i32) (i32.const 0))
  (global $mates (mut i32) (i32.const 0))
  (global $members (mut i32) (i32.const 0))
  (global $excluded (mut i32) (i32.const 0))
  (global $names (mut i32) (i32.const 0))
  (global $parents (mut i32) (i32.const 0))
  (global $starts (mut i32) (i32.const 0))
  (global $targets (mut i32) (i32.const 0))
  (global $counts (mut i32) (i32.const 0))
  (global $choices (mut i32) (i32.const 0))
  ;; Pairs of components that this instance joined.
  (global $joined (mut i32) (i32.const 0))

  (func (export "given")
    (param $ranks i32) (param $degrees i32) (param $mates i32) (param $members i32) (param $excluded i32)
    (param $names i32) (param $parents i32) (param $starts i32) (param $targets i32)
    (param $counts i32) (param $choices i32)
    (global.set $ranks (local.get $ranks))
    (global.set $degrees (local.get $degrees))
    (global.set $mates (local.get $mates))
    (global.set $members (local.get $members))
    (global.set $excluded (local.get $excluded))
    (global.set $names (local.get $names))
    (global.set $parents (local.get $parents))
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

  (func $rankOf (param $v i32) (result i32)
    (i32.load8_u $shared (i32.add (global.get $ranks) (local.get $v))))

  ;; The degree below 64, then two ranks for each doubling: 115 at most.
  (func $rankOfDegree (param $degree i32) (result i32)
    (local $doublings i32)
    (if (i32.lt_u (local.get $degree) (i32.const 64)) (then (return (local.get $degree))))
    (local.set $doublings (i32.sub (i32.const 25) (i32.clz (local.get $degree))))
    (i32.add
      (i32.add (i32.const 62) (i32.shl (local.get $doublings) (i32.const 1)))
      (i32.shr_u (local.get $degree) (i32.add (local.get $doublings) (i32.const 5)))))

  ;; Notes degrees and ranks of vertices from $first on, whose offsets (u64, and one more) are in place of the targets, from a word on.
  ;; Returns how many more of those with neighbours are members than outside; -2^31 where offsets do not ascend.
  (func (export "rank") (param $first i32) (param $vertices i32) (param $place i32) (result i32)
    (local $at i32) (local $end i32) (local $v i32) (local $before i64) (local $next i64) (local $wrong i64)
    (local $degree i32) (local $surplus i32)
    (local.set $v (local.get $first))
    (local.set $at (i32.add (global.get $targets) (i32.shl (local.get $place) (i32.const 2))))
    (local.set $end (i32.add (local.get $at) (i32.shl (local.get $vertices) (i32.const 3))))
    (local.set $before (i64.load $own (local.get $at)))
    (loop $vertex
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $next (i64.load $own offset=8 (local.get $at)))
          (local.set $degree (i32.wrap_i64 (i64.sub (local.get $next) (local.get $before))))
          (local.set $wrong (i64.or (local.get $wrong) (i64.sub (local.get $next) (local.get $before))))
          (i32.store $shared
            (i32.add (global.get $degrees) (i32.shl (local.get $v) (i32.const 2)))
            (local.get $degree))
          (i32.store8 $shared
            (i32.add (global.get $ranks) (local.get $v))
            (call $rankOfDegree (local.get $degree)))
          (if (local.get $degree)
            (then
              (local.set $surplus
                (i32.add
                  (local.get $surplus)
                  (i32.sub (i32.shl (call $has (global.get $members) (local.get $v)) (i32.const 1)) (i32.const 1))))))
          (local.set $before (local.get $next))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (local.set $v (i32.add (local.get $v) (i32.const 1)))
          (br $vertex))))
    (select (local.get $surplus) (i32.const 0x80000000) (i64.eqz (i64.shr_u (local.get $wrong) (i64.const 32)))))

  ;; Whether a vertex outside has a member among its neighbours, or needs none. Where ids are by degree, the last
  ;; neighbours are the likely members.
  (func $isCovered (param $v i32) (param $at i32) (param $end i32) (result i32)
    (loop $arc
      (if (i32.gt_u (local.get $end) (local.get $at))
        (then
          (local.set $end (i32.sub (local.get $end) (i32.const 4)))
          (br_if $arc (i32.eqz (call $has (global.get $members) (i32.load $own (local.get $end)))))
          (return (i32.const 1)))))
    (if (i32.eq (global.get $excluded) (i32.const -1)) (then (return (i32.const 0))))
    (call $has (global.get $excluded) (local.get $v)))

  (func $isIndependent (param $at i32) (param $end i32) (result i32)
    (loop $arc
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (if (call $has (global.get $members) (i32.load $own (local.get $at))) (then (return (i32.const 0))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $arc))))
    (i32.const 1))

  ;; The first list whose vertex breaks a law, of those of the vertices from $first on; $lists for none.
  (func (export "broken") (param $first i32) (param $lists i32) (result i32)
    (local $i i32) (local $at i32) (local $end i32) (local $v i32)
    (local.set $end (call $start (i32.const 0)))
    (block $over
      (loop $list
        (br_if $over (i32.ge_u (local.get $i) (local.get $lists)))
        (local.set $v (i32.add (local.get $first) (local.get $i)))
        (local.set $at (local.get $end))
        (local.set $end (call $start (i32.add (local.get $i) (i32.const 1))))
        (if (call $has (global.get $members) (local.get $v))
          (then (br_if $over (i32.eqz (call $isIndependent (local.get $at) (local.get $end)))))
          (else (br_if $over (i32.eqz (call $isCovered (local.get $v) (local.get $at) (local.get $end))))))
        (local.set $i (i32.add (local.get $i) (i32.const 1)))
        (br $list)))
    (local.get $i))

  (func $parentAt (param $v i32) (result i32)
    (i32.add (global.get $parents) (i32.shl (local.get $v) (i32.const 2))))

  ;; The root above a vertex. Parents only ever become vertices further up: what another thread stores is one, too.
  (func $root (param $v i32) (result i32)
    (local $up i32) (local $above i32)
    (loop $step
      (local.set $up (i32.load $shared (call $parentAt (local.get $v))))
      (if (i32.eqz (local.get $up)) (then (return (local.get $v))))
      (local.set $up (i32.sub (local.get $up) (i32.const 1)))
      (local.set $above (i32.load $shared (call $parentAt (local.get $up))))
      (if (i32.eqz (local.get $above)) (then (return (local.get $up))))
      (i32.store $shared (call $parentAt (local.get $v)) (local.get $above))
      (local.set $v (i32.sub (local.get $above) (i32.const 1)))
      (br $step))
    (unreachable))

  (func $isClosed (param $v i32) (result i32)
    (i32.and (call $rankOf (local.get $v)) (i32.const 128)))

  (func $close (param $v i32)
    (local $rank i32)
    (local.set $rank (call $rankOf (local.get $v)))
    (if (i32.eqz (i32.and (local.get $rank) (i32.const 128)))
      (then
        (i32.store8 $shared
          (i32.add (global.get $ranks) (local.get $v))
          (i32.or (local.get $rank) (i32.const 128))))))

  ;; A component has a vertex to spare unless one of its vertices is closed: has a name of its own, or shares one with a
  ;; component that has none to spare either way.
  (func $join (param $x i32) (param $y i32)
    (local $a i32) (local $b i32)
    (if (i32.or
        (i32.or (call $isClosed (local.get $x)) (call $isClosed (local.get $y)))
        (i32.eq (local.get $x) (local.get $y)))
      (then
        (call $close (local.get $x))
        (call $close (local.get $y))
        (return)))
    (loop $again
      (local.set $a (call $root (local.get $x)))
      (local.set $b (call $root (local.get $y)))
      (if (i32.ne (local.get $a) (local.get $b))
        (then
          ;; The higher root gets the lower one for its parent.
          (br_if $again
            (i32.atomic.rmw.cmpxchg $shared
              (call $parentAt
                (select (local.get $a) (local.get $b) (i32.gt_u (local.get $a) (local.get $b))))
              (i32.const 0)
              (i32.add
                (select (local.get $b) (local.get $a) (i32.gt_u (local.get $a) (local.get $b)))
                (i32.const 1))))
          (global.set $joined (i32.add (global.get $joined) (i32.const 1)))
          (return))))
    (call $close (local.get $x)))

  (func (export "joined") (result i32) (global.get $joined))

  ;; Each member v names its two neighbours u outside of smallest rank, of one rank those with the least u xor 0x9e3779b1 v,
  ;; so that members with the same neighbours name different ones: one key is both. Returns what `broken` does.
  (func (export "name") (param $first i32) (param $lists i32) (result i32)
    (local $i i32) (local $at i32) (local $end i32) (local $v i32) (local $rank i32) (local $u i32) (local $broken i32)
    (local $meets i32) (local $key i64) (local $best i64) (local $next i64) (local $isBest i32) (local $isMember i32)
    (local $to i32) (local $spread i32)
    (local.set $broken (local.get $lists))
    (local.set $to (global.get $choices))
    (local.set $end (call $start (i32.const 0)))
    (loop $list
      (if (i32.lt_u (local.get $i) (local.get $lists))
        (then
          (local.set $v (i32.add (local.get $first) (local.get $i)))
          (local.set $at (local.get $end))
          (local.set $end (call $start (i32.add (local.get $i) (i32.const 1))))
          (if (call $has (global.get $members) (local.get $v))
            (then
              (local.set $meets (i32.const 0))
              (local.set $spread (i32.mul (local.get $v) (i32.const 0x9e3779b1)))
              (local.set $best (i64.const 0x7f00000000))
              (local.set $next (i64.const 0x7f00000000))
              (loop $arc
                (if (i32.lt_u (local.get $at) (local.get $end))
                  (then
                    (local.set $u (i32.load $own (local.get $at)))
                    (local.set $isMember (call $has (global.get $members) (local.get $u)))
                    (local.set $meets (i32.or (local.get $meets) (local.get $isMember)))
                    ;; A member is never named.
                    (local.set $rank
                      (i32.or
                        (i32.and (call $rankOf (local.get $u)) (i32.const 127))
                        (i32.shl (local.get $isMember) (i32.const 7))))
                    (local.set $key
                      (i64.or
                        (i64.shl (i64.extend_i32_u (local.get $rank)) (i64.const 32))
                        (i64.extend_i32_u (i32.xor (local.get $u) (local.get $spread)))))
                    (local.set $isBest (i64.lt_u (local.get $key) (local.get $best)))
                    (local.set $next
                      (select
                        (local.get $best)
                        (select (local.get $key) (local.get $next) (i64.lt_u (local.get $key) (local.get $next)))
                        (local.get $isBest)))
                    (local.set $best (select (local.get $key) (local.get $best) (local.get $isBest)))
                    (local.set $at (i32.add (local.get $at) (i32.const 4)))
                    (br $arc))))
              (if (i64.lt_u (local.get $best) (i64.const 0x7f00000000))
                (then
                  (if (i64.ge_u (local.get $next) (i64.const 0x7f00000000))
                    (then (local.set $next (local.get $best))))
                  (if (i32.eq (global.get $names) (i32.const -1))
                    (then
                      (i32.store $own (local.get $to) (i32.xor (i32.wrap_i64 (local.get $best)) (local.get $spread)))
                      (i32.store $own offset=4 (local.get $to) (i32.xor (i32.wrap_i64 (local.get $next)) (local.get $spread)))
                      (local.set $to (i32.add (local.get $to) (i32.const 8))))
                    (else
                      (local.set $u (i32.add (global.get $names) (i32.shl (local.get $v) (i32.const 3))))
                      (i32.store $shared (local.get $u) (i32.xor (i32.wrap_i64 (local.get $best)) (local.get $spread)))
                      (i32.store $shared offset=4 (local.get $u) (i32.xor (i32.wrap_i64 (local.get $next)) (local.get $spread)))))))
              (if (i32.and (local.get $meets) (i32.eq (local.get $broken) (local.get $lists)))
                (then (local.set $broken (local.get $i)))))
            (else
              (if (i32.eq (local.get $broken) (local.get $lists))
                (then
                  (if (i32.eqz (call $isCovered (local.get $v) (local.get $at) (local.get $end)))
                    (then (local.set $broken (local.get $i))))))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $list))))
    ;; Only now, side by side, as each waits for the memory.
    (local.set $at (global.get $choices))
    (loop $pair
      (if (i32.lt_u (local.get $at) (local.get $to))
        (then
          (call $join (i32.load $own (local.get $at)) (i32.load $own offset=4 (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 8)))
          (br $pair))))
    (local.get $broken))

  ;; How many components have no vertex to spare, of those with a closed vertex in [first, end), but for those that were
  ;; counted: the rank of their roots is 254.
  (func (export "components") (param $v i32) (param $end i32) (result i32)
    (local $components i32)
    (loop $vertex
      (if (i32.lt_u (local.get $v) (local.get $end))
        (then
          ;; Closed and not counted.
          (if (i32.lt_u (i32.sub (call $rankOf (local.get $v)) (i32.const 128)) (i32.const 126))
            (then
              (local.set $components
                (i32.add
                  (local.get $components)
                  (i32.ne
                    (i32.atomic.rmw8.xchg_u $shared
                      (i32.add (global.get $ranks) (call $root (local.get $v)))
                      (i32.const 254))
                    (i32.const 254))))))
          (local.set $v (i32.add (local.get $v) (i32.const 1)))
          (br $vertex))))
    (local.get $components))

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
        (if (i32.ge_u (local.get $rank) (i32.const 64))
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
    (i32.eq (call $rankOf (local.get $v)) (i32.const 255)))

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
