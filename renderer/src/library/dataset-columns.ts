import type { Dataset } from '../../../electron/contract/dataset.ts'
import { figureColumn, textColumn, type Column } from '../base/column.ts'
import { exactly, megabytes, moment } from '../quantity.ts'
import { library, words } from '../words/words.ts'
import { computed, ref } from 'vue'
import { holdsWords } from '../base/names.ts'

export const datasetColumns: readonly Column<Dataset>[] = [
  textColumn('name', library.name, 188, ({ name }) => name, { grow: true, always: true }),
  figureColumn('vertices', library.vertices, 108, ({ vertices }) => vertices, exactly),
  figureColumn('edges', library.edges, 116, ({ arcs }) => arcs / 2, exactly),
  figureColumn(
    'mean-degree',
    words.dataset.meanDegree,
    108,
    ({ meanDegree }) => meanDegree,
    (mean) => mean.toFixed(2),
    {
      exact: ({ meanDegree }) => exactly(meanDegree),
      optional: true,
    },
  ),
  figureColumn('max-degree', library.maxDegree, 108, ({ maxDegree }) => maxDegree, exactly),
  figureColumn('size', library.size, 104, ({ diskBytes }) => diskBytes, megabytes, {
    exact: ({ diskBytes }) => words.base.bytesExactly(exactly(diskBytes)),
  }),
  textColumn('created', library.created, 146, ({ createdAt }) => moment(createdAt), {
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
