import { expect, it } from 'vitest'
import { Threefry } from '../../../kernels/parts/threefry.ts'

const ones = 0xffffffff
const pi = [0x243f6a88, 0x85a308d3, 0x13198a2e, 0x03707344] as const
const more = [0xa4093822, 0x299f31d0, 0x082efa98, 0xec4e6c89] as const

it.each([
  [
    [0, 0, 0, 0],
    [0, 0, 0, 0],
    [0x531c7e4f, 0x39491ee5, 0x2c855a92, 0x3d6abf9a],
  ],
  [
    [ones, ones, ones, ones],
    [ones, ones, ones, ones],
    [0xc4189358, 0x1c9cc83a, 0xd5881c67, 0x6a0a89e0],
  ],
  [pi, more, [0x4aa71d8f, 0x734738c2, 0x431fc6a8, 0xae6debf1]],
] as const)('draws the known answers of Random123 for %o', ([a, b, c, d], key, expected) => {
  const random = new Threefry(key)
  random.draw(a, b, c, d)
  expect([...random.words]).toEqual(expected)
})
