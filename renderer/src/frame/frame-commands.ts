import {
  Command as CommandSign,
  Database,
  FileInput,
  Keyboard,
  ListVideo,
  MapPin,
  Play,
  RotateCcw,
  Sparkles,
  SunMoon,
  Undo2,
  Waypoints,
  X,
} from '@lucide/vue'
import { computed } from 'vue'
import { useRouter } from 'vue-router'
import { isFinal } from '../../../electron/contract/run.ts'
import { useDatasetActions } from '../library/dataset-actions.ts'
import { moment } from '../quantity.ts'
import { cancelRuns, useRunActions } from '../run/run-actions.ts'
import { runLabel } from '../run/run-title.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useRuns } from '../stores/runs.ts'
import { useSettings } from '../stores/settings.ts'
import { useToasts } from '../stores/toasts.ts'
import { theme } from '../theme/theme.ts'
import { commands as text, words } from '../words/words.ts'
import { command, useCommands, type Command } from './command.ts'
import { places } from '../places.ts'

const MOST_RUNS = 200

/** Datasets and runs are opened first of all, then what else can be done with them. */
function useObjectCommands(): void {
  const datasets = useDatasets()
  const runs = useRuns()
  const ofDatasets = useDatasetActions()
  const ofRuns = useRunActions()
  const named = computed(() =>
    runs.list
      .slice(0, MOST_RUNS)
      .map((run) => ({ run, name: `${run.dataset}: ${runLabel(run)}, ${moment(run.createdAt)}` })),
  )
  const acts = computed(() => [
    ...datasets.ordered.flatMap(({ name }) => [
      command(`run-on:${name}`, text.runOn(name), Play, () => ofDatasets.run([name])),
      command(`explore:${name}`, text.explore(name), Waypoints, () => ofDatasets.explore(name)),
    ]),
    ...named.value.map(({ run: { id, state }, name }) =>
      isFinal(state)
        ? command(`again:${id}`, text.runAgain(name), RotateCcw, () => ofRuns.again(id))
        : command(`cancel:${id}`, words.work.cancel(name), X, () => cancelRuns([id])),
    ),
  ])
  const open = computed(() => [
    ...datasets.ordered.map((one) =>
      command(`dataset:${one.name}`, text.openDataset(one.name), Database, () => ofDatasets.open(one)),
    ),
    ...named.value.map(({ run: { id }, name }) =>
      command(`run:${id}`, text.openRun(name), ListVideo, () => ofRuns.open(id)),
    ),
  ])
  useCommands(acts)
  useCommands(open)
}

export function useFrameCommands(show: { palette: () => void; shortcuts: () => void }): void {
  const router = useRouter()
  const settings = useSettings()
  const toasts = useToasts()
  const go = (path: string) => (): unknown => router.push(path)
  const switchTheme = (): unknown =>
    toasts.attempt(() => settings.set({ theme: theme.shown.value === 'dark' ? 'light' : 'dark' }))

  // The palette shows them in the opposite order: what a page offers comes first, datasets and runs last.
  useObjectCommands()
  const undo = computed((): readonly Command[] =>
    toasts.undos.slice(-1).map((act) => ({ id: 'undo', label: words.frame.undo, icon: Undo2, keys: 'Ctrl+Z', act })),
  )
  useCommands(undo)
  useCommands([
    ...places.map(({ path, label, icon, keys }) => command(`go:${path}`, text.go(label), icon, go(path), { keys })),
    command('import', text.importFile, FileInput, go('/library?do=import'), { keys: 'Ctrl+I' }),
    command('generate', text.generate, Sparkles, go('/library?do=generate')),
    command('sample', text.sample, MapPin, go('/library?do=sample')),
    command('theme', text.switchTheme, SunMoon, switchTheme),
    command('palette', text.palette, CommandSign, show.palette, { keys: 'Ctrl+K' }),
    command('shortcuts', text.shortcuts, Keyboard, show.shortcuts, { keys: '?' }),
  ])
}
