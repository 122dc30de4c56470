import { describe, expect, it } from 'vitest'
import { Failure, type FailureValue } from '../../../workers/base/failure.ts'
import { quietJob } from '../../../workers/base/job.ts'
import type { ImportArgs } from '../../../workers/contract/jobs.ts'
import { openDevice } from '../../../workers/device/open-device.ts'
import { writeGraphFile } from '../../../workers/export/formats/write-graph-file.ts'
import { GaloisGr } from '../../../workers/graph/galois-gr.ts'
import { GRAPH_FILE, grLayout } from '../../../workers/graph/graph-file.ts'
import { shortDecimal, VALUES_FOOTER_BYTES } from '../../../workers/graph/weight-values.ts'
import { openLabels } from '../../../workers/graph/labels.ts'
import { matchingWeight } from '../../../workers/graph/scan-lists.ts'
import { augment } from '../../../workers/algorithms/quality/augment.ts'
import { runAlgorithm } from '../../../workers/algorithms/run.ts'
import { importGraph } from '../../../workers/import/import-graph.ts'
import { WeightCodes } from '../../../workers/import/reader/weight-codes.ts'
import { verifyMatching } from '../../../workers/verify/verify-matching.ts'
import { computedMatching, matesOf } from '../../support/computed-matching.ts'
import { content } from '../../support/lines-import.ts'
import { devicesHere, hasGpu } from '../../support/devices-here.ts'
import { exactSum, nastyWeight } from '../../support/exact-weights.ts'
import { randomSmallGraph, randomStream, type SmallGraph } from '../../support/graphs.ts'
import { failureOf, Workplace } from '../../support/ingest-cases.ts'
import { edgesInOrder, greedyMatching } from '../../support/matching.ts'

const work = new Workplace()
const GRAPHS = Number(process.env['ANTICLIQUE_TEST_GRAPHS'] ?? 48)
/** A GPU in software takes a second for each: so many random graphs lie between two that it gets, of all denser shapes. */
const ON_GPU = { first: 6, step: 31 }

function thrown(work: () => void): FailureValue {
  try {
    work()
  } catch (error) {
    if (error instanceof Failure) return error.toValue()
    throw error
  }
  throw new Error('this should have failed')
}

interface Drawn {
  readonly sources?: 1 | 2
  readonly negative?: boolean
  /** A word before each id. */
  readonly name?: string
}

const key = (u: number, v: number): string => `${Math.min(u, v)} ${Math.max(u, v)}`

function weighed(seed: number, graph: SmallGraph) {
  const draw = randomStream(seed + 1_000_000)
  const weights = new Map<string, number>()
  graph.neighbours.forEach((list, u) => {
    for (const v of list) if (u < v) weights.set(key(u, v), nastyWeight(draw))
  })
  const weightOf = (u: number, v: number): number => weights.get(key(u, v))!
  const lines = [...weights].map(([edge, weight]) => {
    const [u, v] = edge.split(' ').map(Number) as [number, number]
    return `${v + 1} ${u + 1} ${weight}`
  })
  const text = `%%MatrixMarket matrix coordinate real symmetric\n${graph.vertices} ${graph.vertices} ${lines.length}\n${lines.join('\n')}\n`
  return { weights, weightOf, text }
}

