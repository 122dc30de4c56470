import { byName } from '../base/names.ts'
import { useStored } from '../base/stored.ts'
import type { OptionValues } from './run-form.ts'

export interface Template {
  readonly name: string
  readonly algorithm: string
  readonly devices: readonly string[]
  readonly options: OptionValues
}

/** Kept in the page, not in the library: they are a person's habits. */
export function useTemplates() {
  const { value: list, put } = useStored<readonly Template[]>('run-templates', [])
  const remove = (name: string): void => put(list.value.filter((template) => template.name !== name))

  function save(name: string, { algorithm, devices, options }: Omit<Template, 'name'>): void {
    remove(name)
    put([...list.value, { name, algorithm, devices, options }].toSorted((a, b) => byName(a.name, b.name)))
  }

  return { list, save, remove }
}
