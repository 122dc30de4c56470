import type { OptionEntry, OptionValue } from '../new-run/run-form.ts'
import { byteSize, exactly } from '../quantity.ts'

/** The value of an option as a person reads it: the label of a choice, a size with its unit. */
export function optionWords(option: OptionEntry, value: OptionValue): string {
  if (typeof value === 'boolean') return value ? '✓' : '–'
  if (typeof value === 'number') return option.kind === 'bytes' ? byteSize(value) : exactly(value)
  return option.choices?.find((choice) => choice.value === value)?.label ?? value ?? ''
}
