import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { counted, matchPoint } from '../../../kernels/matching/match-point.ts'
import { AGAIN, ENDED, MORE, NONE, POINTING } from '../../../kernels/matching/match-state.ts'
import type { Device } from '../../../workers/device/device.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { randomStream } from '../../support/graphs.ts'
import { launched, twinned, type Words } from '../../support/launched.ts'

const CANDIDATES = 4
const COUNTS = 8

describe.skipIf(process.env['ANTICLIQUE_GPU_TESTS'] === 'absent')(
  'kernels of matchings leave what their twins do',
  () => {
    let gpu: Device
    beforeAll(async () => void (gpu = await openDevice('gpu:0')))
    afterAll(() => gpu.close())

    it.each([
      ['every vertex', false, counted.none],
      ['those of a list, and those that pointed', true, counted.pointed],
      ['those of a list, and those that point', true, counted.pointing],
    ])('the pointing phase goes through %s, more than its threads', async (_what, isListed, which) => {
      const random = randomStream(7)
      const below = (limit: number): number => Math.floor(limit * random())
      const vertices = 3000
      const kept = new Uint32Array((CANDIDATES + 1) * vertices)
      for (let v = 0; v < vertices; v++) {
        kept[(CANDIDATES + 1) * v] = below(CANDIDATES + 1) | (below(3) === 0 ? MORE : 0) | (below(9) === 0 ? ENDED : 0)
        for (let i = 1; i <= CANDIDATES; i++) kept[(CANDIDATES + 1) * v + i] = below(12) === 0 ? NONE : below(vertices)
      }
      const list = Uint32Array.from({ length: vertices }, (_, v) => v).filter(() => below(4) > 0)
      const counters = new Uint32Array(32)
      counters[0] = list.length
      const buffers = {
        list,
        matched: Uint32Array.from({ length: Math.ceil(vertices / 32) }, () => below(2 ** 32) & below(2 ** 32)),
        kept,
        pointers: Uint32Array.from({ length: vertices }, () => (below(2) === 0 ? NONE : below(vertices))),
        next: new Uint32Array(vertices),
        again: new Uint32Array(vertices),
        counters,
      }
      const params = { first: 0, count: vertices, length: isListed ? 0 : NONE, counts: COUNTS, counted: which }
      const kernel = matchPoint(CANDIDATES)
      const expected = twinned(kernel, params, buffers)
      const found = await launched(gpu, kernel, kernel.workgroup, params, buffers)
      for (const name of ['pointers', 'kept', 'counters']) expect(found[name]).toEqual(expected[name])
      const listed = (words: Words, name: string, at: number): number[] =>
        [...words[name]!.subarray(0, words['counters']![COUNTS + at])].sort((a, b) => a - b)
      for (const [name, at] of [
        ['next', POINTING],
        ['again', AGAIN],
      ] as const) {
        expect(listed(found, name, at)).toEqual(listed(expected, name, at))
        expect(listed(expected, name, at).length).toBeGreaterThan(100)
      }
    })
  },
)
