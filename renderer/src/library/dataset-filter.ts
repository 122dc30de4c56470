import { computed, ref } from 'vue'
import { holdsWords } from '../base/names.ts'
import type { Dataset } from '../../../electron/contract/dataset.ts'

export const datasetKinds = ['all', 'weighted', 'unweighted', 'imported', 'made'] as const

function isOfKind({ weighted, report }: Dataset, kind: (typeof datasetKinds)[number]): boolean {
  const made = report.format === 'generated' || report.format === 'sample'
  return { all: true, weighted, unweighted: !weighted, imported: !made, made }[kind]
}

/** Datasets whose name, source or tags hold every word that was typed, of the chosen kind and tag; an empty tag is any. */
export function useDatasetFilter(datasets: () => readonly Dataset[]) {
  const text = ref('')
  const kind = ref<(typeof datasetKinds)[number]>('all')
  const tag = ref('')
  const found = computed(() =>
    datasets().filter(
      (dataset) =>
        isOfKind(dataset, kind.value) &&
        (tag.value === '' || dataset.tags.includes(tag.value)) &&
        holdsWords(`${dataset.name} ${dataset.source} ${dataset.tags.join(' ')}`, text.value),
    ),
  )
  return { text, kind, tag, found }
}
