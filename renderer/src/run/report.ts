import type { Dataset } from '../../../electron/contract/dataset.ts'
import {
  complementedBy,
  isOfPairs,
  shareOfBound,
  withoutFolders,
  type Run,
  type RunRecord,
} from '../../../electron/contract/run.ts'
import { areOrdered } from '../explore/paint.ts'
import { pictureAsSvg } from '../explore/picture.ts'
import type { ResultKind, SceneColours } from '../explore/shown.ts'
import { commandLine, formOfRun, shownOptions } from '../new-run/run-form.ts'
import { atLeastPercent, duration, exactly, moment, percent, quantity } from '../quantity.ts'
import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { useSettings } from '../stores/settings.ts'
import { words } from '../words/words.ts'
import { around, pictureOf } from './drawing-picture.ts'
import { coverOf, valueVerdicts } from './proofs.ts'
import { optionWords, runTitle } from './run-title.ts'
import { waitedMs } from './run-times.ts'

/** On white paper, whatever the theme. */
const paper: SceneColours = {
  ...{ text: '#1a1a1a', ground: '#ffffff', edge: 'rgb(140, 146, 152)', member: 'rgb(0, 114, 178)' },
  ...{ out: 'rgb(160, 160, 160)', plain: 'rgb(0, 114, 178)', matched: 'rgb(0, 158, 115)' },
  ...{ first: 'rgb(230, 159, 0)', second: 'rgb(213, 94, 0)', focus: 'rgb(0, 114, 178)', land: '#eaedf0' },
}
const PICTURE = { width: 640, height: 380 } as const
const text = words.run.report

const escaped = (raw: string): string =>
  raw.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;')

type Fact = readonly [name: string, value: string]

/** A finished run, with what its graph and its algorithm are. */
interface Reported {
  readonly run: Run & { readonly record: RunRecord }
  readonly entry: AlgorithmEntry | undefined
  readonly dataset: Dataset | undefined
  /** SVG; null where the graph is gone. */
  readonly picture: string | null
}

function answerOf({ run: { record }, entry }: Reported): readonly string[] {
  const { result } = record.outcome
  const graph = complementedBy(record)?.name
  const { members, cliqueMembers, cliqueText, ofVertices } = words.run
  if (result.kind === 'independent-set')
    return [
      `${exactly(result.size)} ${(graph === undefined ? members : cliqueMembers)(result.size)}`,
      ofVertices(percent(result.fraction)),
      ...(graph === undefined ? [] : [cliqueText(graph)]),
    ]
  if (isOfPairs(result))
    return [`${exactly(result.pairs)} ${words.run.pairs(result.pairs)}`, words.run.weight(quantity(result.weight))]
  return (entry?.values?.figures ?? []).flatMap(({ name, label }) => {
    const value = result.figures[name]
    return value === undefined ? [] : [`${label}: ${exactly(value)}`]
  })
}

/** What is proven of the answer, in sentences. */
function proofOf({ run: { record } }: Reported): readonly string[] {
  const { verification } = record.outcome
  if (verification === null) return [words.run.unverified]
  if (!verification.verified) return [verification.sentence]
  const share = shareOfBound(verification)
  const bound = share === null ? [] : [share >= 1 ? words.run.best : words.run.bound(atLeastPercent(share))]
  const cover = coverOf(record, verification.weight === undefined ? verification.upperBound : null)
  return [
    ...bound,
    ...valueVerdicts(record, verification.figures),
    ...(cover === null || complementedBy(record) !== null ? [] : [words.run.cover(exactly(cover.size))]),
    words.run.verifiedIn(duration(verification.elapsedMs)),
  ]
}

function graphOf({ run: { record }, dataset }: Reported): readonly Fact[] {
  const { name, vertices, arcs, maxDegree, source, sourceSha256, checksum } = record.dataset
  return [
    [words.runs.dataset, name],
    [words.library.vertices, exactly(vertices)],
    [words.library.edges, exactly(arcs / 2)],
    [text.largestDegree, exactly(maxDegree)],
    [text.source, source],
    ...(sourceSha256 === null ? [] : ([['SHA-256', sourceSha256]] as const)),
    [text.checksum, checksum],
    ...(dataset === undefined ? [] : ([[text.imported, moment(dataset.createdAt)]] as const)),
  ]
}

