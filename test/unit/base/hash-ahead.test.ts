import { createHash, randomBytes } from 'node:crypto'
import { readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, expect, test } from 'vitest'
import { Failure } from '../../../workers/base/failure.ts'
import { fillHashAhead, newHashAhead, takeHashAhead } from '../../../workers/base/hash-ahead.ts'
import { StoredFile } from '../../../workers/import/formats/stored-file.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const path = join(scratchFolder('hash-ahead'), 'file')
const go = async (): Promise<void> => {}

beforeEach(() => writeFileSync(path, randomBytes(1 << 20)))

const trueHash = (): string => createHash('sha256').update(readFileSync(path)).digest('hex')
/** Shows where it comes from. */
const OTHER = 'ab'.repeat(32)
const stats = () => statSync(path, { bigint: true })

async function sha256(pause = go): Promise<string> {
  const file = StoredFile.open(path)
  return file.sha256(pause).finally(() => file.close())
}

test('is that of the file, and is taken once', async () => {
  const ahead = newHashAhead()
  const file = StoredFile.open(path)
  await file.hashAhead(ahead).finally(() => file.close())
  expect(Buffer.from(ahead.digest).toString('hex')).toBe(trueHash())
  const other = newHashAhead()
  await fillHashAhead(other, stats(), async () => OTHER)
  takeHashAhead(other)
  expect(await sha256()).toBe(OTHER)
  expect(await sha256()).toBe(trueHash())
})

test.each([
  ['changed', () => writeFileSync(path, randomBytes(1 << 20))],
  ['cut', () => writeFileSync(path, readFileSync(path).subarray(1))],
  [
    'replaced',
    () => {
      writeFileSync(`${path}.new`, randomBytes(1 << 20))
      renameSync(`${path}.new`, path)
    },
  ],
])('of a file that was %s meanwhile is not taken', async (_what, change) => {
  const ahead = newHashAhead()
  await fillHashAhead(ahead, stats(), async () => OTHER)
  takeHashAhead(ahead)
  change()
  expect(await sha256()).toBe(trueHash())
})

test('is waited for where it was begun; where it failed, the file is hashed', async () => {
  for (const [settle, expected] of [
    [() => Promise.resolve(OTHER), () => OTHER],
    [() => Promise.reject(new Error('unreadable')), trueHash],
  ] as const) {
    const begun = Promise.withResolvers<void>()
    const ahead = newHashAhead()
    const filled = fillHashAhead(ahead, stats(), () => begun.promise.then(settle)).catch(() => {})
    takeHashAhead(ahead)
    const hash = sha256(async () => begun.resolve())
    expect(await hash).toBe(expected())
    await filled
  }
})

test('that was not begun, or is not wanted any more, is left', async () => {
  const late = newHashAhead()
  takeHashAhead(late)
  expect(await sha256()).toBe(trueHash())
  let computed = false
  await fillHashAhead(late, stats(), async () => ((computed = true), OTHER))
  expect(computed).toBe(false)
  const ahead = newHashAhead()
  const cancelled = Promise.withResolvers<void>()
  const filled = fillHashAhead(ahead, stats(), async (pause) => {
    await cancelled.promise
    pause()
    return OTHER
  })
  takeHashAhead(ahead)
  const stop = new Failure({ code: 'cancelled', what: 'cancelled', remedy: '' })
  await expect(sha256(() => Promise.reject(stop))).rejects.toBe(stop)
  cancelled.resolve()
  await expect(filled).rejects.toThrow('not wanted')
})
