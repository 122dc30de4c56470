import { byName } from '../base/names.ts'
import { readonly, ref, type DeepReadonly, type Ref } from 'vue'
import type { OptionValues, RunForm } from './run-form.ts'

export interface Template {
  readonly name: string
  readonly algorithm: string
  readonly devices: readonly string[]
  readonly options: OptionValues
}

const PLACE = 'run-templates'

function stored(): readonly Template[] {
  try {
    const read: unknown = JSON.parse(localStorage.getItem(PLACE) ?? '[]')
    return Array.isArray(read) ? (read as readonly Template[]).filter(({ name }) => typeof name === 'string') : []
  } catch {
    return []
  }
}

interface Templates {
  readonly list: DeepReadonly<Ref<readonly Template[]>>
  save(name: string, form: RunForm): void
  remove(name: string): void
}

/** Kept in the page, not in the library: they are a person's habits. */
export function useTemplates(): Templates {
  const list = ref<readonly Template[]>(stored())

  function put(next: readonly Template[]): void {
    list.value = next
    localStorage.setItem(PLACE, JSON.stringify(next))
  }

  function save(name: string, { algorithm, devices, options }: RunForm): void {
    const others = list.value.filter((template) => template.name !== name)
    put([...others, { name, algorithm, devices, options }].toSorted((a, b) => byName(a.name, b.name)))
  }

  return {
    list: readonly(list),
    save,
    remove: (name) => put(list.value.filter((template) => template.name !== name)),
  }
}
