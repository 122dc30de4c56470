import type { AlgorithmEntry } from '../stores/algorithms.ts'
import { deviceList, shownOptions } from './run-form.ts'
import type { OptionEntry, OptionValue, OptionValues, RunForm } from './run-form.ts'

/** The same run for a terminal; options that are as they would be anyway are left out. */
export function commandLine(form: RunForm, entry: AlgorithmEntry, dataset: string, values: OptionValues): string {
  const devices = deviceList(form)
  const words = [
    ...['npx', 'anticlique', 'run', quoted(dataset), '--algorithm', entry.name],
    ...(devices === 'auto' ? [] : ['--devices', devices]),
    ...shownOptions(entry, values).flatMap((option) => flagOf(option, values[option.name] ?? null)),
    ...(form.name === '' ? [] : ['--name', quoted(form.name)]),
  ]
  return words.join(' ')
}

function flagOf({ flag, kind, default: standard }: OptionEntry, value: OptionValue): readonly string[] {
  if (kind === 'switch') return value === true ? [flag] : []
  if (value === null || value === '' || value === standard) return []
  return [flag, quoted(String(value))]
}

/** As a POSIX shell wants it. */
function quoted(text: string): string {
  return /^[\w./:,@%+=-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}
