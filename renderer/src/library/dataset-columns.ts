import type { Dataset } from '../../../electron/contract/dataset.ts'
import { textColumn, type Column } from '../base/column.ts'
import { exactly, megabytes, moment } from '../quantity.ts'
import { library, words } from '../words/words.ts'
import { computed, ref } from 'vue'
import { holdsWords } from '../base/names.ts'

const count = (key: string, title: string, width: number, of: (dataset: Dataset) => number): Column<Dataset> =>
  textColumn(key, title, width, (dataset) => exactly(of(dataset)), {
    align: 'end',
    exact: (dataset) => exactly(of(dataset)),
    order: of,
  })

export const datasetColumns: readonly Column<Dataset>[] = [
  textColumn('name', library.name, 188, ({ name }) => name, { grow: true, always: true }),
  count('vertices', library.vertices, 100, ({ vertices }) => vertices),
  count('edges', library.edges, 100, ({ arcs }) => arcs / 2),
  {
    ...count('mean-degree', words.dataset.meanDegree, 108, ({ meanDegree }) => meanDegree),
    text: ({ meanDegree }) => meanDegree.toFixed(2),
    optional: true,
  },
  count('max-degree', library.maxDegree, 108, ({ maxDegree }) => maxDegree),
  {
    ...count('size', library.size, 104, ({ diskBytes }) => diskBytes),
    text: ({ diskBytes }) => megabytes(diskBytes),
    exact: ({ diskBytes }) => words.base.bytesExactly(exactly(diskBytes)),
  },
  textColumn('created', library.created, 150, ({ createdAt }) => moment(createdAt), {
    exact: ({ createdAt }) => createdAt,
    order: ({ createdAt }) => createdAt,
  }),
  textColumn('tags', library.tags, 120, ({ tags }) => tags.join(', '), {
    order: ({ tags }) => tags.join(', ') || null,
  }),
  textColumn(
    'last-run',
    library.lastRun,
    176,
    ({ lastRun }) => (lastRun === null ? '' : `${lastRun.algorithm} ${lastRun.state}`),
    { order: ({ lastRun }) => lastRun?.at ?? null },
  ),
]

export const datasetKinds = ['all', 'weighted', 'unweighted', 'imported', 'made'] as const

function isOfKind({ weighted, report }: Dataset, kind: (typeof datasetKinds)[number]): boolean {
  const made = report.format === 'generated' || report.format === 'sample'
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
