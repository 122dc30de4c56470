import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { fixturePath } from '../../support/fixtures.ts'
import { CommandLine } from './command-line.ts'

const cli = new CommandLine()
const env = { NODE_COMPILE_CACHE: join(cli.folder, 'cache') }
const answer = async (...words: string[]): Promise<string> => {
  const { code, stdout, stderr } = await cli.launched(['env'], env, ...words)
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' })
  return stdout
}

const keptFiles = (): readonly string[] =>
  readdirSync(env.NODE_COMPILE_CACHE, { recursive: true, encoding: 'utf8' })
    .filter((name) => /\/datasets-[^/]*$/.test(name))
    .map((name) => join(env.NODE_COMPILE_CACHE, name))

test('code that a command kept is taken again, and never once it is damaged', async () => {
  await answer('datasets', '--help')
  expect(keptFiles()).toEqual([])
  const first = await answer('datasets')
  const kept = keptFiles().find((path) => /\/datasets-command-[^/]{8}\.js$/.test(path))!
  const good = readFileSync(kept)
  const { ino } = statSync(kept)
  expect(await answer('datasets')).toBe(first)
  expect(statSync(kept).ino).toBe(ino)

  const flipped = Buffer.from(good)
  flipped[good.length >> 1]! ^= 16
  const ofAnotherSource = Buffer.from(good)
  ofAnotherSource[0]! ^= 1
  for (const damaged of [flipped, ofAnotherSource, good.subarray(0, good.length >> 1), Buffer.alloc(3)]) {
    writeFileSync(kept, damaged)
    expect(await answer('datasets')).toBe(first)
    expect(readFileSync(kept).equals(damaged)).toBe(false)
  }
  expect(keptFiles().filter((path) => path.includes('partial'))).toEqual([])
})

test('a command that imports a module while it runs says nothing of its loader', async () => {
  for (const name of ['first', 'second'])
    expect(await answer('import', fixturePath('gexf/basic.gexf'), '--name', name)).toContain(name)
})
