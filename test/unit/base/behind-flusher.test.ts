import { closeSync, openSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { BehindFlusher } from '../../../workers/base/file-bytes.ts'
import { failureOf } from '../../support/ingest-cases.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

vi.mock('node:fs', async (original) => ({
  ...(await original<typeof import('node:fs')>()),
  fdatasync: (_file: number, done: (error: Error) => void) =>
    done(Object.assign(new Error('ENOSPC: no space left on device, fdatasync'), { code: 'ENOSPC' })),
}))

it('tells at the end that a flush failed before: the system says it once', async () => {
  const path = join(scratchFolder('flusher'), 'file')
  const file = openSync(path, 'w')
  const flusher = new BehindFlusher(file, path)
  flusher.wrote(1 << 30)
  expect(await failureOf(flusher.finish())).toMatchObject({ code: 'storage', where: path })
  await flusher.close()
  expect(() => closeSync(file)).toThrow('EBADF')
})
