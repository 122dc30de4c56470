import { vi } from 'vitest'
import { PATIENCE_MS } from './limits.ts'

/** Vitest waits for a second, which a loaded machine may take for anything. What never comes is told all the same. */
const PATIENCE = { timeout: PATIENCE_MS, interval: 10 }

const { waitFor } = vi
vi.waitFor = (callback, options = {}) =>
  waitFor(callback, { ...PATIENCE, ...(typeof options === 'number' ? { timeout: options } : options) })
