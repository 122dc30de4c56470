import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { type Labels, denseLabels } from '../../../workers/graph/labels.ts'
import { readVertexColumn, readVertexList, readVertexPairs } from '../../../workers/graph/vertex-lists.ts'
import { scratchFolder } from '../../support/scratch-folder.ts'

const folder = scratchFolder('lists')
function file(text: string): string {
  const path = join(folder, 'list')
  writeFileSync(path, text)
  return path
}

const names = ['#a', '#b', 'c', 'd']
const words: Labels = {
  kind: 'text',
  of: (v) => names[v]!,
  find: (label) => names.indexOf(label),
  findWhole: () => -1,
  number: () => null,
}
const numbers = denseLabels(5, 1)

describe('the first line of a list of pairs', () => {
  it('is passed over where it names columns', () => {
    expect(readVertexPairs(file('u,v\n1,2\n'), numbers, 5).mates[0]).toBe(1)
    expect(readVertexPairs(file('knoten anderer\n1 2\n'), numbers, 5).mates[0]).toBe(1)
    expect(readVertexPairs(file('source,target\nc,d\n'), words, 4).mates[2]).toBe(3)
    const flow: Labels = { ...words, find: (label) => ['source', 'sink', 'c', 'd'].indexOf(label) }
    expect(readVertexPairs(file('source,target\nsource,d\n'), flow, 4).mates[0]).toBe(3)
  })

  it('is a pair like any other where its fields are numbers, or words that may be labels', () => {
    expect(() => readVertexPairs(file('11 12\n1 2\n4 5\n'), numbers, 5)).toThrow('the graph has no vertex "11"')
    expect(() => readVertexPairs(file('cc,dd\n#a,#b\n'), words, 4)).toThrow('the graph has no vertex "cc"')
  })
})

describe('a line that begins with #', () => {
  it('is a label where there is one, and else a comment', () => {
    expect([...readVertexList(file('# two of them\n#b\nc\n#e\n'), words, 4).members()]).toEqual([1, 2])
    expect(readVertexPairs(file('#a,c\n# and so on\n#b d\n'), words, 4).mates).toEqual(Uint32Array.of(2, 3, 0, 1))
    expect([...readVertexList(file('#1\n2\n'), numbers, 5).members()]).toEqual([1])
  })
})

describe('labels with commas, quotes, blanks and marks of byte order', () => {
  const odd = ['a,b', 'q"x', '\ufeffz', 'z', '"y"', 'n\u00a0', 'c']
  const labels: Labels = { ...words, find: (label) => odd.indexOf(label) }
  const quoted = odd.map((label) => `"${label.replaceAll('"', '""')}"`)

  it('are read from lists as they are exported', () => {
    const mates = Uint32Array.of(1, 0, 3, 2, 5, 4, 0xffffffff)
    const pairs = (of: readonly string[], separator: string) =>
      file([0, 2, 4].map((v) => `${of[v]}${separator}${of[v + 1]}\n`).join(''))
    expect(readVertexPairs(pairs(odd, '\t'), labels, 7).mates).toEqual(mates)
    expect(readVertexPairs(pairs(quoted, ','), labels, 7).mates).toEqual(mates)
    expect(readVertexPairs(pairs(quoted, '; '), labels, 7).mates).toEqual(mates)
    expect([...readVertexList(file('\ufeffz\nn\u00a0\n'), labels, 7).members()]).toEqual([2, 5])
    expect([...readVertexList(file(`${odd.join('\r\n')}\n`), labels, 7).members()]).toEqual([0, 1, 2, 3, 4, 5, 6])
    expect([...readVertexColumn(file(quoted.map((label, i) => `${label},${i}\n`).join('')), labels, 7)]).toEqual([
      0, 1, 2, 3, 4, 5, 6,
    ])
  })

  it('keep the blanks around them, where other labels have none', () => {
    const padded: Labels = { ...words, find: (label) => ['c ', 'c', ' d'].indexOf(label) }
    expect([...readVertexList(file('c \r\n d\n'), padded, 3).members()]).toEqual([0, 2])
    expect([...readVertexList(file(' c  \n'), padded, 3).members()]).toEqual([1])
    for (const pair of [' d\tc \r\n', ' d,c ,0.5\n', '" d";"c "\n'])
      expect(readVertexPairs(file(pair), padded, 3).mates).toEqual(Uint32Array.of(2, 0xffffffff, 0))
    expect([...readVertexColumn(file('c ,1\nc,2\n d,3\n'), padded, 3)]).toEqual([1, 2, 3])
  })

  it.each(['id,in\nc,1\n', 'id,in,city\nc,1,x\n', 'PAR1\0', '\u0093NUMPY\u0001'])(
    'are not looked for in %j',
    (text) => {
      const remedy = 'Export it as ids: one id a line.'
      expect(() => readVertexList(file(text), labels, 7)).toThrow(expect.objectContaining({ remedy }))
    },
  )

  it('leave the mark of a file to the file where no label begins with it', () => {
    expect([...readVertexList(file('\ufeffc\nz\n'), labels, 7).members()]).toEqual([3, 6])
    expect(readVertexPairs(file('\ufeffc,z,0.5\n'), labels, 7).mates[6]).toBe(3)
  })
})
