import { sentenceOf } from './bridge.ts'
import type { FailureValue } from './connection.ts'
import { formats } from './library/import-request.ts'
import type { AlgorithmEntry } from './stores/algorithms.ts'
import { byteSize, exactly } from './quantity.ts'
import { words } from './words/words.ts'

/** What stands in the window for an option of the command line. */
interface Field {
  readonly label: string
  /** Labels of its choices, where it has choices. */
  readonly choices: Readonly<Record<string, string>>
}

const { importing, newRun, frame, library, run } = words
const field = (label: string, choices: Field['choices'] = {}): Field => ({ label, choices })

/** Fields that no algorithm has. Two programs may share a flag ("--memory"); the algorithm's label is taken then. */
const otherFields: Readonly<Record<string, Field>> = {
  '--algorithm': field(newRun.algorithm),
  '--devices': field(frame.devices),
  '--name': field(importing.name),
  '--format': field(importing.format, Object.fromEntries(formats.map((format) => [format, format]))),
  '--weight-rule': field(importing.weightRule, importing.weightRules),
  '--ignore-weights': field(importing.ignoreWeights),
  '--merge': field(importing.merge, importing.merges),
  '--invert': field(importing.invert),
  '--header': field(importing.header, importing.headers),
  '--delimiter': field(importing.delimiter, importing.delimiters),
  '--source-column': field(importing.sourceColumn),
  '--target-column': field(importing.targetColumn),
  '--weight-column': field(importing.weightColumn),
  '--where': field(importing.where),
  '--threads': field(importing.threads),
  '--radius-km': field(importing.radius),
}

/** Whole commands, and flags that have no field: what the window has in their place. Earlier ones first. */
const commands: readonly (readonly [RegExp, string])[] = [
  [/\b(?:go on|run it again) with "anticlique run --resume [^"]+"/g, `choose “${run.resume}”`],
  [/\b(?:Go on|Run it again) with "anticlique run --resume [^"]+"/g, `Choose “${run.resume}”`],
  [/\bGo on with "anticlique import --resume"/g, `Choose “${run.resume}”`],
  // Records of earlier versions.
  [/\bgo on with "anticlique run --resume" and (?:its id|the id of the run)/g, `choose “${run.resume}”`],
  [/\bGo on with "anticlique run --resume" and (?:its id|the id of the run)/g, `Choose “${run.resume}”`],
  [/ with "anticlique datasets remove"/g, ' in the library'],
  [/"?anticlique datasets clean"?/g, `“${library.discard}” in the library`],
  [/See "anticlique plan FILE"\. /g, ''],
  [/ \((?:for an import: |anticlique import FILE )--name NAME\)/g, ''],
  [/"anticlique devices"/g, `“${frame.devices}”`],
  [/"anticlique runs"/g, `“${frame.runs}”`],
  [/"anticlique datasets"/g, `“${frame.library}”`],
  [
    /start "anticlique serve" with --library on another disk/g,
    `choose a library on another disk (see “${frame.settings}”)`,
  ],
  [/ with --library\b/g, ` (see “${frame.settings}”)`],
  [/ on the way: \w+ -dc FILE \| anticlique import - --name NAME/g, ' first'],
  [/; a graph can be piped in: anticlique import - --name NAME/g, ''],
  [/; see generate --help/g, ''],
  [/, with the output of --debug/g, ''],
  [/, without --resume/g, ''],
]

const units: Readonly<Record<string, number>> = { bytes: 1, KiB: 2 ** 10, MiB: 2 ** 20, GiB: 2 ** 30 }
const sizeSaid = /(?<![\w.-])(\d+(?:\.\d+)?) (bytes|KiB|MiB|GiB)\b/g
const countSaid = /(?<![\w.-])(\d{4,}) (?=(?:vertices|edges|arcs|entries|rows|lines|words)\b)/g

/** Figures as the pages show them: sizes in SI units, counts grouped. */
function inFigures(text: string): string {
  return text
    .replaceAll(sizeSaid, (_, size: string, unit: string) => byteSize(Number(size) * units[unit]!))
    .replaceAll(countSaid, (_, count: string) => `${exactly(Number(count))} `)
}

const flag = /(?<![\w-])--[a-z][a-z0-9-]*/g
/** What may follow a flag and is not a word of the sentence: a quoted text, a number or size, "cpu:0,cpu:1", "swap:3". */
const plainValue = /^ (?:'[^']*'|\d(?:[\w.]*\w)?|[a-z]+:\w+(?:[,:]\w+)*)/

