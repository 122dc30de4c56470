import {
  ChartNoAxesCombined,
  ChevronDown,
  ChevronUp,
  FolderOpen,
  Pencil,
  Play,
  RotateCcw,
  Square,
  Trash2,
} from '@lucide/vue'
import { useRouter } from 'vue-router'
import { MAX_QUEUE_PRIORITY, isFinal, type Run } from '../../../electron/contract/run.ts'
import { ask } from '../bridge.ts'
import { command } from '../frame/command.ts'
import { runPath } from '../places.ts'
import { useForms } from '../stores/forms.ts'
import { useRuns } from '../stores/runs.ts'
import { useToasts } from '../stores/toasts.ts'
import { words } from '../words/words.ts'

async function each(ids: readonly string[], act: (id: string) => Promise<void>): Promise<void> {
  const toasts = useToasts()
  for (const id of ids) if ((await toasts.attempt(() => act(id).then(() => true))) === null) return
}

/** @param after they have gone */
function remove(ids: readonly string[], after?: () => unknown): void {
  if (ids.length === 0) return
  const { removeTitle, removeSeveral, removeText, removed } = words.run
  useForms().ask({
    ...{ title: ids.length === 1 ? removeTitle : removeSeveral(ids.length), explanation: removeText },
    ...{ act: words.commands.remove, isBad: true },
    async submit() {
      await each(ids, async (id) => {
        await ask('runs.remove', { run: id })
        useRuns().drop(id)
      })
      useToasts().show(removed(ids.length))
      after?.()
    },
  })
}

/** Deletes the other runs of a sweep, after a question. @param after they have gone */
export function keepOnly(best: Run, others: readonly string[], after: () => unknown): void {
  const { removeText, removed } = words.run
  useForms().ask({
    ...{ title: words.compare.sweep.keepTitle(words.compare.count(String(others.length))), explanation: removeText },
    ...{ act: words.commands.remove, isBad: true },
    async submit() {
      await useRuns().annotate(best.id, { starred: true })
      await each(others, async (id) => {
        await ask('runs.remove', { run: id })
        useRuns().drop(id)
      })
      useToasts().show(removed(others.length))
      after()
    },
  })
}

export function annotate({ id, name, note }: Run): void {
  const text = words.run
  useForms().ask({
    ...{ title: text.renameTitle, act: words.commands.save, texts: { name: name ?? '', note } },
    fields: [
      { name: 'name', label: text.name, explanation: text.nameText, kind: 'text', maxLength: 100 },
      { name: 'note', label: text.note, kind: 'lines', maxLength: 10_000 },
    ],
    submit: (now) => useRuns().annotate(id, { name: now['name']?.trim() ?? '', note: now['note'] ?? '' }),
  })
}

export const toggleStar = ({ id, starred }: Run): Promise<unknown> =>
  useToasts().attempt(() => useRuns().annotate(id, { starred: !starred }))

const prioritise = ({ id, queue }: Run, by: number): Promise<void> => {
  const priority = Math.min(MAX_QUEUE_PRIORITY, Math.max(0, queue.priority + by))
  return each([id], async (run) => useRuns().put((await ask('runs.prioritise', { run, priority })).run))
}
export const cancelRuns = (ids: readonly string[]): Promise<void> =>
  each(ids, async (run) => useRuns().put((await ask('runs.cancel', { run })).run))
const resume = (ids: readonly string[]): Promise<void> =>
  each(ids, async (run) => useRuns().put((await ask('runs.resume', { run })).run))
/** Makes what a search had found before it was ended its result. */
export const keepBest = (id: string): Promise<void> =>
  each([id], async (run) => useRuns().put((await ask('runs.resume', { run, finish: true })).run))
/** Ends a search, whose best answer so far is the result. */
export const finishRun = (id: string): Promise<void> => each([id], useRuns().finish)

interface WithList {
  readonly dataset: string
  readonly again?: string | undefined
  readonly keepFile?: readonly string[] | undefined
  readonly excludeFile?: readonly string[] | undefined
  readonly keepWhere?: string | undefined
  readonly excludeWhere?: string | undefined
}

export function useRunActions() {
  const router = useRouter()
  const open = (id: string): unknown => router.push(runPath(id))
  const again = (id: string): unknown => router.push({ path: '/new-run', query: { again: id } })
  const compare = (ids: readonly string[]): unknown => router.push({ path: '/compare', query: { run: [...ids] } })

  /** The form of a new run with lists of vertices that were chosen in the window. @throws CallFailed when they cannot be stored */
  async function withList({ keepFile, excludeFile, ...query }: WithList): Promise<void> {
    const path = async (labels: readonly string[] = []): Promise<string | undefined> =>
      labels.length === 0 ? undefined : (await ask('lists.write', { labels: [...labels] })).path
    const [keep, exclude] = await Promise.all([path(keepFile), path(excludeFile)])
    await router.push({ path: '/new-run', query: { ...query, keepFile: keep, excludeFile: exclude } })
  }

  /** What can be done with some runs; what does not fit them is disabled. @param after they were deleted */
  function items(some: readonly Run[], after?: () => unknown) {
    const idsOf = (which: (run: Run) => boolean): readonly string[] => some.filter(which).map(({ id }) => id)
    const [finished, going] = [idsOf(({ state }) => isFinal(state)), idsOf(({ state }) => !isFinal(state))]
    const resumable = idsOf(({ state, datasetId }) => isFinal(state) && state !== 'done' && datasetId !== null)
    const run = some[0]!
    const disabled = some.length !== 1
    const waits = !disabled && run.state === 'queued'
    const { commands, frame, run: ofRun, runs } = words
    const none = (ids: readonly string[]) => ({ disabled: ids.length === 0 })
    const removal = { keys: 'Delete', look: 'bad', ...none(finished) } as const
    return {
      open: command('open', commands.open, FolderOpen, () => open(run.id), { keys: 'Enter', disabled }),
      compare: command('compare', frame.compare, ChartNoAxesCombined, () => compare(idsOf(() => true))),
      rename: command('rename', ofRun.rename, Pencil, () => annotate(run), { keys: 'F2', disabled }),
      again: command('again', ofRun.again, RotateCcw, () => again(run.id), { disabled }),
      raise: command('raise', runs.raise, ChevronUp, () => prioritise(run, 1), { line: true, disabled: !waits }),
      lower: command('lower', runs.lower, ChevronDown, () => prioritise(run, -1), { disabled: !waits }),
      resume: command('resume', commands.resume, Play, () => resume(resumable), { line: true, ...none(resumable) }),
      cancel: command('cancel', commands.cancel, Square, () => cancelRuns(going), none(going)),
      remove: command('remove', commands.remove, Trash2, () => remove(finished, after), removal),
    }
  }

  return { open, again, compare, withList, items }
}
