import { execFileSync, spawnSync } from 'node:child_process'
import {
  chmodSync,
  lstatSync,
  mkdirSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, test } from 'vitest'
import { writeGraphFile } from '../../../workers/export/formats/write-graph-file.ts'
import { OUTPUT_UMASK, quietJob } from '../../../workers/base/job.ts'
import { shortened, OutputFile, outputPlace, writeOutput } from '../../../workers/base/output-file.ts'
import { smallGraph, writeGraphFolder } from '../../support/graphs.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

let folder: string
beforeEach(() => void (folder = scratchFolder('output')))
const at = (name: string): string => join(folder, name)
const refusal = (what: RegExp) => expect.objectContaining({ code: 'input', what: expect.stringMatching(what) })
const onWindows = process.platform === 'win32'
const mayMakeDevices = process.platform === 'linux' && process.getuid?.() === 0

test('a file gets its name when it is whole, with the folders above it', () => {
  const path = at('a/b/set.txt')
  const output = new OutputFile(path)
  output.write(Buffer.from('1\n'))
  expect(readdirSync(at('a/b'))).toEqual([expect.stringMatching(/^set\.txt\.partial-\d+-/)])
  output.finish()
  output.discard()
  expect(readdirSync(at('a/b'))).toEqual(['set.txt'])
  expect(readFileSync(path, 'utf8')).toBe('1\n')
})

test('one that is given up leaves what was there before', () => {
  writeFileSync(at('set.txt'), 'old')
  const output = new OutputFile(at('set.txt'))
  output.write(Buffer.from('half'))
  output.discard()
  expect(readdirSync(folder)).toEqual(['set.txt'])
  expect(readFileSync(at('set.txt'), 'utf8')).toBe('old')
})

test('what killed programs left of it goes, and nothing else', () => {
  const dead = spawnSync(process.execPath, ['-e', '']).pid
  const stays = [`set.txt.partial-${process.pid}-ab`, `other.txt.partial-${dead}-ab`, 'set.txt.partial-mine']
  for (const name of [`set.txt.partial-${dead}`, `set.txt.partial-${dead}-ab`, ...stays])
    writeFileSync(at(name), 'half')
  writeOutput(at('set.txt'), 'whole')
  expect(readdirSync(folder).sort()).toEqual(['set.txt', ...stays].sort())
})

test.skipIf(process.platform !== 'linux')('a full disk asks for another place, not for another library', () => {
  const remedy = 'Free some space; nothing half-written was kept. Or write to another disk.'
  const full = { code: 'storage', where: '/dev/full', what: 'the disk is full', remedy, fixes: undefined }
  expect(() => writeOutput('/dev/full', 'x')).toThrow(expect.objectContaining(full))
})

test('the longest name that there may be is no problem', () => {
  const name = `${'x'.repeat(251)}.txt`
  writeOutput(at(name), 'whole')
  expect(readdirSync(folder)).toEqual([name])
  expect(() => writeOutput(at(`x${name}`), 'whole')).toThrow(refusal(/too long/))
})

test.skipIf(onWindows)('a file that is replaced keeps its permissions', () => {
  for (const mode of [0o755, 0o640, 0o600]) {
    writeFileSync(at('set.txt'), 'old')
    chmodSync(at('set.txt'), mode)
    writeOutput(at('set.txt'), 'new')
    expect(statSync(at('set.txt')).mode & 0o777).toBe(mode)
    rmSync(at('set.txt'))
  }
})

test('names are cut between characters, and keep their extension or their beginning', () => {
  expect(shortened('名前.txt', 255)).toBe('名前.txt')
  expect(shortened('名名名前.txt', 8)).toBe('前.txt')
  expect(shortened('名名前', 7, 'beginning')).toBe('名名')
  expect(Buffer.byteLength(shortened('👩‍🚀'.repeat(50), 100))).toBeLessThanOrEqual(100)
})

describe.skipIf(onWindows)('links', () => {
  test('stay, and what they lead to is replaced', () => {
    mkdirSync(at('real'))
    writeFileSync(at('real/set.txt'), 'old')
    symlinkSync('real/set.txt', at('link'))
    symlinkSync('link', at('second'))
    writeOutput(at('second'), 'new')
    expect(readFileSync(at('real/set.txt'), 'utf8')).toBe('new')
    expect([lstatSync(at('link')), lstatSync(at('second'))].map((each) => each.isSymbolicLink())).toEqual([true, true])
    expect(readdirSync(at('real'))).toEqual(['set.txt'])
  })

  test('that lead to nothing yet make the file that they name', () => {
    mkdirSync(at('real'))
    symlinkSync('real', at('folder'))
    symlinkSync('../new.txt', at('real/link'))
    writeOutput(at('folder/link'), 'new')
    expect(readFileSync(at('new.txt'), 'utf8')).toBe('new')
    expect(lstatSync(at('real/link')).isSymbolicLink()).toBe(true)
  })

  test('in a circle are refused', () => {
    symlinkSync('b', at('a'))
    symlinkSync('a', at('b'))
    expect(() => writeOutput(at('a'), 'x')).toThrow(refusal(/circle/))
  })
})

