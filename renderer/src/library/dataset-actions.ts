import { Combine, FileInput, FolderOpen, MapPin, Pencil, Play, Sparkles, Tag, Trash2, Waypoints } from '@lucide/vue'
import { computed } from 'vue'
import { useRouter, type RouteLocationRaw } from 'vue-router'
import {
  complementArcs,
  datasetNameSchema,
  MOST_COMPLEMENT_ARCS,
  nameOfComplement,
  tagSchema,
  type Dataset,
} from '../../../electron/contract/dataset.ts'
import type { MenuItem } from '../base/BaseMenu.vue'
import { ask, startWork } from '../bridge.ts'
import { datasetPath, explorePath } from '../places.ts'
import { byteSize, dayOf, exactly } from '../quantity.ts'
import { command } from '../frame/command.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useForms } from '../stores/forms.ts'
import { useRuns } from '../stores/runs.ts'
import { useToasts } from '../stores/toasts.ts'
import { useWork } from '../stores/work.ts'
import { words } from '../words/words.ts'

const tagsOf = (text: string): readonly string[] => {
  const tags = text.split(',').map((one) => one.trim())
  return [...new Set(tags.filter(Boolean))]
}

async function remove(names: readonly string[], after?: () => unknown): Promise<void> {
  const [datasets, toasts] = [useDatasets(), useToasts()]
  const [first = ''] = names
  const runs = useRuns().list.filter(({ dataset, datasetId }) => datasetId !== null && names.includes(dataset)).length
  const deleted = await toasts.attempt(() => datasets.remove(names))
  if (deleted === null) return
  const { ids, until } = deleted
  const { library } = words
  const what = names.length === 1 ? first : library.several(names.length)
  if (Date.parse(until) <= Date.now()) toasts.show(library.removedForGood(what))
  else toasts.undoable(library.removedUntil(what, dayOf(until), runs), () => datasets.restore(ids))
  after?.()
}

export function renameDataset({ name }: Dataset): void {
  const { renameTitle, newName, nameRule } = words.library
  useForms().ask({
    ...{ title: renameTitle(name), act: words.commands.save, texts: { name } },
    fields: [{ name: 'name', label: newName, explanation: nameRule, kind: 'text' }],
    fits: ({ name: to }) => datasetNameSchema.safeParse(to).success,
    submit: ({ name: to = name }) => (to === name ? undefined : useDatasets().rename(name, to)),
  })
}

/** Asks for a name; says first how large the complement is. */
function makeComplement({ name, vertices, arcs }: Dataset): void {
  const { complementTitle, complementText, complementSize, complementTooLarge, newName, nameRule } = words.library
  const own = complementArcs(vertices, arcs)
  const isTooLarge = own > MOST_COMPLEMENT_ARCS
  const edges = exactly(own / 2)
  const size = isTooLarge
    ? complementTooLarge(edges, exactly(MOST_COMPLEMENT_ARCS / 2))
    : complementSize(exactly(vertices), edges, byteSize(8 * vertices + 4 * own))
  useForms().ask({
    ...{ title: complementTitle(name), explanation: `${complementText(name)} ${size}`, act: words.commands.make },
    texts: { as: nameOfComplement(name) },
    fields: [{ name: 'as', label: newName, explanation: nameRule, kind: 'text' }],
    fits: ({ as }) => !isTooLarge && datasetNameSchema.safeParse(as).success,
    submit: ({ as }) => startWork(ask('datasets.complement', { name, as })),
  })
}

function otherTags(text: string): readonly (readonly [string, string])[] {
  const typed = tagsOf(text)
  const others = useDatasets().tags.filter((one) => !typed.includes(one))
  return others.map((one) => [one, [...typed, one].join(', ')])
}

/** Asks for tags: those that all have and that are no longer said are taken from them. */
function tag(chosen: readonly Dataset[]): void {
  const [first, ...others] = chosen
  const { tagsTitle, tagsText, tags: label, several } = words.library
  const common = first?.tags.filter((one) => others.every(({ tags }) => tags.includes(one))) ?? []
  useForms().ask({
    title: tagsTitle(others.length === 0 ? (first?.name ?? '') : several(chosen.length)),
    act: words.commands.save,
    texts: { tags: common.join(', ') },
    fields: [{ name: 'tags', label, explanation: tagsText, kind: 'text', others: otherTags }],
    fits: ({ tags = '' }) => tagsOf(tags).every((one) => tagSchema.safeParse(one).success),
    async submit({ tags = '' }) {
      const typed = tagsOf(tags)
      const gone = common.filter((one) => !typed.includes(one))
      const names = chosen.map(({ name }) => name)
      if (typed.length + gone.length > 0) await useDatasets().tag(names, typed, gone)
    },
  })
}

export function useDatasetActions() {
  const router = useRouter()
  const runs = useRuns()

  const open = ({ name }: Pick<Dataset, 'name'>): unknown => router.push(datasetPath(name))
  const run = (names: readonly string[]): unknown => router.push({ path: '/new-run', query: { dataset: [...names] } })
  /** With its newest result. */
  const drawingOf = (name: string): RouteLocationRaw => {
    const newest = runs.list.find(({ dataset, state }) => dataset === name && state === 'done')?.id
    return { path: explorePath(name), query: { run: newest } }
  }
  const explore = (name: string): unknown => router.push(drawingOf(name))

  /** What can be done with some datasets. @param after they were deleted */
  function items(some: readonly Dataset[], after?: () => unknown) {
    const names = some.map(({ name }) => name)
    const [one, disabled] = [some[0]!, some.length !== 1]
    const { commands, frame, library } = words
    const removal = { keys: 'Delete', line: true, look: 'bad' } as const
    return {
      open: command('open', commands.open, FolderOpen, () => open(one), { keys: 'Enter', disabled }),
      run: command('run', frame.newRun, Play, () => run(names)),
      explore: command('explore', frame.explore, Waypoints, () => explore(one.name), { disabled }),
      rename: command('rename', commands.rename, Pencil, () => renameDataset(one), {
        keys: 'F2',
        line: true,
        disabled,
      }),
      tag: command('tag', library.editTags, Tag, () => tag(some)),
      complement: command('complement', library.complement, Combine, () => makeComplement(one), { disabled }),
      remove: command('remove', commands.remove, Trash2, () => remove(names, after), removal),
    }
  }

  /** The first steps, while there is no dataset yet. */
  const firstSteps = computed((): readonly MenuItem[] => {
    const sampling = useWork().running.some(({ kind }) => kind === 'sample')
    const sample = (): unknown => useToasts().attempt(() => ask('datasets.sample', { sample: 'cities', radiusKm: 10 }))
    const make = (what: string) => () => router.push(`/library?do=${what}`)
    const { library, commands } = words
    return [
      { label: library.tryCities, look: 'primary', icon: MapPin, disabled: sampling, act: sample },
      { label: commands.importFile, icon: FileInput, act: make('import') },
      { label: library.generate, icon: Sparkles, act: make('generate') },
    ]
  })
  return { open, run, explore, drawingOf, items, firstSteps }
}
