import { describe, expect, it } from 'vitest'
import { denseLabels, openLabels } from '../../../workers/graph/labels.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { quietJob } from '../../../workers/base/job.ts'
import { Workplace } from '../../support/ingest-cases.ts'

const work = new Workplace()

/** A path through the labels, imported; its labels, and how many there are. */
async function imported(labels: readonly string[]) {
  const lines = labels.slice(1).map((label, i) => `${labels[i]!}\t${label}\n`)
  const folder = work.newFolder()
  const source = work.file('path.tsv', `source\ttarget\n${lines.join('')}`)
  const { vertices } = await importGraph({ source, folder }, quietJob)
  return { labels: openLabels(folder, vertices), vertices }
}

describe('labels', () => {
  it.each([0, 1, 5])('that are counted from %i: each is found, and none before or behind them', (base) => {
    const labels = denseLabels(4, base)
    expect([0, 1, 2, 3].map((v) => labels.find(labels.of(v)))).toEqual([0, 1, 2, 3])
    expect([base - 1, base + 4, base + 5].map((label) => labels.find(String(label)))).toEqual([-1, -1, -1])
    for (const other of ['', 'x', '1.0', '-1', ' 1']) expect(labels.find(other), other).toBe(-1)
  })

  it('that are numbers of up to 64 bits: each is found, and none beside them', async () => {
    const values = ['7', '18446744073709551615', '9007199254740993', '9007199254740992', '12']
    const { labels, vertices } = await imported(values)
    expect([vertices, labels.kind]).toEqual([5, 'integer'])
    for (let v = 0; v < vertices; v++) expect(labels.find(labels.of(v))).toBe(v)
    expect(Array.from({ length: vertices }, (_, v) => labels.of(v))).toEqual(
      values.toSorted((a, b) => (BigInt(a) < BigInt(b) ? -1 : 1)),
    )
    for (const other of ['6', '8', '9007199254740991', '18446744073709551614', 'x']) expect(labels.find(other)).toBe(-1)
  })

  // A locale sorts most of these otherwise, and UTF-16 the last two.
  it('that are texts follow the order of code points: each is found, and none beside them', async () => {
    const texts = ['b', 'B', 'a', 'Zürich', 'Zurich', 'é', 'e', 'z', 'ä', '_x', 'a-b', 'ab', 'ﬀ', '😀']
    const { labels, vertices } = await imported(texts)
    expect([vertices, labels.kind]).toEqual([texts.length, 'text'])
    const points = (text: string): string =>
      [...text].map((one) => one.codePointAt(0)!.toString(16).padStart(6, '0')).join()
    expect(Array.from({ length: vertices }, (_, v) => labels.of(v))).toEqual(
      texts.toSorted((a, b) => (points(a) < points(b) ? -1 : 1)),
    )
    for (const text of texts) expect(labels.of(labels.find(text))).toBe(text)
    for (const other of ['', 'A', 'zz', 'Z', 'a-', '😁']) expect(labels.find(other), other).toBe(-1)
  })

  it('that begin with U+FEFF keep it, and differ from those without', async () => {
    const { labels, vertices } = await imported(['a', '\ufeffa', 'b'])
    expect(Array.from({ length: vertices }, (_, v) => labels.of(v))).toEqual(['a', 'b', '\ufeffa'])
    expect(labels.find('\ufeffa')).toBe(2)
    expect(labels.find('a')).toBe(0)
  })
})