describe.skipIf(onWindows)('what is no file', () => {
  test('a pipe is written to and stays one', async () => {
    execFileSync('mkfifo', [at('pipe')])
    symlinkSync('pipe', at('link'))
    for (const name of ['pipe', 'link']) {
      const read = readFile(at('pipe'), 'utf8')
      // Opened in another process: this one waits for its own reader.
      const script = `import { writeOutput } from ${JSON.stringify(join(import.meta.dirname, '../../../workers/base/output-file.ts'))}
        writeOutput(${JSON.stringify(at(name))}, 'members')`
      execFileSync(process.execPath, ['--input-type=module', '-e', script])
      expect(await read).toBe('members')
    }
    expect(lstatSync(at('pipe')).isFIFO()).toBe(true)
    expect(readdirSync(folder).sort()).toEqual(['link', 'pipe'])
  })

  test.runIf(mayMakeDevices)('a device is written to and stays one', () => {
    execFileSync('mknod', [at('null'), 'c', '1', '3'])
    expect(outputPlace(at('null'))).toEqual({ path: at('null'), isStream: true })
    writeOutput(at('null'), 'members')
    expect(lstatSync(at('null')).isCharacterDevice()).toBe(true)
    expect(readdirSync(folder)).toEqual(['null'])
  })

  test.runIf(mayMakeDevices)('a full device is a full disk', () => {
    execFileSync('mknod', [at('full'), 'c', '1', '7'])
    expect(() => writeOutput(at('full'), 'members')).toThrow(
      expect.objectContaining({ code: 'storage', what: 'the disk is full' }),
    )
  })

  test.runIf(mayMakeDevices).each([false, true])(
    'a graph on a full device is a full disk too, gzip: %s',
    async (gzip) => {
      execFileSync('mknod', [at('full'), 'c', '1', '7'])
      const { folder: dataset, checksum } = writeGraphFolder(smallGraph(3, [[0, 1]]))
      const written = writeGraphFile({ folder: dataset, checksum, format: 'csv', output: at('full'), gzip }, quietJob)
      await expect(written).rejects.toMatchObject({ code: 'storage', what: 'the disk is full' })
      rmSync(dataset, { recursive: true })
    },
  )

  test.runIf(mayMakeDevices)('a disk is refused', () => {
    execFileSync('mknod', [at('disk'), 'b', '7', '200'])
    expect(() => writeOutput(at('disk'), 'x')).toThrow(refusal(/a disk, not a file/))
    expect(lstatSync(at('disk')).isBlockDevice()).toBe(true)
  })

  test('a directory and a socket are refused', async () => {
    mkdirSync(at('folder'))
    expect(() => writeOutput(at('folder'), 'x')).toThrow(refusal(/a directory/))
    const server = createServer().listen(at('socket'))
    await new Promise((listening) => server.once('listening', listening))
    expect(() => writeOutput(at('socket'), 'x')).toThrow(refusal(/a socket/))
    server.close()
  })

  test("the program's own streams are refused, by whatever name", () => {
    symlinkSync('/dev/stdout', at('link'))
    // Looked at only: nothing is ever opened there.
    for (const path of ['/dev/stdout', '/dev/fd/1', '/proc/self/fd/2', `/proc/${process.pid}/fd/1`, at('link')])
      expect(() => outputPlace(path)).toThrow(refusal(/own answer/))
  })

  test('a path through a file, and a folder that can hold none', () => {
    writeFileSync(at('file'), '')
    expect(() => writeOutput(at('file/set.txt'), 'x')).toThrow(refusal(/a file, not a folder/))
    if (process.platform === 'linux') expect(() => writeOutput('/proc/anticlique/x', 'x')).toThrow(refusal(/./))
  })
})

describe.skipIf(onWindows)('who may read it', () => {
  const own = process.umask()
  afterEach(() => {
    process.umask(own)
    delete process.env[OUTPUT_UMASK]
  })
  const modeOf = (name: string): number => statSync(at(name)).mode & 0o777

  test("those whom the person's own mask allows, whatever that of the library is", () => {
    process.umask(0o077)
    process.env[OUTPUT_UMASK] = String(0o022)
    writeOutput(at('out/set.txt'), 'x')
    expect([modeOf('out'), modeOf('out/set.txt')]).toEqual([0o755, 0o644])
  })

  test('those who could read the file before', () => {
    writeFileSync(at('set.txt'), 'old')
    chmodSync(at('set.txt'), 0o640)
    writeOutput(at('set.txt'), 'new')
    expect(modeOf('set.txt')).toBe(0o640)
  })
})
