import { capitalised, remedyText } from '../../electron/contract/words.ts'
import { sentenceOf, type FailureValue } from './bridge.ts'
import type { AlgorithmEntry } from './stores/algorithms.ts'
import { byteSize } from './quantity.ts'
import { importing, frame, words } from './words/words.ts'

export type Fix = NonNullable<FailureValue['fixes']>[number]
export type FixOption = Extract<Fix, { option: unknown }>['option']

interface Field {
  readonly label: string
  readonly choices?: Readonly<Record<string, string>> | undefined
}

/** Words for the fields of the import, as it has them. */
export const importChoices: Readonly<Partial<Record<FixOption, Readonly<Record<string, string>>>>> = {
  weightRule: importing.weightRules,
  header: importing.headers,
  delimiter: importing.delimiters,
  encoding: importing.encodings,
  decimal: importing.decimals,
  missingWeight: importing.missingWeights,
  badRows: importing.badRowRules,
}

/** Fields that no algorithm has; those of the import have the names of its words. */
function otherField(option: FixOption): Field {
  if (option === 'device') return { label: frame.devices }
  if (option === 'spreadsheetSafe') return { label: words.run.forSpreadsheets('CSV') }
  const label: unknown = option in importing ? importing[option as keyof typeof importing] : option
  return { label: typeof label === 'string' ? label : option, choices: importChoices[option] }
}

/** @param to one of its choices, where algorithms have others */
function fieldOf(option: FixOption, entries: readonly AlgorithmEntry[], to?: unknown): Field {
  const named = entries.flatMap(({ options }) => options).filter(({ name }) => name === option)
  const own = named.find(({ choices }) => choices?.some(({ value }) => value === to)) ?? named[0]
  if (own === undefined) return otherField(option)
  return {
    label: own.label,
    choices: Object.fromEntries((own.choices ?? []).map(({ value, label }) => [value, label])),
  }
}

/** A fix as a clause: “choose “Weights: All alike””. */
function fixClause(fix: Fix, entries: readonly AlgorithmEntry[]): string {
  const text = words.fixes
  switch (fix.action) {
    case 'set': {
      return text.set(fixChoice(fix, entries))
    }
    case 'raise': {
      const { label } = fieldOf(fix.option, entries)
      return fix.to === undefined ? text.raise(label) : text.raiseTo(label, byteSize(fix.to))
    }
    case 'lower':
    case 'omit':
      return text[fix.action](fieldOf(fix.option, entries).label)
    case 'choose':
      if (fix.option === 'name') return text.otherName
      return text.set(fieldOf(fix.option, entries).label)
    case 'repeat':
      return text.repeat
    case 'resume':
    case 'resume-import':
      return text.resume(words.commands.resume)
    case 'other-library':
      return text.otherLibrary(frame.settings)
    case 'launch':
      return text.launch(fix.by)
    case 'discard':
      return text.discard(words.library.discard)
    case 'show':
      return text.show(frame[fix.page])
  }
}

/** A fix that fills in a form, by the field and its choice alone. */
export function fixChoice(fix: Fix, entries: readonly AlgorithmEntry[]): string {
  if (fix.action !== 'set') return fixLabel(fix, entries)
  const { label, choices = {} } = fieldOf(fix.option, entries, fix.to)
  return fix.to === true ? label : `${label}: ${choices[String(fix.to)] ?? fix.to}`
}

export const fixLabel = (fix: Fix, entries: readonly AlgorithmEntry[]): string => capitalised(fixClause(fix, entries))

export const remedyWords = (failure: FailureValue, entries: readonly AlgorithmEntry[]): string =>
  remedyText(failure, (fix) => fixClause(fix, entries))

/** What a fix does on a page; undefined: nothing there. */
export type Act = (fix: Fix) => (() => void) | undefined

/** The buttons for what can be done on a page, and words for the rest. */
export function fixesOn(failure: FailureValue, act: Act, entries: readonly AlgorithmEntry[], label = fixLabel) {
  const { fixes = [] } = failure
  return {
    buttons: fixes.flatMap((fix) => {
      const does = act(fix)
      return does === undefined ? [] : [{ label: label(fix, entries), act: does }]
    }),
    remedy: remedyWords({ ...failure, fixes: fixes.filter((fix) => act(fix) === undefined) }, entries),
  }
}

export const failureSentence = (failure: FailureValue, entries: readonly AlgorithmEntry[]): string =>
  sentenceOf({ ...failure, remedy: remedyWords(failure, entries) })