function questionOf({ run, entry }: Reported): readonly Fact[] {
  const { record } = run
  const given = withoutFolders(formOfRun(run, entry, useSettings().settings).options)
  const values = { ...given, ...record.outcome.options }
  const options = entry === undefined ? [] : shownOptions(entry, values)
  return [
    [words.runs.algorithm, entry?.title ?? run.algorithm],
    ...options.flatMap((option): readonly Fact[] => {
      const value = values[option.name] ?? null
      return value === null || value === '' || value === false ? [] : [[option.label, optionWords(option, value)]]
    }),
    [words.runs.device, record.outcome.devices.map(({ id, name }) => `${id} ${name}`).join(', ')],
  ]
}

function timesOf({ run }: Reported): readonly Fact[] {
  const { record } = run
  const ms = waitedMs(run)
  const { anticlique, node, webgpu } = record.versions
  return [
    [words.run.started, moment(record.startedAt)],
    ...(ms === null ? [] : ([[words.run.took, duration(ms)]] as const)),
    [words.run.hash, record.hash],
    [text.versions, `Anticlique ${anticlique}, Node ${node}, webgpu ${webgpu}`],
    [text.run, record.run],
  ]
}

const table = (facts: readonly Fact[]): string =>
  `<table>${facts.map(([name, value]) => `<tr><th>${escaped(name)}</th><td>${escaped(value)}</td></tr>`).join('')}</table>`

const style = `
body { font: 11pt/1.45 system-ui, sans-serif; color: #1a1a1a; max-width: 46rem; margin: 2rem auto; padding: 0 1rem }
h1 { font-size: 1.5rem; margin: 0 } h2 { font-size: 1.05rem; margin: 1.4rem 0 .3rem; border-bottom: 1px solid #ccc }
.size { font-size: 2.2rem; font-weight: 600; margin: .6rem 0 0 } p { margin: .2rem 0 } table { border-collapse: collapse }
th { text-align: left; font-weight: 400; color: #555; padding: .1rem 1.2rem .1rem 0; vertical-align: top; white-space: nowrap }
td, code { overflow-wrap: anywhere } pre { background: #f4f4f4; padding: .5rem .8rem; white-space: pre-wrap } svg { max-width: 100%; height: auto }
@page { margin: 15mm } @media print { body { margin: 0 auto } h2 { break-after: avoid } }`

/** One page of a run, to print or to keep: the graph, the question, the answer, its proof, a picture and the command that repeats it. */
export function reportHtml(reported: Reported): string {
  const { run, entry, picture } = reported
  const [first = '', ...more] = answerOf(reported)
  const form = formOfRun(run, entry, useSettings().settings)
  const command = entry === undefined ? '' : commandLine(form, entry, run.dataset, withoutFolders(form.options))
  const section = (heading: string, body: string): string =>
    body === '' ? '' : `<section><h2>${escaped(heading)}</h2>${body}</section>`
  const lines = (sentences: readonly string[]): string => sentences.map((one) => `<p>${escaped(one)}</p>`).join('')
  return [
    '<!doctype html>',
    `<html lang="en"><head><meta charset="utf-8"><title>${escaped(`${run.dataset}: ${runTitle(run)}`)}</title><style>${style}</style></head><body>`,
    `<h1>${escaped(`${run.dataset}: ${runTitle(run)}`)}</h1>`,
    `<p class="size">${escaped(first)}</p>${lines(more)}`,
    section(text.proof, lines(proofOf(reported))),
    section(text.picture, picture ?? ''),
    section(text.graph, table(graphOf(reported))),
    section(text.question, table(questionOf(reported))),
    section(text.command, command === '' ? '' : `<pre><code>${escaped(command)}</code></pre>`),
    section(text.about, table(timesOf(reported))),
    run.note === '' ? '' : section(words.run.note, lines(run.note.split('\n'))),
    '</body></html>\n',
  ].join('\n')
}

/** The report of a run, with its drawing where the graph is still there. */
export async function reportOf(
  run: Run & { readonly record: RunRecord },
  entry: AlgorithmEntry | undefined,
  dataset: Dataset | undefined,
): Promise<string> {
  const kind: ResultKind = run.record.outcome.result.kind
  const drawn = dataset === undefined ? null : await around(run.dataset, run.id, kind).catch(() => null)
  const picture =
    drawn === null ? null : pictureAsSvg(pictureOf(drawn.shown, paper, PICTURE, areOrdered(entry?.values)))
  return reportHtml({ run, entry, dataset, picture })
}