function fieldsOf(entries: readonly AlgorithmEntry[]): ReadonlyMap<string, Field> {
  const fields = new Map(Object.entries(otherFields))
  const own = new Map<string, Field>()
  for (const { options } of entries)
    for (const { flag: name, label, choices = [] } of options) {
      const known = own.get(name)
      const labels = Object.fromEntries(choices.map((choice) => [choice.value, choice.label]))
      own.set(name, field(known?.label ?? label, { ...labels, ...known?.choices }))
    }
  for (const [name, one] of own) fields.set(name, one)
  return fields
}

/** The flags for which the window has a field. */
export const knownFlags = (entries: readonly AlgorithmEntry[]): ReadonlySet<string> => new Set(fieldsOf(entries).keys())

/** The choices at the beginning of a text: "unit", or "absolute, drop or shift"; and how many letters they take. */
function leadingChoices(text: string, choices: Field['choices']): { said: string; length: number } {
  const names = Object.keys(choices).toSorted((a, b) => b.length - a.length)
  let said = ''
  let at = 0
  for (;;) {
    const joint = at === 0 ? /^ / : /^(?:, or |, | or )/
    const [between] = joint.exec(text.slice(at)) ?? []
    const rest = text.slice(at + (between?.length ?? 0))
    const name = between === undefined ? undefined : names.find((one) => rest.startsWith(one))
    if (name === undefined || /^[\w-]/.test(rest.slice(name.length))) return { said, length: at }
    said += `${at === 0 ? '' : between}${choices[name]}`
    at += between!.length + name.length
  }
}

/** A flag that nobody knows is at least no flag: "--buffer-words" is "Buffer words". */
const unhyphened = (name: string): Field => field(name.slice(2, 3).toUpperCase() + name.slice(3).replaceAll('-', ' '))

/** @param strangers whether flags without a field are told too; what failed may quote anything that a person wrote */
function sentence(text: string, fields: ReadonlyMap<string, Field>, strangers: boolean): string {
  const plain = commands.reduce((said, [command, here]) => said.replaceAll(command, here), text)
  let told = ''
  let at = 0
  for (const { 0: name, index } of plain.matchAll(flag)) {
    const known = fields.get(name) ?? (strangers ? unhyphened(name) : undefined)
    if (known === undefined) continue
    const { label, choices } = known
    const rest = plain.slice(index + name.length)
    const { said, length } = leadingChoices(rest, choices)
    const [value = ''] = length > 0 ? [] : (plainValue.exec(rest) ?? [])
    const chosen = said || value.slice(1).replaceAll("'", '')
    told += `${plain.slice(at, index)}“${label}${chosen === '' ? '' : `: ${chosen}`}”`
    at = index + name.length + length + value.length
  }
  return inFigures(told + plain.slice(at))
}

/** A place is an option as a whole ("--quality best" is "Quality: best"), or a path, which may hold anything. */
function place(text: string, fields: ReadonlyMap<string, Field>): string {
  const [, name, value] = /^(--[a-z][a-z0-9-]*)(?: (.*))?$/s.exec(text) ?? []
  if (name === undefined) return text
  const { label, choices } = fields.get(name) ?? unhyphened(name)
  return value === undefined ? label : `${label}: ${choices[value] ?? value}`
}

/**
 * A failure in the words of the window. The engine speaks of flags and commands, which every program of it has; here they are
 * named as the forms show them: `--weights unit` is “Weights: All alike”.
 */
export function inTheWindow(failure: FailureValue, entries: readonly AlgorithmEntry[]): FailureValue {
  const fields = fieldsOf(entries)
  return {
    ...failure,
    what: sentence(failure.what, fields, false),
    where: failure.where === undefined ? undefined : place(failure.where, fields),
    remedy: sentence(failure.remedy, fields, true),
  }
}

/** A line that the engine wrote about a file, which may end with a remedy. */
export const lineInTheWindow = (line: string, entries: readonly AlgorithmEntry[]): string =>
  sentence(line, fieldsOf(entries), false)

/** "where: what. remedy", in the words of the window. */
export function sentenceInTheWindow(failure: FailureValue, entries: readonly AlgorithmEntry[]): string {
  return sentenceOf(inTheWindow(failure, entries))
}
