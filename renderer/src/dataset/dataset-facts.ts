import type { Dataset } from '../../../electron/contract/dataset.ts'
import type { Fact } from '../base/FactList.vue'
import { countFact, sizeFact } from '../facts.ts'
import { byteSize, duration, exactly, moment } from '../quantity.ts'
import { dataset as ofDataset, words } from '../words/words.ts'

const text = words.importing.report

function idWords({ kind, smallest, largest }: Dataset['report']['labels']): string {
  const words = text.idKinds[kind]
  return smallest === null || largest === null ? words : text.idRange(words, smallest, largest, kind === 'text')
}

export function reportFacts({ report, source, linked, packedBytes, checksum, createdAt }: Dataset): readonly Fact[] {
  const count = (name: string, value: number): Fact => ({ name, text: exactly(value) })
  const { labels, sides, weights, filtered } = report
  // The balance says the same, and more.
  const counts = [
    ...(report.lines === 0 ? [] : [count(text.lines, report.lines)]),
    count(text.entries, report.entries),
    ...(filtered === undefined ? [] : [count(text.filtered, filtered)]),
    count(text.loopsRemoved, report.loopsRemoved),
    count(text.duplicatesMerged, report.duplicatesMerged),
    count(text.reverseArcsAdded, report.reverseArcsAdded),
  ]
  return [
    { name: text.source, text: source },
    ...(linked === null ? [] : [{ name: text.linked, text: linked }]),
    ...(packedBytes === null ? [] : [sizeFact(text.packed, packedBytes)]),
    { name: words.library.created, text: moment(createdAt), exact: createdAt },
    { name: text.format, text: report.format },
    ...(report.compression === 'none' ? [] : [{ name: text.compression, text: report.compression }]),
    ...(report.sourceBytes === 0 ? [] : [{ name: text.sourceBytes, text: byteSize(report.sourceBytes) }]),
    ...(report.sourceSha256 === null ? [] : [{ name: text.checksum, text: report.sourceSha256 }]),
    ...(report.balance === undefined ? counts : []),
    count(text.arcs, report.arcs),
    { name: text.labels, text: idWords(labels) },
    ...(sides === undefined ? [] : [{ name: text.sides, text: `${exactly(sides.left)}, ${exactly(sides.right)}` }]),
    ...(weights === null ? [] : [{ name: text.weightRule, text: words.importing.weightRules[weights.rule] }]),
    ...(weights?.merge === undefined ? [] : [{ name: text.merge, text: words.importing.merges[weights.merge] }]),
    ...report.warnings.map((warning) => ({ name: text.warnings, text: warning })),
    { name: words.runs.time, text: duration(report.elapsedMs) },
    { name: text.graph, text: checksum },
  ]
}

const short = (weight: number): string => String(Number(weight.toPrecision(4)))

function weightWords({ report: { weights }, weighted }: Dataset): string {
  if (!weighted || weights === null) return ofDataset.noWeights
  return ofDataset.weightRange(short(weights.smallest), short(weights.largest))
}

const attributeFacts = ({ attributes }: Dataset['report']): readonly Fact[] =>
  (['vertices', 'edges'] as const).flatMap((of) => {
    const columns = attributes?.[of] ?? []
    const list = columns.map(({ name, kind, filled }) =>
      ofDataset.attribute(name, ofDataset.attributeKinds[kind], exactly(filled)),
    )
    return columns.length === 0 ? [] : [{ name: ofDataset.attributesOf[of], text: list.join('; ') }]
  })

export function datasetFacts(dataset: Dataset): readonly Fact[] {
  const { vertices, arcs, maxDegree, meanDegree, report, diskBytes, coordinates } = dataset
  return [
    countFact(words.library.vertices, vertices),
    countFact(words.library.edges, arcs / 2),
    countFact(words.library.maxDegree, maxDegree),
    { name: ofDataset.meanDegree, text: meanDegree.toFixed(2), exact: String(meanDegree) },
    countFact(ofDataset.isolated, report.isolatedVertices),
    { name: ofDataset.weights, text: weightWords(dataset) },
    ...attributeFacts(report),
    ...(coordinates ? [{ name: ofDataset.places, text: ofDataset.hasPlaces }] : []),
    sizeFact(words.library.disk, diskBytes),
  ]
}
