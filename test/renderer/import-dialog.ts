import { flushPromises } from '@vue/test-utils'
import { afterEach, expect, vi } from 'vitest'
import type { Dataset } from '../../electron/contract/dataset.ts'
import { clearImport } from '../../renderer/src/library/import-form.ts'
import { openPage } from './open-page.ts'
import type { Opened } from './open-page.ts'

export const preview = {
  format: 'edge-list',
  reason: 'two numbers a line',
  compression: 'none',
  bytes: 9,
  columns: null,
  rows: [['1', '2']],
  warnings: [],
  refusals: [] as object[],
  skips: [] as object[],
  looked: { rows: 2, complete: true },
  table: null,
  vertices: null as object | null,
  balance: null as object | null,
}
const bytes = { hostBytes: 1000, deviceBytes: 0, scratchBytes: 0, diskBytes: 10 }
export const plan = {
  vertices: 3,
  arcs: 4,
  exact: false,
  basis: 'edge-list',
  device: 'cpu:0',
  lanes: [],
  batches: 0,
  steps: [{ name: 'import', ...bytes, passes: 1 }],
  passes: 1,
  needed: { ...bytes, peakDiskBytes: 10 },
  available: { hostBytes: 1e9, deviceBytes: null, diskBytes: 5 },
  refusal: null as { code: string; what: string; remedy: string; fixes: object[] } | null,
}

let opened: Opened | null = null
afterEach(() => {
  opened?.page.unmount()
  clearImport([])
  vi.unstubAllGlobals()
})

/** With files that are read, and room for them, unless `more` answers otherwise. */
export async function openImport(
  more: Readonly<Record<string, unknown>> = {},
  { files = [], datasets = [] }: { files?: readonly string[]; datasets?: readonly Dataset[] } = {},
): Promise<Opened> {
  const link = `/library?do=import${files.map((file) => `&source=${file}`).join('')}`
  const answers = { 'datasets.preview': preview, plan: { target: 'x', dataset: null, plan }, ...more }
  opened = await openPage({ datasets: [...datasets], runs: [] }, link, answers)
  await vi.waitFor(() => expect(importButton()).toBeDefined())
  return opened
}

export const inDialog = (selector: string): HTMLElement[] => [...document.querySelectorAll<HTMLElement>(selector)]
export const importButton = () =>
  inDialog('.dialog footer button').find((button) => button.textContent === 'Import') as HTMLButtonElement
export const reason = (): string =>
  document.getElementById(importButton().getAttribute('aria-describedby') ?? '')?.textContent ?? ''

export async function choose(path: string): Promise<void> {
  const [field] = inDialog('.dialog input[type=text], .dialog input:not([type])') as HTMLInputElement[]
  field!.value = path
  field!.dispatchEvent(new Event('input'))
  await flushPromises()
}

/** What a label is for. */
export const fieldOf = (label: string): HTMLElement | null => {
  const found = inDialog('.dialog label').find(({ textContent }) => textContent === label)
  return document.getElementById(found?.getAttribute('for') ?? '')
}
