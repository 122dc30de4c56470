import type { Dataset } from '../../../electron/contract/dataset.ts'
import { column, type Column } from '../base/column.ts'
import { exactly, mebibytesOrLess, moment } from '../quantity.ts'
import { library, words } from '../words/words.ts'
import { computed, ref } from 'vue'
import { holdsWords } from '../base/names.ts'

export const datasetColumns: readonly Column<Dataset>[] = [
  column('name', library.name, 188, ({ name }) => name, { grow: true, always: true }),
  column('vertices', library.vertices, 108, ({ vertices }) => vertices, { figure: exactly }),
  column('edges', library.edges, 116, ({ arcs }) => arcs / 2, { figure: exactly }),
  column('mean-degree', words.dataset.meanDegree, 108, ({ meanDegree }) => meanDegree, {
    figure: (mean) => mean.toFixed(2),
    exact: ({ meanDegree }) => exactly(meanDegree),
    optional: true,
  }),
  column('max-degree', library.maxDegree, 108, ({ maxDegree }) => maxDegree, { figure: exactly }),
  column('size', library.size, 104, ({ diskBytes }) => diskBytes, {
    figure: mebibytesOrLess,
    exact: ({ diskBytes }) => words.base.bytesExactly(exactly(diskBytes)),
  }),
  column('created', library.created, 146, ({ createdAt }) => createdAt, {
    text: ({ createdAt }) => moment(createdAt),
    exact: ({ createdAt }) => createdAt,
  }),
  column('tags', library.tags, 120, ({ tags }) => tags.join(', ') || null),
  column('last-run', library.lastRun, 176, ({ lastRun }) => lastRun?.at ?? null, {
    text: ({ lastRun }) => (lastRun === null ? '' : `${lastRun.algorithm} ${lastRun.state}`),
  }),
]

export const datasetKinds = ['all', 'weighted', 'unweighted', 'imported', 'made'] as const

function isOfKind({ weighted, report }: Dataset, kind: (typeof datasetKinds)[number]): boolean {
  const made = ['generated', 'sample', 'complement'].includes(report.format)
  return { all: true, weighted, unweighted: !weighted, imported: !made, made }[kind]
}

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
