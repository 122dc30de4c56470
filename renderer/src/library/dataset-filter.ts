import { computed, ref } from 'vue'
import type { ComputedRef, Ref } from 'vue'
import type { Dataset } from '../../../electron/contract/dataset.ts'

export const datasetKinds = ['all', 'weighted', 'unweighted', 'imported', 'made'] as const
export type DatasetKind = (typeof datasetKinds)[number]

function isOfKind({ weighted, report }: Dataset, kind: DatasetKind): boolean {
  const made = report.format === 'generated' || report.format === 'sample'
  switch (kind) {
    case 'all':
      return true
    case 'weighted':
      return weighted
    case 'unweighted':
      return !weighted
    case 'imported':
      return !made
    case 'made':
      return made
  }
}

export interface DatasetFilter {
  readonly text: Ref<string>
  readonly kind: Ref<DatasetKind>
  /** Empty: any. */
  readonly tag: Ref<string>
  readonly found: ComputedRef<readonly Dataset[]>
  clear(): void
}

/** Datasets whose name, source or tags hold every word that was typed, of the chosen kind and tag. */
export function useDatasetFilter(datasets: () => readonly Dataset[]): DatasetFilter {
  const text = ref('')
  const kind = ref<DatasetKind>('all')
  const tag = ref('')

  const found = computed(() => {
    const parts = text.value.toLocaleLowerCase().split(/\s+/).filter(Boolean)
    return datasets().filter((dataset) => {
      if (!isOfKind(dataset, kind.value)) return false
      if (tag.value !== '' && !dataset.tags.includes(tag.value)) return false
      const words = `${dataset.name} ${dataset.source} ${dataset.tags.join(' ')}`.toLocaleLowerCase()
      return parts.every((part) => words.includes(part))
    })
  })

  function clear(): void {
    text.value = ''
    kind.value = 'all'
    tag.value = ''
  }

  return { text, kind, tag, found, clear }
}