describe('weights that 32-bit floats do not hold', () => {
  it(`decide and add up as exact numbers on ${GRAPHS} random graphs`, async () => {
    const gpu = hasGpu ? await openDevice('gpu:0') : null
    let wide = 0
    let rounded = 0
    let onGpu = 0
    for (let seed = 0; seed < GRAPHS; seed++) {
      const { graph, shape } = randomSmallGraph(seed, 40)
      const { weights, weightOf, text } = weighed(seed, graph)
      if (weights.size === 0) continue
      const what = `${shape}, seed ${seed}`
      const folder = work.newFolder()
      const { report } = await importGraph({ source: work.file('graph.mtx', text), folder }, quietJob)
      const stored = GaloisGr.inFolder(folder)
      const values = [...stored.readValues(0, stored.arcs)].sort((a, b) => a - b)
      expect(values, what).toEqual([...weights.values(), ...weights.values()].sort((a, b) => a - b))
      expect(report.weights, what).toMatchObject({ smallest: values[0], largest: values.at(-1) })
      expect(report.balance?.weights?.rounded, what).toBe(0)
      if (stored.hasValues) wide++
      if (new Set(values.map(Math.fround)).size < new Set(values).size) rounded++
      const order = { weights: 'column', ties: (['id', 'hash', 'degree'] as const)[seed % 3]!, seed } as const
      const mates = greedyMatching(graph.vertices, edgesInOrder(graph, order, weightOf))
      const devices = gpu !== null && seed % ON_GPU.step === ON_GPU.first ? ['cpu:0', gpu] : ['cpu:0']
      const path = `${folder}/${GRAPH_FILE}`
      const weight = exactSum(mates.flatMap((v, u) => (v > u ? [weightOf(u, v)] : [])))
      onGpu += devices.length - 1
      for (const device of devices) {
        const found = await computedMatching(path, [device], { order })
        expect(matesOf(found), what).toEqual(mates)
        expect(matchingWeight(stored, found.matching, order, quietJob), what).toBe(weight)
        const claim = { matching: found.matching, order, dominant: true }
        const verdict = await verifyMatching(stored, openLabels(folder, stored.vertices), claim, quietJob)
        expect(verdict, what).toMatchObject({ verified: true, weight })
        expect(verdict.upperBound!, what).toBeGreaterThanOrEqual(weight)
        augment(stored, found.matching, order, { rounds: 3, limitMs: Infinity }, quietJob)
        expect(matchingWeight(stored, found.matching, order, quietJob), what).toBeGreaterThanOrEqual(weight)
      }
      stored.close()
    }
    expect(wide).toBeGreaterThan(GRAPHS / 2)
    expect(rounded).toBeGreaterThan(GRAPHS / 10)
    // A quarter of them may have no edges.
    expect(onGpu).toBeGreaterThanOrEqual(gpu === null ? 0 : Math.floor((0.75 * GRAPHS) / ON_GPU.step))
  })

  it('are the same in any format that holds them, and in exports that are imported again', async () => {
    const draw = randomStream(7)
    const rows = Array.from({ length: 300 }, (_, i) => [i % 40, Math.floor(draw() * 40), nastyWeight(draw)] as const)
    const folder = work.newFolder()
    const csv = rows.map((row) => row.join(',')).join('\n')
    const { checksum } = await importGraph(
      { source: work.file('graph.csv', csv), folder, table: { header: 'no' } },
      quietJob,
    )
    const graph = GaloisGr.inFolder(folder)
    expect(graph.hasValues).toBe(true)
    for (const format of [
      'matrix-market',
      'edge-list',
      'csv',
      'metis',
      'pbbs',
      'vite',
      'parquet',
      'arrow',
      'egr64',
      'galois',
      'galois2',
    ] as const) {
      const output = `${work.path}/export.${format}`
      const { notes } = await writeGraphFile({ folder, checksum, format, output }, quietJob)
      const again = work.newFolder()
      await importGraph(
        {
          source: output,
          folder: again,
          ...(['csv', 'egr64', 'galois2'].includes(format) ? {} : { format: format as 'galois' }),
          table: { header: format === 'csv' ? 'yes' : 'no' },
        },
        quietJob,
      )
      const read = GaloisGr.inFolder(again)
      expect(read.readValues(0, read.arcs), format).toEqual(graph.readValues(0, graph.arcs))
      expect(
        notes.filter((note) => note.includes('rounded')),
        format,
      ).toEqual([])
      read.close()
    }
    for (const format of ['egr'] as const) {
      const output = `${work.path}/export.${format}`
      const { notes } = await writeGraphFile({ folder, checksum, format, output }, quietJob)
      expect(notes, format).toContain(`${format} has room for 32-bit floats: weights were rounded to these`)
    }
    graph.close()
  })

  it('are kept whole however much memory and however many threads there are, and however lines are shuffled', async () => {
    const draw = randomStream(11)
    const rows = Array.from({ length: 40_000 }, () => {
      const [u, v] = [Math.floor(draw() * 3000), Math.floor(draw() * 3000)]
      return `${u}\t${v}\t${draw() < 0.5 ? (u * v + 1) / 7 : Math.fround((u * v + 1) / 7)}`
    })
    const known = await work.imported('graph.tsv', rows.join('\n'))
    const { vertices, arcs, bytes } = known.facts
    expect(bytes).toBeGreaterThan(grLayout(vertices, arcs, true).fileBytes + 12 * 10_000)
    for (const args of [{ threads: 1 }, { threads: 2, memoryBytes: 64 << 20 }])
      for (const lines of [rows, [...rows].reverse()])
        expect((await work.imported('graph.tsv', lines.join('\n'), args)).facts.checksum).toBe(known.facts.checksum)
    const inText = rows.map((row) => row.replace(/^(\d+)\t(\d+)/, 'n$1\tn$2')).join('\n')
    const named = await work.imported('graph.tsv', inText)
    expect(named.facts.report.weights).toEqual(known.facts.report.weights)
  })

  it.each([
    ['as they are', {}],
    ['of two files', { sources: 2 }],
    ['inverted', { invertWeights: true }],
    ['made positive', { weightRule: 'absolute', negative: true }],
    ['shifted', { weightRule: 'shift', negative: true }],
    ['of the first of repeated edges', { merge: 'first' }],
    ['of texts', { name: 'n' }],
  ] as const)('through the disk are the same for any threads and any memory, %s', async (_, options) => {
    const {
      sources = 1,
      negative = false,
      name = '',
      ...args
    } = options as Omit<Partial<ImportArgs>, 'sources'> & Drawn
    const draw = randomStream(13)
    const weightOf = (i: number): string => {
      if (i % 97 === 0) return String(9007199254740993n + BigInt(i))
      const value = draw() < 0.5 ? nastyWeight(draw) : (i + 1) / 7
      return `${negative && i % 5 === 0 ? '-' : ''}${value}`
    }
    const rows = Array.from({ length: 9000 }, (_, i) => {
      const [u, v] = [Math.floor(draw() * 900), Math.floor(draw() * 900)]
      // Ids that only the general scanner takes, and lines that only the reader does.
      const from = i % 89 === 0 ? `${u}00000000000` : i % 83 === 0 ? `${u}.0` : String(u)
      return `${name}${from} ${name}${v} ${weightOf(i)}\n`
    })
    const cut = sources === 1 ? rows.length : 5000
    const files = [rows.slice(0, cut), rows.slice(cut)].slice(0, sources)
    const [source = '', ...others] = files.map((lines, i) => work.file(`part${i}.txt`, lines.join('')))
    const made = async (threads: number, memoryBytes?: number) => {
      const folder = work.newFolder()
      const call = { source, folder, threads, memoryBytes, ...args, ...(sources === 1 ? {} : { sources: others }) }
      const facts = await importGraph(call, quietJob, { lines: { fromBytes: Infinity } })
      const stored = GaloisGr.inFolder(folder)
      expect(stored.hasValues).toBe(true)
      stored.close()
      return content({ facts, folder })
    }
    const expected = await made(1)
    for (const [threads, memoryBytes] of [
      [2, 1 << 25],
      [3, undefined],
    ] as const)
      expect(await made(threads, memoryBytes)).toEqual(expected)
  })

  it.each(devicesHere)(
    'change nothing for what does not read them: sets and pairs of a small graph on %s',
    async (device) => {
      const lines = (weight: (i: number) => string | number): string =>
        Array.from({ length: 60 }, (_, i) => `${i % 30} ${(7 * i + 1) % 30} ${weight(i)}`).join('\n')
      const folders: { folder: string; checksum: string }[] = []
      for (const weight of [
        (i: number) => 1 + (i % 5),
        (i: number) => 1 + (i % 5) * 2 ** -50,
        (i: number) => (1 + (i % 5)) / 10,
      ]) {
        const folder = work.newFolder()
        folders.push({
          folder,
          checksum: (await importGraph({ source: work.file('g.txt', lines(weight)), folder }, quietJob)).checksum,
        })
      }
      for (const choice of [
        { algorithm: 'ecl-mis', priority: 'hash' },
        { algorithm: 'ecl-mis', priority: 'degree', batches: 3 },
        { algorithm: 'ld-gpu', weights: 'unit' },
        { algorithm: 'ld-gpu', weights: 'column' },
        { algorithm: 'ld-gpu', weights: 'column', batches: 2 },
      ] as const) {
        const hashes = []
        for (const place of folders) {
          const args = { ...place, device, seed: 1, verify: true, resultFile: `${work.path}/result` }
          const { result, verification } = await runAlgorithm({ ...args, ...choice }, quietJob)
          expect(verification?.verified).toBe(true)
          hashes.push(result.hash)
        }
        expect(new Set(hashes).size, JSON.stringify(choice)).toBe(1)
      }
    },
  )

  it('past the range of floats are refused by algorithms that compute with these', async () => {
    const folder = work.newFolder()
    const { checksum } = await importGraph({ source: work.file('g.txt', '1 2 1e300\n2 3 2.5\n'), folder }, quietJob)
    const args = { folder, checksum, device: 'cpu:0', seed: 1, verify: true, resultFile: `${work.path}/result` }
    const failure = await failureOf(
      runAlgorithm({ ...args, algorithm: 'spin-glass', model: 'max-cut', weights: 'column' }, quietJob),
    )
    expect(failure).toMatchObject({ code: 'usage' })
    expect(failure.what).toContain('past the range of 32-bit floats')
    expect((await runAlgorithm({ ...args, algorithm: 'ld-gpu' }, quietJob)).result).toMatchObject({ weight: 1e300 })
  })

  it('are rounded where that is asked for, and these are counted', async () => {
    const text = '1 2 16777217\n2 3 16777216\n3 4 0.5\n'
    const { report, facts } = await work.imported('graph.txt', text, { roundWeights: true })
    expect(report.balance?.weights?.rounded).toBe(1)
    expect(report.warnings.join()).toContain('1 weight has more digits than 32-bit floats')
    expect(facts.checksum).not.toBe((await work.imported('graph.txt', text)).facts.checksum)
  })

  it('stand beside edges without a weight, which get 1', async () => {
    const table = { header: 'no', missingWeight: 'one' } as const
    const { arcs } = await work.imported('graph.csv', '1,2,16777217\n2,3,\n3,4,0.1\n', { table })
    expect(arcs).toEqual(['1 2 16777217', '2 1 16777217', '2 3 1', '3 2 1', '3 4 0.1', '4 3 0.1'])
  })

  it('become w + offset, or max + min - w, in all of their digits', async () => {
    const text = '1 2 0.1\n2 3 0.30000000000000004\n3 4 0.3\n'
    const inverted = await work.imported('graph.txt', text, { invertWeights: true })
    const turned = (weight: number): number => 0.1 + 0.30000000000000004 - weight
    expect(new Set(inverted.arcs)).toEqual(
      new Set(
        [
          [1, 2, turned(0.1)],
          [2, 3, turned(0.30000000000000004)],
          [3, 4, turned(0.3)],
        ].flatMap(([u, v, weight]) => [`${u} ${v} ${weight}`, `${v} ${u} ${weight}`]),
      ),
    )
    const shifted = await work.imported('graph.txt', '1 2 -0.1\n2 3 1e-17\n', { weightRule: 'shift' })
    expect(shifted.arcs).toEqual(['1 2 1', '2 1 1', `2 3 ${1e-17 + 1.1}`, `3 2 ${1e-17 + 1.1}`])
    const whole = await work.imported('graph.txt', '1 2 3\n2 3 5\n', { invertWeights: true })
    expect(whole.arcs).toEqual(['1 2 5', '2 1 5', '2 3 3', '3 2 3'])
  })

  it('are refused where there are too many for the memory, with what helps', () => {
    const codes = new WeightCodes('graph.txt', 1 << 18)
    const failure = thrown(() => {
      for (let i = 0; i < 1 << 16; i++) codes.take(i / 7)
    })
    expect(failure).toMatchObject({ code: 'usage', where: 'graph.txt' })
    expect(failure.fixes).toMatchObject([
      { action: 'raise', option: 'memoryBytes' },
      { action: 'set', option: 'roundWeights', to: true },
    ])
  })

  it('are floats where all are, and short decimals of floats where all are: hardly anything stands behind the graph', async () => {
    const draw = randomStream(3)
    const behind = async (weight: (i: number) => number): Promise<number> => {
      const lines = Array.from({ length: 2000 }, (_, i) => `${i} ${i + 1} ${weight(i)}`)
      const { facts } = await work.imported('graph.txt', lines.join('\n'))
      return facts.bytes - grLayout(facts.vertices, facts.arcs, true).fileBytes
    }
    expect(await behind((i) => Math.fround(draw() * 10 ** (i % 9)))).toBe(0)
    expect(await behind(() => (1 + Math.floor(draw() * 999_998)) / 1000)).toBe(VALUES_FOOTER_BYTES)
    expect(await behind((i) => shortDecimal(Math.fround(draw() * 10 ** (i % 9))))).toBe(VALUES_FOOTER_BYTES)
    // A float of more digits than its decimal among decimals: two weights of one float could not be told.
    expect(await behind((i) => (i === 7 ? 1073741952 : 0.1))).toBeGreaterThan(VALUES_FOOTER_BYTES)
  })
})

describe('whole weights past 2^53', () => {
  it.each([
    ['in memory', {}, 0],
    ['through the disk', { merge: 'first' }, Infinity],
    ['as a matrix', { format: 'matrix-market' }, 0],
  ] as const)('%s: those that are rounded to 64 bits are told', async (_, options, fromBytes) => {
    const rows = [
      '1 2 9007199254740993',
      '2 3 9007199254740992',
      '3 4 18014398509481984',
      '4 5 2',
      '5 6 90071992547409930',
    ]
    const banner = '%%MatrixMarket matrix coordinate integer symmetric\n6 6 5\n'
    const flipped = rows.map((row) => row.replace(/^(\d) (\d)/, '$2 $1'))
    const text = 'format' in options ? `${banner}${flipped.join('\n')}\n` : `${rows.join('\n')}\n`
    const { facts } = await work.imported('past.txt', text, options, { lines: { fromBytes } })
    expect(facts.report.warnings.filter((line) => line.includes('2^53'))).toEqual([
      expect.stringMatching(/^2 weights are whole numbers past 2\^53/),
    ])
  })
})
