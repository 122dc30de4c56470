import {
  Command as CommandSign,
  Database,
  FileInput,
  Keyboard,
  ListVideo,
  MapPin,
  Sparkles,
  SunMoon,
  Undo2,
} from '@lucide/vue'
import { computed } from 'vue'
import type { Router } from 'vue-router'
import { moment } from '../quantity.ts'
import { runLabel } from '../run/run-title.ts'
import { useDatasets } from '../stores/datasets.ts'
import { useRuns } from '../stores/runs.ts'
import { useSettings } from '../stores/settings.ts'
import { useToasts } from '../stores/toasts.ts'
import { theme } from '../theme/theme.ts'
import { words } from '../words/words.ts'
import type { Command } from './command.ts'
import { useCommands } from './command.ts'
import { places } from './places.ts'

const MOST_RUNS = 200

export function useFrameCommands(router: Router, show: { palette: () => void; shortcuts: () => void }): void {
  const datasets = useDatasets()
  const runs = useRuns()
  const settings = useSettings()
  const toasts = useToasts()
  const go = (path: string) => (): void => void router.push(path)

  const open = computed((): readonly Command[] => [
    ...datasets.ordered.map(({ name }) => ({
      id: `dataset:${name}`,
      label: words.commands.openDataset(name),
      icon: Database,
      act: go(`/dataset/${encodeURIComponent(name)}`),
    })),
    ...runs.list.slice(0, MOST_RUNS).map((run) => ({
      id: `run:${run.id}`,
      label: words.commands.openRun(`${run.dataset}: ${runLabel(run)}, ${moment(run.createdAt)}`),
      icon: ListVideo,
      act: go(`/run/${encodeURIComponent(run.id)}`),
    })),
  ])
  const switchTheme = (): void =>
    void toasts.attempt(() => settings.set({ theme: theme.shown.value === 'dark' ? 'light' : 'dark' }))

  // The palette shows them in the opposite order: what a page offers comes first, datasets and runs last.
  useCommands(open)
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
