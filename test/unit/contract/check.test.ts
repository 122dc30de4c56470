import { expect, test } from 'vitest'
import { MAX_MESSAGE_BYTES, checkCall } from '../../../electron/contract/check.ts'

test('a call that fits comes out with its arguments alone', () => {
  const checked = checkCall('runs.get', { run: 'latest', stray: 1 })
  expect(checked).toEqual({ ok: true, name: 'runs.get', args: { run: 'latest' } })
})

test.each([['toString'], ['__proto__'], ['x'.repeat(1e6)], [7], [null], [undefined], [{}]])('%j is no call', (name) => {
  const checked = checkCall(name, {})
  expect(checked).toMatchObject({ ok: false, failure: { code: 'usage' } })
  expect(JSON.stringify(checked).length).toBeLessThan(400)
})

test('arguments of a wrong shape are named', () => {
  expect(checkCall('runs.start', { request: { seed: 1.5 } })).toMatchObject({
    ok: false,
    failure: { code: 'usage', where: expect.stringMatching(/^runs\.start\.request\./) },
  })
  expect(checkCall('runs.get', null)).toMatchObject({ ok: false, failure: { where: 'runs.get' } })
})

const cycle: Record<string, unknown> = { run: 'latest' }
cycle['again'] = [cycle]
test.each([
  ['a text', { run: 'x'.repeat(100e6) }],
  ['a list', { run: new Array(100e6 / 8).fill(0) }],
  ['bytes', { run: new Uint8Array(100e6) }],
  ['many texts', { run: Array.from({ length: 3 }, () => 'x'.repeat(MAX_MESSAGE_BYTES / 2)) }],
  ['a cycle', cycle],
  ['a long name', { run: 'latest', ['x'.repeat(MAX_MESSAGE_BYTES)]: 1 }],
])('%s that is too large is refused', (_words, args) => {
  expect(checkCall('runs.get', args)).toMatchObject({ ok: false, failure: { what: expect.stringMatching(/16 MiB/) } })
})
