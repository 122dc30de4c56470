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
  type LucideIcon,
} from '@lucide/vue'
import { computed } from 'vue'
import type { Router } from 'vue-router'
import { isFinal } from '../../../electron/contract/run.ts'
import { useDatasetActions } from '../library/dataset-actions.ts'
import { moment } from '../quantity.ts'
import { useRunActions } from '../run/run-actions.ts'
import { runLabel } from '../run/run-title.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useRuns } from '../stores/runs.ts'
import { useSettings } from '../stores/settings.ts'
import { useToasts } from '../stores/toasts.ts'
import { theme } from '../theme/theme.ts'
import { words } from '../words/words.ts'
import { useCommands, type Command } from './command.ts'
import { places } from './places.ts'

const MOST_RUNS = 200

/** Datasets and runs are opened first of all, then what else can be done with them. */
function useObjectCommands(router: Router): void {
  const datasets = useDatasets()
  const runs = useRuns()
  const ofDatasets = useDatasetActions(router)
  const ofRuns = useRunActions(router)
  const text = words.commands
  const named = computed(() =>
    runs.list
      .slice(0, MOST_RUNS)
      .map((run) => ({ run, name: `${run.dataset}: ${runLabel(run)}, ${moment(run.createdAt)}` })),
  )
  const command = (id: string, label: string, icon: LucideIcon, act: () => unknown): Command => ({
    ...{ id, label, icon },
    act: () => void act(),
  })
  const acts = computed(() => [
    ...datasets.ordered.flatMap(({ name }) => [
      command(`run-on:${name}`, text.runOn(name), Play, () => ofDatasets.run([name])),
      command(`explore:${name}`, text.explore(name), Waypoints, () => ofDatasets.explore(name)),
    ]),
    ...named.value.map(({ run: { id, state }, name }) =>
      isFinal(state)
        ? command(`again:${id}`, text.runAgain(name), RotateCcw, () => ofRuns.again(id))
        : command(`cancel:${id}`, text.cancelRun(name), X, () => ofRuns.cancel([id])),
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

export function useFrameCommands(router: Router, show: { palette: () => void; shortcuts: () => void }): void {
  const settings = useSettings()
  const toasts = useToasts()
  const go = (path: string) => (): void => void router.push(path)
  const switchTheme = (): void =>
    void toasts.attempt(() => settings.set({ theme: theme.shown.value === 'dark' ? 'light' : 'dark' }))

  // The palette shows them in the opposite order: what a page offers comes first, datasets and runs last.
  useObjectCommands(router)
  const undo = computed((): readonly Command[] =>
    toasts.undos.slice(-1).map((act) => ({ id: 'undo', label: words.frame.undo, icon: Undo2, keys: 'Ctrl+Z', act })),
  )
  useCommands(undo)
  useCommands([
    ...places.map(({ path, label, icon, keys }) => ({
      id: `go:${path}`,
      label: words.commands.go(label),
      icon,
      keys,
      act: go(path),
    })),
    { id: 'import', label: words.commands.importFile, icon: FileInput, keys: 'Ctrl+I', act: go('/library?do=import') },
    { id: 'generate', label: words.commands.generate, icon: Sparkles, act: go('/library?do=generate') },
    { id: 'sample', label: words.commands.sample, icon: MapPin, act: go('/library?do=sample') },
    { id: 'theme', label: words.commands.switchTheme, icon: SunMoon, act: switchTheme },
    { id: 'palette', label: words.commands.palette, icon: CommandSign, keys: 'Ctrl+K', act: show.palette },
    { id: 'shortcuts', label: words.commands.shortcuts, icon: Keyboard, keys: '?', act: show.shortcuts },
  ])
}
