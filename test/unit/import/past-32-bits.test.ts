import { readFileSync } from 'node:fs'
import { expect, it } from 'vitest'
import { SumsBuilder } from '../../../workers/base/sums.ts'
import { ArcOutput } from '../../../workers/import/build/merged-arcs.ts'
import { ScratchFiles } from '../../../workers/import/build/scratch-file.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

it('lists behind 2^32 arcs have 64-bit ends', () => {
  const graphPath = work.file('graph.gr', '')
  const plan = { graphPath, weightsPath: null, vertices: 3, merge: { rule: 'max', scale: 1, offset: 0 } } as const
  const files = new ScratchFiles()
  const output = new ArcOutput(plan, new SumsBuilder(), files)
  const position = 2 ** 33 + 5
  output.begin(0, 3, position)
  expect(output.finish()).toMatchObject({ arcs: 0, isolated: 3 })
  files.close()
  const { buffer, byteOffset } = readFileSync(graphPath)
  const ends = new BigUint64Array(buffer.slice(byteOffset + 32, byteOffset + 56))
  expect(Array.from(ends, Number)).toEqual([position, position, position])
})
