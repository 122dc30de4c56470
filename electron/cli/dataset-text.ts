import type { Dataset, Remainder } from '../contract/dataset.ts'
import { float32, type ImportReport } from '../../workers/contract/jobs.ts'
import { balanceRows } from './balance-text.ts'
import { bytes, count, duration, facts, table } from './text.ts'

export function datasetText(dataset: Dataset): string {
  const { report } = dataset
  const head = facts([
    ['vertices', count(dataset.vertices)],
    ['edges', count(dataset.arcs / 2)],
    ['largest degree', count(dataset.maxDegree)],
    ['mean degree', String(Number(dataset.meanDegree.toPrecision(3)))],
    ['weights', weightText(report)],
    ['ids', labelText(report)],
    ['attributes', attributesText(report, 'vertices')],
    ['of edges', attributesText(report, 'edges')],
    ['size', bytes(dataset.bytes)],
    ['on disk', bytes(dataset.diskBytes)],
    ['packed', dataset.packedBytes === null ? null : bytes(dataset.packedBytes)],
    ['source', dataset.source],
    ['linked', dataset.linked === null ? null : 'the graph stays in that file; datasets store makes a copy of it'],
    ['checksum', dataset.checksum],
  ])
  return `${dataset.name}\n${head}\n\n${reportText(report)}`
}

function reportText(report: ImportReport): string {
  const { balance } = report
  const counted = facts([
    ['format', report.compression === 'none' ? report.format : `${report.format}, ${report.compression}`],
    ...(balance === undefined ? countRows(report) : balanceRows(balance)),
    ['reverse arcs added', count(report.reverseArcsAdded)],
    ['arcs stored', count(report.arcs)],
    ['isolated vertices', count(report.isolatedVertices)],
    ['sides', report.sides === undefined ? null : `${count(report.sides.left)} and ${count(report.sides.right)}`],
    ['time', duration(report.elapsedMs)],
  ])
  return ['Import report', counted, ...report.warnings.map((warning) => `  note: ${warning}`)].join('\n')
}

/** The counts of a report of an earlier version. */
const countRows = (report: ImportReport): [string, string | null][] => [
  ['lines', report.lines === 0 ? null : count(report.lines)],
  ['rows left out', report.filtered === undefined ? null : count(report.filtered)],
  ['rows skipped', report.skipped === undefined ? null : count(report.skipped)],
  ['entries read', count(report.entries)],
  ['loops removed', count(report.loopsRemoved)],
  ['duplicates merged', count(report.duplicatesMerged)],
]

function attributesText({ attributes }: ImportReport, of: 'vertices' | 'edges'): string | null {
  const columns = attributes?.[of] ?? []
  return columns.length === 0 ? null : columns.map(({ name, kind }) => `${name} (${kind})`).join(', ')
}

function weightText({ weights }: ImportReport): string {
  if (weights === null) return 'none'
  const { absolute, dropped } = weights.made
  const changes = [
    ...(absolute > 0 ? [`${count(absolute)} made absolute`] : []),
    ...(dropped > 0 ? [`${count(dropped)} dropped`] : []),
    ...(weights.map === undefined ? [] : [`stored as ${weights.map.scale === 1 ? 'w' : '-w'} + ${weights.map.offset}`]),
  ]
  return [`from ${float32(weights.smallest)} to ${float32(weights.largest)}`, ...changes].join(', ')
}

function labelText({ labels: { kind, smallest, largest } }: ImportReport): string {
  const kinds = { dense: 'consecutive numbers', integer: 'numbers', text: 'text' } as const
  if (smallest === null || largest === null) return kinds[kind]
  return `${kinds[kind]}, ${kind === 'text' ? 'in the order of their letters ' : ''}from ${smallest} to ${largest}`
}

export function remaindersText(remainders: readonly Remainder[]): string[] {
  return remainders.map(({ name, source, bytes: size }) =>
    source === null
      ? `Remains: ${name}, ${bytes(size)}. Remove it: anticlique datasets clean`
      : `Interrupted: the import of ${name}, ${bytes(size)}. Continue: anticlique import --resume ${name}; remove: anticlique datasets clean`,
  )
}

function sizeOf({ bytes: raw, packedBytes, linked }: Dataset): string {
  if (packedBytes !== null) return `${bytes(packedBytes)}, packed`
  return linked === null ? bytes(raw) : `${bytes(raw)}, linked`
}

export function datasetTable(datasets: readonly Dataset[]): string {
  if (datasets.length === 0)
    return [
      'The library has no datasets yet. Two ways to begin:',
      '  anticlique import my-graph.mtx.gz          a file of your own',
      '  anticlique sample cities --radius-km 10    135,233 real places',
    ].join('\n')
  return table(
    'name | vertices> | edges> | max degree> | size> | weights | imported',
    datasets.map((dataset) => [
      dataset.name,
      count(dataset.vertices),
      count(dataset.arcs / 2),
      count(dataset.maxDegree),
      sizeOf(dataset),
      dataset.weighted ? 'yes' : 'no',
      dataset.createdAt.slice(0, 16).replace('T', ' '),
    ]),
  )
}
