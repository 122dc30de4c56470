;; The inner loops of verify-matching.ts for one batch of lists; validityPass, dominancePass and DualBound there and in
;; dual-bound.ts are their twins. $shared, of all threads, at the bytes that `given` names: mates (u32 each), prices (two
;; f32 each: half of the heaviest edge, and the weight of the matched edge) and degrees (u32 each; absent: -1). Threads
;; load prices while the one that settles stores them: only those of vertices before `settled` count as lowered. $own, of
;; one batch: starts of the lists, targets, weights (f32, where the graph has them) and, for each vertex, partial prices
;; (two f64), ends of the arcs that wait and the weight of the matched edge (f32); then these arcs, and their weights.
;; Targets are below the number of vertices once `ordered` said so.
(module
  (memory $shared (import "host" "shared") 1 65536 shared)
  (memory $own (import "host" "own") 1)

  (global $mates (mut i32) (i32.const 0))
  (global $prices (mut i32) (i32.const 0))
  (global $degrees (mut i32) (i32.const 0))
  (global $starts (mut i32) (i32.const 0))
  (global $partials (mut i32) (i32.const 0))
  (global $ends (mut i32) (i32.const 0))
  (global $matched (mut i32) (i32.const 0))
  (global $targets (mut i32) (i32.const 0))
  ;; Distances in bytes from a target to its weight and to where it may wait, and from there to the weight that waits with it.
  (global $toWeight (mut i32) (i32.const 0))
  (global $open (mut i32) (i32.const 0))
  (global $toOpenWeight (mut i32) (i32.const 0))
  (global $seed (mut i64) (i64.const 0))
  ;; 0: all weigh 1, 1: thousandths of the hash, 2: the graph has them.
  (global $weights (mut i32) (i32.const 0))
  ;; 0: the hash, 1: degrees, then the hash, 2: nothing.
  (global $ties (mut i32) (i32.const 0))
  (global $isDominant (mut i32) (i32.const 0))
  ;; Edges below the least weight are left out; none is above the most.
  (global $least (mut f32) (f32.const 0))
  (global $most (mut f32) (f32.const 0))

  (func (export "given")
    (param $mates i32) (param $prices i32) (param $degrees i32) (param $starts i32) (param $partials i32)
    (param $ends i32) (param $matched i32) (param $targets i32) (param $toWeight i32) (param $open i32)
    (param $toOpenWeight i32)
    (global.set $mates (local.get $mates))
    (global.set $prices (local.get $prices))
    (global.set $degrees (local.get $degrees))
    (global.set $starts (local.get $starts))
    (global.set $partials (local.get $partials))
    (global.set $ends (local.get $ends))
    (global.set $matched (local.get $matched))
    (global.set $targets (local.get $targets))
    (global.set $toWeight (local.get $toWeight))
    (global.set $open (local.get $open))
    (global.set $toOpenWeight (local.get $toOpenWeight)))

  (func (export "claimed")
    (param $weights i32) (param $ties i32) (param $isDominant i32) (param $seedHigh i32) (param $seedLow i32)
    (param $least f32) (param $most f32)
    (global.set $weights (local.get $weights))
    (global.set $ties (local.get $ties))
    (global.set $isDominant (local.get $isDominant))
    (global.set $seed
      (i64.or
        (i64.shl (i64.extend_i32_u (local.get $seedHigh)) (i64.const 32))
        (i64.extend_i32_u (local.get $seedLow))))
    (global.set $least (local.get $least))
    (global.set $most (local.get $most)))

  ;;+ list-order.wat

  ;; splitmix64 of an edge, as edge-order.ts says.
  (func $hash (param $u i32) (param $v i32) (result i64)
    (local $x i64) (local $low i32)
    (local.set $low (select (local.get $u) (local.get $v) (i32.lt_u (local.get $u) (local.get $v))))
    (local.set $x
      (i64.add
        (i64.add
          (i64.mul
            (i64.add (i64.extend_i32_u (local.get $low)) (i64.const 1))
            (i64.const 0x9e3779b97f4a7c15))
          (i64.extend_i32_u
            (i32.xor (i32.xor (local.get $u) (local.get $v)) (local.get $low))))
        (global.get $seed)))
    (local.set $x
      (i64.mul
        (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 30)))
        (i64.const 0xbf58476d1ce4e5b9)))
    (local.set $x
      (i64.mul
        (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 27)))
        (i64.const 0x94d049bb133111eb)))
    (i64.xor (local.get $x) (i64.shr_u (local.get $x) (i64.const 31))))

  ;; 2^32 mod 1000 is 296.
  (func $thousandths (param $x i64) (result f32)
    (f32.convert_i32_u
      (i32.add
        (i32.wrap_i64
          (i64.rem_u
            (i64.add
              (i64.mul (i64.shr_u (local.get $x) (i64.const 32)) (i64.const 296))
              (i64.and (local.get $x) (i64.const 0xffffffff)))
            (i64.const 1000)))
        (i32.const 1))))

  ;; The weight of the edge from v to u, where none is stored.
  (func $computed (param $v i32) (param $u i32) (result f32)
    (if (i32.eqz (global.get $weights)) (then (return (f32.const 1))))
    (call $thousandths (call $hash (local.get $v) (local.get $u))))

  ;; The weight of the edge from v to the target at $at.
  (func $weight (param $v i32) (param $at i32) (result f32)
    (if (i32.eq (global.get $weights) (i32.const 2))
      (then (return (f32.load $own (i32.add (local.get $at) (global.get $toWeight))))))
    (call $computed (local.get $v) (i32.load $own (local.get $at))))

  ;; Computes the weights of a list, where the graph has none.
  (func $weigh (param $v i32) (param $at i32) (param $end i32)
    (if (i32.eq (global.get $weights) (i32.const 2)) (then (return)))
    (loop $arc
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (f32.store $own
            (i32.add (local.get $at) (global.get $toWeight))
            (call $weight (local.get $v) (local.get $at)))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $arc)))))

  (func $pricesOf (param $v i32) (result i32)
    (i32.add (global.get $prices) (i32.shl (local.get $v) (i32.const 3))))

  (func $mateOf (param $v i32) (result i32)
    (i32.load $shared (i32.add (global.get $mates) (i32.shl (local.get $v) (i32.const 2)))))

  ;; The weight of the matched edge of a vertex that is not settled.
  (func $mateWeightOf (param $v i32) (result f32)
    (f32.load $shared offset=4 (call $pricesOf (local.get $v))))

  ;; The least f32 that is not below x, or the next one.
  (func $roundedUp (param $x f64) (result f32)
    (local $near f32)
    (local.set $near (f32.demote_f64 (local.get $x)))
    (if (f64.ge (f64.promote_f32 (local.get $near)) (local.get $x)) (then (return (local.get $near))))
    (f32.demote_f64
      (f64.max
        (f64.mul (f64.promote_f32 (local.get $near)) (f64.const 0x1.000002p+0))
        (f64.add (f64.promote_f32 (local.get $near)) (f64.const 0x1p-149)))))

  ;; The heaviest edge of a list with stored weights; 0 for none.
  (func $heaviest (param $at i32) (param $end i32) (result f32)
    (local $four v128) (local $heaviest f32)
    (local.set $at (i32.add (local.get $at) (global.get $toWeight)))
    (local.set $end (i32.add (local.get $end) (global.get $toWeight)))
    (block $rest
      (loop $fours
        (br_if $rest (i32.gt_u (i32.add (local.get $at) (i32.const 16)) (local.get $end)))
        (local.set $four (f32x4.pmax (local.get $four) (v128.load $own (local.get $at))))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $fours)))
    (local.set $heaviest
      (f32.max
        (f32.max (f32x4.extract_lane 0 (local.get $four)) (f32x4.extract_lane 1 (local.get $four)))
        (f32.max (f32x4.extract_lane 2 (local.get $four)) (f32x4.extract_lane 3 (local.get $four)))))
    (loop $arc
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $heaviest (f32.max (local.get $heaviest) (f32.load $own (local.get $at))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $arc))))
    (select (f32.const 0) (local.get $heaviest) (f32.lt (local.get $heaviest) (global.get $least))))

  ;; Stores the first prices of v: half of the heaviest edge, or of the most that any may weigh, and the weight of its matched edge, 0 for none.
  (func $startPrices (param $v i32) (param $heaviest f32) (param $mateWeight f32)
    (f32.store $shared
      (call $pricesOf (local.get $v))
      (call $roundedUp (f64.mul (f64.promote_f32 (local.get $heaviest)) (f64.const 0.5))))
    (f32.store $shared offset=4 (call $pricesOf (local.get $v)) (local.get $mateWeight)))

  ;; Starts prices of the vertices [$v, $end) without their lists, where weights are not stored.
  (func (export "begin") (param $v i32) (param $end i32)
    (local $mate i32) (local $weight f32)
    (loop $vertex
      (if (i32.lt_u (local.get $v) (local.get $end))
        (then
          (local.set $mate (call $mateOf (local.get $v)))
          (local.set $weight (f32.const 0))
          (if (i32.ne (local.get $mate) (i32.const -1))
            (then (local.set $weight (call $computed (local.get $v) (local.get $mate)))))
          (call $startPrices (local.get $v) (global.get $most) (local.get $weight))
          (local.set $v (i32.add (local.get $v) (i32.const 1)))
          (br $vertex)))))

  ;; The place of a list's first target that is not below u.
  (func $placeOf (param $u i32) (param $at i32) (param $end i32) (result i32)
    (local $middle i32)
    (loop $half
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $middle
            (i32.add
              (local.get $at)
              (i32.and (i32.shr_u (i32.sub (local.get $end) (local.get $at)) (i32.const 1)) (i32.const -4))))
          (if (i32.lt_u (i32.load $own (local.get $middle)) (local.get $u))
            (then (local.set $at (i32.add (local.get $middle) (i32.const 4))))
            (else (local.set $end (local.get $middle))))
          (br $half))))
    (local.get $at))

  ;; The weight of the edge from v to its mate; -2: there is none.
  (func $weightTo (param $v i32) (param $mate i32) (param $at i32) (param $end i32) (result f32)
    (local $weight f32)
    (local.set $at (call $placeOf (local.get $mate) (local.get $at) (local.get $end)))
    (if (i32.eq (local.get $at) (local.get $end)) (then (return (f32.const -2))))
    (if (i32.ne (i32.load $own (local.get $at)) (local.get $mate)) (then (return (f32.const -2))))
    (local.set $weight (call $weight (local.get $v) (local.get $at)))
    (select (f32.const -2) (local.get $weight) (f32.lt (local.get $weight) (global.get $least))))

  ;; Starts prices, and notes the weight of each matched edge: -1 for a vertex without a mate, -2 where the graph has no
  ;; such edge. Returns the first list whose vertex is not matched validly, of those from $first on; $lists for none.
  (func (export "start") (param $first i32) (param $lists i32) (result i32)
    (local $i i32) (local $at i32) (local $end i32) (local $v i32) (local $mate i32) (local $weight f32)
    (local $broken i32)
    (local.set $broken (local.get $lists))
    (local.set $end (call $start (i32.const 0)))
    (loop $list
      (if (i32.lt_u (local.get $i) (local.get $lists))
        (then
          (local.set $v (i32.add (local.get $first) (local.get $i)))
          (local.set $at (local.get $end))
          (local.set $end (call $start (i32.add (local.get $i) (i32.const 1))))
          (if (i32.ne (global.get $degrees) (i32.const -1))
            (then
              (i32.store $shared
                (i32.add (global.get $degrees) (i32.shl (local.get $v) (i32.const 2)))
                (i32.shr_u (i32.sub (local.get $end) (local.get $at)) (i32.const 2)))))
          (local.set $mate (call $mateOf (local.get $v)))
          (local.set $weight (f32.const -1))
          (if (i32.ne (local.get $mate) (i32.const -1))
            (then
              (local.set $weight
                (call $weightTo (local.get $v) (local.get $mate) (local.get $at) (local.get $end)))
              (if (i32.eq (local.get $broken) (local.get $lists))
                (then
                  (if (f32.lt (local.get $weight) (f32.const 0))
                    (then (local.set $broken (local.get $i)))
                    (else
                      (if (i32.ne (call $mateOf (local.get $mate)) (local.get $v))
                        (then (local.set $broken (local.get $i))))))))))
          (f32.store $own
            (i32.add (global.get $matched) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $weight))
          (call $startPrices
            (local.get $v)
            (if (result f32) (i32.eq (global.get $weights) (i32.const 2))
              (then (call $heaviest (local.get $at) (local.get $end)))
              (else (global.get $most)))
            (select (f32.const 0) (local.get $weight) (f32.lt (local.get $weight) (f32.const 0))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $list))))
    (local.get $broken))

  ;; Whether the edge from v to its mate comes before that to u, which weighs as much.
  (func $comesBefore (param $v i32) (param $mate i32) (param $u i32) (result i32)
    (local $a i32) (local $b i32)
    (if (i32.eq (global.get $ties) (i32.const 1))
      (then
        (local.set $a
          (i32.load $shared (i32.add (global.get $degrees) (i32.shl (local.get $mate) (i32.const 2)))))
        (local.set $b (i32.load $shared (i32.add (global.get $degrees) (i32.shl (local.get $u) (i32.const 2)))))
        (if (i32.ne (local.get $a) (local.get $b)) (then (return (i32.lt_u (local.get $a) (local.get $b)))))))
    (if (i32.ne (global.get $ties) (i32.const 2))
      (then
        (local.set $a (i32.wrap_i64 (i64.shr_u (call $hash (local.get $v) (local.get $mate)) (i64.const 32))))
        (local.set $b (i32.wrap_i64 (i64.shr_u (call $hash (local.get $v) (local.get $u)) (i64.const 32))))
        (if (i32.ne (local.get $a) (local.get $b)) (then (return (i32.gt_u (local.get $a) (local.get $b)))))))
    (i32.gt_u (local.get $mate) (local.get $u)))

  (func $isBeaten (param $v i32) (param $u i32) (param $weight f32) (result i32)
    (local $mate i32)
    (local.set $mate (call $mateOf (local.get $v)))
    (if (i32.eq (local.get $mate) (i32.const -1)) (then (return (i32.const 0))))
    (if (f32.ne (call $mateWeightOf (local.get $v)) (local.get $weight)) (then (return (i32.const 0))))
    (call $comesBefore (local.get $v) (local.get $mate) (local.get $u)))

  ;; Whether an edge that no matched edge outweighs breaks a law.
  (func $breaks (param $v i32) (param $u i32) (param $weight f32) (result i32)
    (if (i32.and
        (i32.eq (call $mateOf (local.get $v)) (i32.const -1))
        (i32.eq (call $mateOf (local.get $u)) (i32.const -1)))
      (then (return (i32.const 1))))
    (if (i32.eqz (global.get $isDominant)) (then (return (i32.const 0))))
    (if (call $isBeaten (local.get $v) (local.get $u) (local.get $weight)) (then (return (i32.const 0))))
    (i32.eqz (call $isBeaten (local.get $u) (local.get $v) (local.get $weight))))

  ;; Whether a higher neighbour of v is joined to it by an edge that breaks a law.
  (func $isBroken (param $v i32) (param $at i32) (param $end i32) (result i32)
    (local $mate i32) (local $mateWeight f32) (local $weight f32) (local $u i32)
    (local.set $mate (call $mateOf (local.get $v)))
    (if (i32.and (i32.eqz (global.get $isDominant)) (i32.ne (local.get $mate) (i32.const -1)))
      (then (return (i32.const 0))))
    (local.set $mateWeight (call $mateWeightOf (local.get $v)))
    (block $none
      (loop $arc
        (br_if $none (i32.ge_u (local.get $at) (local.get $end)))
        (local.set $u (i32.load $own (local.get $at)))
        (local.set $weight (f32.load $own (i32.add (local.get $at) (global.get $toWeight))))
        (local.set $at (i32.add (local.get $at) (i32.const 4)))
        (br_if $arc (f32.lt (local.get $weight) (local.get $mateWeight)))
        (br_if $arc (f32.lt (local.get $weight) (global.get $least)))
        (br_if $arc (f32.lt (local.get $weight) (call $mateWeightOf (local.get $u))))
        (br_if $arc (i32.eq (local.get $u) (local.get $mate)))
        (br_if $arc (i32.eqz (call $breaks (local.get $v) (local.get $u) (local.get $weight))))
        (return (i32.const 1))))
    (i32.const 0))

  ;; The larger of two pairs of prices, the second being what an edge of this weight leaves to pay beside those of u.
  (func $raised (param $needed v128) (param $weight i32) (param $u i32) (result v128)
    (f64x2.pmax
      (local.get $needed)
      (f64x2.sub
        (f64x2.promote_low_f32x4 (v128.load32_splat $own (local.get $weight)))
        (f64x2.promote_low_f32x4 (v128.load64_zero $shared (call $pricesOf (local.get $u)))))))

  ;; The same for a part of a list.
  (func $raisedBy (param $needed v128) (param $at i32) (param $end i32) (result v128)
    (local $weight i32)
    (loop $arc
      (if (i32.lt_u (local.get $at) (local.get $end))
        (then
          (local.set $weight (i32.add (local.get $at) (global.get $toWeight)))
          (if (f32.ge (f32.load $own (local.get $weight)) (global.get $least))
            (then
              (local.set $needed
                (call $raised (local.get $needed) (local.get $weight) (i32.load $own (local.get $at))))))
          (local.set $at (i32.add (local.get $at) (i32.const 4)))
          (br $arc))))
    (local.get $needed))

  ;; What the neighbours leave to pay, but for those that are lower and not settled yet, whose arcs wait. Returns the
  ;; first list with an edge to a higher vertex that breaks a law, where laws are looked at; $lists for none.
  (func (export "scan") (param $first i32) (param $lists i32) (param $settled i32) (param $looks i32) (result i32)
    (local $i i32) (local $at i32) (local $end i32) (local $low i32) (local $high i32) (local $v i32)
    (local $needed v128) (local $weight f32) (local $to i32) (local $broken i32)
    (local.set $broken (local.get $lists))
    (local.set $to (global.get $open))
    (local.set $end (call $start (i32.const 0)))
    (loop $list
      (if (i32.lt_u (local.get $i) (local.get $lists))
        (then
          (local.set $v (i32.add (local.get $first) (local.get $i)))
          (local.set $at (local.get $end))
          (local.set $end (call $start (i32.add (local.get $i) (i32.const 1))))
          (call $weigh (local.get $v) (local.get $at) (local.get $end))
          (local.set $low (call $placeOf (local.get $settled) (local.get $at) (local.get $end)))
          (local.set $high (call $placeOf (local.get $v) (local.get $low) (local.get $end)))
          (if (i32.and (local.get $looks) (i32.eq (local.get $broken) (local.get $lists)))
            (then
              (if (call $isBroken (local.get $v) (local.get $high) (local.get $end))
                (then (local.set $broken (local.get $i))))))
          (local.set $needed
            (call $raisedBy
              (call $raisedBy (v128.const i64x2 0 0) (local.get $at) (local.get $low))
              (local.get $high)
              (local.get $end)))
          ;; The price only falls.
          (if (f64.ge
              (f64x2.extract_lane 0 (local.get $needed))
              (f64.promote_f32 (f32.load $shared (call $pricesOf (local.get $v)))))
            (then (local.set $needed (f64x2.replace_lane 0 (local.get $needed) (f64.const inf)))))
          (block $over
            (loop $arc
              (br_if $over (i32.ge_u (local.get $low) (local.get $high)))
              (local.set $weight (f32.load $own (i32.add (local.get $low) (global.get $toWeight))))
              ;; Prices are not negative: an edge needs its weight at most.
              (if (i32.and
                  (f32.ge (local.get $weight) (global.get $least))
                  (i32.or
                    (f64.gt (f64.promote_f32 (local.get $weight)) (f64x2.extract_lane 0 (local.get $needed)))
                    (f64.gt (f64.promote_f32 (local.get $weight)) (f64x2.extract_lane 1 (local.get $needed)))))
                (then
                  (i32.store $own (local.get $to) (i32.load $own (local.get $low)))
                  (f32.store $own (i32.add (local.get $to) (global.get $toOpenWeight)) (local.get $weight))
                  (local.set $to (i32.add (local.get $to) (i32.const 4)))))
              (local.set $low (i32.add (local.get $low) (i32.const 4)))
              (br $arc)))
          (v128.store $own
            (i32.add (global.get $partials) (i32.shl (local.get $i) (i32.const 4)))
            (local.get $needed))
          (i32.store $own
            (i32.add (global.get $ends) (i32.shl (local.get $i) (i32.const 2)))
            (local.get $to))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $list))))
    (local.get $broken))

  ;; Lowers prices in the order of the vertices, by what waited, too.
  (func (export "settle") (param $first i32) (param $lists i32)
    (local $i i32) (local $at i32) (local $end i32) (local $price i32) (local $needed v128)
    (local.set $at (global.get $open))
    (loop $list
      (if (i32.lt_u (local.get $i) (local.get $lists))
        (then
          (local.set $needed
            (v128.load $own (i32.add (global.get $partials) (i32.shl (local.get $i) (i32.const 4)))))
          (local.set $end
            (i32.load $own (i32.add (global.get $ends) (i32.shl (local.get $i) (i32.const 2)))))
          (loop $arc
            (if (i32.lt_u (local.get $at) (local.get $end))
              (then
                (local.set $needed
                  (call $raised
                    (local.get $needed)
                    (i32.add (local.get $at) (global.get $toOpenWeight))
                    (i32.load $own (local.get $at))))
                (local.set $at (i32.add (local.get $at) (i32.const 4)))
                (br $arc))))
          (local.set $price (call $pricesOf (i32.add (local.get $first) (local.get $i))))
          (f32.store $shared
            (local.get $price)
            (f32.min
              (f32.load $shared (local.get $price))
              (call $roundedUp (f64x2.extract_lane 0 (local.get $needed)))))
          (f32.store $shared offset=4
            (local.get $price)
            (call $roundedUp (f64x2.extract_lane 1 (local.get $needed))))
          (local.set $i (i32.add (local.get $i) (i32.const 1)))
          (br $list))))))
