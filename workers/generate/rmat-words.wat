;; Draws tuples of R-MAT, four at a time (rmat-words.ts; graph-model.ts has the same in JavaScript).
;; Assembled by resources/scripts/assemble-modules.mjs into rmat-module.ts.
(module
  (import "host" "memory" (memory 1))

  ;; Four times `mix` of random.ts.
  (func $mix (param $x v128) (result v128)
    (local.set $x (i32x4.mul
      (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 16)))
      (v128.const i32x4 0x21f0aaad 0x21f0aaad 0x21f0aaad 0x21f0aaad)))
    (local.set $x (i32x4.mul
      (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 15)))
      (v128.const i32x4 0x735a2d97 0x735a2d97 0x735a2d97 0x735a2d97)))
    (v128.xor (local.get $x) (i32x4.shr_u (local.get $x) (i32.const 15))))

  ;; The tuples from `low` + 2^32 `high` on: their ends [count] at `at`, and behind them the other ends [count]. `count` is a multiple of 4.
  (func (export "draw") (param $low i32) (param $high i32) (param $count i32) (param $scale i32)
    (param $seedLow i32) (param $seedHigh i32) (param $boundA i32) (param $boundB i32) (param $boundC i32) (param $at i32)
    (local $end i32) (local $apart i32) (local $level i32) (local $step i32)
    (local $items v128) (local $a v128) (local $b v128) (local $word v128) (local $isB v128) (local $u v128) (local $v v128)
    (local.set $apart (i32.shl (local.get $count) (i32.const 2)))
    (local.set $end (i32.add (local.get $at) (local.get $apart)))
    (local.set $items (i32x4.add (i32x4.splat (local.get $low)) (v128.const i32x4 0 1 2 3)))
    (loop $next
      (if (i32.lt_u (local.get $at) (local.get $end)) (then
        (local.set $a (call $mix (i32x4.add
          (call $mix (v128.xor (local.get $items) (i32x4.splat (local.get $seedLow))))
          (i32x4.splat (local.get $high)))))
        (local.set $b (call $mix (i32x4.add
          (call $mix (i32x4.splat (i32.xor (local.get $high) (local.get $seedHigh))))
          (i32x4.mul (local.get $items) (v128.const i32x4 0x9e3779b1 0x9e3779b1 0x9e3779b1 0x9e3779b1)))))
        (local.set $u (v128.const i32x4 0 0 0 0))
        (local.set $v (v128.const i32x4 0 0 0 0))
        (local.set $level (i32.const 0))
        (local.set $step (i32.const 0))
        (loop $levels
          (if (i32.lt_u (local.get $level) (local.get $scale)) (then
            (local.set $step (i32.add (local.get $step) (i32.const 0x9e3779b9)))
            (local.set $word (call $mix (v128.xor
              (call $mix (i32x4.add (local.get $a) (i32x4.splat (local.get $step)))) (local.get $b))))
            ;; A comparison gives -1 or 0.
            (local.set $isB (i32x4.ge_u (local.get $word) (i32x4.splat (local.get $boundB))))
            (local.set $u (i32x4.sub (i32x4.shl (local.get $u) (i32.const 1)) (local.get $isB)))
            (local.set $v (i32x4.sub (i32x4.shl (local.get $v) (i32.const 1)) (v128.xor (local.get $isB) (v128.xor
              (i32x4.ge_u (local.get $word) (i32x4.splat (local.get $boundA)))
              (i32x4.ge_u (local.get $word) (i32x4.splat (local.get $boundC)))))))
            (local.set $level (i32.add (local.get $level) (i32.const 1)))
            (br $levels))))
        (v128.store (local.get $at) (local.get $u))
        (v128.store (i32.add (local.get $at) (local.get $apart)) (local.get $v))
        (local.set $items (i32x4.add (local.get $items) (v128.const i32x4 4 4 4 4)))
        (local.set $at (i32.add (local.get $at) (i32.const 16)))
        (br $next))))))
