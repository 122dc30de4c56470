;; FNV-1a of 64 bits over words of 32 bits, lowest byte first (result-file.ts, which says from what it begins).
;; Assembled by resources/scripts/assemble-modules.mjs into modules.ts.
;; Memory: the bits, the mates or the words of one call.
(module
  (memory (export "memory") 2)
  (global $found (export "found") (mut i32) (i32.const 0))

  (func $byte (param $h i64) (param $byte i64) (result i64)
    (i64.mul (i64.xor (local.get $h) (i64.and (local.get $byte) (i64.const 255))) (i64.const 0x100000001b3)))

  (func $word (param $h i64) (param $w i64) (result i64)
    (local.set $h (call $byte (local.get $h) (local.get $w)))
    (local.set $h (call $byte (local.get $h) (i64.shr_u (local.get $w) (i64.const 8))))
    (local.set $h (call $byte (local.get $h) (i64.shr_u (local.get $w) (i64.const 16))))
    (call $byte (local.get $h) (i64.shr_u (local.get $w) (i64.const 24))))

  ;; The hash of the ids of the bits that are set, ascending, from h on; bit 0 of byte 0 is vertex `first`. `bytes` is a multiple of 8.
  ;; Their number is added to the global.
  (func (export "hashBits") (param $bytes i32) (param $first i64) (param $h i64) (result i64)
    (local $at i32) (local $bits i64)
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $bytes)))
      (local.set $bits (i64.load (local.get $at)))
      (global.set $found (i32.add (global.get $found) (i32.wrap_i64 (i64.popcnt (local.get $bits)))))
      (block $empty (loop $bit
        (br_if $empty (i64.eqz (local.get $bits)))
        (local.set $h (call $word (local.get $h) (i64.add (local.get $first) (i64.ctz (local.get $bits)))))
        (local.set $bits (i64.and (local.get $bits) (i64.sub (local.get $bits) (i64.const 1))))
        (br $bit)))
      (local.set $first (i64.add (local.get $first) (i64.const 64)))
      (local.set $at (i32.add (local.get $at) (i32.const 8)))
      (br $next)))
    (local.get $h))

  ;; The hash of the pairs (v, mate) of so many vertices from `first` on whose mates are in memory and above them, from h on; no mate is
  ;; 2^32 - 1. Their number is added to the global.
  (func (export "hashPairs") (param $vertices i32) (param $first i32) (param $h i64) (result i64)
    (local $at i32) (local $end i32) (local $mate i32)
    (local.set $end (i32.shl (local.get $vertices) (i32.const 2)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $mate (i32.load (local.get $at)))
      (if (i32.and (i32.gt_u (local.get $mate) (local.get $first)) (i32.ne (local.get $mate) (i32.const -1)))
        (then
          (local.set $h (call $word (local.get $h) (i64.extend_i32_u (local.get $first))))
          (local.set $h (call $word (local.get $h) (i64.extend_i32_u (local.get $mate))))
          (global.set $found (i32.add (global.get $found) (i32.const 1)))))
      (local.set $first (i32.add (local.get $first) (i32.const 1)))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $next)))
    (local.get $h))

  ;; The hash of so many words in memory, from h on. Three bytes of 0 multiply by the cube of what one does.
  (func (export "hashWords") (param $words i32) (param $h i64) (result i64)
    (local $at i32) (local $end i32) (local $w i32)
    (local.set $end (i32.shl (local.get $words) (i32.const 2)))
    (block $done (loop $next
      (br_if $done (i32.ge_u (local.get $at) (local.get $end)))
      (local.set $w (i32.load (local.get $at)))
      (if (i32.lt_u (local.get $w) (i32.const 256))
        (then (local.set $h
          (i64.mul (i64.xor (local.get $h) (i64.extend_i32_u (local.get $w))) (i64.const 0x9ffaac085635bc91))))
        (else (local.set $h (call $word (local.get $h) (i64.extend_i32_u (local.get $w))))))
      (local.set $at (i32.add (local.get $at) (i32.const 4)))
      (br $next)))
    (local.get $h)))
